// First replies to requests with an idempotency key. `answer` is absent while the first request is in
// progress.
export const sql = `
CREATE TABLE kept_answer (
  key    text   PRIMARY KEY,
  digest text   NOT NULL,
  until  bigint NOT NULL,
  answer text
);
CREATE INDEX kept_answer_by_end ON kept_answer (until);
`;

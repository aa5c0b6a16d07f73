// First answers to requests with a key of their sender's. `answer` is absent while the first is at work.
export const sql = `
CREATE TABLE kept_answer (
  key    text   PRIMARY KEY,
  digest text   NOT NULL,
  until  bigint NOT NULL,
  answer text
);
CREATE INDEX kept_answer_by_end ON kept_answer (until);
`;

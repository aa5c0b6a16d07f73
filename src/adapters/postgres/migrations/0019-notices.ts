// Happenings that people are notified of, and the notices of them that wait for a channel or were sent. A key returns as
// another episode if the same happens again.
export const sql = `
CREATE TABLE happening (
  number  bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key     text    NOT NULL,
  episode integer NOT NULL,
  at      bigint  NOT NULL,
  body    json    NOT NULL,
  UNIQUE (key, episode)
);

CREATE TABLE notice (
  channel   text   NOT NULL,
  happening bigint NOT NULL REFERENCES happening (number) ON DELETE CASCADE,
  outcome   text   CHECK (outcome IN ('sent', 'dropped')),
  PRIMARY KEY (channel, happening)
);
COMMENT ON COLUMN notice.outcome IS 'null while it waits';
CREATE INDEX notice_waiting ON notice (channel, happening) WHERE outcome IS NULL;
CREATE INDEX notice_of_happening ON notice (happening);

CREATE TABLE notice_cursor (
  source   text PRIMARY KEY,
  position text NOT NULL
);

CREATE TABLE notice_lead (
  single boolean     PRIMARY KEY DEFAULT true CHECK (single),
  member text        NOT NULL,
  until  timestamptz NOT NULL
);
`;

// Sessions of the page and its one-time codes. Secrets are stored as digests: who reads the tables cannot use a session.
export const sql = `
CREATE TABLE page_session (
  id         text   PRIMARY KEY,
  digest     text   NOT NULL UNIQUE,
  key_id     text   NOT NULL,
  generation integer NOT NULL,
  scopes     text[] NOT NULL,
  address    text   NOT NULL,
  agent      text   NOT NULL,
  opened_at  bigint NOT NULL,
  used_at    bigint NOT NULL,
  ends_at    bigint NOT NULL
);

CREATE TABLE page_code (
  digest     text   PRIMARY KEY,
  purpose    text   NOT NULL CHECK (purpose IN ('open', 'confirm')),
  key_id     text   NOT NULL,
  generation integer NOT NULL,
  scopes     text[] NOT NULL,
  until      bigint NOT NULL
);
`;

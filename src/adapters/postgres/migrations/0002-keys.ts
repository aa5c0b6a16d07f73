// API keys with sealed secrets. The single row of `api_key_version` is incremented with every change, in the
// same statement, so that changes become visible in the order of their numbers.
export const sql = `
CREATE TABLE api_key (
  id              text     PRIMARY KEY,
  uid             text     NOT NULL,
  nickname        text     NOT NULL,
  accounts        text[]   NOT NULL,
  scopes          text[]   NOT NULL,
  maker_alias     text,
  bind_body       boolean  NOT NULL,
  addresses       text[]   NOT NULL,
  created_at      bigint   NOT NULL,
  expires_at      bigint,
  generation      integer  NOT NULL DEFAULT 1,
  sealed          text     NOT NULL,
  previous_sealed text,
  previous_until  bigint,
  revoked_at      bigint,
  CHECK ((previous_sealed IS NULL) = (previous_until IS NULL))
);
CREATE TABLE api_key_version (
  version bigint NOT NULL
);
INSERT INTO api_key_version (version) VALUES (1);
CREATE UNIQUE INDEX api_key_version_is_one ON api_key_version ((true));
`;

// Signed heads of the ledger, the portfolios they cover, and every grant that a key has had. `key_change` begins with the
// keys as they are; a head that is here and not at a witness yet is sent again.
export const sql = `
CREATE TABLE key_change (
  number bigint PRIMARY KEY,
  id     text   NOT NULL,
  grants jsonb  NOT NULL
);
COMMENT ON COLUMN key_change.number IS 'the version of the keys that the change made';
COMMENT ON COLUMN key_change.grants IS 'the row of the key after the change, with digests of its sealed secrets';
INSERT INTO key_change (number, id, grants)
SELECT row_number() OVER (ORDER BY created_at, id COLLATE "C"), id, jsonb_build_object(
  'uid', uid, 'nickname', nickname, 'accounts', accounts, 'scopes', scopes, 'makerAlias', maker_alias,
  'bindBody', bind_body, 'addresses', addresses, 'createdAt', created_at, 'expiresAt', expires_at,
  'generation', generation, 'sealed', encode(sha256(convert_to(sealed, 'UTF8')), 'hex'),
  'previousSealed', encode(sha256(convert_to(previous_sealed, 'UTF8')), 'hex'),
  'previousUntil', previous_until, 'revokedAt', revoked_at)
FROM api_key;

CREATE TABLE witness_head (
  number  bigint PRIMARY KEY CHECK (number > 0),
  at      bigint NOT NULL,
  line    text   NOT NULL,
  actions text   NOT NULL
);
COMMENT ON COLUMN witness_head.actions IS 'multirange of the numbers of all actions in this head and those before it';
CREATE TABLE witnessed (
  portfolio bigint  PRIMARY KEY,
  version   integer NOT NULL,
  hash      text    NOT NULL
) WITH (fillfactor = 70);
CREATE TABLE witness_delivery (
  witness text   PRIMARY KEY,
  number  bigint NOT NULL
);
`;

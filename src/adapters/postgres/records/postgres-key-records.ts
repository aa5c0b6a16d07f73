// API keys in PostgreSQL, in the ledger's database.
import type {
  KeyGrant,
  KeyRecord,
  KeyRecords,
  KeysRead,
  Rotation,
  Scope,
} from '../../../ports/key-records.ts';
import { accountId } from '../../../values/ids.ts';
import { type Instant, instant } from '../../../values/instant.ts';
import { ReadPool } from '../read-pool.ts';

export interface KeyRecordsOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  readonly statementTimeoutMs?: number;
  /** Called for faults that are handled. */
  readonly onFault?: (error: unknown) => void;
}

interface Columns {
  readonly id: string;
  readonly uid: string;
  readonly nickname: string;
  readonly accounts: readonly string[];
  readonly scopes: readonly Scope[];
  readonly maker_alias: string | null;
  readonly bind_body: boolean;
  readonly addresses: readonly string[];
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly generation: number;
  readonly sealed: string;
  readonly previous_sealed: string | null;
  readonly previous_until: string | null;
  readonly revoked_at: string | null;
}

/** What a key may do, and by which digests its secrets are recognized, as `key_change` has it. */
export const GRANTS_OF_KEY = `jsonb_build_object(
  'uid', uid, 'nickname', nickname, 'accounts', accounts, 'scopes', scopes, 'makerAlias', maker_alias,
  'bindBody', bind_body, 'addresses', addresses, 'createdAt', created_at, 'expiresAt', expires_at,
  'generation', generation, 'sealed', encode(sha256(convert_to(sealed, 'UTF8')), 'hex'),
  'previousSealed', encode(sha256(convert_to(previous_sealed, 'UTF8')), 'hex'),
  'previousUntil', previous_until, 'revokedAt', revoked_at)`;

/** Makes a change; if it affected a row, increments the version and records the grants under the new one. */
const changing = (change: string): string => `
WITH changed AS (${change} RETURNING *),
raised AS (UPDATE api_key_version SET version = version + 1 WHERE EXISTS (SELECT FROM changed) RETURNING version),
recorded AS (INSERT INTO key_change (number, id, grants) SELECT raised.version, id, ${GRANTS_OF_KEY} FROM changed, raised)
SELECT id FROM changed`;

const ADD = changing(`
INSERT INTO api_key (id, uid, nickname, accounts, scopes, maker_alias, bind_body, addresses,
  created_at, expires_at, sealed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (id) DO NOTHING`);

const ROTATE = changing(`
UPDATE api_key SET generation = generation + CASE WHEN $5::text IS NULL THEN 1 ELSE 2 END,
  sealed = $3, previous_sealed = coalesce($5, sealed), previous_until = $4
WHERE id = $1 AND generation = $2::int8 AND revoked_at IS NULL`);

/** Without its secrets a revoked key does not come back by an edit of its row. */
const REVOKE = changing(`
UPDATE api_key SET revoked_at = $2, sealed = '', previous_sealed = NULL, previous_until = NULL
WHERE id = $1 AND revoked_at IS NULL`);

/** The version and the keys at one instant. */
const CHANGED = `
SELECT v.version, k.* FROM api_key_version AS v LEFT JOIN api_key AS k ON true
WHERE v.version <> $1 ORDER BY k.id COLLATE "C"`;

export class PostgresKeyRecords implements KeyRecords {
  readonly #pool: ReadPool;

  constructor(options: KeyRecordsOptions) {
    this.#pool = new ReadPool({
      connectionString: options.connectionString,
      maxConnections: 1,
      statementTimeoutMs: options.statementTimeoutMs ?? 5_000,
      connectTimeoutMs: 3_000,
      onFault: options.onFault ?? (() => undefined),
    });
  }

  async add(grant: KeyGrant, sealed: string): Promise<boolean> {
    const { id, uid, nickname, accounts, scopes, makerAlias = null, bindBody } = grant;
    const { addresses, createdAt, expiresAt = null } = grant;
    const who = [id, uid, nickname, accounts, scopes, makerAlias, bindBody];
    return await this.#change(ADD, [...who, addresses, createdAt, expiresAt, sealed]);
  }

  async list(): Promise<readonly KeyRecord[]> {
    const text = 'SELECT * FROM api_key ORDER BY id COLLATE "C"';
    return (await this.#pool.read<Columns>({ text })).map(keyRecord);
  }

  async changedSince(version: number): Promise<KeysRead | undefined> {
    const rows = await this.#pool.read<{ version: string } & (Columns | { id: null })>({
      name: 'changed keys',
      text: CHANGED,
      values: [version],
    });
    const [first] = rows;
    if (first === undefined) return undefined;
    const keys = rows.flatMap((row) => (row.id === null ? [] : [keyRecord(row)]));
    return { version: Number(first.version), keys };
  }

  async rotate(id: string, rotation: Rotation): Promise<boolean> {
    const { from, sealed, overlapUntil, kept = null } = rotation;
    return await this.#change(ROTATE, [id, from, sealed, overlapUntil, kept]);
  }

  async revoke(id: string, at: Instant): Promise<boolean> {
    return await this.#change(REVOKE, [id, at]);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #change(text: string, values: readonly unknown[]): Promise<boolean> {
    return (await this.#pool.write({ text, values })).length === 1;
  }
}

function keyRecord(row: Columns): KeyRecord {
  const previous =
    row.previous_sealed === null
      ? undefined
      : { sealed: row.previous_sealed, until: instant(Number(row.previous_until)) };
  return {
    id: row.id,
    uid: row.uid,
    nickname: row.nickname,
    accounts: row.accounts.map(accountId),
    scopes: row.scopes,
    makerAlias: row.maker_alias ?? undefined,
    bindBody: row.bind_body,
    addresses: row.addresses,
    createdAt: instant(Number(row.created_at)),
    expiresAt: instantOf(row.expires_at),
    generation: row.generation,
    sealed: row.sealed,
    previous,
    revokedAt: instantOf(row.revoked_at),
  };
}

const instantOf = (text: string | null): Instant | undefined =>
  text === null ? undefined : instant(Number(text));

// Sessions and codes of the page in PostgreSQL, in the ledger's database. Every insert also deletes what is over.
import type { Scope } from '../../../ports/key-records.ts';
import type { PageCode, PageSession, PageSessions } from '../../../ports/page/page-sessions.ts';
import { type Instant, instant } from '../../../values/instant.ts';
import { ReadPool } from '../read-pool.ts';

export interface PageSessionsOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  readonly statementTimeoutMs?: number;
  /** Called for faults that are handled. */
  readonly onFault?: (error: unknown) => void;
}

interface SessionColumns extends Record<string, unknown> {
  readonly id: string;
  readonly digest: string;
  readonly key_id: string;
  readonly generation: number;
  readonly scopes: readonly Scope[];
  readonly address: string;
  readonly agent: string;
  readonly opened_at: string;
  readonly used_at: string;
  readonly ends_at: string;
  readonly person: string | null;
  readonly mac: string;
}

interface CodeColumns extends Record<string, unknown> {
  readonly digest: string;
  readonly purpose: PageCode['purpose'];
  readonly key_id: string;
  readonly generation: number;
  readonly scopes: readonly Scope[];
  readonly until: string;
  readonly mac: string;
}

const ADD = `
WITH swept AS (DELETE FROM page_session WHERE ends_at <= $8)
INSERT INTO page_session (id, digest, key_id, generation, scopes, address, agent, opened_at, used_at, ends_at, person, mac)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id`;

/** Codes live for minutes: whatever ended an hour before this one ends is of no use. */
const ADD_CODE = `
WITH swept AS (DELETE FROM page_code WHERE until <= $6::bigint - 3600000)
INSERT INTO page_code (digest, purpose, key_id, generation, scopes, until, mac)
VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING digest`;

export class PostgresPageSessions implements PageSessions {
  readonly #pool: ReadPool;

  constructor(options: PageSessionsOptions) {
    this.#pool = new ReadPool({
      connectionString: options.connectionString,
      maxConnections: 1,
      statementTimeoutMs: options.statementTimeoutMs ?? 2_000,
      connectTimeoutMs: 2_000,
      onFault: options.onFault ?? (() => undefined),
    });
  }

  async add(session: PageSession): Promise<void> {
    const { id, digest, keyId, generation, scopes, address, agent } = session;
    const { openedAt, usedAt, endsAt, person, mac } = session;
    const who = [id, digest, keyId, generation, scopes, address, agent];
    const values = [...who, openedAt, usedAt, endsAt, person, mac];
    await this.#pool.write({ text: ADD, values });
  }

  async find(digest: string, now: Instant): Promise<PageSession | undefined> {
    const [row] = await this.#pool.read<SessionColumns>({
      name: 'page session',
      text: 'SELECT * FROM page_session WHERE digest = $1 AND ends_at > $2',
      values: [digest, now],
    });
    return row && sessionOf(row);
  }

  async use(id: string, at: Instant): Promise<void> {
    await this.#pool.write({
      text: 'UPDATE page_session SET used_at = $2 WHERE id = $1 AND used_at < $2',
      values: [id, at],
    });
  }

  async list(now: Instant): Promise<readonly PageSession[]> {
    const rows = await this.#pool.read<SessionColumns>({
      text: 'SELECT * FROM page_session WHERE ends_at > $1 ORDER BY opened_at DESC, id COLLATE "C"',
      values: [now],
    });
    return rows.map(sessionOf);
  }

  async end(id: string): Promise<boolean> {
    const text = 'DELETE FROM page_session WHERE id = $1 RETURNING id';
    return (await this.#pool.write({ text, values: [id] })).length === 1;
  }

  async addCode(code: PageCode): Promise<void> {
    const { digest, purpose, keyId, generation, scopes, until, mac } = code;
    const values = [digest, purpose, keyId, generation, scopes, until, mac];
    await this.#pool.write({ text: ADD_CODE, values });
  }

  async takeCode(
    digest: string,
    purpose: PageCode['purpose'],
    now: Instant,
  ): Promise<PageCode | undefined> {
    const [row] = await this.#pool.write<CodeColumns>({
      text: 'DELETE FROM page_code WHERE digest = $1 AND purpose = $2 RETURNING *',
      values: [digest, purpose],
    });
    if (row === undefined || Number(row.until) <= now) return undefined;
    const { key_id: keyId, generation, scopes, mac } = row;
    return { digest, purpose, keyId, generation, scopes, until: instant(Number(row.until)), mac };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

const sessionOf = (row: SessionColumns): PageSession => ({
  id: row.id,
  digest: row.digest,
  keyId: row.key_id,
  generation: row.generation,
  scopes: row.scopes,
  address: row.address,
  agent: row.agent,
  openedAt: instant(Number(row.opened_at)),
  usedAt: instant(Number(row.used_at)),
  endsAt: instant(Number(row.ends_at)),
  ...(row.person !== null && { person: row.person }),
  mac: row.mac,
});

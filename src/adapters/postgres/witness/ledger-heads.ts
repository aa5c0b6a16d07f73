// The signed heads of a ledger in its database, and what has happened since the newest: portfolios with more events, actions,
// switches, grants. Over a connection of its own. What is read here is not trusted: the witness outside has the heads.
import { type PortfolioId, portfolioId } from '../../../values/ids.ts';
import { type Instant, instant } from '../../../values/instant.ts';
import { ReadPool } from '../read-pool.ts';

export interface LedgerHeadsOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  readonly statementTimeoutMs?: number;
  /** Called for faults that are handled. */
  readonly onFault?: (error: unknown) => void;
}

export interface StoredHead {
  readonly number: number;
  readonly at: Instant;
  readonly line: string;
}

/** A portfolio with more events than the newest head knows. */
export interface GrownPortfolio {
  readonly portfolio: PortfolioId;
  /** Number of its events now, and up to the newest head with their hash. */
  readonly version: number;
  readonly witnessed: number;
  readonly hash: string;
  /** Its events are in the archive, where they were verified. */
  readonly isArchived: boolean;
}

/** A row by the names of its columns; 64-bit numbers as text. */
export type ChainedRow = Readonly<Record<string, unknown>>;

export interface NewHead extends StoredHead {
  readonly portfolios: readonly (readonly [id: string, version: number, hash: string])[];
  /** Numbers of the actions that this head adds, as ranges without gaps, both ends included. */
  readonly actions: readonly (readonly [from: string, to: string])[];
}

const GROWN = `
SELECT p.id::text, p.version, coalesce(w.version, 0) AS witnessed, coalesce(w.hash, '') AS hash, d.day IS NOT NULL AS is_archived
FROM portfolio AS p LEFT JOIN witnessed AS w ON w.portfolio = p.id
LEFT JOIN archived_day AS d ON d.day = to_char(to_timestamp(p.id / 1000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')
WHERE p.version > coalesce(w.version, 0) ORDER BY p.id LIMIT $1`;

/** Those in the gaps of what the newest head has: a number may become visible long after greater ones. */
const ACTIONS = `
SELECT found.* FROM unnest('{[1,)}'::int8multirange
  - coalesce((SELECT actions FROM witness_head ORDER BY number DESC LIMIT 1), '{}')::int8multirange) AS gap
CROSS JOIN LATERAL (
  SELECT * FROM action WHERE seq >= lower(gap) AND (upper(gap) IS NULL OR seq < upper(gap)) ORDER BY seq LIMIT $1
) AS found
ORDER BY found.seq LIMIT $1`;

const PUT = `
WITH head AS (
  INSERT INTO witness_head (number, at, line, actions)
  SELECT $1::bigint, $2::bigint, $3::text, (coalesce((SELECT actions FROM witness_head WHERE number = $1::bigint - 1), '{}')::int8multirange
    + coalesce((SELECT range_agg(int8range(one.first, one.last, '[]')) FROM unnest($4::bigint[], $5::bigint[]) AS one (first, last)),
      '{}'::int8multirange))::text
  ON CONFLICT (number) DO NOTHING RETURNING number
)
INSERT INTO witnessed AS held (portfolio, version, hash)
SELECT one.id, one.version, one.hash FROM head, unnest($6::bigint[], $7::int[], $8::text[]) AS one (id, version, hash)
ON CONFLICT (portfolio) DO UPDATE SET version = excluded.version, hash = excluded.hash`;

const DELIVERED = `
INSERT INTO witness_delivery AS held (witness, number) VALUES ($1, $2)
ON CONFLICT (witness) DO UPDATE SET number = greatest(held.number, excluded.number)`;

export class PostgresLedgerHeads {
  readonly #pool: ReadPool;

  constructor(options: LedgerHeadsOptions) {
    this.#pool = new ReadPool({
      connectionString: options.connectionString,
      maxConnections: 1,
      statementTimeoutMs: options.statementTimeoutMs ?? 60_000,
      connectTimeoutMs: 3_000,
      onFault: options.onFault ?? (() => undefined),
    });
  }

  async newest(): Promise<StoredHead | undefined> {
    const text = 'SELECT number, at, line FROM witness_head ORDER BY number DESC LIMIT 1';
    return (await this.#heads(text, []))[0];
  }

  /** Heads after the number, in order, at most `limit`. */
  async after(number: number, limit: number): Promise<readonly StoredHead[]> {
    const text =
      'SELECT number, at, line FROM witness_head WHERE number > $1 ORDER BY number LIMIT $2';
    return await this.#heads(text, [number, limit]);
  }

  async grown(limit: number): Promise<readonly GrownPortfolio[]> {
    const rows = await this.#pool.read<{
      id: string;
      version: number;
      witnessed: number;
      hash: string;
      is_archived: boolean;
    }>({ text: GROWN, values: [limit] });
    return rows.map(({ id, is_archived: isArchived, ...same }) => ({
      ...same,
      isArchived,
      portfolio: portfolioId(id),
    }));
  }

  /** Actions that no head has, in order of their numbers. */
  async newActions(limit: number): Promise<readonly ChainedRow[]> {
    return await this.#pool.read({ text: ACTIONS, values: [limit] });
  }

  async actionsBetween(from: string, to: string): Promise<readonly ChainedRow[]> {
    const text = 'SELECT * FROM action WHERE seq BETWEEN $1 AND $2 ORDER BY seq';
    return await this.#pool.read({ text, values: [from, to] });
  }

  /** Numbers and instants of all actions after the number, in order, at most `limit`. */
  async actionsAfter(
    seq: string,
    limit: number,
  ): Promise<readonly { readonly seq: string; readonly at: string }[]> {
    const text = 'SELECT seq, at FROM action WHERE seq > $1 ORDER BY seq LIMIT $2';
    return await this.#pool.read({ text, values: [seq, limit] });
  }

  /** Settings of switches after the number, in order. */
  async switchesAfter(number: number): Promise<readonly ChainedRow[]> {
    const text = 'SELECT * FROM switch_setting WHERE number > $1::bigint ORDER BY number';
    return await this.#pool.read({ text, values: [number] });
  }

  /** Changes of keys after the number, in order. */
  async grantsAfter(number: string): Promise<readonly ChainedRow[]> {
    const text = 'SELECT * FROM key_change WHERE number > $1 ORDER BY number';
    return await this.#pool.read({ text, values: [number] });
  }

  /** The keys as they are, each as its newest change should have it. `grants` is the SQL that forms it. */
  async keys(
    grants: string,
  ): Promise<readonly { readonly id: string; readonly grants: unknown }[]> {
    const text = `SELECT id, ${grants} AS grants FROM api_key ORDER BY id COLLATE "C"`;
    return await this.#pool.read({ text });
  }

  /** False, and nothing is written, if there is a head of this number already. */
  async put({ number, at, line, portfolios, actions }: NewHead): Promise<boolean> {
    await this.#pool.write({
      text: PUT,
      values: [
        number,
        at,
        line,
        actions.map(([from]) => from),
        actions.map(([, to]) => to),
        ...[0, 1, 2].map((column) => portfolios.map((one) => one[column])),
      ],
    });
    const [stored] = await this.after(number - 1, 1);
    return stored?.line === line;
  }

  /** The number of the newest head that the witness is known to have. */
  async delivered(witness: string): Promise<number> {
    const text = 'SELECT number::int AS number FROM witness_delivery WHERE witness = $1';
    const [row] = await this.#pool.read<{ number: number }>({ text, values: [witness] });
    return row?.number ?? 0;
  }

  async setDelivered(witness: string, number: number): Promise<void> {
    await this.#pool.write({ text: DELIVERED, values: [witness, number] });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #heads(text: string, values: readonly unknown[]): Promise<readonly StoredHead[]> {
    const rows = await this.#pool.read<{ number: string; at: string; line: string }>({
      text,
      values,
    });
    return rows.map(({ number, at, line }) => ({
      number: Number(number),
      at: instant(Number(at)),
      line,
    }));
  }
}

// A ledger whose portfolios have all ended on one day, in a database of its own: events that an earlier version stored one
// a row, and others as this version stores them, with fills and a recorded market.
import { join } from 'node:path';
import { Client } from 'pg';
import { ArchiveReader } from '../../../../src/adapters/archive-files/archive-reader.ts';
import { FolderFiles } from '../../../../src/adapters/archive-files/folder-files.ts';
import { migrate } from '../../../../src/adapters/postgres/migrate.ts';
import {
  PostgresLedger,
  type PostgresLedgerOptions,
} from '../../../../src/adapters/postgres/postgres-ledger.ts';
import type { ArchiveOptions } from '../../../../src/main/ledger/archive/archive-ledger.ts';
import { auditLedger, type LedgerAudit } from '../../../../src/main/ledger/audit-ledger.ts';
import type { ArchivedReads } from '../../../../src/ports/archive/archived-reads.ts';
import type { DayFiles } from '../../../../src/ports/archive/day-files.ts';
import type { DayName } from '../../../../src/ports/archive/submit-day.ts';
import type { StoredRow } from '../../../../src/ports/ledger.ts';
import { must } from '../../../../src/values/assert.ts';
import { type PortfolioId, portfolioId } from '../../../../src/values/ids.ts';
import { LEDGER_OF_ROWS, restoreLedger } from '../../../fixtures/kept-ledger.ts';
import { createEmptyDatabase, type TestDatabase } from '../../../support/daemon/services.ts';

const [first] = LEDGER_OF_ROWS.portfolios;
const SUBMITTED = Number(must(first, 'a portfolio').record.submitTimestamp);
export const DAY = new Date(SUBMITTED).toISOString().slice(0, 10) as DayName;
export const MIDNIGHT = Date.parse(`${DAY}T00:00:00Z`);
export const NEXT = new Date(MIDNIGHT + 86_400_000).toISOString().slice(0, 10) as DayName;
export const PARTITION = DAY.replaceAll('-', '');

/** The ended portfolios of a ledger that an earlier version wrote, with partitions and a market. */
const PREPARED = `
DELETE FROM turn WHERE portfolio IN (SELECT id FROM portfolio WHERE status IN (1, 4));
DELETE FROM event_row WHERE portfolio IN (SELECT id FROM portfolio WHERE status IN (1, 4));
DELETE FROM fill WHERE portfolio IN (SELECT id FROM portfolio WHERE status IN (1, 4));
DELETE FROM summary WHERE portfolio IN (SELECT id FROM portfolio WHERE status IN (1, 4));
DELETE FROM audit_seal WHERE portfolio IN (SELECT id FROM portfolio WHERE status IN (1, 4));
DELETE FROM portfolio WHERE status IN (1, 4);
INSERT INTO market_second (venue, instrument, second, at, bid, bid_size, mark_iv, funding_rate, age_ms, volume)
  SELECT 'paper', 'BTC_USDC', ${MIDNIGHT} + 1000 * n, ${MIDNIGHT} + 1000 * n + 7, 100000.50, 0.1, 0.1 + n / 7.0, -0.0000125 / 3, 3, 1.25
  FROM generate_series(0, 3000) AS n;
INSERT INTO market_instant (venue, instrument, at, bid, ask, counted_since, volume, value)
  SELECT 'paper', 'BTC_USDC', ${MIDNIGHT} + 1000 * n + 123, 100000.50, nullif(n, 3) + 100001, ${MIDNIGHT} + nullif(n, 5), 1.25 * n, 125000.625 * n
  FROM generate_series(0, 10) AS n;
INSERT INTO leg_moment (portfolio, version, leg, at, last, funding_rate, age_ms, expected_bps, expected_fee, expected_fee_currency)
  SELECT id, 1, 0, submitted_at, 99999.5, 0.0001 / 7, 12, 1.0 / 3, 0.00001, 'BTC' FROM portfolio;`;

/** All but three of the portfolios as this version stores them: a row for each turn, events without names of fields. */
const STORED_BY_TURN = `
CREATE FUNCTION pg_temp.names(data json) RETURNS text LANGUAGE sql AS $$
  SELECT json_agg(CASE place WHEN 1 THEN data->>'kind' ELSE key END ORDER BY place)::text
  FROM json_each(data) WITH ORDINALITY AS field (key, value, place) $$;
CREATE FUNCTION pg_temp.shaped(data json) RETURNS json LANGUAGE sql AS $$
  SELECT concat('[', (SELECT number FROM event_shape WHERE names = pg_temp.names(data)), ',',
    string_agg(value::text, ',' ORDER BY place) FILTER (WHERE place > 1), ']')::json
  FROM json_each(data) WITH ORDINALITY AS field (key, value, place) $$;
INSERT INTO event_shape (names) SELECT DISTINCT pg_temp.names(data) FROM event_row ON CONFLICT DO NOTHING;
INSERT INTO turn (portfolio, batch, version, size, events)
  SELECT portfolio, 9007199254740995, max(version), count(*),
    json_agg(CASE version % 4 WHEN 0 THEN data ELSE pg_temp.shaped(data) END ORDER BY version)
  FROM event_row WHERE portfolio NOT IN (SELECT id FROM portfolio ORDER BY id LIMIT 3)
  GROUP BY portfolio, version / 3;
DELETE FROM event_row WHERE portfolio IN (SELECT portfolio FROM turn);`;

const PARTITIONED = ['turn', 'leg_moment', 'market_second', 'market_instant'].map((table) => {
  const perMs = table.startsWith('market') ? 1 : 1_000;
  const [from, to] = [MIDNIGHT * perMs, (MIDNIGHT + 86_400_000) * perMs];
  return `DO $$ BEGIN IF to_regclass('${table}_${PARTITION}') IS NULL THEN
    CREATE TABLE ${table}_${PARTITION} PARTITION OF ${table} FOR VALUES FROM (${from}) TO (${to}); END IF; END $$;`;
});

export class EndedLedger {
  readonly database: TestDatabase;
  readonly client: Client;
  /** The folder of the archive, which does not exist yet. */
  readonly archive: string;
  /** Where days are archived: that folder, unless a test names another place. */
  files: DayFiles;
  readonly folder: string;
  readonly ended: readonly PortfolioId[];

  private constructor(
    { database, client }: { readonly database: TestDatabase; readonly client: Client },
    { folder, ended }: { readonly folder: string; readonly ended: readonly PortfolioId[] },
  ) {
    this.database = database;
    this.client = client;
    this.folder = folder;
    this.archive = join(folder, 'archive');
    this.files = new FolderFiles(this.archive);
    this.ended = ended;
  }

  /** `folder` is its own. */
  static async open(folder: string): Promise<EndedLedger> {
    const database = await createEmptyDatabase();
    await restoreLedger(LEDGER_OF_ROWS.name, database.connectionString);
    await migrate(database.connectionString);
    const client = new Client({ connectionString: database.connectionString });
    await client.connect();
    for (const text of PARTITIONED) await client.query(text);
    await client.query(PREPARED);
    await client.query(STORED_BY_TURN);
    const { rows } = await client.query<{ id: string }>('SELECT id::text FROM portfolio');
    const ended = rows.map(({ id }) => portfolioId(id));
    return new EndedLedger({ database, client }, { folder, ended });
  }

  get connectionString(): string {
    return this.database.connectionString;
  }

  options(changed: Partial<ArchiveOptions> = {}): ArchiveOptions {
    return {
      connectionString: this.connectionString,
      files: this.files,
      deployment: 'test',
      witness: { of: () => undefined },
      now: () => new Date('2026-11-24T10:00:00Z'),
      onStep: () => undefined,
      ...changed,
    };
  }

  /** Every row of the day as the database shows it. */
  async rows(): Promise<Readonly<Record<string, readonly string[]>>> {
    const found: Record<string, readonly string[]> = {};
    for (const text of [
      'SELECT portfolio, version, at, kind, data::jsonb, batch FROM event',
      'SELECT * FROM fill',
      'SELECT * FROM leg_moment',
      'SELECT * FROM market_second',
      'SELECT * FROM market_instant',
    ]) {
      const { rows } = await this.client.query(`SELECT one::text AS row FROM (${text}) AS one`);
      found[text] = rows.map(({ row }) => row).sort();
    }
    return found;
  }

  /** Every portfolio as lists show it. */
  listed(): Promise<readonly StoredRow[]> {
    const query = { orderBy: 'submittedAt', descending: true, offset: 0, limit: 1_000 } as const;
    return this.withLedger(undefined, async (ledger) => (await ledger.page(query)).rows);
  }

  /** The number of events in the database. */
  async held(): Promise<number> {
    const { rows } = await this.client.query('SELECT count(*)::int AS events FROM event');
    return rows[0].events;
  }

  async withLedger<T>(
    archive: ArchivedReads | undefined,
    use: (ledger: PostgresLedger) => Promise<T>,
    options: Partial<PostgresLedgerOptions> = {},
  ): Promise<T> {
    const { connectionString } = this;
    const ledger = new PostgresLedger({ connectionString, archive, ...options });
    try {
      return await use(ledger);
    } finally {
      await ledger.close();
    }
  }

  reader(): ArchiveReader {
    return new ArchiveReader(this.files);
  }

  audited(archive: DayFiles | undefined): Promise<LedgerAudit> {
    return auditLedger({
      connectionString: this.connectionString,
      folder: this.folder,
      archive,
      getMetadata: () => Promise.resolve(undefined),
    });
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.database.drop();
  }
}

// The tables of `export` over a real ledger with hostile text, and the options that it refuses.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresLedger } from '../../../src/adapters/postgres/postgres-ledger.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import { lives } from '../../support/daemon/lives.ts';
import { addressOf, createDatabase, type TestDatabase } from '../../support/daemon/services.ts';
import { readParquet } from '../../support/read-parquet.ts';
import { type Ran, twapd } from '../cli-world.ts';
import { expectHarmless } from '../expect-harmless.ts';
import { HOSTILE } from '../hostile-daemon.ts';

/** As stored in UTF-8, which has no lone surrogates. */
const STORED = HOSTILE.replace('\ud800', '\ufffd');
const TABLES = ['fills', 'slices', 'children', 'portfolios', 'legs'] as const;
const folder = mkdtempSync(join(tmpdir(), 'twapd-tables-'));

const withHostileTexts = (event: PortfolioEvent): PortfolioEvent =>
  event.kind === 'submitted'
    ? { ...event, spec: { ...event.spec, strategy: HOSTILE, note: `=1+1,"${HOSTILE}"` } }
    : event;

let database: TestDatabase;
const stored: PortfolioEvent[] = [];
beforeAll(async () => {
  database = await createDatabase();
  const ledger = await openPostgresLedger({ connectionString: database.connectionString });
  for (const { turn } of await lives()) {
    const events = turn.events.map(withHostileTexts);
    await ledger.commit([{ ...turn, events }]);
    stored.push(...events);
  }
  await ledger.close();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const exported = (...words: string[]): Promise<Ran> =>
  twapd(['export', ...words], { env: { DATABASE_URL: addressOf(database) } });

const countOf = (...kinds: readonly PortfolioEvent['kind'][]): number =>
  stored.filter(({ kind }) => kinds.includes(kind)).length;

test.each(TABLES)(
  '%s has the same rows as CSV and as Parquet, and shows no text raw',
  async (table) => {
    const { code, out } = await exported(table);
    expect(code).toBe(0);
    expectHarmless(out);
    expect(out).toContain('EVIL\\x1b[2J');
    const rows = parse<Record<string, string>>(out, { columns: true });
    const path = join(folder, `${table}.parquet`);
    expect((await exported(table, '--parquet', '--out', path)).code).toBe(0);
    const { rows: kept, schema } = await readParquet(path);
    expect(kept.length).toBe(rows.length);
    expect([...schema.keys()]).toEqual(Object.keys(rows[0] ?? {}));
    expect(kept[0]).toMatchObject({ strategy: STORED });
    const cell = (value: unknown): string =>
      value instanceof Date ? value.toISOString() : String(value ?? '');
    for (const [at, row] of rows.entries()) {
      const { strategy, note, reason, ...exact } = row;
      expect(
        Object.fromEntries(Object.keys(exact).map((name) => [name, cell(kept[at]?.[name])])),
      ).toEqual(exact);
    }
  },
);

test('there is a row for each fill, child and portfolio of the ledger, and a note is no formula of a spreadsheet', async () => {
  const counts: number[] = [];
  for (const table of ['fills', 'children', 'portfolios']) {
    counts.push(parse((await exported(table)).out, { columns: true }).length);
  }
  expect(counts).toEqual([countOf('fill_booked'), countOf('child_intended'), countOf('submitted')]);
  expect((await exported('portfolios')).out).toContain(`"'=1+1,""`);
});

test('a table without rows has its columns, as CSV and as Parquet', async () => {
  const { out, err } = await exported('fills', '--to', '2020-01-01');
  expect(err).toBe('0 rows written\n');
  expect(out).toMatch(/^portfolio,account,[a-z_,]+\n$/);
  const path = join(folder, 'none.parquet');
  expect((await exported('fills', '--to', '2020-01-01', '--parquet', '--out', path)).code).toBe(0);
  const { rows, schema } = await readParquet(path);
  expect(rows).toEqual([]);
  expect([...schema.keys()].join(',')).toBe(out.trimEnd());
});

test('what cannot be read as a time, or has no place to be written, is refused as wrong usage', async () => {
  const path = join(folder, 'never');
  for (const [words, reason] of [
    [['--from', 'yesterday'], '--from yesterday is no time; accepted: ISO 8601'],
    [['--from', '2026-11-20', '--to', '2026-11-19'], '--from is later than --to'],
    [['--parquet'], 'accepted: with --out FILE'],
    [['--parquet', '--csv', '--out', path], 'cannot be used with'],
    [['--tz', 'Mars'], 'accepted: an IANA zone'],
  ] as const) {
    const { code, err } = await exported('fills', ...words);
    expect([code, err.includes(reason)], err).toEqual([2, true]);
  }
  expect(existsSync(path)).toBe(false);
});

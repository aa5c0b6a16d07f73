// Days of operation one after the other, each with its portfolios, its archive and its backup: the database stops growing
// once the retention is full. Five short days here; `npm run test:long` runs a month, and prints a line for each day.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { FolderFiles } from '../../../../src/adapters/archive-files/folder-files.ts';
import {
  ledgerSizes,
  type TableSize,
} from '../../../../src/adapters/postgres/dump/ledger-sizes.ts';
import { DayPartitions } from '../../../../src/adapters/postgres/events/day-partitions.ts';
import { openPostgresLedger } from '../../../../src/adapters/postgres/postgres-ledger.ts';
import { archiveDays } from '../../../../src/main/ledger/archive/archive-ledger.ts';
import { writeBackup } from '../../../../src/main/ledger/backup/write-backup.ts';
import { dayOf } from '../../../../src/ports/archive/submit-day.ts';
import type { Turn } from '../../../../src/ports/ledger.ts';
import { portfolioId, tradeId } from '../../../../src/values/ids.ts';
import { instant } from '../../../../src/values/instant.ts';
import { lives } from '../../../support/daemon/lives.ts';
import { createDatabaseWithoutDays } from '../../../support/daemon/services.ts';

const DAYS = Number(process.env['TWAPD_ARCHIVE_DAYS'] ?? '5');
const PAIRS_A_DAY = Number(process.env['TWAPD_ARCHIVE_PAIRS'] ?? '20');
const RETENTION = 2;
const DAY_MS = 86_400_000;
const BEGIN = Date.UTC(2026, 0, 1);
const PAGES = 20;
/** Growth and fluctuation can be distinguished from so many days on. */
const LONG_DAYS = 12;
/** What remains of an archived portfolio in the database: its row and its summary, for lists and `info`. */
const KEPT_BYTES_MAX = 2_000;
/** The heap of the last days may be so much larger than that of the days after the retention was full. */
const HEAP_GROWTH_MAX = 1.25;
const COMPARED_DAYS = 4;
const TABLES_SHOWN = 12;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

const folder = mkdtempSync(join(tmpdir(), 'twapd-month-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sizeOf = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

interface TableGrowth {
  readonly table: string;
  readonly kB: number;
  readonly 'bytes a portfolio': number;
}

/** How each table has grown since the first days were archived, in bytes for each portfolio archived since; most first. */
function growthOf(sizes: readonly (readonly TableSize[])[]): readonly TableGrowth[] {
  const archived = (sizes.length - 1) * PAIRS_A_DAY * 2;
  const [first = [], last = []] = [sizes.at(0), sizes.at(-1)];
  const before = new Map(first.map(({ table, bytes }) => [table, bytes]));
  return last
    .map(({ table, bytes }) => ({
      table,
      kB: bytes / 1_000,
      'bytes a portfolio': Math.round((bytes - (before.get(table) ?? 0)) / archived),
    }))
    .toSorted((a, b) => b['bytes a portfolio'] - a['bytes a portfolio']);
}

/** The same lives as other portfolios, submitted at another time. */
function movedTo(turns: readonly Turn[], at: number): readonly Turn[] {
  const ids = new Map([...new Set(turns.map((turn) => turn.portfolio))].map((id, n) => [id, n]));
  return turns.map((turn) => {
    const id = portfolioId(String(at * 1_000 + (ids.get(turn.portfolio) ?? 0)));
    const { key: _key, row, ...rest } = turn;
    // What is computed when it is read is not copied with the row.
    const { record, nextDueAt, instruments, kinds, coin, hasFills } = row;
    const computed = { record, nextDueAt, instruments, kinds, coin, hasFills };
    return {
      ...rest,
      portfolio: id,
      row: { ...row, ...computed, submittedAt: instant(at), updatedAt: instant(at) },
      fills: turn.fills.map((fill) => ({ ...fill, tradeId: tradeId(`${fill.tradeId}-${id}`) })),
    };
  });
}

test(
  'a database whose days are archived stops growing once the retention is full',
  async () => {
    const turns = (await lives()).map(({ turn }) => turn);
    const database = await createDatabaseWithoutDays();
    const { connectionString } = database;
    const ledger = await openPostgresLedger({ connectionString });
    const client = new Client({ connectionString });
    const archive = join(folder, 'archive');
    mkdirSync(archive);
    const files = new FolderFiles(archive);
    await client.connect();
    const held: {
      readonly events: number;
      /** Of the whole database. */
      readonly bytes: number;
      readonly heap: number;
    }[] = [];
    const lines: object[] = [];
    const sizes: (readonly TableSize[])[] = [];
    try {
      for (let n = 0; n < DAYS; n += 1) {
        const midnight = BEGIN + n * DAY_MS;
        const day = dayOf(instant(midnight));
        const write = async ({ text }: { readonly text: string }) => {
          await client.query(text);
          return [];
        };
        const ahead = new DayPartitions(
          { write: write as never },
          { now: () => instant(midnight), onFault: (error) => expect.unreachable(String(error)) },
        );
        await ahead.createAhead();
        await ahead.close();
        for (let pair = 0; pair < PAIRS_A_DAY; pair += 1) {
          for (const turn of movedTo(turns, midnight + pair * 1_000)) {
            expect(await ledger.commit([turn])).toEqual({ kind: 'committed' });
          }
        }
        const outcomes = await archiveDays(
          {
            connectionString,
            files,
            deployment: 'test',
            witness: { of: () => undefined },
            now: () => new Date(midnight),
            onStep: () => undefined,
          },
          dayOf(instant(midnight - RETENTION * DAY_MS)),
        );
        expect(outcomes.every(({ kind }) => kind === 'archived')).toBe(true);
        const target = join(folder, 'backups', day);
        await writeBackup({
          connectionString,
          deployment: 'test',
          venues: join(folder, 'none'),
          target,
          now: () => new Date(midnight),
          onTable: () => undefined,
        });
        const backup = sizeOf(target);
        rmSync(target, { recursive: true });
        // What has a day in operation, and here a second: the log of turns is cut off after an hour, and the server cleans up by itself.
        await client.query('DELETE FROM turn_log');
        await client.query('VACUUM');
        const { rows } = await client.query(
          `SELECT pg_database_size(current_database())::float8 AS bytes, (SELECT count(*)::int FROM turn) AS turns`,
        );
        const latencies: number[] = [];
        for (let page = 0; page < PAGES; page += 1) {
          const from = performance.now();
          const { total } = await ledger.page({
            orderBy: 'submittedAt',
            descending: true,
            offset: 0,
            limit: 50,
          });
          latencies.push(performance.now() - from);
          expect(total).toBe((n + 1) * PAIRS_A_DAY * 2);
        }
        latencies.sort((a, b) => a - b);
        if (n > RETENTION) sizes.push((await ledgerSizes(connectionString)).tables);
        collect();
        const heap = process.memoryUsage().heapUsed;
        held.push({ events: rows[0].turns, bytes: rows[0].bytes, heap });
        lines.push({
          day,
          turns: rows[0].turns,
          'database MB': (rows[0].bytes / 1e6).toFixed(1),
          'archive MB': (sizeOf(archive) / 1e6).toFixed(2),
          'backup MB': (backup / 1e6).toFixed(2),
          'heap MB': (heap / 1e6).toFixed(1),
          'memory MB': (process.memoryUsage().rss / 1e6).toFixed(0),
          'page ms (median)': latencies[PAGES / 2]?.toFixed(1),
        });
      }
    } finally {
      await client.end();
      await ledger.close();
      await database.drop();
    }
    if (process.env['TWAPD_ARCHIVE_DAYS'] !== undefined) {
      console.table(lines);
      console.table(growthOf(sizes).slice(0, TABLES_SHOWN));
    }
    // A day and the retention, and no day more.
    const full = held.slice(RETENTION);
    expect(full.length).toBeGreaterThan(1);
    expect(new Set(full.map(({ events }) => events)).size).toBe(1);
    if (DAYS < LONG_DAYS) return;
    const archived = (full.length - 1) * PAIRS_A_DAY * 2;
    const grown = (full.at(-1)?.bytes ?? 0) - (full.at(0)?.bytes ?? 0);
    expect(grown / archived).toBeLessThan(KEPT_BYTES_MAX);
    const heaps = full.map(({ heap }) => heap);
    const begun = mean(heaps.slice(0, COMPARED_DAYS));
    expect(mean(heaps.slice(-COMPARED_DAYS)) / begun).toBeLessThan(HEAP_GROWTH_MAX);
  },
  Math.max(600_000, DAYS * 120_000),
);

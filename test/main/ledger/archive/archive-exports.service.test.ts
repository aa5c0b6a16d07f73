// Exports, the fills that `reconcile` compares and the courses of portfolios leave nothing out because a day was archived.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ArchiveReader } from '../../../../src/adapters/archive-files/archive-reader.ts';
import { FolderFiles } from '../../../../src/adapters/archive-files/folder-files.ts';
import { PostgresCostRecord } from '../../../../src/adapters/postgres/records/postgres-cost-record.ts';
import { coursesFrom } from '../../../../src/gateway/portfolios/read-course.ts';
import { archiveDays } from '../../../../src/main/ledger/archive/archive-ledger.ts';
import { exportLedger } from '../../../../src/main/ledger/export-ledger.ts';
import { ledgerFills } from '../../../../src/main/ledger/ledger-fills.ts';
import {
  LEDGER_TABLES,
  type LedgerTable,
} from '../../../../src/main/ledger/rows/ledger-columns.ts';
import { ledgerRows } from '../../../../src/main/ledger/rows/ledger-rows.ts';
import {
  type ArchivedReads,
  EventsArchived,
} from '../../../../src/ports/archive/archived-reads.ts';
import { must } from '../../../../src/values/assert.ts';
import { accountId } from '../../../../src/values/ids.ts';
import { INSTANT_MAX, instant } from '../../../../src/values/instant.ts';
import { addressOf } from '../../../support/daemon/services.ts';
import { twapd } from '../../cli-world.ts';
import { DAY, EndedLedger, MIDNIGHT, NEXT } from './ended-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-archive-exports-'));
const TABLES = Object.keys(LEDGER_TABLES) as LedgerTable[];
let on: EndedLedger;
let count = 0;

beforeEach(async () => {
  count += 1;
  on = await EndedLedger.open(join(folder, String(count)));
  return () => on.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = async (rows: AsyncIterable<unknown>): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const row of rows) found.push(JSON.stringify(row));
  return found;
};

const accounts = async (): Promise<readonly string[]> => {
  const { rows } = await on.client.query('SELECT DISTINCT account FROM portfolio ORDER BY account');
  return rows.map(({ account }) => account);
};

/** Every reader of events outside the daemon, by name. */
async function everyReader(
  archive?: ArchivedReads,
): Promise<Readonly<Record<string, () => Promise<readonly string[]>>>> {
  const { connectionString } = on;
  const tables = TABLES.map((table) => [
    `export ${table}`,
    () => lines(ledgerRows({ connectionString, archive }, table, {})),
  ]);
  const whole = { from: 0, until: INSTANT_MAX };
  const fills = (await accounts()).map((account) => [
    `fills of ${account} to reconcile`,
    () => lines(ledgerFills(connectionString, { account: accountId(account), ...whole }, archive)),
  ]);
  const broken = (id: string) => expect.unreachable(`the chain of ${id} is broken`);
  const events = () => lines(exportLedger(connectionString, {}, broken, archive));
  return Object.fromEntries([...tables, ...fills, ['export', events]]);
}

test('exports and the fills to reconcile are the same rows after their day was archived, and refused without the archive', async () => {
  const before = new Map<string, readonly string[]>();
  for (const [name, read] of Object.entries(await everyReader())) before.set(name, await read());
  const names = [...before.keys()];
  expect(names.length).toBeGreaterThan(TABLES.length + 1);
  for (const table of TABLES) expect(before.get(`export ${table}`)).not.toEqual([]);
  await archiveDays(on.options(), NEXT);
  const archive = on.reader();
  for (const [name, read] of Object.entries(await everyReader(archive))) {
    expect([name, await read()]).toEqual([name, before.get(name)]);
  }
  for (const archived of [undefined, new ArchiveReader(new FolderFiles(join(folder, 'nowhere')))]) {
    for (const [name, read] of Object.entries(await everyReader(archived))) {
      if (before.get(name)?.length === 0) continue;
      await expect(read(), name).rejects.toThrow(EventsArchived);
    }
  }
});

test('the course of a portfolio is the same after its day was archived, and refused without the archive', async () => {
  const courses = (archive?: ArchivedReads) =>
    on.withLedger(archive, async (ledger) => {
      const costs = new PostgresCostRecord({ connectionString: on.connectionString, archive });
      const describe = () => ({ exchange: 'paper', accountName: 'Desk' }) as never;
      const read = coursesFrom({
        ledger,
        costs,
        accounts: { describe },
        now: () => instant(MIDNIGHT + 86_400_000),
      });
      const query = { isOwn: () => true, after: 0 };
      try {
        return await Promise.all(on.ended.map((portfolio) => read({ ...query, portfolio })));
      } finally {
        await costs.close();
      }
    });
  await on.client.query(
    `UPDATE market_second SET instrument = 'BTC-PERPETUAL', second = second + shift.ms, at = at + shift.ms
    FROM (SELECT (min(submitted_at) / 1000) * 1000 - ${MIDNIGHT} AS ms FROM portfolio) AS shift
    WHERE second + shift.ms < ${MIDNIGHT} + 86400000`,
  );
  const before = JSON.stringify(await courses());
  expect(before).toContain('BTC-PERPETUAL');
  await archiveDays(on.options(), NEXT);
  expect(JSON.stringify(await courses(on.reader()))).toBe(before);
  await expect(courses()).rejects.toThrow(EventsArchived);
});

test('export of a table writes archived days from ledger.archive, and without it names the day that it cannot read', async () => {
  const paper = readFileSync('config/paper.yaml', 'utf8');
  const configOf = (name: string, extra: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `${paper}${extra}`);
    return path;
  };
  const withArchive = configOf('with.yaml', `\nledger:\n  archive: ${on.archive}\n`);
  const without = configOf('without.yaml', '');
  const run = (config: string, ...words: readonly string[]) =>
    twapd([...words, '-c', config], { env: { DATABASE_URL: addressOf(on.database) } });
  const before = await run(without, 'export', 'portfolios');
  expect([before.code, before.out.trim().split('\n').length]).toEqual([0, on.ended.length + 1]);
  await archiveDays(on.options(), NEXT);
  expect((await run(withArchive, 'export', 'portfolios')).out).toBe(before.out);
  const refused = await run(without, 'export', 'portfolios');
  const first = must(on.ended.toSorted()[0], 'a portfolio');
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining(`portfolio ${first} are in the archive of ${DAY}`),
  ]);
});

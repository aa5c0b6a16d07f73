// Days of a ledger on their way to the archive and back: a day is in one of both places, whole, whatever is killed when.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { LedgerDump } from '../../../../src/adapters/postgres/dump/ledger-dump.ts';
import { archiveDays, restoreDay } from '../../../../src/main/ledger/archive/archive-ledger.ts';
import type { DayName } from '../../../../src/ports/archive/submit-day.ts';
import { must } from '../../../../src/values/assert.ts';
import { expectNothingLost } from './archive-kills.ts';
import { DAY, EndedLedger, MIDNIGHT, NEXT, PARTITION } from './ended-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-archive-'));
let on: EndedLedger;
let count = 0;

beforeEach(async () => {
  count += 1;
  on = await EndedLedger.open(join(folder, String(count)));
  return () => on.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a day comes back as it was, and can be archived again', async () => {
  const before = await on.rows();
  await archiveDays(on.options(), NEXT);
  await restoreDay(on.options(), DAY);
  expect(await on.rows()).toEqual(before);
  const partition = await on.client.query(`SELECT count(*)::int AS rows FROM turn_${PARTITION}`);
  expect(partition.rows[0].rows).toBeGreaterThan(0);
  await expect(restoreDay(on.options(), DAY)).rejects.toThrow('is not in the archive');
  expect(await archiveDays(on.options(), NEXT)).toMatchObject([{ kind: 'archived' }]);
  await restoreDay(on.options(), DAY);
  expect(await on.rows()).toEqual(before);
});

test('the market of a day without portfolios goes to the archive too, with a partition or without one', async () => {
  const DAY_MS = 86_400_000;
  const dayAfter = (days: number): DayName =>
    new Date(MIDNIGHT + days * DAY_MS).toISOString().slice(0, 10) as DayName;
  const second = dayAfter(2).replaceAll('-', '');
  await on.client.query(`CREATE TABLE market_second_${second} PARTITION OF market_second
    FOR VALUES FROM (${MIDNIGHT + 2 * DAY_MS}) TO (${MIDNIGHT + 3 * DAY_MS})`);
  await on.client.query(`INSERT INTO market_second (venue, instrument, second, at, bid, age_ms)
    SELECT 'paper', 'BTC-PERPETUAL', ${MIDNIGHT} + n, ${MIDNIGHT} + n + 7, 100000.5, 3
    FROM generate_series(${DAY_MS}, ${3 * DAY_MS - 1}, 3600000) AS n`);
  const before = await on.rows();
  const archived = await archiveDays(on.options(), dayAfter(3));
  expect(archived.map(({ day, kind }) => [day, kind])).toEqual(
    [0, 1, 2].map((days) => [dayAfter(days), 'archived']),
  );
  const left = await on.client.query(`SELECT (SELECT count(*)::int FROM market_second) AS seconds,
    to_regclass('market_second_${second}')::text AS partition`);
  expect(left.rows).toEqual([{ seconds: 0, partition: null }]);
  expect(await archiveDays(on.options(), dayAfter(3))).toEqual([]);
  for (const days of [0, 1, 2]) await restoreDay(on.options(), dayAfter(days));
  expect(await on.rows()).toEqual(before);
});

test('a day in a partition of another name and other bounds is archived by its rows, and comes back as it was', async () => {
  // As an earlier version made them when it read the clock twice: named a day early, and a millisecond ahead of it.
  const early = new Date(MIDNIGHT - 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  for (const table of ['turn', 'leg_moment']) {
    const [from, to] = [(MIDNIGHT - 1) * 1_000, (MIDNIGHT + 86_400_000 - 1) * 1_000];
    await on.client.query(`ALTER TABLE ${table} DETACH PARTITION ${table}_${PARTITION};
      ALTER TABLE ${table}_${PARTITION} RENAME TO ${table}_${early};
      ALTER TABLE ${table} ATTACH PARTITION ${table}_${early} FOR VALUES FROM (${from}) TO (${to})`);
  }
  const before = await on.rows();
  const archived = await archiveDays(on.options(), NEXT);
  expect(archived.at(-1)).toMatchObject({ day: DAY, kind: 'archived' });
  const left = await on.client.query(
    'SELECT (SELECT count(*)::int FROM turn) AS turns, (SELECT count(*)::int FROM leg_moment) AS moments',
  );
  expect(left.rows).toEqual([{ turns: 0, moments: 0 }]);
  await restoreDay(on.options(), DAY);
  expect(await on.rows()).toEqual(before);
});

test('what happens to a portfolio after its day was archived is read behind it, and joins the day when that comes back', async () => {
  const [id] = on.ended;
  const portfolio = must(id, 'a portfolio');
  await archiveDays(on.options(), NEXT);
  const late = { kind: 'late', at: 1 };
  await on.withLedger(on.reader(), async (ledger) => {
    const { version } = must(await ledger.load(portfolio), 'it is in the archive');
    await on.client.query('INSERT INTO turn VALUES ($1, 1, $2, 1, $3)', [
      portfolio,
      version + 1,
      JSON.stringify([late]),
    ]);
    await on.client.query('UPDATE portfolio SET version = version + 1 WHERE id = $1', [portfolio]);
    const after = must(await ledger.load(portfolio), 'it is in both');
    expect(after.version).toBe(version + 1);
    expect(after.events.at(-1)).toEqual(late);
    expect(await ledger.eventsAfter(portfolio, version, 5)).toEqual([late]);
    expect(await ledger.eventsAfter(portfolio, version - 1, 2)).toHaveLength(2);
    await restoreDay(on.options(), DAY);
    expect(await ledger.load(portfolio)).toEqual(after);
  });
});

test('a day is not moved while a backup reads the ledger, and is afterwards', async () => {
  const backup = await LedgerDump.open(on.connectionString);
  await expect(archiveDays(on.options(), NEXT)).rejects.toThrow('or backs it up');
  expect(await on.held()).toBeGreaterThan(0);
  await backup.close();
  expect(await archiveDays(on.options(), NEXT)).toMatchObject([{ kind: 'archived' }]);
});

describe('a day is kept in the database', () => {
  test('while a portfolio of it is at work', async () => {
    await on.client.query('UPDATE portfolio SET status = 1 WHERE id = $1', [on.ended[0]]);
    const before = await on.rows();
    expect(await archiveDays(on.options(), NEXT)).toMatchObject([
      { kind: 'kept', reason: expect.stringContaining('are at work, such as') },
    ]);
    expect(await on.rows()).toEqual(before);
  });

  test('if it is not before the day that was named', async () => {
    expect(await archiveDays(on.options(), DAY)).toEqual([]);
    expect(await on.held()).toBeGreaterThan(0);
  });

  test('if an event of it is missing', async () => {
    const from = 'FROM turn WHERE version > 1 ORDER BY portfolio DESC, version DESC LIMIT 1';
    await on.client.query(
      `DELETE FROM turn WHERE (portfolio, version) IN (SELECT portfolio, version ${from})`,
    );
    const before = await on.rows();
    expect(await archiveDays(on.options(), NEXT)).toMatchObject([{ kind: 'kept' }]);
    expect(await on.rows()).toEqual(before);
  });

  test('if its events are not those that were sealed', async () => {
    await on.client.query(
      `INSERT INTO audit_seal VALUES ($1, 2, repeat('0', 64)) ON CONFLICT (portfolio) DO UPDATE SET version = 2, hash = excluded.hash`,
      [on.ended[0]],
    );
    const before = await on.rows();
    await expect(archiveDays(on.options(), NEXT)).rejects.toThrow('not those that were sealed');
    expect(await on.rows()).toEqual(before);
  });

  test('if one of its portfolios changes before the day is taken out', async () => {
    const outcomes = await archiveDays(
      on.options({
        onStep: async (_day, step) => {
          if (step !== 'release') return;
          await on.client.query('UPDATE portfolio SET version = version + 1 WHERE id = $1', [
            on.ended[0],
          ]);
        },
      }),
      NEXT,
    );
    expect(outcomes).toMatchObject([
      { kind: 'kept', reason: expect.stringContaining('has changed since it was archived') },
    ]);
    expect(await on.held()).toBeGreaterThan(0);
  });
});

test('an archive that is killed at any of its steps, or at any moment, loses nothing and is completed by the next', async () => {
  const place = { kind: 'folder', folder: on.archive } as const;
  await expectNothingLost(on, place, () => readdirSync(on.archive).includes(DAY));
}, 240_000);

// Pages of docs/, each followed from its first command to its last as its reader does. Those that need no daemon run here; the
// tutorial and the pages alongside a running daemon take minutes and belong to `npm run test:long`.
import process from 'node:process';
import { afterEach, expect, test } from 'vitest';
import { addressOf, createDatabase, redisUrl } from '../../support/daemon/services.ts';
import {
  BESIDE_A_DAEMON,
  pathOf,
  TUTORIAL,
  WITH_STORES,
  WITHOUT_A_DAEMON,
} from './followed-pages.ts';
import { blocksOf } from './page-blocks.ts';
import { Reader } from './reader.ts';
import {
  giveRecordings,
  giveReports,
  lastCalls,
  nextExpiry,
  STRATEGY_OF_EXPIRED_OPTION,
} from './reader-files.ts';

const MS_MAX = 1_200_000;
let reader: Reader | undefined;
afterEach(async () => {
  await reader?.leave();
  reader = undefined;
});

async function arrive(environment: NodeJS.ProcessEnv = {}): Promise<Reader> {
  reader = await Reader.arrive(environment);
  return reader;
}

async function follow(by: Reader, page: string): Promise<void> {
  for (const block of blocksOf(pathOf(page))) await by.follow(block);
}

const WAYS: Readonly<Record<string, () => Promise<Reader>>> = {
  ...Object.fromEntries(
    WITHOUT_A_DAEMON.map((page) => [
      page,
      async () => {
        const by = await arrive();
        if (page === 'sweep' || page === 'rehearse') giveRecordings(by);
        // What takes hours or many markets takes seconds here.
        by.rename('--for 2h', '--for 5s');
        by.rename('--days 5 --seeds 20', '--days 1 --seeds 2');
        await follow(by, page);
        return by;
      },
    ]),
  ),
};

const LONG_WAYS: typeof WAYS = {
  [TUTORIAL]: async () => {
    const by = await arrive();
    by.give('my/new.yaml', STRATEGY_OF_EXPIRED_OPTION);
    giveRecordings(by);
    for (const block of blocksOf(pathOf(TUTORIAL))) {
      // Expiries of the page pass; those of this day take their place.
      if (block.lines.some((line) => line.includes('rfq create'))) {
        const [lower, upper] = await lastCalls(by);
        by.rename('25JUN27-100000', lower);
        by.rename('25JUN27-105000', upper);
      }
      await by.follow(block);
    }
    return by;
  },
  [BESIDE_A_DAEMON.join(', ')]: async () => {
    const by = await arrive();
    giveRecordings(by);
    await by.start('npm start');
    const id = await by.filled();
    by.rename('1795255591545000', id);
    const [name, day] = await nextExpiry(by);
    by.rename('27NOV26', name);
    by.rename('2026-11-27', day);
    await giveReports(by, id);
    for (const page of BESIDE_A_DAEMON) await follow(by, page);
    return by;
  },
  ...Object.fromEntries(
    WITH_STORES.map((page) => [
      page,
      async () => {
        const database = await createDatabase();
        try {
          const stores = { REDIS_URL: `unix://${redisUrl()}`, DATABASE_URL: addressOf(database) };
          const by = await arrive(stores);
          await follow(by, page);
          await by.leave();
          return by;
        } finally {
          await database.drop();
        }
      },
    ]),
  ),
};

const followed = process.env['TWAPD_PAGES'] === 'all' ? { ...WAYS, ...LONG_WAYS } : WAYS;

test.each(Object.keys(followed))(
  'every command of %s does what the page shows',
  async (name) => {
    const by = await followed[name]?.();
    expect(by?.faults).toEqual([]);
  },
  MS_MAX,
);

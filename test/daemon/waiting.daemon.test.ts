// The real daemon with many portfolios that wait for their start, killed with -9 before some of them are due.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { PortfolioBody, PortfolioRecord } from '../../src/gateway/client/client.ts';
import { accountId } from '../../src/values/ids.ts';
import {
  allowLongEnds,
  type Daemon,
  daemonFiles,
  startDaemon,
} from '../support/daemon/daemon-process.ts';
import { sumOf, tradesInJournal } from '../support/daemon/journal-trades.ts';

const WAITING = 1_500;
const DUE = 40;
const AT_ONCE = 8;
const PAGE = 100;
const DAY_MS = 86_400_000;
/** Later than the kill. */
const DUE_AFTER_MS = 3_000;
/** One slice, which may be caught up on for this long: a slow machine starts a daemon within it. */
const WINDOW_SEC = 180;
const [ACTIVE, FILLED, CANCELLED] = [1, 2, 3];
const UNLIMITED = 1_000_000;

const files = daemonFiles('wtng');
allowLongEnds(files);
// The states of what waits do not fit into memory.
const small = readFileSync(files.configPath, 'utf8').replace(
  /readLagMs: .*/,
  '$&\n  stateMemoryMb: 1',
);
writeFileSync(files.configPath, small);
appendFileSync(
  files.configPath,
  `\ngateway:\n  perKey: { submit: ${UNLIMITED}, read: ${UNLIMITED}, work: ${UNLIMITED} }\n`,
);
let daemon: Daemon | undefined;
afterEach(async () => {
  await daemon?.end('SIGTERM');
});
afterAll(() => files.remove());

const body = (startAt: number): PortfolioBody => ({
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { startTimestamp: startAt, durationSec: WINDOW_SEC, frequencySec: WINDOW_SEC },
  legs: [
    {
      instrument: 'BTC-PERPETUAL',
      instrumentType: 'PERPETUAL',
      side: 1,
      quantity: '200',
      priceOptions: { priceType: 'MARKET' },
    },
  ],
});

/** A daemon that sheds load refuses a submit, and is asked again when it says. */
async function submitOne(client: Daemon['client'], startAt: number): Promise<string> {
  for (;;) {
    const answer = await client.submit(body(startAt));
    if (answer.kind === 'done') return String(answer.value.portfolioId);
    const isShed = answer.kind === 'refused' && answer.status === 503;
    if (!isShed) throw new Error(JSON.stringify(answer));
    await sleep((answer.retryAfterSec ?? 1) * 1_000);
  }
}

async function submit(client: Daemon['client'], count: number, startAt: number): Promise<string[]> {
  const ids: string[] = [];
  let left = count;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      ids.push(await submitOne(client, startAt));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ids;
}

async function listed(client: Daemon['client']): Promise<ReadonlyMap<string, PortfolioRecord>> {
  const records = new Map<string, PortfolioRecord>();
  for (let currentPage = 1; ; currentPage += 1) {
    const page = await client.page({ accountId: '10001', pageSize: PAGE, currentPage });
    if (page.kind !== 'done') throw new Error(JSON.stringify(page));
    for (const record of page.value.values) records.set(String(record.portfolioId), record);
    if (page.value.values.length < PAGE) return records;
  }
}

test('a killed daemon begins what came due meanwhile once, and leaves what is not due alone', async () => {
  const first = await startDaemon(files);
  daemon = first;
  const waiting = await submit(first.client, WAITING, Date.now() + DAY_MS);
  const due = await submit(first.client, DUE, Date.now() + DUE_AFTER_MS);
  await first.end('SIGKILL');
  const { client, output, end } = await startDaemon(files);
  daemon = undefined;
  for (const id of due) {
    for (;;) {
      const info = await client.info(id);
      if (info.kind === 'done' && info.value.portfolioStatus === FILLED) break;
      await sleep(50);
    }
  }
  const [cancelled = '', ...others] = waiting;
  expect(await client.cancel(cancelled)).toMatchObject({ kind: 'done' });
  const records = await listed(client);
  const shown = (id: string) => {
    const record = records.get(id);
    return [record?.portfolioStatus, ...(record?.legs.map((leg) => leg.filledQuantity) ?? [])];
  };
  expect(due.map(shown)).toEqual(due.map(() => [FILLED, '200']));
  expect(others.map(shown)).toEqual(others.map(() => [ACTIVE, '0']));
  expect(shown(cancelled)).toEqual([CANCELLED, '0']);
  expect(await end('SIGTERM')).toBe(0);
  const lines = output().split('\n');
  // On a starved machine a store is asked again: nothing that is checked here depends on it.
  const faults = lines.filter(
    (line) =>
      /"level":"(error|fatal)"/.test(line) &&
      !/Command timed out|Socket timeout|Query read timeout/.test(line),
  );
  expect(faults).toEqual([]);
  expect(output()).not.toMatch(/audit_breached|assumption_broken/);
  const trades = await tradesInJournal(files.dataDir, accountId('10001'));
  expect(sumOf(trades, 'BTC-PERPETUAL')).toBe(String(DUE * 200));
}, 240_000);

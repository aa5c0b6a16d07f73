// The time from a trade that reaches a limit of market-maker protection to the last cancel sent, and to an
// empty book: the guard on a journaled paper exchange, its state in PostgreSQL, in real time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { JournalFile } from '../src/adapters/paper/journal/journal-file.ts';
import { openPaperVenue } from '../src/adapters/paper/open-paper-venue.ts';
import type { PaperVenue } from '../src/adapters/paper/paper-venue.ts';
import { openPostgresLedger } from '../src/adapters/postgres/postgres-ledger.ts';
import { startEmbeddedPostgres } from '../src/adapters/postgres/private-server/embedded-postgres.ts';
import { SystemClock } from '../src/adapters/system/system-clock.ts';
import { DEFAULT_SETTINGS } from '../src/core/terms/settings.ts';
import type { MmpGuard } from '../src/engine/mmp/mmp-guard.ts';
import { seededMarket } from '../src/exchange/market/market.ts';
import type { NewOrder } from '../src/ports/trading-desk.ts';
import { price, quantity } from '../src/values/amounts.ts';
import { must } from '../src/values/assert.ts';
import { accountId, deploymentId, instrumentName, venueName } from '../src/values/ids.ts';
import { loneMmpGuard } from '../test/support/engine/lone-mmp-guard.ts';
import { openOrderDesk } from '../test/support/engine/open-order-desk.ts';
import { witness } from '../test/support/engine/quiet-observer.ts';
import { opened } from './opened.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';

const ACCOUNT = accountId('10001');
const BTC = instrumentName('BTC-PERPETUAL');
const OPEN_ORDERS = 200;

const fail = (error: unknown): never => {
  throw error;
};

interface Round {
  readonly fromTripMs: number;
  readonly fromOrderMs: number;
  readonly emptyMs: number;
  /** Processor time of this process from the order to the last cancel. */
  readonly cpuMs: number;
}

const order = (change: Partial<NewOrder>): NewOrder => ({
  account: ACCOUNT,
  instrument: BTC,
  side: 'buy',
  type: 'limit',
  label: '',
  mmp: true,
  quantity: quantity('100'),
  price: price('20000'),
  timeInForce: 'good_til_cancelled',
  postOnly: false,
  rejectPostOnly: false,
  reduceOnly: false,
  ...change,
});

function open(venue: PaperVenue, guard: MmpGuard, observer: ReturnType<typeof witness>) {
  const venues = { forAccount: () => venue, all: () => [venue] };
  const settings = { ...DEFAULT_SETTINGS, deployment: deploymentId('bnch') };
  const limits = () => ({ dummyAccounts: new Set<never>() });
  const desk = openOrderDesk({
    venues,
    settings,
    observer,
    clock: new SystemClock(),
    mmp: guard,
    limits,
  });
  return { desk: must(desk.forAccount(ACCOUNT), 'a desk'), mmp: must(desk.mmp, 'a guard') };
}

async function ran(rounds: number): Promise<readonly Round[]> {
  await using all = opened();
  const folder = mkdtempSync(join(tmpdir(), 'twapd-bench-'));
  all.defer(() => rmSync(folder, { recursive: true, force: true }));
  const log = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log });
  all.defer(() => postgres.stop());
  const ledger = await openPostgresLedger({ connectionString: postgres.address });
  all.defer(() => ledger.close());
  const clock = new SystemClock();
  const venue = openPaperVenue({
    name: venueName('paper'),
    clock,
    accounts: [{ account: ACCOUNT }],
    onFault: fail,
    market: (bornAt) => seededMarket({ seed: 'bench', startAt: bornAt }),
    journal: { store: new JournalFile(join(folder, 'journal.jsonl')), sync: 'write' },
  });
  all.defer(() => venue.close());
  const swept: number[] = [];
  const observer = witness({ mmp_swept: ({ sentMs }) => swept.push(sentMs) });
  const guard = loneMmpGuard({
    clock,
    ledger,
    observer,
    records: ledger.mmpRecords,
    deployment: deploymentId('bnch'),
    venues: { forAccount: () => venue, all: () => [venue] },
  });
  all.defer(() => guard.stop());
  await guard.start();
  venue.watch(BTC);
  const { desk, mmp } = open(venue, guard, observer);
  const made: Round[] = [];
  let lastCancelAt = 0;
  let cpuFrom = process.cpuUsage();
  let cpuMs = 0;
  const cancel = venue.cancel.bind(venue);
  venue.cancel = (request) => {
    lastCancelAt = performance.now();
    const { user, system } = process.cpuUsage(cpuFrom);
    cpuMs = (user + system) / 1_000;
    return cancel(request);
  };
  for (let round = 0; round < rounds; round += 1) {
    const place = { kind: 'order', index: 'btc_usd', group: '' } as const;
    const limit = { intervalMs: 60_000, frozenMs: 0, quantityLimit: quantity('0.001') };
    const set = await mmp.configure(ACCOUNT, { ...place, ...limit, by: 'bench' });
    if (set.kind !== 'done') fail(new Error(JSON.stringify(set)));
    const resting = Array.from({ length: OPEN_ORDERS }, () => desk.place(order({})));
    for (const reply of await Promise.all(resting)) {
      if (reply.kind !== 'done') fail(new Error(JSON.stringify(reply)));
    }
    await sleep(20);
    const from = performance.now();
    cpuFrom = process.cpuUsage();
    const ask = must(venue.quote(BTC)?.ask, 'a market').price.toNumber();
    const reach = { price: price(String(Math.ceil(ask * 1.01))), quantity: quantity('500') };
    await desk.place(order({ ...reach, timeInForce: 'immediate_or_cancel' }));
    for (;;) {
      const left = await venue.openOrders({ account: ACCOUNT });
      if (left.kind === 'done' && left.value.length === 0) break;
      await sleep(1);
      if (performance.now() - from > 10_000) fail(new Error('orders stay open'));
    }
    const emptyMs = performance.now() - from;
    await sleep(5);
    made.push({
      fromTripMs: must(swept.at(-1), 'a sweep'),
      fromOrderMs: lastCancelAt - from,
      emptyMs,
      cpuMs,
    });
    await mmp.reset({ ...place, account: ACCOUNT, by: 'bench' });
  }
  return made;
}

export async function benchMmp(): Promise<Row[]> {
  const rounds = await ran(120);
  const measured = rounds.slice(20);
  const row = (what: string, of: (round: Round) => number, yardstick?: string): Row => {
    const samples = measured.map(of);
    const [p50, p99] = [0.5, 0.99].map((share) => `${percentile(samples, share).toFixed(1)} ms`);
    const value = `p50 ${p50}, p99 ${p99}`;
    return yardstick === undefined ? { what, value } : { what, value, yardstick };
  };
  const orders = `${OPEN_ORDERS} open flagged orders (${measured.length} trips)`;
  return [
    row(`trip to last cancel sent, ${orders}`, ({ fromTripMs }) => fromTripMs, 'p99 ≤ 50 ms'),
    row('tripping order to last cancel sent', ({ fromOrderMs }) => fromOrderMs),
    row('the same in processor time, independent of other load', ({ cpuMs }) => cpuMs),
    row('tripping order to an empty book', ({ emptyMs }) => emptyMs),
  ];
}

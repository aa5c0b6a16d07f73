// What clients without a key read of the engine has a budget of its own: an order does not wait behind it.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { remoteEngine } from '../../../src/engine/link/remote-engine.ts';
import { forRequest, isForKey } from '../../../src/gateway/http/request-scope.ts';
import {
  OPEN_READS_MAX,
  OPEN_READS_WAITING_MAX,
  OpenReads,
} from '../../../src/gateway/limits/open-reads.ts';
import { Paced } from '../../../src/gateway/order-api/channels/paced.ts';
import type { Asker, LineCall } from '../../../src/ports/deployment/engine-line.ts';
import { PeerUnreached } from '../../../src/ports/deployment/engine-peers.ts';
import { MarketUnanswered } from '../../../src/ports/market-reads.ts';
import type { CancelOrder, NewOrder } from '../../../src/ports/trading-desk.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { accountId, instrumentName, venueName } from '../../../src/values/ids.ts';
import { MemoryEngineLine } from '../../doubles/memory/memory-engine-line.ts';

const PAPER = venueName('paper');
const BTC = instrumentName('BTC-PERPETUAL');
const ACCOUNT = accountId('10001');
const TRADER: Asker = { method: 'private/buy', uid: '7', scopes: ['trade'] };
const ORDER = {
  account: ACCOUNT,
  instrument: BTC,
  side: 'buy',
  type: 'market',
  quantity: quantity('10'),
  timeInForce: 'immediate_or_cancel',
  postOnly: false,
  rejectPostOnly: false,
  reduceOnly: false,
  label: '',
  mmp: false,
} as const satisfies NewOrder;
const CANCEL: CancelOrder = { account: ACCOUNT, of: { label: 'x', instrument: BTC } };

/** An engine whose calls are answered when the test says so. */
class Stage {
  nowMs = 0;
  readonly open: { readonly call: LineCall; readonly answer: () => void }[] = [];
  readonly timers: { readonly atMs: number; readonly then: () => void }[] = [];
  readonly engine;

  constructor() {
    const line = new MemoryEngineLine({ carry: (act) => act(), callsMax: 2_048 });
    line.connect({
      call: (call) =>
        new Promise((resolve) => {
          this.open.push({ call, answer: () => resolve('{"result":"done"}') });
        }),
      follow: () => () => undefined,
    });
    const wait = (delayMs: number, then: () => void): void => {
      this.timers.push({ atMs: this.nowMs + delayMs, then });
    };
    const fail = (error: unknown): never => {
      throw error;
    };
    this.engine = remoteEngine({
      line,
      asker: () => TRADER,
      onFault: fail,
      openReads: new OpenReads({ isOfKey: isForKey, nowMs: () => this.nowMs, wait }),
    });
  }

  get methods(): readonly string[] {
    return this.open.map(({ call }) => call.method);
  }

  /** Time passes, and timers that are due fire. */
  async pass(ms: number): Promise<void> {
    this.nowMs += ms;
    for (const timer of this.timers.filter(({ atMs }) => atMs <= this.nowMs)) {
      this.timers.splice(this.timers.indexOf(timer), 1);
      timer.then();
    }
    await setImmediate();
  }
}

test('an order and a cancel reach the engine at once beside 5 000 reads without a key', async () => {
  const stage = new Stage();
  const reads = Array.from({ length: 5_000 }, () => stage.engine.market.ticker(PAPER, BTC));
  await setImmediate();
  const placed = stage.engine.orders.place(ORDER);
  const cancelled = stage.engine.orders.cancel(CANCEL);
  await setImmediate();
  const ahead = Array.from({ length: OPEN_READS_MAX }, () => 'market.ticker');
  expect(stage.methods).toEqual([...ahead, 'orders.place', 'orders.cancel']);
  for (const { answer } of stage.open.slice(OPEN_READS_MAX)) answer();
  expect(await placed).toBe('done');
  expect(await cancelled).toBe('done');
  expect(reads).toHaveLength(5_000);
});

test('a place rests for as long as its last read took, so that half of the time is left', async () => {
  const stage = new Stage();
  for (let at = 0; at < 2 * OPEN_READS_MAX; at += 1) void stage.engine.market.ticker(PAPER, BTC);
  await stage.pass(0);
  await stage.pass(40);
  for (const { answer } of stage.open.splice(0)) answer();
  await stage.pass(0);
  await stage.pass(39);
  expect(stage.open).toHaveLength(0);
  await stage.pass(1);
  expect(stage.open).toHaveLength(OPEN_READS_MAX);
});

test('reads for a key, and what its subscriptions read later, do not wait behind those without', async () => {
  const stage = new Stage();
  const ticker = (): void => void stage.engine.market.ticker(PAPER, BTC);
  for (let at = 0; at < 1_000; at += 1) ticker();
  await setImmediate();
  forRequest(TRADER, ticker);
  await setImmediate();
  expect(stage.open).toHaveLength(OPEN_READS_MAX + 1);
  const fail = (error: unknown): never => {
    throw error;
  };
  const { promise: isFlushed, resolve: flushed } = Promise.withResolvers<void>();
  const flush = (): void => {
    ticker();
    flushed();
  };
  const paced = forRequest(TRADER, () => new Paced({ intervalMs: 1, flush, onFault: fail }));
  // The market marks it, on behalf of nobody.
  paced.mark();
  await isFlushed;
  paced.stop();
  expect(stage.open).toHaveLength(OPEN_READS_MAX + 2);
});

test('reads without a key beyond those that may wait fail as not made', async () => {
  const reads = new OpenReads({ isOfKey: () => false, nowMs: () => 0, wait: () => undefined });
  const never = (): Promise<string> => new Promise(() => undefined);
  for (let at = 0; at < OPEN_READS_MAX + OPEN_READS_WAITING_MAX; at += 1) void reads.run(never);
  await expect(reads.run(never)).rejects.toBeInstanceOf(PeerUnreached);
});

test('a read that fails gives its place back', async () => {
  const line = new MemoryEngineLine({ carry: (act) => act() });
  const engine = remoteEngine({
    line,
    asker: () => undefined,
    onFault: () => undefined,
    openReads: new OpenReads({
      isOfKey: () => false,
      nowMs: () => 0,
      wait: (_delayMs, then) => then(),
    }),
  });
  const reads = Array.from({ length: 3 * OPEN_READS_MAX }, () => engine.market.ticker(PAPER, BTC));
  for (const outcome of await Promise.allSettled(reads)) {
    expect(outcome).toMatchObject({ reason: expect.any(MarketUnanswered) });
  }
});

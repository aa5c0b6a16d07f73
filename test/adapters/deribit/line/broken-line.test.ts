// What becomes of an order whose connection breaks: the engine's placement protocol settles it, however
// far the request got, without a second order and with the exact total.

import { afterEach, describe, expect, test } from 'vitest';
import type { DeribitVenue } from '../../../../src/adapters/deribit/deribit-venue.ts';
import { DEFAULT_SUBMIT_LIMITS } from '../../../../src/core/portfolio/admission/submit-limits.ts';
import { EngineOperations } from '../../../../src/engine/api/engine-operations.ts';
import { ALONE, assembleEngine } from '../../../../src/engine/assemble-engine.ts';
import { unlimitedGate } from '../../../../src/engine/risk/watch-gate.ts';
import { tradesSince } from '../../../../src/ports/trades-since.ts';
import { plus, quantity, text, ZERO_QUANTITY } from '../../../../src/values/amounts.ts';
import type { PortfolioId } from '../../../../src/values/ids.ts';
import { MemoryEventBus } from '../../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../../src/virtual/memory/memory-ledger.ts';
import type { VirtualClock } from '../../../../src/virtual/virtual-clock.ts';
import { VirtualQueue } from '../../../../src/virtual/virtual-queue.ts';
import { value } from '../../../conformance/venue-act.ts';
import { BY, form, legForm, SETTINGS } from '../../../support/engine/engine-world.ts';
import { witness } from '../../../support/engine/quiet-observer.ts';
import { ACCOUNT, NOON } from '../../paper/paper-stage.ts';
import { connectTo } from '../connect-deribit.ts';
import { type ServedDeribit, serveDeribit } from '../deribit-stage.ts';
import { CuttingProxy, type Mishap } from './cutting-proxy.ts';
import { TurningTime } from './turning-time.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const RULES = {
  timeoutMs: 700,
  probeMs: 300,
  backoff: { minMs: 20, maxMs: 200, heldMs: 1_000 },
};

async function trading(): Promise<{
  readonly exchange: ServedDeribit;
  readonly proxy: CuttingProxy;
  readonly venue: DeribitVenue;
  readonly time: TurningTime;
}> {
  const time = new TurningTime();
  closers.push(() => time.stop());
  const { clock } = time;
  const exchange = await serveDeribit({ clock });
  closers.push(() => exchange.close());
  const proxy = await CuttingProxy.to(exchange.port);
  closers.push(() => proxy.close());
  const { venue } = await connectTo(proxy.url, { clock, rules: RULES });
  closers.push(() => venue.close());
  return { exchange, proxy, venue, time };
}

async function engineAt(venue: DeribitVenue, clock: VirtualClock): Promise<EngineOperations> {
  const observer = witness();
  const fail = (error: unknown): void =>
    observer.observe({ event: 'failed', where: 'port', error });
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const { engine, submission } = assembleEngine({
    ...ALONE,
    gate: unlimitedGate({ clock, observer }),
    clock,
    ledger,
    observer,
    bus: new MemoryEventBus(fail),
    queue: new VirtualQueue(clock, { onFault: fail }),
    venues: { forAccount: () => venue, all: () => [venue] },
    settings: { ...SETTINGS, validForMs: 600, retryMs: 100 },
    limits: () => ({
      ...DEFAULT_SUBMIT_LIMITS,
      durationSecMin: 1,
      frequencySecMin: 1,
      dummyAccounts: new Set(),
    }),
    sweepMs: 500,
    compareMs: 2_000,
    onBroken: fail,
  });
  await engine.start();
  closers.push(() => Promise.resolve(engine.stop()));
  return new EngineOperations({ engine, submission, ledger, clock });
}

async function submitted(operations: EngineOperations): Promise<PortfolioId> {
  const outcome = await operations.submit(
    form({
      twapTrade: { durationSec: 5, frequencySec: 1 },
      legs: [legForm({ quantity: quantity('500') })],
    }),
    BY,
  );
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  return outcome.value.portfolio;
}

/** Checks the exchange's own trades and open orders. */
async function expectExact({ venue }: ServedDeribit): Promise<void> {
  const trades = value(await tradesSince(venue, ACCOUNT, NOON));
  const total = trades.reduce((sum, trade) => plus(sum, trade.quantity), ZERO_QUANTITY);
  expect(text(total)).toBe('500');
  const labels = new Map(trades.map(({ orderId, label }) => [orderId, label]));
  expect(new Set(labels.values()).size).toBe(labels.size);
  expect(value(await venue.openOrders({ account: ACCOUNT }))).toEqual([]);
}

describe('a portfolio on a connection that breaks', () => {
  const mishaps: readonly Mishap[] = [
    'before_request',
    'before_answer',
    'mid_answer',
    'silence_after_request',
    'silence_before_request',
  ];
  test.each(mishaps)(
    'a portfolio on a connection that breaks finishes with the exact total and places nothing twice after %s',
    async (mishap) => {
      const { exchange, proxy, venue, time } = await trading();
      const operations = await engineAt(venue, time.clock);
      const portfolio = await submitted(operations);
      await time.until(() => proxy.orders >= 1);
      proxy.arm(mishap);
      await time.until(async () => (await operations.info(portfolio))?.status === 'filled');
      expect(proxy.struck).toBe(1);
      await expectExact(exchange);
    },
  );

  test('a portfolio on a connection that breaks finishes with the exact total when connections are cut repeatedly between orders', async () => {
    const { exchange, proxy, venue, time } = await trading();
    const operations = await engineAt(venue, time.clock);
    const portfolio = await submitted(operations);
    for (const orders of [1, 2, 3]) {
      await time.until(() => proxy.orders >= orders);
      proxy.cut();
    }
    await time.until(async () => (await operations.info(portfolio))?.status === 'filled');
    await expectExact(exchange);
  });
});

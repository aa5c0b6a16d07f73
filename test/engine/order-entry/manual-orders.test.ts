// Portfolios and manual orders side by side on one venue, through the real engine and paper exchange.
import { describe, expect, it } from 'vitest';
import { openPaperVenue } from '../../../src/adapters/paper/open-paper-venue.ts';
import { DEFAULT_SUBMIT_LIMITS } from '../../../src/core/portfolio/admission/submit-limits.ts';
import { EngineOperations } from '../../../src/engine/api/engine-operations.ts';
import { ALONE, assembleEngine } from '../../../src/engine/assemble-engine.ts';
import { unlimitedGate } from '../../../src/engine/risk/watch-gate.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, instrumentName, parseChildLabel, venueName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { VirtualQueue } from '../../../src/virtual/virtual-queue.ts';
import { VenueAct, value } from '../../conformance/venue-act.ts';
import { BY, form, legForm, SETTINGS, settle } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';
import { openOrderDesk } from '../../support/engine/open-order-desk.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const ACCOUNT = accountId('10001');
const BTC = instrumentName('BTC-PERPETUAL');

async function stage() {
  const clock = new VirtualClock(NOON);
  const observer = witness();
  const fail = (error: unknown): void =>
    observer.observe({ event: 'failed', where: 'port', error });
  const venue = openPaperVenue({
    name: venueName('paper'),
    clock,
    accounts: [{ account: ACCOUNT }],
    market: (bornAt) => seededMarket({ seed: 'by hand', startAt: bornAt }),
    onFault: fail,
  });
  const limits = () => ({
    ...DEFAULT_SUBMIT_LIMITS,
    durationSecMin: 1,
    frequencySecMin: 1,
    dummyAccounts: new Set<typeof ACCOUNT>(),
  });
  const shared = {
    clock,
    observer,
    limits,
    settings: SETTINGS,
    venues: { forAccount: () => venue, all: () => [venue] },
  };
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const { engine, submission } = assembleEngine({
    ...ALONE,
    gate: unlimitedGate(shared),
    ...shared,
    ledger,
    bus: new MemoryEventBus(fail),
    queue: new VirtualQueue(clock, { onFault: fail }),
    sweepMs: 1_000,
    compareMs: 5_000,
    onBroken: fail,
  });
  const operations = new EngineOperations({ engine, submission, ledger, clock });
  await engine.start();
  const pass = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  const act = new VenueAct({
    venue,
    desk: must(openOrderDesk(shared).forAccount(ACCOUNT), 'a desk'),
    account: ACCOUNT,
    instrument: BTC,
    now: () => clock.now(),
    pass,
    close: () => venue.close(),
  });
  return { act, pass, operations, observer };
}

/** Rests far from the market, so that its child orders stay open. */
const RESTING = form({
  legs: [
    legForm({
      priceOptions: { priceType: 'limit', price: price('70000'), priceIn: 'USD' },
    }),
  ],
  execution: { endAction: 'cancel' },
});

describe('manual orders beside those of portfolios', () => {
  it('a child cancelled manually counts as cancelled, and its portfolio places another one', async () => {
    const { act, pass, operations, observer } = await stage();
    const answer = await operations.submit(RESTING, BY);
    if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
    await pass(1_500);
    const [child] = await act.open();
    const first = must(child, 'a child rests');
    expect(parseChildLabel(first.label)).toMatchObject({ slice: 0, attempt: 1 });
    value(await act.desk.cancel({ account: ACCOUNT, of: { orderId: first.orderId } }));
    await pass(4_000);
    const [second] = await act.open();
    expect(parseChildLabel(must(second, 'another child').label)).toMatchObject({ attempt: 2 });
    expect(await operations.info(answer.value.portfolio)).toMatchObject({ status: 'active' });
    expect(observer.failures).toEqual([]);
  });

  it("manual orders and portfolios do not count each other's fills", async () => {
    const { act, pass, operations, observer } = await stage();
    const market = form({ legs: [legForm({ priceOptions: { priceType: 'market' } })] });
    const answer = await operations.submit(market, BY);
    if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
    const resting = await act.entered();
    for (let n = 0; n < 6; n += 1) {
      await pass(9_000);
      await act.marketOrder({ quantity: quantity('50') });
    }
    await pass(60_000);
    expect(await operations.info(answer.value.portfolio)).toMatchObject({ status: 'filled' });
    const [position] = value(await act.desk.positions({ account: ACCOUNT }));
    expect(text(must(position, 'a position').quantity)).toBe('900');
    expect(await act.now(resting.order)).toMatchObject({ state: 'open' });
    expect(observer.foreign).toEqual([]);
    expect(observer.failures).toEqual([]);
  });
});

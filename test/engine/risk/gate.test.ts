// One gate for portfolios and manual orders, through the real engine and paper exchange.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { openPaperVenue } from '../../../src/adapters/paper/open-paper-venue.ts';
import { DEFAULT_SUBMIT_LIMITS } from '../../../src/core/portfolio/admission/submit-limits.ts';
import type { ControlLimits } from '../../../src/core/risk/gate/control-limits.ts';
import { EngineOperations } from '../../../src/engine/api/engine-operations.ts';
import { ALONE, assembleEngine } from '../../../src/engine/assemble-engine.ts';
import { Gate } from '../../../src/engine/risk/gate.ts';
import { WatchedGate } from '../../../src/engine/risk/watch-gate.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import type { VenueRfqDesk } from '../../../src/ports/block-rfq.ts';
import type { Observation } from '../../../src/ports/observer.ts';
import type { NewOrder, OrderChange } from '../../../src/ports/trading-desk.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { money, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, instrumentName, venueName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { VirtualQueue } from '../../../src/virtual/virtual-queue.ts';
import { VenueAct, value } from '../../conformance/venue-act.ts';
import { BY, form, legForm, SETTINGS, settle } from '../../support/engine/engine-world.ts';
import { WIDE_LIMITS } from '../../support/engine/gate-orders.ts';
import { NOON } from '../../support/engine/markets.ts';
import { openOrderDesk } from '../../support/engine/open-order-desk.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const ACCOUNT = accountId('10001');
const BTC = instrumentName('BTC-PERPETUAL');
const RISK_LIMIT = 40007;

type Refusal = Observation<'control_refused'>;

async function stage(narrow: Partial<ControlLimits> = {}) {
  let limits: ControlLimits = { ...WIDE_LIMITS, ...narrow };
  const clock = new VirtualClock(NOON);
  const refusals: Refusal[] = [];
  const overridden: string[] = [];
  const observer = witness({
    control_refused: (one) => refusals.push(one),
    control_overridden: ({ control }) => overridden.push(control),
  });
  const fail = (error: unknown): void =>
    observer.observe({ event: 'failed', where: 'port', error });
  const venue = openPaperVenue({
    name: venueName('paper'),
    clock,
    accounts: [{ account: ACCOUNT }],
    market: (bornAt) => seededMarket({ seed: 'gate', startAt: bornAt }),
    onFault: fail,
  });
  const venues = {
    forAccount: () => venue,
    all: () => [venue],
    accounts: () => [ACCOUNT],
  };
  const gate = new WatchedGate({ ...ALONE, clock, observer, venues, limits: () => limits });
  const submitLimits = () => ({
    ...DEFAULT_SUBMIT_LIMITS,
    durationSecMin: 1,
    frequencySecMin: 1,
    dummyAccounts: new Set<typeof ACCOUNT>(),
  });
  const shared = { clock, observer, limits: submitLimits, settings: SETTINGS, venues };
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const { engine, submission } = assembleEngine({
    ...ALONE,
    ...shared,
    ledger,
    gate,
    bus: new MemoryEventBus(fail),
    queue: new VirtualQueue(clock, { onFault: fail }),
    sweepMs: 1_000,
    compareMs: 5_000,
    onBroken: fail,
  });
  const operations = new EngineOperations({ engine, submission, ledger, clock });
  const starting = engine.start();
  const pass = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  await pass(100);
  await starting;
  const orders = openOrderDesk({ ...shared, gate: gate.gate });
  const act = new VenueAct({
    venue,
    desk: must(orders.forAccount(ACCOUNT), 'a desk'),
    account: ACCOUNT,
    instrument: BTC,
    now: () => clock.now(),
    pass,
    close: () => venue.close(),
  });
  const setLimits = (change: Partial<ControlLimits>): void => {
    limits = { ...WIDE_LIMITS, ...change };
  };
  const submit = async (change: Parameters<typeof form>[0] = {}) => {
    const answer = await operations.submit(form(change), BY);
    if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
    return answer.value.portfolio;
  };
  return {
    act,
    pass,
    operations,
    observer,
    refusals,
    overridden,
    gate,
    clock,
    venues,
    setLimits,
    submit,
  };
}

const atMost = (max: string) => new Map([['*', quantity(max)]]);

describe('the gate and the type system', () => {
  it('only the gate can produce the requests that venues accept', () => {
    expectTypeOf<NewOrder>().not.toExtend<Parameters<Venue['place']>[0]>();
    expectTypeOf<OrderChange>().not.toExtend<Parameters<Venue['edit']>[0]>();
    expectTypeOf<Venue>().not.toExtend<{ readonly place: (order: NewOrder) => unknown }>();
    for (const method of ['create', 'accept', 'quote', 'editQuote'] as const) {
      type Takes = Parameters<VenueRfqDesk[typeof method]>[0];
      expectTypeOf<{ readonly account: typeof ACCOUNT }>().not.toExtend<Takes>();
    }
    const passage = Gate.open({ clock: new VirtualClock(NOON), observer: witness() }).pass;
    expectTypeOf(passage<NewOrder>).returns.toExtend<{ readonly kind: string }>();
    // @ts-expect-error a request that has not passed the gate
    const sent = (venue: Venue, order: NewOrder) => venue.place(order);
    expect(sent).toBeTypeOf('function');
  });
});

describe('the gate in the source text', () => {
  it('the source marks a request as cleared in one place only', () => {
    const src = new URL('../../../src/', import.meta.url).pathname;
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
    const makers = files.filter(
      (path) =>
        path.endsWith('.ts') &&
        /\bas\s+(unknown\s+as\s+)?Cleared\b/.test(readFileSync(join(src, path), 'utf8')),
    );
    expect(makers).toEqual(['engine/risk/gate.ts']);
  });
});

describe('portfolios behind the gate', () => {
  it('a portfolio within the limits completes, and all its orders are counted', async () => {
    const { pass, operations, observer, refusals, submit, gate, clock } = await stage();
    const portfolio = await submit();
    await pass(70_000);
    expect(await operations.info(portfolio)).toMatchObject({ status: 'filled' });
    const view = must(gate.accounts.viewOf(ACCOUNT, clock.now()), 'the account is known');
    expect(text(view.position(BTC))).toBe('600');
    expect(text(view.working(BTC, 'buy', ''))).toBe('0');
    expect(text(view.grossUsd(''))).toBe('600');
    expect([refusals, observer.failures]).toEqual([[], []]);
  });

  it('a portfolio beyond a limit waits, reports it once per slice, and continues once it is raised', async () => {
    const { pass, operations, refusals, submit, setLimits, observer } = await stage({
      positionMax: atMost('250'),
    });
    const portfolio = await submit();
    await pass(45_000);
    const { legs } = must(await operations.info(portfolio), 'the portfolio');
    expect(must(legs[0], 'a leg').filled).toBe('200');
    const told = refusals.map(({ control, leg, stage: at }) => ({ control, leg, at }));
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(told[0]).toEqual({ control: 'position', leg: 0, at: 'child' });
    expect(told.length).toBeLessThanOrEqual(4);
    expect(refusals[0]?.why).toMatch(/more than 250 \(limit 250, was 300, rules 1-wide\)$/);
    expect(observer.events.filter(({ kind }) => kind === 'child_rejected')).toEqual([]);
    setLimits({});
    await pass(40_000);
    expect(await operations.info(portfolio)).toMatchObject({ status: 'filled' });
  });

  it('two legs of one turn count for each other: the second waits, and none is refused at sending', async () => {
    const { pass, submit, refusals, observer } = await stage({ positionMax: atMost('150') });
    const leg = legForm({ quantity: quantity('100') });
    await submit({ twapTrade: { durationSec: 60, frequencySec: 60 }, legs: [leg, leg] });
    await pass(500);
    const kinds = observer.events.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'child_intended')).toHaveLength(1);
    expect(kinds).not.toContain('child_rejected');
    expect(refusals).toMatchObject([{ control: 'position', leg: 1, stage: 'child' }]);
    expect(refusals[0]?.why).toContain('limit 150, was 200');
  });

  it('a portfolio sends nothing while its account data is unknown', async () => {
    const { pass, operations, submit, gate } = await stage();
    gate.accounts.viewOf = () => undefined;
    const portfolio = await submit();
    await pass(30_000);
    const { legs } = must(await operations.info(portfolio), 'the portfolio');
    expect(must(legs[0], 'a leg').filled).toBe('0');
  });

  it('without message budget portfolio orders are late but not dropped, and cancels are not delayed', async () => {
    const messages = { shareOfVenue: 1, perSecond: 0.5, burst: 2, cancelReserve: 0.5 };
    const { act, pass, operations, submit, refusals } = await stage({ messages });
    const resting = value(await act.desk.place(await act.order()));
    const reply = await act.desk.place(await act.order());
    expect(reply).toMatchObject({ kind: 'refused', code: 10028 });
    expect(
      value(await act.desk.cancel({ account: ACCOUNT, of: { orderId: resting.order.orderId } })),
    ).toBeDefined();
    const portfolio = await submit({ twapTrade: { durationSec: 60, frequencySec: 20 } });
    await pass(70_000);
    expect(await operations.info(portfolio)).toMatchObject({ status: 'filled' });
    expect(refusals).toEqual([]);
  });

  it('a portfolio does not pay beyond the collar', async () => {
    const { pass, operations, submit, refusals } = await stage({
      collar: { ...must(WIDE_LIMITS.collar, 'a collar'), bps: 0 },
    });
    const portfolio = await submit({ execution: { endAction: 'cancel' } });
    await pass(30_000);
    const { legs } = must(await operations.info(portfolio), 'the portfolio');
    expect(must(legs[0], 'a leg').filled).toBe('0');
    expect(refusals[0]?.control).toBe('price_collar');
  });
});

describe('manual orders behind the gate', () => {
  it('manual orders and the orders of portfolios count towards the same limits', async () => {
    const { act, pass, submit, refusals } = await stage({ positionMax: atMost('150') });
    value(await act.desk.place(await act.order({ quantity: quantity('100') })));
    await submit();
    await pass(500);
    expect(refusals).toMatchObject([{ control: 'position', stage: 'child' }]);
  });

  it('an edit of a manual order is checked again and refused beyond the limit', async () => {
    const { act, pass } = await stage({ positionMax: atMost('100') });
    const { order } = value(await act.desk.place(await act.order({ quantity: quantity('60') })));
    await pass(50);
    const edit = (to: string) =>
      act.desk.edit({ account: ACCOUNT, of: { orderId: order.orderId }, quantity: quantity(to) });
    expect(await edit('110')).toMatchObject({ kind: 'refused', code: RISK_LIMIT });
    value(await edit('100'));
    await pass(50);
    value(await edit('20'));
    await pass(50);
    value(await act.desk.place(await act.order({ quantity: quantity('80') })));
  });

  it('a cancelled or refused manual order releases its reservation', async () => {
    const { act, pass } = await stage({ positionMax: atMost('100') });
    const all = { quantity: quantity('100') };
    const first = value(await act.desk.place(await act.order(all)));
    value(await act.desk.cancel({ account: ACCOUNT, of: { orderId: first.order.orderId } }));
    await pass(50);
    const taking = { price: await act.through('buy'), postOnly: true, rejectPostOnly: true };
    expect((await act.desk.place(await act.order({ ...all, ...taking }))).kind).toBe('refused');
    value(await act.desk.place(await act.order(all)));
  });

  it('a manual order that would match an own order is refused', async () => {
    const { act, pass } = await stage();
    const price = await act.resting('buy');
    value(await act.desk.place(await act.order({ price })));
    await pass(50);
    const meets = await act.desk.place(await act.order({ side: 'sell', price }));
    expect(meets).toMatchObject({ kind: 'refused', code: RISK_LIMIT });
    expect(JSON.stringify(meets)).toContain('self_match');
  });

  it('a manual order passes a control once by an override that a second key has granted', async () => {
    const { act, gate, clock, overridden } = await stage({
      grossUsdMax: new Map([['*', money('50')]]),
    });
    const { overrides } = gate.gate;
    const wish = { control: 'gross', account: ACCOUNT, instrument: BTC, side: 'buy' } as const;
    const asked = { id: 'one', by: 'key-1', at: clock.now(), lifeMs: 60_000 };
    overrides.request({ ...wish, quantity: quantity('100'), reason: 'asked' }, asked);
    const order = async () => await act.desk.place(await act.order({ quantity: quantity('100') }));
    expect((await order()).kind).toBe('refused');
    overrides.grant('one', 'key-2', clock.now());
    value(await order());
    expect((await order()).kind).toBe('refused');
    expect(overridden).toEqual(['gross']);
  });
});

describe("the gate's data after a start", () => {
  it("after a start the gate has the venue's open orders, positions and trades of the day", async () => {
    const first = await stage();
    await first.act.marketOrder({ quantity: quantity('70') });
    value(await first.act.desk.place(await first.act.order({ quantity: quantity('30') })));
    await first.pass(50);
    const again = new WatchedGate({
      ...ALONE,
      clock: first.clock,
      observer: first.observer,
      limits: () => WIDE_LIMITS,
      venues: first.venues,
    });
    const starting = again.start();
    await first.pass(50);
    await starting;
    const view = must(again.accounts.viewOf(ACCOUNT, first.clock.now()), 'the account is known');
    expect(text(view.position(BTC))).toBe('70');
    expect(text(view.working(BTC, 'buy', ''))).toBe('30');
    expect(text(view.grossUsd(''))).toBe('100');
    again.stop();
  });
});

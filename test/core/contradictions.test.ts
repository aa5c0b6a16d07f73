// Venues that contradict themselves or report late: the portfolio records it, stops and never crashes. Also: what
// proves that an order does not exist.
import { describe, expect, test } from 'vitest';
import type { VenueOrder, VenueTrade } from '../../src/core/order/venue-report.ts';
import type { PortfolioCommand } from '../../src/core/portfolio/aggregate/portfolio-command.ts';
import type { Intent } from '../../src/core/portfolio/aggregate/portfolio-intent.ts';
import { nextDueAt, nextWakeAt } from '../../src/core/portfolio/next-wake.ts';
import { price, quantity, text, ZERO_MONEY } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { currency, orderId, tradeId } from '../../src/values/ids.ts';
import { type Instant, later } from '../../src/values/instant.ts';
import { CoreDesk } from '../support/engine/core-desk.ts';
import { form, legForm } from '../support/engine/engine-world.ts';
import { NOON, perpetual, quote, spot } from '../support/engine/markets.ts';

const PERP = perpetual();
const COIN = spot();
type Of<K extends PortfolioCommand['kind']> = Omit<Extract<PortfolioCommand, { kind: K }>, 'now'>;
type Placed = Extract<Intent, { kind: 'place' }>;

/** One slice of a minute, resting at its limit, unless given otherwise. */
class Case {
  readonly desk: CoreDesk;
  now: Instant = NOON;

  constructor(change: Parameters<typeof form>[0] = {}) {
    const rest = { priceType: 'limit', price: price('99000'), priceIn: 'USD' } as const;
    const legs = [legForm({ quantity: quantity('100'), priceOptions: rest })];
    const twapTrade = { durationSec: 60, frequencySec: 60 };
    this.desk = new CoreDesk(form({ twapTrade, legs, execution: {}, ...change }), [PERP, COIN]);
    this.desk.quotes.set(PERP.name, quote(PERP, [99_999.5, 100_000]));
    this.desk.quotes.set(COIN.name, quote(COIN, [99_999, 100_000]));
  }

  run(command: Of<'advance'> | Of<'record_report'> | Of<'record_absent'> | Of<'record_refusal'>) {
    return this.desk.run({ ...command, now: this.now } as PortfolioCommand);
  }

  at(afterMs: number) {
    this.now = later(NOON, afterMs);
    return this.run({ kind: 'advance' });
  }

  report(orders: readonly VenueOrder[], trades: readonly VenueTrade[] = []) {
    return this.run({ kind: 'record_report', orders, trades });
  }

  cancel() {
    return this.desk.run({ kind: 'cancel', now: this.now, reason: 'user_request', by: '7' });
  }

  get status() {
    const { status, reason } = this.desk.state;
    return reason === undefined ? status : `${status}: ${reason}`;
  }

  kinds = (): string[] => this.desk.events.map(({ kind }) => kind);
}

const placed = ({ intents }: { readonly intents: readonly Intent[] }): Placed => {
  const found = intents.find((intent): intent is Placed => intent.kind === 'place');
  return must(found, 'a child was placed');
};

const order = (of: Placed, change: Partial<VenueOrder> = {}): VenueOrder => ({
  orderId: orderId(`o-${of.label}`),
  label: of.label,
  instrument: of.instrument,
  side: of.side,
  state: 'open',
  price: of.price,
  quantity: of.quantity,
  filledQuantity: quantity('0'),
  createdAt: NOON,
  updatedAt: NOON,
  ...change,
});

const trade = (of: Placed, size: string, id = 't1'): VenueTrade => ({
  tradeId: tradeId(id),
  orderId: orderId(`o-${of.label}`),
  label: of.label,
  instrument: of.instrument,
  side: of.side,
  price: of.price,
  quantity: quantity(size),
  fee: ZERO_MONEY,
  feeCurrency: currency('BTC'),
  liquidity: 'maker',
  at: NOON,
});

describe('a venue that contradicts itself', () => {
  test('an overfill stops the portfolio and is recorded', () => {
    const one = new Case({ legs: [legForm({ quantity: quantity('600') })] });
    const child = placed(one.at(0));
    one.report([order(child)], [trade(child, '600', 't1'), trade(child, '10', 't2')]);
    expect(one.kinds()).toContain('assumption_broken');
    one.report([order(child, { state: 'filled', filledQuantity: quantity('610') })]);
    expect(one.status).toBe('cancelled: risk');
    expect(text(one.desk.state.legs[0]?.filled ?? quantity('0'))).toBe('610');
  });

  test('a fill of a cancelled child whose replacement is live counts, and the excess is cancelled', () => {
    const one = new Case();
    const first = placed(one.at(0));
    one.report([order(first)]);
    one.report([order(first, { state: 'cancelled' })]);
    const second = placed(one.at(1_000));
    one.report([order(second)]);
    const { intents } = one.report([], [trade(first, '100')]);
    expect(intents).toMatchObject([{ kind: 'cancel', label: second.label }]);
    one.report([order(second, { state: 'cancelled' })]);
    expect(one.desk.state).toMatchObject({ status: 'filled', broken: true });
  });

  test('a fill of a refused child is recorded as a broken assumption and the child is cancelled', () => {
    const one = new Case();
    const { label, ...child } = placed(one.at(0));
    one.run({ kind: 'record_refusal', label, code: 10009, message: 'no', retry: false });
    const { intents } = one.report([], [trade({ ...child, label }, '40')]);
    expect(one.kinds()).toContain('assumption_broken');
    expect(intents).toMatchObject([{ kind: 'cancel', label }]);
  });

  test('an order proven absent that appears after the end is cancelled, and the portfolio stays ended', () => {
    const one = new Case();
    const child = placed(one.at(0));
    one.cancel();
    for (const at of [3_000, 4_000]) {
      one.at(at);
      one.run({ kind: 'record_absent', label: child.label, askedAt: one.now });
    }
    expect(one.status).toBe('cancelled: user_request');
    const { intents } = one.report([order(child)]);
    expect(intents).toMatchObject([{ kind: 'cancel', label: child.label }]);
    expect(one.desk.state).toMatchObject({ status: 'cancelled', broken: true });
    expect(nextDueAt(one.desk.state, one.desk.settings)).toBeDefined();
    one.report([order(child, { state: 'cancelled' })]);
    expect(one.status).toBe('cancelled: user_request');
    expect(nextDueAt(one.desk.state, one.desk.settings)).toBeUndefined();
  });

  test("a late fill that completes the leg does not change the portfolio's end", () => {
    const one = new Case();
    const child = placed(one.at(0));
    one.report([order(child)]);
    one.cancel();
    one.report([order(child, { state: 'cancelled' })]);
    expect(one.status).toBe('cancelled: user_request');
    one.report([], [trade(child, '100')]);
    expect(one.desk.state).toMatchObject({ status: 'cancelled', broken: true });
  });

  test('an increased fill count on a closed order triggers a query for the fills', () => {
    const one = new Case();
    const child = placed(one.at(0));
    one.report([order(child)]);
    one.report([order(child, { state: 'cancelled', filledQuantity: quantity('0') })]);
    const again = order(child, { state: 'cancelled', filledQuantity: quantity('30') });
    const { intents } = one.report([again]);
    expect(intents).toMatchObject([{ kind: 'settle', label: child.label }]);
    one.report([again], [trade(child, '30')]);
    expect(one.desk.state).toMatchObject({ broken: false });
    expect(one.desk.state.children.size).toBe(0);
  });

  test('an immediate child of the end action that stays in the book is cancelled', () => {
    const one = new Case({ execution: { endAction: 'market' } });
    one.report([order(placed(one.at(0)), { state: 'cancelled' })]);
    const child = placed(one.at(60_000));
    one.report([order(child)]);
    expect(one.at(69_000).intents).toEqual([]);
    expect(one.at(70_000).intents).toMatchObject([{ kind: 'cancel', label: child.label }]);
    one.report([order(child, { state: 'cancelled' })]);
    expect(one.status).toBe('cancelled: time_limit');
  });

  test('the quantity by which the venue reduced a reduce-only child is placed again', () => {
    const one = new Case({ legs: [legForm({ quantity: quantity('100'), reduceOnly: true })] });
    const child = placed(one.at(0));
    const shrunk = { quantity: quantity('60'), filledQuantity: quantity('60') };
    one.report([order(child, { state: 'filled', ...shrunk })], [trade(child, '60')]);
    expect(text(placed(one.at(1_000)).quantity)).toBe('40');
  });
});

describe('proof that an order does not exist', () => {
  test('a query started before the deadline proves nothing, however late its answer', () => {
    const one = new Case();
    const { label, validUntil } = placed(one.at(0));
    one.at(30_000);
    one.run({ kind: 'record_absent', label, askedAt: validUntil });
    expect(one.kinds()).not.toContain('child_absent');
  });

  test('an order is proven absent by the second query, one read lag after the first', () => {
    const one = new Case();
    const { label } = placed(one.at(0));
    one.at(2_400);
    one.run({ kind: 'record_absent', label, askedAt: one.now });
    one.run({ kind: 'record_absent', label, askedAt: one.now });
    expect(one.kinds().at(-1)).toBe('child_absent');
    one.at(2_600);
    one.run({ kind: 'record_absent', label, askedAt: one.now });
    expect(one.kinds()).toContain('child_unsent');
  });

  test('an order that was live and is twice unknown to the venue is closed', () => {
    const one = new Case();
    const child = placed(one.at(0));
    one.report([order(child)]);
    one.at(1_000);
    one.run({ kind: 'record_absent', label: child.label, askedAt: one.now });
    expect(one.kinds().at(-1)).toBe('child_live');
    one.at(5_000);
    one.run({ kind: 'record_absent', label: child.label, askedAt: one.now });
    one.report([order(child)]);
    one.at(6_000);
    one.run({ kind: 'record_absent', label: child.label, askedAt: one.now });
    // It was seen in between, so the count of absences restarts.
    expect(one.kinds()).not.toContain('child_closed');
    one.at(7_000);
    one.run({ kind: 'record_absent', label: child.label, askedAt: one.now });
    expect(one.kinds()).toContain('child_closed');
  });

  test('an order that the venue keeps as rejected was never live', () => {
    const one = new Case();
    const child = placed(one.at(0));
    for (const at of [3_000, 4_000]) {
      one.at(at);
      one.run({ kind: 'record_absent', label: child.label, askedAt: one.now });
    }
    one.report([order(child, { state: 'rejected' })]);
    expect(one.desk.state.broken).toBe(false);
  });
});

describe('actions that need no report from the venue', () => {
  const wakeOf = (one: Case): Instant => {
    const { state, settings } = one.desk;
    const due = must(nextDueAt(state, settings), 'something is due');
    return nextWakeAt(state, { now: one.now, due, settings });
  };

  test('a hedge that has used up its attempts starts over when its slice ends', () => {
    const hedge = legForm({ side: 'sell', quantity: quantity('100'), hedge: true });
    const main = legForm({
      instrument: COIN.name,
      instrumentType: 'spot',
      quantity: quantity('0.01'),
    });
    const twapTrade = { durationSec: 600, frequencySec: 60 };
    const one = new Case({ legs: [main, hedge], twapTrade });
    const child = placed(one.at(0));
    one.report(
      [order(child, { state: 'filled', filledQuantity: child.quantity })],
      [trade(child, text(child.quantity))],
    );
    const tried: number[] = [];
    for (let i = 0; i < 200 && one.now < NOON + 59_000; i += 1) {
      const event = one.desk.events.at(-1);
      if (event?.kind === 'child_intended' && event.leg === 1) {
        tried.push(event.attempt);
        const refusal = { code: 10041, message: 'no', retry: true };
        one.run({ kind: 'record_refusal', label: event.label as never, ...refusal });
      }
      one.at(Math.min(wakeOf(one), NOON + 60_000) - NOON);
    }
    expect(Math.max(...tried)).toBe(one.desk.settings.attemptsMax);
    one.at(60_000);
    const again = one.desk.events.filter((event) => event.kind === 'child_intended');
    expect(again.at(-1)).toMatchObject({ attempt: 1 });
  });

  test('a sweep checks its price every second, however slowly its leg reprices', () => {
    const slow = {
      priceType: 'dynamic',
      price: price('99000'),
      priceIn: 'USD',
      dynamicPriceStrategy: 'bid',
      dynamicMs: 60_000,
    } as const;
    const one = new Case({
      legs: [legForm({ quantity: quantity('100'), priceOptions: slow })],
      execution: { endAction: 'market' },
    });
    one.desk.quotes.clear();
    one.at(0);
    one.at(60_000);
    expect(one.desk.state.legs[0]?.current?.waiting).toBe('no_reference');
    expect(wakeOf(one) - NOON).toBe(61_000);
  });

  test('a cancel within a slice is retried with back-off', () => {
    const follow = {
      priceType: 'dynamic',
      price: price('99000'),
      priceIn: 'USD',
      dynamicPriceStrategy: 'bid',
      dynamicMs: 1_000,
    } as const;
    const one = new Case({ legs: [legForm({ quantity: quantity('100'), priceOptions: follow })] });
    one.report([order(placed(one.at(0)))]);
    one.desk.quotes.clear();
    const cancels: number[] = [];
    for (let i = 0; i < 60 && one.now < NOON + 50_000; i += 1) {
      const { intents } = one.at(wakeOf(one) - NOON);
      if (intents.some(({ kind }) => kind === 'cancel')) cancels.push(one.now - NOON);
    }
    expect(cancels).toEqual([1_000, 3_000, 5_000, 9_000, 17_000, 32_000, 47_000]);
  });

  test('advancing at an earlier instant decides nothing twice', () => {
    const one = new Case({ execution: { endAction: 'market' } });
    one.report([order(placed(one.at(0)), { state: 'cancelled' })]);
    one.at(60_000);
    const { events } = one.at(30_000);
    expect(events).toEqual([]);
  });
});

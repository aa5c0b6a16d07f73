import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Grid } from '../../../src/exchange/book/grid.ts';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { AccountEvent } from '../../../src/exchange/exchange-event.ts';
import { journalRecord } from '../../../src/exchange/journal/plain.ts';
import type { ExchangeOrder } from '../../../src/exchange/order.ts';
import { yearFraction } from '../../../src/quant/year-fraction.ts';
import { money, text, toNumber } from '../../../src/values/amounts.ts';
import { currency } from '../../../src/values/ids.ts';
import { type Instant, later, MINUTE_MS } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { livePrice } from '../../support/live-option.ts';
import { ALICE, accepted, BOB, Desk, limitOf, options, refused, START } from '../exchange-desk.ts';
import { btcCall, btcPerpetual, btcUsdcPut, EXPIRY } from '../instruments.ts';

const at = (index: number, forward = index) => ({ index: `${index}`, underlying: `${forward}` });
const usd = (value: string, more = {}) =>
  ({ price: value, quantity: '1', advanced: 'usd', ...more }) as const;
const implv = (value: string, more = {}) =>
  ({ price: value, quantity: '1', advanced: 'implv', ...more }) as const;

function desk(instrument: Instrument = btcCall, index = 100_000): Desk {
  const made = new Desk(instrument);
  made.reference(instrument === btcCall ? '0.1' : '5000', at(index));
  return made;
}

/** Moves the reference prices one second later. */
function moved(on: Desk, index: number, mark = '0.1'): void {
  on.now = later(on.now, 1_000);
  on.reference(mark, at(index));
}

const seen = (order: ExchangeOrder) => ({
  price: text(limitOf(order)),
  replaced: order.replaced,
  autoReplaced: order.autoReplaced,
});

describe('an option order in dollars', () => {
  it('the price is the value divided by the index: 10000 at 100000 is 0.1, at 80000 it is 0.125', () => {
    const on = desk();
    const { order } = accepted(on.place(ALICE, 'buy', usd('10000')));
    expect(seen(order)).toEqual({ price: '0.1', replaced: false, autoReplaced: false });
    expect(order.advanced && [order.advanced.kind, text(order.advanced.value)]).toEqual([
      'usd',
      '10000',
    ]);
    moved(on, 80_000);
    const followed = on.order(ALICE, order.orderId);
    expect(seen(followed)).toEqual({ price: '0.125', replaced: true, autoReplaced: true });
    expect(on.book('buy')).toEqual(['0.125×1']);
  });

  it('the order is repriced at most once a second', () => {
    const on = desk();
    const { order } = accepted(on.place(ALICE, 'buy', usd('10000')));
    on.now = later(START, 999);
    on.reference('0.1', at(80_000));
    expect(text(limitOf(on.order(ALICE, order.orderId)))).toBe('0.1');
    on.now = later(START, 1_000);
    on.reference('0.1', at(80_000));
    expect(text(limitOf(on.order(ALICE, order.orderId)))).toBe('0.125');
  });

  it('the price is rounded to the nearest tick, above 0.005 to the larger one', () => {
    const on = desk();
    const prices = ['512', '523', '526', '481', '486', '3'].map((value) =>
      text(limitOf(accepted(on.place(ALICE, 'buy', usd(value))).order)),
    );
    expect(prices).toEqual(['0.005', '0.005', '0.0055', '0.0048', '0.0049', '0.0001']);
  });

  it('the order keeps its place while the tick is unchanged, and loses it with a new one', () => {
    const on = desk();
    const { order } = accepted(on.place(ALICE, 'buy', usd('10000')));
    on.place(BOB, 'buy', { price: '0.1', quantity: '1' });
    moved(on, 100_010);
    expect(seen(on.order(ALICE, order.orderId)).autoReplaced).toBe(false);
    moved(on, 80_000);
    moved(on, 100_000);
    on.take('sell', '1', '0.1');
    expect(on.order(ALICE, order.orderId).filledQuantity.isZero()).toBe(true);
  });

  it('a repriced order that crosses the opposite side trades as taker, and the trade shows it', () => {
    const on = desk();
    const { order } = accepted(on.place(ALICE, 'buy', usd('10000')));
    on.quotes([], [['0.12', '0.4']]);
    moved(on, 80_000);
    const after = on.order(ALICE, order.orderId);
    expect([text(after.filledQuantity), text(limitOf(after))]).toEqual(['0.4', '0.125']);
    const [trade] = on.exchange.tradesByOrder(ALICE, order.orderId);
    expect([trade?.liquidity, trade?.advanced, trade && text(trade.price)]).toEqual([
      'taker',
      'usd',
      '0.12',
    ]);
  });

  it('an aggressive price is capped at the band, and a passive price beyond the band is kept', () => {
    const on = new Desk(btcCall);
    const band = { min: '0.08', max: '0.12' };
    on.reference('0.1', { ...at(100_000), ...band });
    const pricesOf = (side: 'buy' | 'sell', values: readonly string[]) =>
      values.map((value) => {
        const { order } = accepted(on.place(ALICE, side, usd(value)));
        on.cancel(ALICE, order.orderId);
        return text(limitOf(order));
      });
    expect(pricesOf('buy', ['15000', '5000'])).toEqual(['0.12', '0.05']);
    expect(pricesOf('sell', ['15000', '5000'])).toEqual(['0.15', '0.08']);
  });

  it("an order that would trade with its owner's own, or is not funded, is cancelled", () => {
    const on = desk();
    const { order } = accepted(on.place(ALICE, 'buy', usd('10000')));
    on.place(ALICE, 'sell', { price: '0.11', quantity: '1' });
    moved(on, 80_000);
    expect(on.order(ALICE, order.orderId)).toMatchObject({
      state: 'cancelled',
      cancelReason: 'order_overlap',
    });
    const balances = new Map([[currency('BTC'), money('1.01')]]);
    const accounts = [{ account: ALICE, balances }];
    const poor = new Desk(btcCall, new Exchange({ ...options(), accounts }));
    poor.reference('0.1', at(100_000));
    const all = accepted(poor.place(ALICE, 'buy', usd('10000', { quantity: '10' }))).order;
    moved(poor, 90_000);
    expect(poor.order(ALICE, all.orderId)).toMatchObject({
      state: 'cancelled',
      cancelReason: 'risk_mitigation',
    });
  });

  it('an order is cancelled a quarter of an hour before the option expires', () => {
    const on = desk();
    const { order } = accepted(on.place(ALICE, 'buy', usd('10000')));
    const plain = accepted(on.place(ALICE, 'buy', { price: '0.05', quantity: '1' })).order;
    on.now = later(EXPIRY, -15 * MINUTE_MS - 1);
    on.reference('0.1', at(100_000));
    expect(on.order(ALICE, order.orderId).state).toBe('open');
    on.now = later(EXPIRY, -15 * MINUTE_MS);
    on.reference('0.1', at(100_000));
    expect(on.order(ALICE, order.orderId).state).toBe('cancelled');
    expect(on.order(ALICE, plain.orderId).state).toBe('open');
    expect(refused(on.place(ALICE, 'buy', usd('10000')))).toMatchObject({
      code: 11046,
      message: 'outdated_instrument',
    });
  });
});

describe('an option order by volatility', () => {
  const worth = (type: 'call' | 'put', volatility: number, forward: number, now: Instant) =>
    livePrice({ type, forward, strike: 100_000, years: yearFraction(EXPIRY - now) }, volatility);

  it('the price is the Black-76 value on the forward, in coin for an inverse option', () => {
    const on = new Desk(btcCall);
    on.reference('0.1', at(100_000, 104_000));
    const { order } = accepted(on.place(ALICE, 'buy', implv('60')));
    const value = worth('call', 0.6, 104_000, on.now) / 104_000;
    expect(Math.abs(toNumber(limitOf(order)) - value)).toBeLessThanOrEqual(0.00025);
  });

  it('the price is in dollars for a linear option', () => {
    const on = new Desk(btcUsdcPut);
    on.reference('5000', at(100_000, 104_000));
    const { order } = accepted(on.place(ALICE, 'sell', implv('60')));
    const value = worth('put', 0.6, 104_000, on.now);
    expect(Math.abs(toNumber(limitOf(order)) - value)).toBeLessThanOrEqual(10);
  });

  it('an order without a known forward is refused', () => {
    const on = new Desk(btcCall);
    expect(refused(on.place(ALICE, 'buy', implv('60'))).code).toBe(10011);
    on.reference('0.1');
    expect(refused(on.place(ALICE, 'buy', implv('60'))).code).toBe(10011);
  });
});

describe('an edit of an order priced by the exchange', () => {
  function placed() {
    const on = desk();
    const { order } = accepted(on.place(ALICE, 'buy', usd('10000')));
    moved(on, 80_000);
    return { on, id: order.orderId };
  }

  it('an edit must repeat the pricing kind, and clears the flag of automatic repricing', () => {
    const { on, id } = placed();
    const { order } = accepted(on.edit(ALICE, id, { price: '8000', advanced: 'usd' }));
    expect(seen(order)).toEqual({ price: '0.1', replaced: true, autoReplaced: false });
    expect(refused(on.edit(ALICE, id, { price: '0.1' })).code).toBe(11047);
    expect(refused(on.edit(ALICE, id, { quantity: '2' })).code).toBe(11047);
  });

  it('an edit of the amount keeps the price and the place', () => {
    const { on, id } = placed();
    on.place(BOB, 'buy', { price: '0.125', quantity: '1' });
    const { order } = accepted(on.edit(ALICE, id, { quantity: '0.5', advanced: 'usd' }));
    expect(seen(order)).toEqual({ price: '0.125', replaced: true, autoReplaced: false });
    on.take('sell', '0.5', '0.125');
    expect(on.order(ALICE, id).state).toBe('filled');
  });

  it('an edit may change the pricing kind if it has a new price', () => {
    const { on, id } = placed();
    expect(refused(on.edit(ALICE, id, { advanced: 'implv' })).code).toBe(11047);
    const { order } = accepted(on.edit(ALICE, id, { advanced: 'implv', price: '70' }));
    expect(order.advanced).toMatchObject({ kind: 'implv' });
  });

  it('an edit cannot turn a plain order into a priced one, or make a priced one post-only', () => {
    const { on, id } = placed();
    const plain = accepted(on.place(ALICE, 'buy', { price: '0.05', quantity: '1' })).order;
    const edit = { price: '5000', advanced: 'usd' } as const;
    expect(refused(on.edit(ALICE, plain.orderId, edit))).toMatchObject({
      code: 11041,
      message: 'not_adv_order',
    });
    expect(refused(on.edit(ALICE, id, { ...edit, postOnly: true })).code).toBe(11039);
  });
});

describe('refusals', () => {
  it.each([
    ['a future', btcPerpetual, usd('100', { quantity: '10' }), 11038],
    ['dollars on a linear option', btcUsdcPut, usd('5000'), 10031],
    ['post-only', btcCall, usd('10000', { postOnly: true }), 11039],
    ['a value of zero', btcCall, usd('0'), -32602],
    ['a negative value', btcCall, implv('-5'), -32602],
    ['an absurd volatility', btcCall, implv('1001'), -32602],
    ['no value', btcCall, { quantity: '1', advanced: 'usd' } as const, -32602],
  ] as const)('an advanced order is refused: %s', (_what, instrument, terms, code) => {
    const on = desk(instrument);
    expect(refused(on.place(ALICE, 'buy', terms)).code).toBe(code);
  });

  it('a volatility order on an expired option is refused', () => {
    const on = desk();
    on.now = EXPIRY;
    expect(refused(on.place(ALICE, 'buy', implv('60')))).toMatchObject({
      code: 11037,
      message: 'outdated_instrument_for_IV_order',
    });
    expect(refused(on.place(ALICE, 'buy', usd('10000'))).code).toBe(13019);
  });

  it('a market order with an advanced value is refused', () => {
    const exchange = new Exchange({ ...options(), marketOrdersOnOptions: true });
    const on = new Desk(btcCall, exchange);
    on.reference('0.1', { ...at(100_000), min: '0.05', max: '0.15' });
    expect(refused(on.place(ALICE, 'buy', usd('10000', { type: 'market' }))).code).toBe(11047);
  });
});

describe('random markets', () => {
  const grid = new Grid(btcCall);
  const gaps = fc.array(
    fc.record({
      afterMs: fc.integer({ min: 50, max: 1_500 }),
      forward: fc.integer({ min: 60_000, max: 180_000 }),
    }),
    { minLength: 1, maxLength: 25, size: 'max' },
  );
  const kinds = fc.array(
    fc.constantFrom(implv('40'), implv('75'), usd('3000'), usd('12000'), usd('400')),
    { minLength: 1, maxLength: 4 },
  );

  /** The valid price nearest to the model's, found by trying all of them. */
  function nearest(value: number): number {
    let best = 1;
    for (let ticks = 1; ticks < 12_000; ticks += 1) {
      const away = Math.abs(ticks - value / 0.0001);
      if (grid.isValid(ticks) && away < Math.abs(best - value / 0.0001)) best = ticks;
    }
    return best;
  }

  const modelTicks = (order: ExchangeOrder, forward: number, now: Instant): number => {
    const value = toNumber(order.advanced?.value ?? limitOf(order));
    if (order.advanced?.kind === 'usd') return nearest(value / forward);
    const years = yearFraction(EXPIRY - now);
    const terms = { type: 'call', forward, strike: 100_000, years } as const;
    return nearest(livePrice(terms, value / 100) / forward);
  };

  it('the price is that of an instant within the last second, and a rebuilt exchange agrees', () => {
    fc.assert(
      fc.property(kinds, gaps, (placed, walk) => {
        const on = desk();
        const forwards: [Instant, number][] = [[on.now, 100_000]];
        const ids = placed.map((terms) => accepted(on.place(ALICE, 'buy', terms)).order.orderId);
        const rebuilt = new Exchange(options());
        for (const { afterMs, forward } of walk) {
          on.now = later(on.now, afterMs);
          on.reference('0.1', at(forward));
          forwards.push([on.now, forward]);
          const recent = forwards.filter(
            ([then], i) => then > on.now - 1_000 || i === forwards.length - 1,
          );
          for (const id of ids) {
            const order = on.order(ALICE, id);
            const expected = recent.map(([then, was]) => modelTicks(order, was, then));
            expect(expected).toContain(grid.ticksOf(limitOf(order)));
          }
          const events = on.exchange.drainEvents().filter(({ kind }) => kind !== 'print');
          rebuilt.applyJournal(events.map((event) => journalRecord(event as AccountEvent)));
          expect(rebuilt.stateHash()).toBe(on.exchange.stateHash());
        }
        const snapshot = JSON.parse(JSON.stringify(on.exchange.snapshot()));
        const restored = new Desk(btcCall, Exchange.restore(snapshot, options()));
        for (const each of [on, restored]) {
          each.now = later(on.now, each === on ? 2_000 : 0);
          each.reference('0.1', at(77_000));
        }
        expect(restored.exchange.stateHash()).toBe(on.exchange.stateHash());
      }),
      { numRuns: 25 },
    );
  });
});

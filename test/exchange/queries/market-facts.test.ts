import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DayStats } from '../../../src/exchange/model/instruments/day-stats.ts';
import { text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { DAY_MS, HOUR_MS, instant, later, MINUTE_MS } from '../../../src/values/instant.ts';
import { ALICE, accepted, BOB, Desk } from '../exchange-desk.ts';
import { btcCall, btcPerpetual, btcSpot, EXPIRY, ethFuture } from '../instruments.ts';

const factsOf = (desk: Desk) => must(desk.exchange.market(desk.name, desk.now), 'facts');

describe('24-hour statistics', () => {
  it('volume, high, low and change are counted, and dropped after 24 hours', () => {
    const desk = new Desk(btcPerpetual);
    const trade = (at: string, quantity: string): void => {
      desk.place(BOB, 'sell', { price: at, quantity });
      accepted(desk.place(ALICE, 'buy', { price: at, quantity }));
    };
    expect(Object.keys(factsOf(desk).stats)).toEqual(['volume', 'volumeUsd']);
    trade('100000', '10');
    desk.now = later(desk.now, HOUR_MS);
    trade('98000', '20');
    desk.now = later(desk.now, HOUR_MS);
    trade('101000', '30');
    const { volume, volumeUsd, high, low, change } = factsOf(desk).stats;
    expect(
      [volume, volumeUsd, must(high, 'high'), must(low, 'low')].map((one) => text(one)),
    ).toEqual(['60', '60', '101000', '98000']);
    expect(change).toBeCloseTo(0.01, 12);
    desk.now = later(desk.now, DAY_MS - HOUR_MS + 5 * MINUTE_MS);
    const later_ = factsOf(desk).stats;
    expect([text(later_.volume), later_.change]).toEqual(['30', expect.closeTo(101 / 98 - 1, 12)]);
    desk.now = later(desk.now, DAY_MS);
    expect(text(factsOf(desk).stats.volume)).toBe('0');
    // The total traded volume is never dropped.
    expect(text(must(desk.exchange.traded(desk.name), 'a listed instrument counts'))).toBe('60');
  });

  it("an option's volume is converted to dollars at the index", () => {
    const desk = new Desk(btcCall);
    desk.reference('0.05', { index: '90000' });
    desk.quotes([], [['0.05', '2']]);
    accepted(desk.place(ALICE, 'buy', { price: '0.05', quantity: '2' }));
    const { volume, volumeUsd } = factsOf(desk).stats;
    expect([text(volume), text(volumeUsd)]).toEqual(['2', '9000']);
  });

  it('the statistics agree with a scan of all trades, to the five minutes of a bucket', () => {
    const trades = fc.array(
      fc.record({
        ticks: fc.integer({ min: 1, max: 1_000 }),
        lots: fc.integer({ min: 1, max: 50 }),
        gapMs: fc.integer({ min: 0, max: 4 * HOUR_MS }),
      }),
      { minLength: 1, maxLength: 60, size: 'max' },
    );
    fc.assert(
      fc.property(trades, (list) => {
        const stats = new DayStats();
        let now = 0;
        const seen = list.map(({ ticks, lots, gapMs }) => {
          now += gapMs;
          stats.add({ ticks, lots, at: instant(now) });
          return { ticks, lots, bucket: Math.floor(now / (5 * MINUTE_MS)) };
        });
        const oldest = Math.floor((now - DAY_MS) / (5 * MINUTE_MS));
        const day = seen.filter(({ bucket }) => bucket >= oldest);
        const before = seen.findLast(({ bucket }) => bucket < oldest);
        const total = stats.read(instant(now));
        expect(total.lots).toBe(day.reduce((sum, { lots }) => sum + lots, 0));
        expect(total.turnover).toBe(day.reduce((sum, { lots, ticks }) => sum + lots * ticks, 0));
        expect(total.highTicks).toBe(Math.max(...day.map(({ ticks }) => ticks)));
        expect(total.lowTicks).toBe(Math.min(...day.map(({ ticks }) => ticks)));
        const from = must(before ?? day[0], 'a first trade').ticks;
        expect(total.change).toBeCloseTo(must(day.at(-1), 'a last').ticks / from - 1, 12);
      }),
    );
  });
});

describe('market facts', () => {
  it('open interest is the sum of all long positions, of users and bots', () => {
    const desk = new Desk(btcPerpetual);
    desk.quotes([['99990', '50']], [['100000', '50']]);
    desk.place(ALICE, 'buy', { price: '100000', quantity: '30' });
    desk.place(BOB, 'sell', { price: '99990', quantity: '20' });
    expect(text(must(factsOf(desk).openInterest, 'open interest'))).toBe('30');
    expect(new Desk(btcSpot).exchange.market(btcSpot.name, desk.now)?.openInterest).toBeUndefined();
  });

  it('the change id grows with each change of the shown book, and with nothing else', () => {
    const desk = new Desk(btcPerpetual);
    let last = factsOf(desk).changeId;
    const grows = (does: () => unknown, isChange: boolean): void => {
      does();
      const { changeId } = factsOf(desk);
      expect(changeId > last, does.toString()).toBe(isChange);
      expect(changeId).toBeGreaterThanOrEqual(last);
      last = changeId;
    };
    grows(() => desk.quotes([['99990', '50']], [['100000', '50']]), true);
    grows(() => desk.quotes([['99990', '50']], [['100000', '50']]), false);
    grows(() => desk.reference('100000'), false);
    grows(() => desk.take('buy', '10', '100000'), true);
    grows(() => desk.take('buy', '10', '99999'), false);
    const { order } = accepted(desk.place(ALICE, 'buy', { price: '99980', quantity: '30' }));
    grows(() => undefined, true);
    grows(() => desk.edit(ALICE, order.orderId, { quantity: '20' }), true);
    grows(() => desk.edit(ALICE, order.orderId, { price: '99970' }), true);
    grows(() => desk.cancel(ALICE, order.orderId), true);
    grows(() => desk.cancel(ALICE, order.orderId), false);
  });

  it('the estimated delivery price is the index, then its average in the last half hour', () => {
    const desk = new Desk(ethFuture);
    const estimate = () => text(must(factsOf(desk).estimatedDeliveryPrice, 'an estimate'));
    const setIndex = (beforeMs: number, index: string): void => {
      desk.now = later(EXPIRY, -beforeMs);
      desk.reference('4000', { index });
    };
    setIndex(31 * MINUTE_MS, '3900');
    expect(estimate()).toBe('3900');
    setIndex(30 * MINUTE_MS, '4000');
    expect(estimate()).toBe('4000');
    setIndex(20 * MINUTE_MS, '4200');
    setIndex(10 * MINUTE_MS, '5000');
    // Ten minutes each at 4 000 and 4 200.
    expect(estimate()).toBe('4100');
  });

  it('an expired market shows its state and delivery price', () => {
    const desk = new Desk(ethFuture);
    desk.reference('4000');
    expect(factsOf(desk).state).toBe('open');
    desk.now = EXPIRY;
    expect(factsOf(desk).state).toBe('closed');
    const deliveryPrice = must(desk.exchange.reference(desk.name)?.index, 'an index');
    desk.do({ kind: 'expire_instrument', now: EXPIRY, instrument: desk.name, deliveryPrice });
    expect(text(must(factsOf(desk).deliveryPrice, 'a price'))).toBe('4000');
  });
});

// Rows in columns: what goes in comes out, to the last digit, or is said not to fit.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instant } from '../../../src/values/instant.ts';
import { BlockBuilder } from '../../../src/values/recorded/block-builder.ts';
import { EventRows } from '../../../src/values/recorded/row-batch.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';

const AT_US = 1_709_251_200_000_000;
const stamp = (second: number) => ({
  symbol: 'BTC-PERPETUAL',
  atUs: AT_US + second * 1_000_000 + 1,
  at: instant(AT_US / 1_000 + second * 1_000 + 1),
});
const trade = (price: string, amount = '1'): RecordedEvent => ({
  ...stamp(0),
  kind: 'trade',
  side: 'buy',
  price,
  amount,
});

const decimal = fc
  .tuple(fc.nat({ max: 999_999_999 }), fc.nat({ max: 8 }))
  .map(([digits, places]) => {
    const padded = String(digits).padStart(places + 1, '0');
    return places === 0 ? String(digits) : `${padded.slice(0, -places)}.${padded.slice(-places)}`;
  })
  .map((text) => text.slice(0, 17));
const level = fc.record({ price: decimal, amount: fc.option(decimal, { nil: undefined }) });
const levels = fc.array(level, { maxLength: 25, size: 'max' });
const event = fc.oneof(
  fc.record({ kind: fc.constant('book' as const), bids: levels, asks: levels }),
  fc.record({
    kind: fc.constant('trade' as const),
    side: fc.constantFrom('buy' as const, 'sell' as const, undefined),
    price: decimal,
    amount: decimal,
  }),
  fc.record(
    { kind: fc.constant('ticker' as const), mark: decimal, index: decimal, underlying: decimal },
    { requiredKeys: ['kind'] },
  ),
  fc.record({
    kind: fc.constant('ticker' as const),
    mark: decimal,
    markIv: fc.option(fc.double({ noNaN: true, min: 0, max: 5 }), { nil: undefined }),
    greeks: fc.record({
      delta: fc.double({ noNaN: true }),
      gamma: fc.double({ noNaN: true }),
      vega: fc.double({ noNaN: true }),
      theta: fc.double({ noNaN: true }),
      rho: fc.double({ noNaN: true }),
    }),
  }),
);

describe('rows of a recording as columns', () => {
  test('every row comes out of its columns as it was, with all its digits', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40, size: 'max' }), (drawn) => {
        const events = drawn.map((each, index): RecordedEvent => ({ ...stamp(index), ...each }));
        const builder = new BlockBuilder();
        for (const each of events) expect(builder.add(each)).toBe(true);
        const block = builder.take();
        expect(block.count).toBe(events.length);
        expect(events.map((_, row) => block.event(row))).toEqual(events);
        expect(builder.take().count).toBe(0);
      }),
    );
  });

  test('a number of more digits than a float holds does not fit', () => {
    expect(new BlockBuilder().add(trade('123456789012345'))).toBe(true);
    expect(new BlockBuilder().add(trade('1234567890123456'))).toBe(false);
    expect(new BlockBuilder().add(trade('0.1234567890123456'))).toBe(false);
    expect(new BlockBuilder().add(trade('0.000000000000000000012345'))).toBe(false);
  });

  test('rows are cut at an instant, the same in columns as in a list', () => {
    const events = [0, 1, 1, 2, 5].map(
      (second): RecordedEvent => ({ ...trade('1'), ...stamp(second) }),
    );
    const builder = new BlockBuilder();
    for (const each of events) builder.add(each);
    const block = builder.take();
    for (const second of [-1, 0, 1, 2, 3, 5, 6]) {
      const until = stamp(second).at;
      const wanted = events.filter(({ at }) => at <= until).length;
      expect(block.upTo(until).count).toBe(wanted);
      expect(new EventRows(events).upTo(until).count).toBe(wanted);
    }
  });
});

// The shortfall and its parts, against worked examples and against whole-number arithmetic of the test's own.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Shortfall,
  type ShortfallQuestion,
  shortfall,
} from '../../../src/core/report/shortfall.ts';
import {
  type Money,
  money,
  negated,
  type Price,
  price,
  quantity,
  text,
  toNumber,
} from '../../../src/values/amounts.ts';

type Fill = readonly [quantity: string, price: string, mid?: string];

const question = (
  fills: readonly Fill[],
  change: Partial<ShortfallQuestion> = {},
): ShortfallQuestion => ({
  side: 'buy',
  isInverse: false,
  asked: quantity('10'),
  fees: money('0'),
  decision: price('100'),
  arrival: price('100'),
  twap: undefined,
  end: undefined,
  fills: fills.map(([of, at, mid]) => ({
    quantity: quantity(of),
    price: price(at),
    mid: mid === undefined ? undefined : price(mid),
  })),
  ...change,
});

const drift = ({ market, schedule }: Shortfall): number => toNumber(market) + toNumber(schedule);

describe('the shortfall of known cases', () => {
  test('a linear order that drifts, rests and leaves a fifth undone costs 63 basis points of its value at the decision', () => {
    const found = shortfall(
      question(
        [
          ['4', '100.5', '100.4'],
          ['4', '100.5', '100.6'],
        ],
        {
          arrival: price('100.2'),
          end: price('101'),
          fees: money('0.3'),
        },
      ),
    );
    expect([found.delay, found.spread, found.residual, found.total].map(text)).toEqual([
      '2',
      '0',
      '1.6',
      '6.3',
    ]);
    expect(drift(found)).toBeCloseTo(2.4, 12);
    expect((toNumber(found.total) / toNumber(found.atDecision)) * 10_000).toBeCloseTo(63, 10);
  });

  test('the mean of the interval splits the drift into the market and the schedule', () => {
    const asked = question(
      [
        ['4', '100.5', '100.4'],
        ['4', '100.5', '100.6'],
      ],
      {
        arrival: price('100.2'),
        end: price('101'),
        twap: price('100.3'),
      },
    );
    const { market, schedule } = shortfall(asked);
    expect([market, schedule].map(text)).toEqual(['0.8', '1.6']);
  });

  test('an inverse order is reckoned in coin by the reciprocals of its prices', () => {
    const found = shortfall(
      question(
        [
          ['50000', '90100', '90080'],
          ['50000', '90300', '90310'],
        ],
        {
          isInverse: true,
          asked: quantity('120000'),
          decision: price('89950'),
          arrival: price('90000'),
          end: price('90500'),
        },
      ),
    );
    expect(toNumber(found.delay)).toBeCloseTo(0.000_741_15, 8);
    expect(drift(found)).toBeCloseTo(0.002_400_4, 8);
    expect(toNumber(found.spread)).toBeCloseTo(0.000_061_9, 8);
    expect(toNumber(found.residual)).toBeCloseTo(0.001_227_75, 8);
    expect(toNumber(found.total)).toBeCloseTo(0.004_431_197_9, 10);
  });

  test('an order that fills nothing costs its delay and what the market ran away', () => {
    const found = shortfall(question([], { arrival: price('101'), end: price('103') }));
    expect([found.delay, found.residual, found.total].map(text)).toEqual(['10', '20', '30']);
  });

  test('an order filled at the price of its decision costs nothing', () => {
    expect(text(shortfall(question([['10', '100', '100']])).total)).toBe('0');
  });
});

/** Prices in hundredths, so that the judge can reckon in whole numbers. */
const cents = fc.integer({ min: 1, max: 10_000_000 });
const lots = fc.integer({ min: 1, max: 1_000_000 });
const inPrice = (of: number): Price => price((of / 100).toFixed(2));
const story = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  decision: cents,
  arrival: cents,
  end: cents,
  twap: cents,
  fills: fc.array(fc.record({ lots, at: cents, mid: fc.option(cents, { nil: undefined }) }), {
    maxLength: 8,
  }),
  left: fc.integer({ min: 0, max: 1_000_000 }),
});
interface Story {
  readonly side: 'buy' | 'sell';
  readonly decision: number;
  readonly arrival: number;
  readonly end: number;
  readonly twap: number;
  readonly fills: readonly { lots: number; at: number; mid: number | undefined }[];
  readonly left: number;
}

const askedBy = (one: Story, change: Partial<ShortfallQuestion> = {}): ShortfallQuestion => ({
  side: one.side,
  isInverse: false,
  fees: money('0'),
  asked: quantity(String(one.fills.reduce((sum, fill) => sum + fill.lots, one.left))),
  decision: inPrice(one.decision),
  arrival: inPrice(one.arrival),
  twap: inPrice(one.twap),
  end: inPrice(one.end),
  fills: one.fills.map((fill) => ({
    quantity: quantity(String(fill.lots)),
    price: inPrice(fill.at),
    mid: fill.mid === undefined ? undefined : inPrice(fill.mid),
  })),
  ...change,
});

const PARTS = ['delay', 'market', 'schedule', 'spread', 'unsplit', 'residual', 'fees'] as const;
/** In hundredths. */
const whole = (of: Money): bigint => BigInt(Math.round(toNumber(of) * 100));

describe('for any order', () => {
  test('the whole is what was paid over the paper portfolio, and the parts add up to it', () => {
    fc.assert(
      fc.property(story, (one) => {
        const found = shortfall(askedBy(one));
        const sign = one.side === 'buy' ? 1n : -1n;
        const asked = one.fills.reduce((sum, fill) => sum + fill.lots, one.left);
        const paid = one.fills.reduce((sum, fill) => sum + BigInt(fill.lots) * BigInt(fill.at), 0n);
        const left = BigInt(one.left) * BigInt(one.end);
        expect(whole(found.total)).toBe(
          sign * (paid + left - BigInt(asked) * BigInt(one.decision)),
        );
        const sum = PARTS.reduce((total, part) => total + whole(found[part]), 0n);
        expect(sum).toBe(whole(found.total));
      }),
    );
  });

  test('a fill cut into two costs the same', () => {
    fc.assert(
      fc.property(story, (one) => {
        const cutUp = one.fills.flatMap((fill) =>
          fill.lots < 2
            ? [fill]
            : [
                { ...fill, lots: 1 },
                { ...fill, lots: fill.lots - 1 },
              ],
        );
        for (const isInverse of [false, true]) {
          const [all, cut] = [one, { ...one, fills: cutUp }].map((each) =>
            shortfall(askedBy(each, { isInverse })),
          );
          for (const part of PARTS)
            expect(text(cut?.[part] as Money)).toBe(text(all?.[part] as Money));
        }
      }),
    );
  });

  test('a sell costs what a buy gains at the same prices', () => {
    fc.assert(
      fc.property(story, fc.boolean(), (one, isInverse) => {
        const buy = shortfall(askedBy(one, { side: 'buy', isInverse }));
        const sell = shortfall(askedBy(one, { side: 'sell', isInverse }));
        for (const part of PARTS) expect(text(sell[part])).toBe(text(negated(buy[part])));
      }),
    );
  });
});

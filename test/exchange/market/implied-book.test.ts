// The book of a combo that follows from the recorded books of its legs, judged lot by lot in whole numbers of the finest decimal.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ImpliedBook } from '../../../src/exchange/market/implied-book.ts';
import type { RecordedInstrument } from '../../../src/exchange/market/recorded-symbol.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { type Instant, instant } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { RecordedBook, RecordedLevel } from '../../../src/values/recorded-event.ts';
import { option } from '../../support/engine/markets.ts';

const HOLE_MS = 10_000;
const AT = instant(Date.UTC(2024, 2, 1));
const NAMES = ['A', 'B', 'C', 'D'];

const recorded = (instrument: Instrument): RecordedInstrument => ({
  instrument,
  recordedStep: instrument.amountStep,
  assumedLots: 1,
});

const legInstrument = (name: string, lot: string): RecordedInstrument =>
  recorded({
    ...option({ name: instrumentName(name) }),
    tickSize: price('0.0005'),
    tickSteps: [],
    amountStep: quantity(lot),
    minAmount: quantity(lot),
  });

const comboOf = (ratios: readonly number[], lot: string): RecordedInstrument =>
  recorded({
    ...legInstrument('COMBO', lot).instrument,
    kind: 'option_combo',
    tickSize: price('0.0001'),
    legs: ratios.map((ratio, at) => ({ instrument: instrumentName(NAMES[at] ?? ''), ratio })),
  });

const row = (
  symbol: string,
  at: Instant,
  sides: Pick<RecordedBook, 'bids' | 'asks'>,
): RecordedBook => ({ kind: 'book', symbol, at, atUs: at * 1_000, ...sides });

/** In units of a ten-thousandth: the ticks and lots here are multiples of it. */
const units = (digits: string): number => Math.round(Number(digits) * 10_000);

/** The prices at which single lots of the leg can be taken, when one lot needs `need` of it at one price. */
const singleLots = (levels: readonly RecordedLevel[], need: number): readonly number[] =>
  levels.flatMap(({ price: at, amount = '0' }) =>
    Array<number>(Math.floor(units(amount) / need)).fill(units(at)),
  );

interface Generated {
  readonly ratios: readonly number[];
  readonly books: readonly Pick<RecordedBook, 'bids' | 'asks'>[];
  readonly legLot: string;
}

/** What each lot of the combo costs on one side, best first. */
function judged({ ratios, books }: Generated, side: 'bids' | 'asks'): readonly number[] {
  const lot = units('0.2');
  const legs = ratios.map((ratio, at) => {
    const other = side === 'bids' ? 'asks' : 'bids';
    const levels = books[at]?.[ratio > 0 ? side : other] ?? [];
    return singleLots(levels, Math.abs(ratio) * lot);
  });
  const count = Math.min(...legs.map((lots) => lots.length));
  return Array.from({ length: count }, (_, number) =>
    ratios.reduce((sum, ratio, at) => sum + ratio * (legs[at]?.[number] ?? Number.NaN), 0),
  );
}

const side = (sign: 1 | -1, from: number) =>
  fc
    .array(
      fc.record({ gap: fc.integer({ min: 1, max: 9 }), lots: fc.integer({ min: 0, max: 40 }) }),
      {
        maxLength: 6,
      },
    )
    .map((steps) => {
      let ticks = from;
      return steps.map(({ gap, lots }): RecordedLevel => {
        ticks += sign * gap;
        return { price: (ticks * 0.0005).toFixed(4), amount: (lots * 0.1).toFixed(1) };
      });
    });

const generated: fc.Arbitrary<Generated> = fc
  .array(fc.constantFrom(1, -1, 2, -2, 3), { minLength: 2, maxLength: 4 })
  .filter((ratios) => ratios.some((ratio) => ratio < 0))
  .chain((ratios) =>
    fc.record({
      ratios: fc.constant(ratios),
      books: fc.tuple(...ratios.map(() => fc.record({ bids: side(-1, 100), asks: side(1, 100) }))),
      legLot: fc.constantFrom('0.1', '0.2'),
    }),
  );

function shown({ ratios, books, legLot }: Generated): RecordedBook {
  const legs = ratios.map((_, at) => legInstrument(NAMES[at] ?? '', legLot));
  const book = new ImpliedBook(comboOf(ratios, '0.2'), legs, HOLE_MS);
  let last = row('', AT, { bids: [], asks: [] });
  for (const [at, sides] of books.entries()) {
    last = row(NAMES[at] ?? '', AT, sides);
    expect(book.take(last)).toBe(true);
  }
  const implied = book.row(last);
  if (implied === undefined) throw new Error('all legs have rows');
  return implied;
}

/** Single lots of the combo as the book shows them. */
const listed = (levels: readonly RecordedLevel[]): readonly number[] =>
  levels.flatMap(({ price: at, amount = '0' }) =>
    Array<number>(units(amount) / units('0.2')).fill(units(at)),
  );

const DEEPEST = 25;

describe('the book of a combo without a recorded one', () => {
  test('each lot of it costs the sum of what its legs show for it, with their ratios', () => {
    fc.assert(
      fc.property(generated, (of) => {
        // A lot that would be taken at two prices of a leg is not shown: sizes here are cut to whole lots.
        const book = shown({ ...of, legLot: '0.1' });
        for (const side of ['bids', 'asks'] as const) {
          const expected = judged(of, side);
          const lots = listed(book[side]);
          if (book[side].length < DEEPEST) expect(lots.length).toBe(expected.length);
          expect(lots).toEqual(expected.slice(0, lots.length));
        }
      }),
    );
  });

  test('prices get worse from level to level, and no level is empty', () => {
    fc.assert(
      fc.property(generated, (of) => {
        const { bids, asks } = shown({ ...of, legLot: '0.1' });
        for (const [levels, sign] of [[bids, -1] as const, [asks, 1] as const]) {
          for (const [at, { price: here, amount }] of levels.entries()) {
            expect(Number(amount)).toBeGreaterThan(0);
            const before = levels[at - 1]?.price;
            if (before !== undefined)
              expect(sign * (units(here) - units(before))).toBeGreaterThan(0);
          }
        }
      }),
    );
  });

  test('a spread may be offered for nothing or less', () => {
    const books = [
      { bids: [{ price: '0.0100', amount: '1' }], asks: [{ price: '0.0105', amount: '1' }] },
      { bids: [{ price: '0.0110', amount: '0.6' }], asks: [{ price: '0.0115', amount: '1' }] },
    ];
    const { bids, asks } = shown({ ratios: [1, -1], books, legLot: '0.1' });
    expect(asks).toEqual([{ price: '-0.0005', amount: '0.6' }]);
    expect(bids).toEqual([{ price: '-0.0015', amount: '1' }]);
  });

  test('it has no prices from the moment at which a leg is known to be silent, and no rows until it is back', () => {
    const legs = ['A', 'B'].map((name) => legInstrument(name, '0.1'));
    const book = new ImpliedBook(comboOf([1, -1], '0.2'), legs, HOLE_MS);
    const sides = {
      bids: [{ price: '0.0100', amount: '1' }],
      asks: [{ price: '0.0105', amount: '1' }],
    };
    const rowsAt = (name: string, ms: number) => {
      const of = row(name, instant(AT + ms), sides);
      book.take(of);
      return book.row(of);
    };
    expect(rowsAt('A', 0)).toBeUndefined();
    expect(rowsAt('B', 100)?.bids).toHaveLength(1);
    expect(rowsAt('B', HOLE_MS)?.bids).toHaveLength(1);
    expect(rowsAt('B', HOLE_MS + 1)).toMatchObject({ bids: [], asks: [] });
    expect(rowsAt('B', HOLE_MS + 500)).toBeUndefined();
    expect(rowsAt('A', HOLE_MS + 900)?.asks).toHaveLength(1);
  });
});

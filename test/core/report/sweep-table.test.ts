// The table of a sweep against figures that are computed here from the runs, in another way.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SweptRun } from '../../../src/core/report/sweep/sweep-shapes.ts';
import { sweepTable } from '../../../src/core/report/sweep/sweep-table.ts';

const run = (variant: number, window: number, arrival: number | null): SweptRun => ({
  variant,
  window,
  legs: [
    {
      instrument: 'BTC-USD',
      side: 'buy',
      measured: { arrival, twap: null, vwap: null, filled: 1, maker: 0 },
    },
  ],
});

const arrivals = fc.array(
  fc.tuple(
    fc.option(fc.integer({ min: -500, max: 500 }), { freq: 4 }),
    fc.option(fc.integer({ min: -500, max: 500 }), { freq: 4 }),
  ),
  { minLength: 2, maxLength: 12 },
);

/** Mean and error by the sums of values and of squares. */
function figuresOf(values: readonly number[]): readonly [number | null, number | null] {
  const n = values.length;
  const [sum, squares] = values.reduce(([a, b], x) => [a + x, b + x * x], [0, 0]);
  if (n === 0) return [null, null];
  const variance = (squares - (sum * sum) / n) / (n - 1);
  return [sum / n, n < 2 ? null : Math.sqrt(Math.max(0, variance) / n)];
}

const near = (value: number | null | undefined, wanted: number | null): void => {
  if (wanted === null || value === null || value === undefined) expect(value).toBe(wanted);
  else expect(Math.abs(value - wanted)).toBeLessThan(1e-3);
};

test('means, errors and paired differences are those of the runs, in whatever order they come', () => {
  fc.assert(
    fc.property(arrivals, (pairs) => {
      const runs = pairs.flatMap(([a, b], window) => [run(0, window, a), run(1, window, b)]);
      const options = {
        variants: ['base', 'other'],
        base: 0,
        windows: pairs.length,
        isOverlapping: false,
        moreWindows: 'longer',
        notes: [],
      };
      const table = sweepTable(runs, options);
      expect(sweepTable(runs.toReversed(), options)).toEqual(table);
      const other = table.legs[0]?.rows.find(
        ({ variant, measure }) => variant === 'other' && measure === 'arrival',
      );
      const [mean, error] = figuresOf(pairs.flatMap(([, b]) => b ?? []));
      near(other?.mean, mean);
      near(other?.standardError, error);
      const differences = pairs.flatMap(([a, b]) => (a === null || b === null ? [] : b - a));
      const [difference, differenceError] = figuresOf(differences);
      expect(other?.pairs).toBe(differences.length);
      near(other?.difference, difference);
      near(other?.differenceError, differenceError);
    }),
  );
});

test('a small sample, overlapping windows and refused runs are warned of', () => {
  const reasons = ['legs[0].quantity: is not a multiple of the lot'];
  const runs: readonly SweptRun[] = [
    run(0, 0, 1),
    { variant: 0, window: 1, legs: undefined, reasons },
  ];
  const options = {
    variants: ['as written'],
    base: 0,
    windows: 2,
    isOverlapping: true,
    moreWindows: 'a longer recording',
    notes: ['of a market'],
  };
  const { notes, variants } = sweepTable(runs, options);
  expect(variants).toEqual([{ name: 'as written', runs: 2, refused: 1 }]);
  const text = notes.join('\n');
  const refused = '1 run was refused and is in no figure';
  for (const words of ['sample is small: 2 windows', 'windows overlap', refused]) {
    expect(text).toContain(words);
  }
  const many = Array.from({ length: 30 }, (_, window) => run(0, window, window));
  const enough = sweepTable(many, { ...options, windows: 30, isOverlapping: false });
  expect(enough.notes.join('\n')).not.toContain('warning');
});

test('each reason of refused runs is named once, with the number of runs that it stopped', () => {
  const refusedFor = (window: number, ...reasons: readonly string[]): SweptRun => ({
    variant: 0,
    window,
    legs: undefined,
    reasons,
  });
  const { notes } = sweepTable(
    [refusedFor(0, 'rare', 'common'), refusedFor(1, 'common'), run(0, 2, 1)],
    {
      variants: ['as written'],
      base: 0,
      windows: 3,
      isOverlapping: false,
      moreWindows: 'longer',
      notes: [],
    },
  );
  expect(notes.slice(-3)).toEqual([
    'warning: 2 runs were refused and are in no figure',
    'refused, 2 runs: common',
    'refused, 1 run: rare',
  ]);
});

// A sweep as text on terminals of any width: the differences from the base are what it is read for.
import { expect, test } from 'vitest';
import type { SweptRun } from '../../../../src/core/report/sweep/sweep-shapes.ts';
import { sweepTable } from '../../../../src/core/report/sweep/sweep-table.ts';
import { sweepText } from '../../../../src/main/commands/sweep/sweep-text.ts';

const names = (count: number): readonly string[] =>
  Array.from(
    { length: count },
    (_, at) => `execution.randomSize=0.${at} twapTrade.frequencySec=${20 + at}`,
  );

function textOf(variants: readonly string[], columns: number): string {
  const runs = variants.flatMap((_, variant) =>
    [0, 1, 2].map((window): SweptRun => {
      const costs = { arrival: 10 * window + variant, twap: 2 * variant, vwap: variant };
      const leg = {
        instrument: 'ETH-USD',
        side: 'buy',
        measured: { ...costs, filled: 1, maker: 1 },
      };
      return { variant, window, legs: [leg] };
    }),
  );
  const told = { moreWindows: '--starts', notes: [], isOverlapping: false };
  return sweepText(
    sweepTable(runs, { variants, base: 1 % variants.length, windows: 3, ...told }),
    columns,
  );
}

test.each([44, 80, 140])(
  'in %d columns every setting has its difference from the base, and no line is longer',
  (columns) => {
    const text = textOf(names(12), columns);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    expect(text).toContain('12 settings on 3 windows; base: 2');
    expect(text).toMatch(/setting {2}.*arrival bp +± {2}Δ arrival +±/);
    // The last one is eleven numbers, of one basis point each, from the first.
    expect(text).toMatch(/^12 +(?:\d+ +)?21\.00 +5\.77 +10\.00 +0\.00/m);
    const words = text.replaceAll(/\s+/g, ' ');
    for (const [at, name] of names(12).entries()) expect(words).toContain(` ${at + 1} ${name} `);
  },
);

test('a single setting is named in the table', () => {
  const text = textOf(['as written'], 80);
  expect(text).toContain('1 setting on 3 windows; base: as written');
  expect(text).toMatch(/^as written +3 +10\.00/m);
});

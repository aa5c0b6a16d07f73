import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RedrawInPlace } from '../../../src/main/commands/watch/redraw-in-place.ts';
import { screenLines } from '../../../src/main/commands/watch/watch-screen.ts';
import { columnsOf } from '../../../src/values/printable.ts';
import { leg, record, START_MS } from '../portfolio-records.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: movements and colours begin with one.
const UP = /^\u001b\[(\d+)A/;

/** The effect of one drawing: how far the cursor moves up, and the lines written from there. */
function read(drawn: string): { readonly up: number; readonly lines: readonly string[] } {
  const up = Number(UP.exec(drawn)?.[1] ?? 0);
  const lines = drawn.replace(UP, '').split('\n').slice(0, -1);
  return { up, lines: lines.map(stripVTControlCharacters) };
}

const words = fc.constantFrom(
  'short',
  'a much longer label of a portfolio',
  '東京の注文',
  '😀😀',
  '',
);
const screens = fc.record({
  name: words,
  legs: fc.integer({ min: 1, max: 20 }),
  waiting: fc.option(words, { nil: undefined }),
  notice: fc.option(words, { nil: undefined }),
});

describe('watch, drawn in place', () => {
  test('no line is wider than the terminal, and the cursor moves up by exactly the lines drawn before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 200 }),
        fc.integer({ min: 5, max: 60 }),
        fc.array(screens, { minLength: 1, maxLength: 4 }),
        (columns, rows, shown) => {
          const drawings: string[] = [];
          const drawing = new RedrawInPlace({
            draw: (text) => drawings.push(text),
            columns: () => columns,
            rows: () => rows,
          });
          let before = 0;
          for (const { name, legs, waiting, notice } of shown) {
            const one = leg({ waiting: waiting === '' ? undefined : waiting } as never);
            const of = record({ strategy: name, legs: Array.from({ length: legs }, () => one) });
            drawing.draw(screenLines(of, { nowMs: START_MS + 60_000, columns, notice }));
            const { up, lines } = read(drawings.at(-1) ?? '');
            expect(up).toBe(before);
            expect(lines.length).toBeLessThan(rows);
            for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
            before = lines.length;
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a terminal that became narrower has its wrapped lines counted', () => {
    let columns = 80;
    const drawings: string[] = [];
    const drawing = new RedrawInPlace({
      draw: (text) => drawings.push(text),
      columns: () => columns,
      rows: () => 30,
    });
    drawing.draw(['x'.repeat(80), 'short', '']);
    columns = 40;
    drawing.draw(['now']);
    expect(read(drawings[1] ?? '')).toEqual({ up: 4, lines: ['now'] });
  });

  test('what is to stay goes above the lines, on rows that are cleared before', () => {
    const drawings: string[] = [];
    const drawing = new RedrawInPlace({
      draw: (text) => drawings.push(text),
      columns: () => 40,
      rows: () => 30,
    });
    drawing.draw(['first', 'second']);
    drawing.draw(['first', 'third'], ['kept']);
    expect(drawings[1]).toBe(
      '\u001b[2A\u001b[J\u001b[2Kkept\n\u001b[2Kfirst\n\u001b[2Kthird\n\u001b[J',
    );
    drawing.draw(['fourth']);
    expect(read(drawings[2] ?? '')).toEqual({ up: 2, lines: ['fourth'] });
  });

  test.each([20, 44])('at %i columns every leg shows its share, with a bar below it', (columns) => {
    const lines = screenLines(record(), { nowMs: START_MS + 60_000, columns }).map((line) =>
      stripVTControlCharacters(line),
    );
    const at = lines.findIndex((line) => line.startsWith('BUY BTC-P'));
    expect(lines[at + 1]).toMatch(/^█+[▏▎▍▌▋▊▉]?─+┃─+$/);
    if (columns >= 44) expect(lines[at]).toBe('BUY BTC-PERPETUAL 25.0 % 6000/24000 USD');
  });
});

import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PortfolioRecord } from '../../../src/gateway/portfolios/record-schema.ts';
import { barOf, percentText } from '../../../src/main/commands/terminal/terminal-progress.ts';
import { screenLines } from '../../../src/main/commands/watch/watch-screen.ts';
import { leg, record, START_MS } from '../portfolio-records.ts';

const draw = (of: PortfolioRecord, afterMs: number, columns = 100): readonly string[] =>
  screenLines(of, { nowMs: START_MS + afterMs, columns }).map(stripVTControlCharacters);

describe('the screen of a portfolio', () => {
  test('the screen has a head line, and a bar per leg with a schedule marker', () => {
    const [head, , first, second] = draw(record(), 60_000);
    expect(head).toBe('1776665215780001  demo  ACTIVE  01:00 of 02:00');
    expect(first).toMatch(
      /^BUY {2}BTC-PERPETUAL █+[▏▎▍▌▋▊▉]?─+┃─+ +25\.0 % 6000\/24000 USD avg 61203\.51234567$/,
    );
    expect(second).toMatch(/^SELL BTC_USDC {6}─+┃─+ +0\.0 % +0\/0\.24 USD/);
    expect(first?.indexOf('┃')).toBe(second?.indexOf('┃'));
  });

  test('the screen shows what a leg waits for', () => {
    const waiting = record({ legs: [leg({ waiting: 'no_reference' })] });
    expect(draw(waiting, 60_000).at(-1)).toBe('BTC-PERPETUAL waits: no_reference');
  });

  test('the screen counts down to the start, and finally shows the time taken', () => {
    expect(draw(record(), -90_000)[0]).toContain('starts in 01:30');
    expect(draw(record(), 125_000)[0]).toContain('02:00 of 02:00, 00:05 over');
    const over = record({ portfolioStatus: 2, reason: 'filled' });
    expect(draw(over, 999_000)[0]).toBe('1776665215780001  demo  FILLED  after 00:30');
  });

  test('the schedule of a hedge follows the fills of the other legs', () => {
    const hedge = record({ legs: [leg({ hedge: true, scheduledQuantity: '12000' })] });
    const line = draw(hedge, 0)[2] ?? '';
    const bar = line.slice('BUY BTC-PERPETUAL '.length);
    expect(bar.indexOf('┃')).toBe(Math.floor((/^\S+/.exec(bar)?.[0].length ?? 0) / 2));
  });

  test('the screen is at most as wide as the terminal, down to 80 columns', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 80, max: 240 }),
        fc.integer({ min: -60_000, max: 200_000 }),
        fc.integer({ min: 0, max: 24_000 }),
        (columns, afterMs, filled) => {
          const moved = record({ legs: [leg({ filledQuantity: String(filled) })] });
          for (const line of draw(moved, afterMs, columns)) {
            expect(line.length).toBeLessThanOrEqual(columns);
          }
        },
      ),
    );
  });
});

describe('a bar', () => {
  test('a bar always has its width, with the schedule marker inside', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, fc.integer({ min: 1, max: 80 }), (filled, scheduled, width) => {
        const bar = barOf(filled, scheduled, width);
        expect([...bar.filled, ...bar.rest]).toHaveLength(width);
        expect(bar.mark).toBeGreaterThanOrEqual(0);
        expect(bar.mark).toBeLessThan(width);
      }),
    );
  });

  test('a bar is full only if everything is filled', () => {
    expect(barOf(1, 1, 10).filled).toBe('██████████');
    expect(barOf(0.9999, 1, 10).filled).not.toBe('██████████');
    expect([percentText(100), percentText(99.99), percentText(0)]).toEqual([
      '100 %',
      '99.9 %',
      '0.0 %',
    ]);
  });
});

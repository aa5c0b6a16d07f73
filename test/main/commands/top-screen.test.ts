import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MetricLines } from '../../../src/gateway/trading/metric-lines.ts';
import type { TopReading } from '../../../src/main/commands/watch/top-reading.ts';
import { topLines } from '../../../src/main/commands/watch/top-screen.ts';
import { leg, record, START_MS } from '../portfolio-records.ts';

const reading = (changes: Partial<TopReading> = {}): TopReading => ({
  url: 'http://127.0.0.1:8080',
  ready: true,
  reasons: [],
  portfolios: [{ record: record(), lateSec: 0.004, costBps: 1.26 }],
  total: 1,
  trading: 'active',
  held: 0,
  mmpFrozen: 0,
  mmpWaiting: 0,
  undecided: 0,
  loopP99Sec: 0.011,
  lateShare: 0,
  ...changes,
});

const SCREEN = { nowMs: START_MS + 60_000, columns: 120, rows: 24 };
const plain = (
  given: TopReading | undefined,
  screen: Partial<typeof SCREEN> = {},
  notice?: string,
) => topLines(given, { ...SCREEN, ...screen, notice }).map(stripVTControlCharacters);

describe('the screen of top', () => {
  test('the screen shows a line per portfolio with fills, schedule, lateness, cost and time left', () => {
    const line = plain(reading()).find((text) => text.includes('1776665215780001')) ?? '';
    expect(line).toContain('demo');
    expect(line).toContain('12.5 %');
    expect(line).toContain('4 ms');
    expect(line).toContain('+1.3 bp');
    expect(line).toContain('01:00');
    expect(line).toContain('ACTIVE');
    const bar = /[█▉▊▋▌▍▎▏─┃]{10,}/.exec(line)?.[0] ?? '';
    expect(bar.indexOf('┃')).toBe(Math.floor(bar.length / 2));
    expect(bar.startsWith('█'.repeat(Math.floor(bar.length / 8)))).toBe(true);
  });

  test('the screen shows what prevents trading', () => {
    const text = plain(
      reading({ trading: 'halted', held: 2, mmpFrozen: 1, mmpWaiting: 3, undecided: 4 }),
    ).join('\n');
    expect(text).toContain('HALTED (2 held below)');
    expect(text).toContain('1 frozen, 3 waiting for a reset');
    expect(text).toContain('4 undecided');
    expect(plain(reading({ ready: false, reasons: ['recovering'] }))[0]).toContain('recovering');
  });

  test('the screen keeps the last table while the daemon is away, and shows a notice', () => {
    const lines = plain(reading(), {}, 'the daemon does not answer');
    expect(lines[0]).toContain('away');
    expect(lines[2]).toBe('the daemon does not answer');
    expect(lines.some((line) => line.includes('1776665215780001'))).toBe(true);
    expect(plain(undefined, {}, 'the daemon does not answer')).toContain(
      'the daemon does not answer',
    );
  });

  test('the screen shows why a portfolio waits, and how long it is past its end', () => {
    const waiting = record({ legs: [leg({ waiting: 'no_reference' })] });
    const lines = plain(reading({ portfolios: [{ record: waiting }] }), {
      nowMs: START_MS + 150_000,
    });
    expect(lines.join('\n')).toContain('over 00:30');
    expect(lines.join('\n')).toContain('waits: no_reference');
  });

  test('the screen marks a paused portfolio, and shows the current part of a balanced one', () => {
    const paused = { byUid: '7', timestamp: String(START_MS) };
    const held = plain(reading({ portfolios: [{ record: record({ paused }) }] })).join('\n');
    expect(held).toContain('PAUSED');
    expect(held).toMatch(/01:00 PAUSED$/);
    const balanceTrade = {
      parts: 5,
      partsDone: 2,
      eachLimitMs: '60000',
      totalLimitMs: '90000',
      totalEndAction: 1 as const,
      totalMs: '0',
      fees: [],
      stage: 'chase',
      partTimeout: 'chase',
    };
    const balanced = record({ portfolioType: 'BALANCE', twapTrade: undefined, balanceTrade });
    const text = plain(reading({ portfolios: [{ record: balanced }] })).join('\n');
    expect(text).toContain('ACTIVE part 3/5 chase');
    expect(text).toContain('00:30');
  });

  test('on a narrow terminal the screen drops cost, lateness and name before the state', () => {
    const long = record({
      strategy: 'option-spread-with-hedge',
      legs: [leg({ waiting: 'halted' })],
    });
    const portfolios = [{ record: long, lateSec: 3.007, costBps: 166.8 }];
    for (const columns of [60, 80, 100, 200]) {
      const lines = plain(reading({ portfolios }), { columns });
      const line = lines.find((text) => text.includes('1776665215780001')) ?? '';
      expect(line).toMatch(/ACTIVE waits/);
      expect(line).toContain('25.0 %');
      expect(line).toContain('01:00');
      expect(line.includes('+166.8 bp')).toBe(columns >= 100);
      expect(lines.find((text) => text.startsWith('PORTFOLIO'))?.includes('COST')).toBe(
        columns >= 100,
      );
    }
  });

  test('at 80 columns the screen shows every figure in full, however many there are', () => {
    const told = [
      'trading HALTED (12 held below)',
      'MMP 11 frozen, 3 waiting for a reset',
      '100 at work',
      '14 undecided',
      '100 % late',
      'loop 999 ms',
    ];
    const troubled = reading({
      trading: 'halted',
      held: 12,
      mmpFrozen: 11,
      mmpWaiting: 3,
      total: 100,
      undecided: 14,
      loopP99Sec: 0.999,
      lateShare: 1,
    });
    const lines = plain(troubled, { columns: 80 });
    expect(lines.slice(1, 3).flatMap((line) => line.split('  '))).toEqual(told);
    const apart = plain(reading({ gatewayLoopP99Sec: 0.021 }), { columns: 140 }).slice(1);
    expect(apart[0]).toMatch(/loop 11 ms {3}gateway loop 21 ms$/);
    const [calm] = plain(reading(), { columns: 80 }).slice(1);
    expect(calm).toBe(
      'trading ACTIVE   MMP ready   1 at work   0 undecided   0.0 % late   loop 11 ms',
    );
    expect(lines.findIndex((line) => line.startsWith('PORTFOLIO'))).toBe(4);
  });

  test('figures are dropped whole, or an ellipsis marks what is missing', () => {
    const size = fc.record({
      columns: fc.integer({ min: 20, max: 120 }),
      rows: fc.integer({ min: 6, max: 40 }),
      held: fc.nat(200),
      mmpFrozen: fc.nat(99),
      mmpWaiting: fc.nat(99),
      undecided: fc.nat(9_999),
      total: fc.nat(9_999),
      loopP99Sec: fc.constantFrom(undefined, 0.001, 0.9994, 12.34),
      gatewayLoopP99Sec: fc.constantFrom(undefined, 0.002),
      lateShare: fc.constantFrom(undefined, 0, 0.123, 1),
    });
    const figure =
      /^(trading ACTIVE( \(\d+ held below\))?|MMP ready|MMP (\d+ frozen)?(, )?(\d+ waiting for a reset)?|\d+ at work|\d+ undecided|(100|\d+\.\d) % late|(gateway )?loop \d+ ms|loop \d+\.\d s|.*…)$/;
    fc.assert(
      fc.property(size, ({ columns, rows, ...figures }) => {
        const lines = plain(reading({ ...figures, portfolios: [] }), { columns, rows });
        const until = lines.indexOf('', 1);
        const words = lines.slice(1, until).flatMap((line) => line.split(/ {2,3}/));
        expect(words.length).toBeGreaterThan(0);
        for (const word of words) expect(word).toMatch(figure);
      }),
      { numRuns: 200 },
    );
  });

  test.each([1, 2, 3, 4] as const)(
    'at 44 columns a portfolio has its whole status, number %i',
    (portfolioStatus) => {
      const word = plain(reading({ portfolios: [{ record: record({ portfolioStatus }) }] }))
        .at(-1)
        ?.split(' ')
        .at(-1);
      const narrow = plain(reading({ portfolios: [{ record: record({ portfolioStatus }) }] }), {
        columns: 44,
      });
      expect(narrow.at(-1)?.split(' ').at(-1)).toBe(word);
      expect(narrow.at(-1)).toContain('12.5 %');
    },
  );

  test('reasons why the daemon cannot trade take precedence over its address and the time', () => {
    const reasons = ['venue paper is not connected', 'the ledger does not answer'];
    const [first] = plain(reading({ ready: false, reasons }), { columns: 80 });
    expect(first).toBe(`twapd top  not ready: ${reasons.join('; ')}`);
    const [shorter] = plain(reading({ ready: false, reasons }), { columns: 40 });
    expect(shorter).toBe('twapd top  not ready: venue paper is no…');
  });

  test('the screen is never wider or higher than the terminal', () => {
    const size = fc.record({
      columns: fc.integer({ min: 20, max: 250 }),
      rows: fc.integer({ min: 6, max: 60 }),
      count: fc.integer({ min: 0, max: 80 }),
      note: fc.string({ maxLength: 60, size: 'max' }),
      notice: fc.option(fc.string({ maxLength: 90, size: 'max' }), { nil: undefined }),
    });
    fc.assert(
      fc.property(size, ({ columns, rows, count, note, notice }) => {
        const one = record({ strategy: undefined, customizedNote: note });
        const portfolios = Array.from({ length: count }, () => ({ record: one }));
        const troubled = { mmpFrozen: count, held: count, undecided: count };
        for (const given of [reading({ portfolios, total: count, ...troubled }), undefined]) {
          const lines = plain(given, { columns, rows }, notice);
          expect(lines.length).toBeLessThanOrEqual(rows);
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('figures of the metrics', () => {
  test('metrics are found by name and labels, and summed', () => {
    const text = '# HELP a b\na{x="1",y="2"} 3\na{x="1",y="3"} 4\na 5\nb 6\n';
    const lines = new MetricLines(text, ['a']);
    expect(lines.sum('a')).toBe(12);
    expect(lines.sum('a', { x: '1' })).toBe(7);
    expect(lines.sum('a', { x: '9' })).toBeUndefined();
    expect(lines.sum('b')).toBeUndefined();
  });
});

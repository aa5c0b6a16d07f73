// `twapd rehearse`: a strategy on the paper market over days and seeds, the same whatever the number of workers, and each run
// the one that the market of its seed makes alone.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sweep } from '../../../../src/core/report/sweep/sweep-shapes.ts';
import { portfolioBodySchema } from '../../../../src/gateway/portfolios/submit/submit-schema.ts';
import { must } from '../../../../src/values/assert.ts';
import { instant } from '../../../../src/values/instant.ts';
import { rehearse } from '../../../../src/virtual/rehearsal/run-rehearsal.ts';
import { settle } from '../../../support/engine/engine-world.ts';
import { twapd } from '../../cli-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-rehearse-'));
const file = join(folder, 'buy.json');
const BODY = {
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { durationSec: 120, frequencySec: 20 },
  legs: [
    {
      instrument: 'BTC-PERPETUAL',
      instrumentType: 'PERPETUAL',
      side: 1,
      quantity: '60000',
      priceOptions: {
        priceType: 'DYNAMIC',
        dynamicPriceStrategy: 'MID',
        dynamicMs: 1000,
        price: '1000000',
        priceIn: 'USD',
      },
    },
  ],
  execution: { endAction: 'market' },
};
const FROM = '2026-03-02T00:00:00Z';
const DAY_MS = 86_400_000;
const FIELD = 'twapTrade.frequencySec';
const ASKED = [
  '--days',
  '2',
  '--seeds',
  '3',
  '--regime',
  'wild-days',
  '--from',
  FROM,
  '--set',
  `${FIELD}=20,40`,
];
interface ResultRow {
  readonly variant: string;
  readonly seed: string;
  readonly window_start: number;
  readonly trace: string;
  readonly filled: string;
  readonly market_twap: string;
}

const run = (out: string, ...words: readonly string[]) =>
  twapd(['rehearse', file, ...words, '--out', join(folder, out), '--json']);
const rowsOf = (out: string): readonly ResultRow[] =>
  JSON.parse(readFileSync(join(folder, out, 'results.json'), 'utf8')).rows;

beforeAll(() => writeFileSync(file, JSON.stringify(BODY)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('rehearsing a strategy on the paper market', () => {
  let table = '';
  beforeAll(async () => {
    const { out, err, code } = await run('one', ...ASKED, '--workers', '1');
    expect(err).toContain('written');
    expect(code).toBe(0);
    table = out;
  });

  test('every setting runs on every day of every seed, and is compared on the same ones', () => {
    const { variants, windows, legs, notes } = JSON.parse(table) as Sweep;
    expect(variants.map(({ runs, refused }) => [runs, refused])).toEqual([
      [6, 0],
      [6, 0],
    ]);
    expect(windows).toBe(6);
    const rows = must(legs[0], 'one leg').rows.filter(({ measure }) => measure === 'arrival');
    expect(rows.map(({ count, pairs }) => [count, pairs])).toEqual([
      [6, 0],
      [6, 6],
    ]);
    expect(notes.join('\n')).toContain('the sample is small: 6 windows');
    expect(notes.join('\n')).toContain('regime stressed, seeds 1 to 3, 2 days each');
  });

  test('the whole is filled, every run takes its own course, and its market is known', () => {
    const rows = rowsOf('one');
    expect(rows).toHaveLength(12);
    expect(new Set(rows.map(({ trace }) => trace)).size).toBe(12);
    for (const { filled, market_twap: twap } of rows) {
      expect(filled).toBe('60000');
      expect(Number(twap)).toBeGreaterThan(10_000);
    }
  });

  test('with more workers, and with other runs beside it, each run is the same', async () => {
    const again = await run('three', ...ASKED, '--workers', '3');
    expect(again.out).toBe(table);
    const part = ['--days', '1', '--seeds', '2..3', '--regime', 'wild-days', '--from', FROM];
    await run('part', ...part);
    const asked = rowsOf('one').filter(
      ({ variant, window_start: at, seed }) =>
        variant === `${FIELD}=20` && at === Date.parse(FROM) && seed !== '1',
    );
    expect(rowsOf('part').map(({ trace }) => trace)).toEqual(asked.map(({ trace }) => trace));
  });

  test('a run is the one that its seed, day and setting make alone', async () => {
    const startAt = Date.parse(FROM) + DAY_MS;
    const row = rowsOf('one').find(
      ({ variant, seed, window_start: at }) =>
        variant === `${FIELD}=40` && seed === '2' && at === startAt,
    );
    const body = { ...BODY, twapTrade: { ...BODY.twapTrade, frequencySec: 40 } };
    const outcome = await rehearse({
      form: portfolioBodySchema.parse(body),
      seed: '2',
      regime: 'wild-days',
      settle,
      bornAt: instant(Date.parse(FROM)),
      startAt: instant(startAt),
      latency: { minMs: 5, maxMs: 80, seed: '2' },
    });
    expect(outcome).toMatchObject({ kind: 'done', traceHash: must(row, 'the row').trace });
  });

  test('runs that are done are not made again', async () => {
    const { out, err } = await run('one', ...ASKED, '--workers', '1');
    expect(err).toContain('12 of 12 runs');
    expect(out).toBe(table);
  });

  test('what is not accepted is said with its option', async () => {
    for (const [option, value] of [
      ['--days', '0'],
      ['--seeds', '9..3'],
      ['--from', 'soon'],
    ] as const) {
      const { err, code } = await run('wrong', option, value);
      expect(code).toBe(2);
      expect(err).toContain(`${option} is "${value}"; accepted: `);
    }
  });
});

test('a rehearsal of which every run is refused ends with 1, and names each reason', async () => {
  const { out, err, code } = await run('refused', '--seeds', '2', '--set', 'legs[0].quantity=15');
  expect(code).toBe(1);
  expect(err).toContain('nothing ran: every run was refused');
  const { notes, variants } = JSON.parse(out) as Sweep;
  expect(variants).toMatchObject([{ runs: 2, refused: 2 }]);
  expect(notes).toContain('warning: 2 runs were refused and are in no figure');
  expect(notes.at(-1)).toMatch(/^refused, 2 runs: legs\[0\]\.quantity: 15 is not a multiple of/);
});

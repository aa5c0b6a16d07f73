// `twapd backtest --sweep`: the same table whatever the number of workers and however often it was interrupted, and each run
// the one that `backtest` makes alone.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sweep } from '../../../../src/core/report/sweep/sweep-shapes.ts';
import { must } from '../../../../src/values/assert.ts';
import {
  RecordingFolder,
  writeDay,
} from '../../../adapters/recorded-market/recorded-market-files.ts';
import { SYMBOL, walk } from '../../../virtual/recorded-rows.ts';
import { twapd } from '../../cli-world.ts';

const recorded = new RecordingFolder();
const folder = mkdtempSync(join(tmpdir(), 'twapd-sweep-'));
const strategy = join(folder, 'walk.yaml');
const BODY = [
  'name: walk',
  'portfolio:',
  '  accountId: 10001',
  '  portfolioType: TWAP',
  '  twapTrade: { durationSec: 180, frequencySec: 20 }',
  '  legs:',
  `    - instrument: ${SYMBOL}`,
  '      instrumentType: SPOT',
  '      side: 1',
  '      quantity: "6"',
  '      priceOptions: { priceType: DYNAMIC, dynamicPriceStrategy: MID, dynamicMs: 1000, price: "1", priceIn: USD }',
  'execution: { endAction: market }',
];
const FIELD = 'twapTrade.frequencySec';
/** Three settings on four windows. */
const SWEPT = [
  '--sweep',
  '--set',
  `${FIELD}=20,30,60`,
  '--starts',
  '150s',
  '--latency',
  '5-80',
  '--data',
  recorded.path,
];
const RUNS = 12;

beforeAll(() => {
  writeFileSync(strategy, `${BODY.join('\n')}\n`);
  writeDay(
    recorded,
    { exchange: 'gemini', date: '2024-03-01', symbol: SYMBOL },
    walk('sweep', 640),
  );
});
afterAll(() => {
  recorded.remove();
  rmSync(folder, { recursive: true, force: true });
});

const sweep = (out: string, ...words: readonly string[]) =>
  twapd(['backtest', strategy, ...SWEPT, '--out', join(folder, out), '--json', ...words]);
const fileOf = (out: string, name: string): string => readFileSync(join(folder, out, name), 'utf8');
/** Ended as soon as two runs are kept. */
const endedSweep = (signal: 'SIGKILL' | 'SIGINT') => {
  const words = ['backtest', strategy, ...SWEPT, '--out', join(folder, 'killed'), '--workers', '1'];
  return twapd(words, {
    onStart: (child) => {
      const look = setInterval(() => {
        if (cellsOf('killed').length < 2 && child.exitCode === null) return;
        clearInterval(look);
        child.kill(signal);
      }, 5);
    },
  });
};
const cellsOf = (out: string): readonly string[] => {
  const cells = join(folder, out, 'cells');
  return existsSync(cells) ? readdirSync(cells).filter((name) => name.endsWith('.json')) : [];
};

describe('sweeping a strategy over a recording', () => {
  let table = '';
  beforeAll(async () => {
    const { out, err, code } = await sweep('one', '--workers', '1');
    expect(err).toContain('written');
    expect(code).toBe(0);
    table = out;
  });

  test('every setting runs on every window, and differences are those of the same windows', () => {
    const { variants, windows, base, legs, notes } = JSON.parse(table) as Sweep;
    const names = ['20', '30', '60'].map((value) => `${FIELD}=${value}`);
    expect(variants).toEqual(names.map((name) => ({ name, runs: 4, refused: 0 })));
    expect({ windows, base }).toEqual({ windows: 4, base: names[0] });
    const rows = must(legs[0], 'one leg').rows.filter(({ measure }) => measure === 'arrival');
    expect(rows.map(({ count, pairs }) => [count, pairs])).toEqual([
      [4, 0],
      [4, 4],
      [4, 4],
    ]);
    for (const { mean, difference } of rows.slice(1)) {
      const first = must(rows[0]?.mean, 'the base has a mean');
      expect(difference).toBeCloseTo(must(mean, 'a mean') - first, 3);
    }
    expect(notes.join('\n')).toContain('the sample is small: 4 windows');
    expect(notes.join('\n')).toContain('windows overlap');
  });

  test('the table is the same with three workers', async () => {
    const { out, code } = await sweep('three', '--workers', '3');
    expect(code).toBe(0);
    expect(out).toBe(table);
    for (const name of ['results.csv', 'fills.csv', 'slices.json', 'children.csv', 'sweep.json']) {
      expect(fileOf('three', name)).toBe(fileOf('one', name));
    }
  });

  test('a sweep that was killed continues where it stopped and ends with the same table', async () => {
    // On a busy machine a sweep may be over before anyone looks: then it is made again.
    let kept = RUNS;
    while (kept === RUNS) {
      rmSync(join(folder, 'killed'), { recursive: true, force: true });
      await endedSweep('SIGKILL');
      kept = cellsOf('killed').length;
    }
    expect(kept).toBeGreaterThanOrEqual(2);
    const { out, err, code } = await sweep('killed', '--workers', '2');
    expect(code).toBe(0);
    expect(err).toContain('were done before');
    expect(out).toBe(table);
    expect(fileOf('killed', 'fills.csv')).toBe(fileOf('one', 'fills.csv'));
  });

  test('a sweep that is interrupted says how many runs are kept, and leaves no table, not even of the sweep before', async () => {
    let kept = RUNS;
    let said = '';
    while (kept === RUNS) {
      rmSync(join(folder, 'killed'), { recursive: true, force: true });
      mkdirSync(join(folder, 'killed'));
      for (const name of ['sweep.json', 'results.csv', 'fills.parquet']) {
        copyFileSync(join(folder, 'one', name), join(folder, 'killed', name));
      }
      const { out, err, code } = await endedSweep('SIGINT');
      kept = cellsOf('killed').length;
      said = err;
      if (kept < RUNS) expect({ out, code }).toEqual({ out: '', code: null });
    }
    expect(said).toContain(`interrupted: ${kept} of ${RUNS} runs are kept in `);
    expect(said).toContain('the same command makes the others');
    expect(readdirSync(join(folder, 'killed'))).toEqual(['cells']);
  });

  test('a run of the sweep is the one that backtest makes with its setting and start', async () => {
    const { rows } = JSON.parse(fileOf('one', 'results.json')) as {
      readonly rows: readonly { readonly window_start: number; readonly trace: string }[];
    };
    // The second setting on the third window.
    const { window_start: startAt, trace } = must(rows[6], 'twelve rows');
    const { out } = await twapd([
      'backtest',
      strategy,
      '--set',
      `${FIELD}=30`,
      '--from',
      new Date(startAt).toISOString(),
      '--latency',
      '5-80',
      '--data',
      recorded.path,
      '--json',
    ]);
    expect(JSON.parse(out)).toMatchObject({ traceHash: trace });
  });

  test('every row names inputs, version and trace, and Parquet holds the rows of CSV and JSON', async () => {
    const bytes = readFileSync(join(folder, 'one', 'fills.parquet'));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const stored = await parquetReadObjects({ file: file as ArrayBuffer });
    const { rows } = JSON.parse(fileOf('one', 'fills.json'));
    expect(stored.length).toBe(rows.length);
    expect(fileOf('one', 'fills.csv').trimEnd().split('\n')).toHaveLength(rows.length + 1);
    for (const row of [...rows, ...stored]) {
      expect(row.inputs).toMatch(/^[0-9a-f]{64}$/);
      expect(row.trace).toMatch(/^[0-9a-f]{16}$/);
      expect(row.version).toMatch(/^\d+\.\d+\.\d+/);
    }
  });

  test('the summary names the version, and the digests of the inputs and traces of all its runs', () => {
    const { rows } = JSON.parse(fileOf('one', 'results.json'));
    const digest = (values: unknown): string =>
      createHash('sha256').update(JSON.stringify(values)).digest('hex');
    expect(JSON.parse(fileOf('one', 'sweep.json')).origin).toEqual({
      version: rows[0].version,
      inputs: digest(rows.map((row: { readonly inputs: string }) => row.inputs)),
      trace: digest(rows.map((row: { readonly trace: string }) => row.trace)),
    });
  });

  test('runs that are done are not made again, and another recording is another input', async () => {
    const again = await sweep('one', '--workers', '1');
    expect(again.err).toContain(`${RUNS} of ${RUNS} runs`);
    const longer = await sweep('one', '--workers', '2', '--to', '2024-03-01T00:09:00Z');
    expect(longer.code).toBe(0);
    expect(cellsOf('one').length).toBeGreaterThan(RUNS);
  });

  test('the report is one page, and the table for people has a line for each setting', async () => {
    const page = join(folder, 'sweep.html');
    const words = ['backtest', strategy, ...SWEPT, '--out', join(folder, 'one'), '--report', page];
    const { out, code } = await twapd(words);
    expect(code).toBe(0);
    for (const value of ['20', '30', '60']) expect(out).toContain(`${FIELD}=${value}`);
    const text = readFileSync(page, 'utf8');
    expect(text).toContain('difference from base');
    // Words of settings would overlap below the charts: these have the numbers that a table explains.
    for (const [index, value] of ['20', '30', '60'].entries()) {
      expect(text).toContain(`<td>${index + 1}</td><td>${FIELD}=${value}</td>`);
    }
    const labels = [...text.matchAll(/<text class="x"[^>]*>([^<]*)</g)].map(([, label]) => label);
    expect(new Set(labels)).toEqual(new Set(['1', '2', '3']));
  });

  test('a broken recording ends the sweep with the reason, and nothing of it is kept', async () => {
    const broken = new RecordingFolder();
    broken.write(`gemini_quotes_2024-03-01_${SYMBOL}.csv`, ['symbol,local_timestamp', 'x,y']);
    const { err, code } = await twapd([
      'backtest',
      strategy,
      '--sweep',
      '--data',
      broken.path,
      '--out',
      join(folder, 'broken'),
    ]);
    broken.remove();
    expect(code).toBe(1);
    expect(err).toContain('has no column');
    expect(cellsOf('broken')).toEqual([]);
  });
});

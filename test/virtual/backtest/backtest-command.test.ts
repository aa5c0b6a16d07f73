// `twapd backtest`: takes a folder of recordings and prints a report, or the reason why it cannot.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Comparison } from '../../../src/core/report/comparison/comparison-shapes.ts';
import type { PortfolioReport } from '../../../src/core/report/report-shapes.ts';
import { must } from '../../../src/values/assert.ts';
import type { BacktestReport } from '../../../src/virtual/backtest/backtest-report.ts';
import { RecordingFolder, writeDay } from '../../adapters/recorded-market/recorded-market-files.ts';
import { captured } from '../../main/captured-terminal.ts';
import { twapd } from '../../main/cli-world.ts';
import { warmCli } from '../../main/warm-cli.ts';
import { SYMBOL, walk } from '../recorded-rows.ts';

interface Printed extends BacktestReport {
  readonly traceHash: string;
  readonly notes: readonly string[];
  readonly recording: { readonly rows: number };
}

const folder = new RecordingFolder();
let strategy = '';

function writeStrategy(name: string, instrument: string, start = ''): string {
  const path = join(folder.path, name);
  const lines = [
    'name: walk',
    'portfolio:',
    '  accountId: 10001',
    '  portfolioType: TWAP',
    `  twapTrade: { durationSec: 600, frequencySec: 20${start} }`,
    '  legs:',
    `    - instrument: ${instrument}`,
    '      instrumentType: SPOT',
    '      side: 1',
    '      quantity: "12"',
    '      priceOptions: { priceType: DYNAMIC, dynamicPriceStrategy: MID, dynamicMs: 1000, price: "1", priceIn: USD }',
    'execution: { endAction: market }',
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

beforeAll(() => {
  const rows = walk('file', 900);
  writeDay(folder, { exchange: 'gemini', date: '2024-03-01', symbol: SYMBOL }, rows);
  strategy = writeStrategy('walk.yaml', SYMBOL);
});
afterAll(() => {
  folder.remove();
});

const run = (...words: string[]) => warmCli.run(['backtest', ...words, '--data', folder.path]);
const printed = async (...words: string[]): Promise<Printed> => {
  const ran = await run(...words, '--json');
  return JSON.parse(ran.out);
};

describe('backtesting a strategy on a recording', () => {
  test('the backtest command prints the same report each time', async () => {
    const elsewhere = await twapd(['backtest', strategy, '--json', '--data', folder.path]);
    expect(elsewhere.code).toBe(0);
    const [first, again] = [await printed(strategy), await printed(strategy)];
    expect(again).toEqual(first);
    expect(JSON.parse(elsewhere.out)).toEqual(first);
    expect(first.status).toBe('filled');
    expect(first.start).toBe('2024-03-01T00:00:00.000Z');
    const [leg] = first.legs;
    expect(leg).toMatchObject({ instrument: SYMBOL, filled: '12', residual: '0' });
    expect(leg?.slices).toEqual({ planned: 30, placed: 30, missed: 0 });
    expect(leg?.market.holes.length).toBeGreaterThan(0);
    expect(first.notes.join('\n')).toContain(
      `${SYMBOL}: read as spot BTC/USD from its name on gemini`,
    );
  });

  test('the backtest command prints a table, a chart and notes for people', async () => {
    const { out, code } = await run(strategy);
    expect(code).toBe(0);
    for (const word of [
      'FILLED',
      'average fill',
      'interval TWAP',
      'interval VWAP',
      '12 of 12 BTC',
    ]) {
      expect(out).toContain(word);
    }
    expect(out).toMatch(/schedule {2}.*█/);
    expect(out).toMatch(/\d+ data holes?, .* together/);
    expect(out).toContain('notes');
  });

  test.each([44, 80, 140])(
    'on a terminal of %d columns no line is longer, and nothing is missing',
    async (columns) => {
      const words = ['backtest', strategy, '--data', folder.path];
      const { out, code } = await captured(words, { isLive: true, columns });
      expect(code).toBe(0);
      // The line of the progress is drawn over.
      const [shown = ''] = out.split('\r\u001b[2K').slice(-1);
      for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
      const text = (printed: string): readonly string[] =>
        printed.split(/\s+/).filter((word) => !/[█▁]|^\d+(?:\.\d)?$|\/s/.test(word));
      const plain = text((await run(strategy)).out);
      for (const word of plain) expect(text(shown).join(' ')).toContain(word);
    },
  );

  test('a backtest starts where the strategy or the option says, if that time is recorded', async () => {
    const inside = Date.UTC(2024, 2, 1, 0, 4);
    const told = writeStrategy('told.yaml', SYMBOL, `, startTimestamp: ${inside}`);
    expect((await printed(told)).start).toBe('2024-03-01T00:04:00.000Z');
    expect((await printed(strategy, '--from', '2024-03-01T00:02')).start).toBe(
      '2024-03-01T00:02:00.000Z',
    );
    const outside = writeStrategy('outside.yaml', SYMBOL, ', startTimestamp: 1600000000000');
    const report = await printed(outside);
    expect(report.start).toBe('2024-03-01T00:00:00.000Z');
    expect(report.notes[0]).toContain('is not in the recording');
  });

  test('a backtest draws its latencies unless one is given, and says which', async () => {
    const [drawn, again, other, fixed] = [
      await printed(strategy),
      await printed(strategy, '--latency', '5-80'),
      await printed(strategy, '--seed', '2'),
      await printed(strategy, '--latency', '0'),
    ];
    expect(again.traceHash).toBe(drawn.traceHash);
    expect(new Set([drawn.traceHash, other.traceHash, fixed.traceHash]).size).toBe(3);
    expect(drawn.notes).toContain(
      'requests took 5 to 80 ms from request to answer, drawn for each with seed 1',
    );
    expect(fixed.notes).toContain('requests took 0 ms from request to answer');
  });

  test('own impact is off unless it is given, and said with both numbers', async () => {
    const without = await printed(strategy);
    expect(without).toMatchObject({ model: { impact: null } });
    const impact = { coefficient: 0.5, halfLifeMs: 30_000 };
    const with30 = await printed(strategy, '--impact', '0.5,30');
    expect(with30).toMatchObject({ model: { impact } });
    expect(with30.notes.join('\n')).toContain(
      'by 0.5 half-spreads, of which half is gone after 30 s',
    );
    for (const wrong of ['0.5', '0,30', '1,x', '0.5,30,2']) {
      const { err, code } = await run(strategy, '--impact', wrong);
      expect(code).toBe(2);
      expect(err).toContain(`--impact is "${wrong}"; accepted: COEFFICIENT,SECONDS`);
    }
  });

  test('a field of the strategy is replaced for one run, and one that it does not have is added', async () => {
    const { legs } = await printed(
      strategy,
      '--set',
      'legs[0].quantity=3',
      '--set',
      'twapTrade.durationSec=300',
      '--set',
      'execution.randomSize=0.5',
    );
    expect(legs[0]).toMatchObject({ quantity: '3', slices: { planned: 15 } });
  });

  test('a mapping lets a strategy run on a symbol with another name', async () => {
    const other = writeStrategy('other.yaml', 'BTC_USDC');
    const report = await printed(other, '--map', `BTC_USDC=${SYMBOL}`);
    expect(report.legs[0]?.instrument).toBe(SYMBOL);
    expect((await printed(other, '--symbol', SYMBOL)).traceHash).toBe(report.traceHash);
    expect((await printed(strategy)).traceHash).toBe(report.traceHash);
  });

  test('instrument terms and fees can be given to a backtest', async () => {
    const path = folder.write('terms.csv', [
      'exchange,symbol,kind,base,quote,settlement,contract_size,amount_unit,tick_size,amount_step,min_amount,expiration,strike,option_type,maker_fee,taker_fee',
      `gemini,${SYMBOL},spot,BTC,USD,USD,0.5,base,1,0.5,0.5,,,,0.001,0.001`,
    ]);
    const report = await printed(strategy, '--instruments', path);
    expect(report.notes.join('\n')).not.toContain('read as');
    expect(Number(report.legs[0]?.fees[0]?.amount)).toBeGreaterThan(0);
    // The plan wants 30 slices, but there are only 24 lots: as many slices as lots.
    expect(report.legs[0]?.slices.planned).toBe(24);
    const free = await printed(strategy, '--fees', '0,0');
    expect(free.legs[0]?.fees).toEqual([{ currency: 'USD', amount: '0' }]);
  });
});

describe('the report on costs of a backtest', () => {
  test('it is the document of a daemon, agrees with the backtest, and recording it leaves the run as it is', async () => {
    const file = join(folder.path, 'costs.json');
    const plain = await printed(strategy);
    const recorded = await printed(strategy, '--report', file);
    expect(recorded).toEqual(plain);
    const costs: PortfolioReport = JSON.parse(readFileSync(file, 'utf8'));
    expect(costs).toMatchObject({ schema: 'twapd.tca/1', strategy: 'walk', isProvisional: false });
    const [leg] = costs.legs;
    expect(leg?.filled).toBe('12');
    expect(costs.fills).toHaveLength(must(plain.legs[0], 'a leg').fills);
    const average =
      costs.fills.reduce((sum, one) => sum + Number(one.quantity) * Number(one.price), 0) / 12;
    expect(Number(leg?.averagePrice)).toBeCloseTo(average, 6);
    // Rounded to a thousandth of the tick.
    expect(Number(plain.legs[0]?.averagePrice)).toBeCloseTo(average, 3);
    expect(costs.slices.filter(({ leg: of }) => of === 0)).toHaveLength(30);
  });

  test('a file that ends in html is the page', async () => {
    const file = join(folder.path, 'costs.html');
    expect((await run(strategy, '--report', file)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(
      /^<!doctype html>[\s\S]*Execution costs of portfolio/,
    );
  });

  test.each(['--starts', '--base', '--workers', '--out'])(
    '%s without a sweep is refused',
    async (option) => {
      const { out, err, code } = await run(strategy, option, '1h');
      expect({ out, code }).toEqual({ out: '', code: 2 });
      expect(err).toContain('belong to a sweep; accepted: with --sweep');
    },
  );

  test('a file of another kind is refused before the run', async () => {
    const { code, err } = await run(strategy, '--report', 'costs.xlsx');
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('accepted: a name that ends in .html or .json'),
    ]);
  });

  test('two backtests are compared in one table, as text, JSON, CSV and a page', async () => {
    const [one, slower, page] = ['one.json', 'slower.json', 'both.html'].map((name) =>
      join(folder.path, name),
    ) as [string, string, string];
    await run(strategy, '--report', one);
    await run(strategy, '--latency', '500', '--report', slower);
    const compare = (...words: string[]) =>
      warmCli.run(['report', 'compare', one, slower, ...words]);
    const comparison: Comparison = JSON.parse((await compare('--json')).out);
    expect(comparison.reports.map(({ name, source }) => [name, source])).toEqual([
      ['A', one],
      ['B', slower],
    ]);
    expect(comparison.legs[0]?.paired[0]).toMatchObject({ pairedBy: 'slice number', pairs: 30 });
    const text = (await compare()).out;
    for (const word of ['paired slices, against A', 'cost, bp', '± error']) {
      expect(text).toContain(word);
    }
    const [head, ...rows] = (await compare('--csv')).out.trim().split('\n');
    expect(head).toContain('standard_error');
    expect(rows).toHaveLength(5);
    expect((await compare('--html', page)).code).toBe(0);
    expect(readFileSync(page, 'utf8')).toContain('Execution costs compared');
  });

  test('what is no report is refused with the reason', async () => {
    const wrong = folder.write('wrong.json', ['{"schema":"twapd.tca/1"}']);
    const broken = folder.write('broken.json', ['{']);
    for (const [words, reason] of [
      [[wrong, wrong], 'portfolio: '],
      [[broken, wrong], 'accepted: a report written as JSON'],
      [['nowhere.json', wrong], 'is no file; accepted: a portfolio id'],
      [[wrong], '1 reports; accepted: 2 to 26'],
    ] as const) {
      const { code, err } = await warmCli.run(['report', 'compare', ...words]);
      expect(code).not.toBe(0);
      expect(err).toContain(reason);
    }
  });
});

test('the report of a portfolio with parts lists its parts', async () => {
  const path = join(folder.path, 'parts.yaml');
  const lines = [
    'name: parts',
    'portfolio:',
    '  accountId: 10001',
    '  portfolioType: BALANCE',
    '  balanceTrade: { parts: 4, eachLimitMs: 20000, totalLimitMs: 0, totalEndAction: 1 }',
    '  legs:',
    `    - instrument: ${SYMBOL}`,
    '      instrumentType: SPOT',
    '      side: 1',
    '      quantity: "12"',
    '      priceOptions: { priceType: DYNAMIC, dynamicPriceStrategy: MID, dynamicMs: 1000, price: "1", priceIn: USD }',
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  const { out, code } = await run(path);
  expect(code).toBe(0);
  expect(out).toMatch(/4 of 4 parts done.*; at most ahead of its proportion: leg 0 0\.00 %/);
  const report = await printed(path);
  expect(report.status).toBe('filled');
  expect(report.balance).toMatchObject({ parts: 4, partsDone: 4 });
});

describe('a backtest that cannot run', () => {
  test.each([
    [
      'an instrument that is not recorded',
      ['ETH-USD'],
      1,
      'recorded are gemini BTC-USD; name one with --map',
    ],
    ['an unknown exchange', ['', '--exchange', 'kraken'], 1, 'has no quotes of BTC-USD on kraken'],
    [
      'a day without recordings',
      ['', '--date', '2024-03-05'],
      1,
      'holds no recording of that time',
    ],
    ['a mapping without a symbol', ['', '--map', 'BTC'], 2, '--map is "BTC"; accepted: LEG=SYMBOL'],
    ['an invalid time', ['', '--from', 'noon'], 2, '--from is "noon"; accepted:'],
    ['an invalid number', ['', '--max-gap', 'long'], 2, '--max-gap is "long"; accepted:'],
    ['an invalid latency', ['', '--latency', '80-5'], 2, 'accepted: whole milliseconds from 0'],
    ['an unknown queue', ['', '--queue', 'first'], 2, 'accepted: arrival, behind, pro-rata'],
    ['a field without a value', ['', '--set', 'legs'], 2, 'accepted: FIELD=VALUE, such as'],
    ['a leg that is not there', ['', '--set', 'legs[3].side=2'], 2, 'accepted: 0 to 0'],
    ['a field of text', ['', '--set', 'portfolioType.x=2'], 2, 'which has no fields'],
    ['a field that no body has', ['', '--set', 'execution.size=1'], 1, '--set execution.size: '],
    ['a value that does not fit', ['', '--set', 'legs[0].side=9'], 1, 'legs[0].side: '],
  ])(
    '%s is refused with the accepted alternatives',
    async (_what, [instrument = '', ...options], code, message) => {
      const file = instrument === '' ? strategy : writeStrategy('wrong.yaml', instrument);
      const ran = await run(file, ...options);
      expect(ran.err).toContain(message);
      expect(ran.code).toBe(code);
    },
  );

  test('a size that is not a multiple of the lot is refused as by a submit, with its file, line and column', async () => {
    const path = folder.write('coarse.csv', [
      'exchange,symbol,kind,base,quote,settlement,contract_size,amount_unit,tick_size,amount_step,min_amount,expiration,strike,option_type',
      `gemini,${SYMBOL},spot,BTC,USD,USD,5,base,1,5,5,,,`,
    ]);
    const ran = await run(strategy, '--instruments', path);
    expect(ran.err).toContain('legs[0].quantity: 12 is not a multiple of the lot; lot 5');
    const lines = readFileSync(strategy, 'utf8').split('\n');
    const line = lines.findIndex((one) => one.includes('quantity:'));
    const column = lines[line]?.indexOf('quantity:') ?? -1;
    expect(ran.err).toContain(`walk.yaml:${line + 1}:${column + 1}`);
    expect(ran.code).toBe(1);
  });

  test('a symbol recorded on two exchanges is refused until one of them is chosen', async () => {
    const two = new RecordingFolder();
    const rows = walk('file', 60);
    for (const exchange of ['gemini', 'kraken']) {
      writeDay(two, { exchange, date: '2024-03-01', symbol: SYMBOL }, rows);
    }
    const ran = await twapd(['backtest', strategy, '--data', two.path]);
    two.remove();
    expect(ran.err).toContain('is recorded on gemini and kraken; say which with --exchange');
    expect(ran.code).toBe(1);
  });
});

// Recordings that cannot be trusted: each is refused with the file, the row and what would be accepted, and no figure of a
// backtest is printed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import {
  QUOTES_HEADER,
  quoteLine,
  RecordingFolder,
} from '../../adapters/recorded-market/recorded-market-files.ts';
import { warmCli } from '../../main/warm-cli.ts';
import { SYMBOL, walk } from '../recorded-rows.ts';

const FILE = `gemini_quotes_2024-03-01_${SYMBOL}.csv`;
const NEXT = `gemini_quotes_2024-03-02_${SYMBOL}.csv`;
const DAY_US = 86_400_000_000;

const QUOTES: readonly string[] = walk('bad', 300)
  .filter((row): row is Extract<RecordedEvent, { kind: 'book' }> => row.kind === 'book')
  .map((row) => quoteLine('gemini', row));

let folder: RecordingFolder;
beforeEach(() => {
  folder = new RecordingFolder();
});
afterEach(() => folder.remove());

/** Runs the strategy over the folder and returns what it was refused with. */
async function refusal(data = folder.path, ...options: readonly string[]): Promise<string> {
  const strategy = join(folder.path, 'strategy.yaml');
  const lines = [
    'name: bad',
    'portfolio:',
    '  accountId: 10001',
    '  portfolioType: TWAP',
    '  twapTrade: { durationSec: 120, frequencySec: 20 }',
    '  legs:',
    `    - instrument: ${SYMBOL}`,
    '      instrumentType: SPOT',
    '      side: 1',
    '      quantity: "1"',
    '      priceOptions: { priceType: MARKET, priceIn: USD }',
  ];
  writeFileSync(strategy, `${lines.join('\n')}\n`);
  const ran = await warmCli.run(['backtest', strategy, '--json', '--data', data, ...options]);
  expect(ran.code).toBe(1);
  expect(ran.out).toBe('');
  return ran.err;
}

const write = (lines: readonly string[], name = FILE): void => {
  folder.write(name, [QUOTES_HEADER, ...lines]);
};

/** The times of a line multiplied, or moved, and written again. */
const retimed = (line: string, change: (us: number) => string): string => {
  const fields = line.split(',');
  const at = change(Number(fields[3]));
  return [...fields.slice(0, 2), at, at, ...fields.slice(4)].join(',');
};

test('a folder without recordings is refused with the names that are looked for', async () => {
  folder.write('quotes.csv', [QUOTES_HEADER, ...QUOTES]);
  expect(await refusal()).toMatch(
    /holds no recording; accepted: .*<exchange>_<type>_<YYYY-MM-DD>_<SYMBOL>\.csv.*quotes, book_snapshot_5/s,
  );
  expect(await refusal(join(folder.path, 'quotes.csv'))).toContain('a folder of recordings');
  expect(await refusal(join(folder.path, 'nowhere'))).toMatch(
    /cannot be read \(ENOENT\).*a folder of recordings/s,
  );
});

test('a day that is not recorded is refused with the days that are', async () => {
  write(QUOTES);
  expect(await refusal(folder.path, '--date', '2024-03-05')).toContain(
    'holds no recording of that time; recorded are days from 2024-03-01 to 2024-03-01',
  );
});

test('a row with more or fewer fields than the header is refused with its number', async () => {
  write([...QUOTES.slice(0, 5), QUOTES[5]?.split(',').slice(0, 6).join(',') ?? '']);
  expect(await refusal()).toContain(`${FILE}:7: has 6 fields; accepted: 8, as many as the header`);
});

test('a gzip file that ends early is refused with how far it could be read', async () => {
  const whole = gzipSync([QUOTES_HEADER, ...QUOTES].join('\n'));
  const cut = whole.subarray(0, Math.floor(whole.length * 0.7));
  writeFileSync(join(folder.path, `${FILE}.gz`), cut);
  expect(await refusal()).toMatch(
    /\.csv\.gz:\d+: cannot be read: unexpected end of file, which was cut off here; accepted:/,
  );
  expect(gunzipSync(whole).length).toBeGreaterThan(0);
  expect(readFileSync(join(folder.path, `${FILE}.gz`)).length).toBe(cut.length);
});

test.each([
  ['seconds', (us: number) => String(us / 1_000_000), 'a time in seconds'],
  ['milliseconds', (us: number) => String(us / 1_000), 'a time in milliseconds'],
  ['nanoseconds', (us: number) => `${us}000`, 'a time in nanoseconds'],
  ['dates', (us: number) => new Date(us / 1_000).toISOString(), 'a date'],
] as const)(
  'a clock in %s is refused with the unit it seems to have',
  async (_unit, change, seems) => {
    write(QUOTES.map((line) => retimed(line, change)));
    const refused = await refusal();
    expect(refused).toContain(`${FILE}:2: local_timestamp is "`);
    expect(refused).toContain(`accepted: whole microseconds since 1970`);
    expect(refused).toContain(seems);
  },
);

test('rows of another day than the file is named by are refused', async () => {
  write(QUOTES.map((line) => retimed(line, (us) => String(us + 3 * DAY_US))));
  expect(await refusal()).toMatch(
    /:2: is of 2024-03-04T00:00:.*; accepted: rows of 2024-03-01, the day in the file's name/,
  );
});

test('days that overlap are refused with the row and the file that has it as well', async () => {
  const late = DAY_US - 60_000_000;
  write(QUOTES.map((line) => retimed(line, (us) => String(us + late))));
  write(
    QUOTES.map((line) => retimed(line, (us) => String(us + DAY_US))),
    NEXT,
  );
  const refused = await refusal();
  expect(refused).toMatch(new RegExp(`${FILE}:\\d+: is \\d+\\.\\d s later than the first row of`));
  expect(refused).toContain(NEXT);
  expect(refused).toContain('accepted: files that do not overlap');
});

test('a day that is there twice, packed and unpacked, is refused', async () => {
  write(QUOTES);
  write(QUOTES, `${FILE}.gz`);
  expect(await refusal()).toContain('accepted: files that do not overlap');
});

test('a fault in the last row, after the end of the schedule, is refused before anything is run', async () => {
  write([...QUOTES, QUOTES.at(-1)?.replace(/,[^,]*$/, ',-1') ?? '']);
  const refused = await refusal();
  expect(refused).toContain(`${FILE}:${QUOTES.length + 2}: bid_amount is "-1"; accepted:`);
  expect(refused).not.toContain('filled');
});

test('a gzip file with something else appended is refused with the row from which on it cannot be read', async () => {
  const whole = gzipSync(`${[QUOTES_HEADER, ...QUOTES].join('\n')}\n`);
  writeFileSync(join(folder.path, `${FILE}.gz`), Buffer.concat([whole, Buffer.from('appended')]));
  const refused = await refusal();
  expect(refused).toMatch(/\.csv\.gz:\d+: cannot be read: .*; accepted: CSV, or gzipped, whole/);
  expect(refused).not.toContain('although its name says so');
});

test('a book whose bids and offers are exchanged is refused with the first row', async () => {
  const exchanged = QUOTES_HEADER.replace('ask_price,bid_price', 'bid_price,ask_price');
  folder.write(FILE, [exchanged, ...QUOTES]);
  const [, , , firstUs] = QUOTES[0]?.split(',') ?? [];
  expect(await refusal()).toMatch(
    new RegExp(
      `${FILE}: in (\\d+) of \\1 rows of ${SYMBOL} the bid is above the offer, first in that of local_timestamp ${firstUs}; accepted:`,
    ),
  );
});

test.each([
  [
    'gaps.csv',
    ['exchange,symbol,type,from,to,reason,detail', 'gemini,*,*,yesterday,today,killed,'],
    'gaps.csv:2: from is "yesterday"; accepted: whole microseconds',
  ],
  [
    'instruments.csv',
    ['exchange,symbol,kind,base,quote,settlement', `gemini,${SYMBOL},spot`],
    'instruments.csv:2: has 3 fields; accepted: 6, as many as the header',
  ],
  [
    'combos.csv',
    ['exchange,symbol,leg', 'gemini,A,B'],
    'combos.csv:1: has no column "ratio"; it has exchange,symbol,leg',
  ],
] as const)(
  'a fault of %s beside the recordings is refused with its row',
  async (name, lines, refused) => {
    write(QUOTES);
    folder.write(name, lines);
    expect(await refusal()).toContain(refused);
  },
);

test('a last row without an end of line is left out, and said to be', async () => {
  const [whole, cut] = [new RecordingFolder(), new RecordingFolder()];
  const last = QUOTES.at(-1) ?? '';
  writeFileSync(join(whole.path, FILE), `${[QUOTES_HEADER, ...QUOTES.slice(0, -1)].join('\n')}\n`);
  // One digit less is a number as well, and would change the lot that is inferred.
  writeFileSync(
    join(cut.path, FILE),
    [QUOTES_HEADER, ...QUOTES.slice(0, -1), last.slice(0, -1)].join('\n'),
  );
  const ran = async ({
    path,
  }: RecordingFolder): Promise<{ notes: string[]; traceHash: string }> => {
    await refusal(join(folder.path, 'nowhere'));
    const { out, code } = await warmCli.run([
      'backtest',
      join(folder.path, 'strategy.yaml'),
      '--json',
      '--data',
      path,
    ]);
    expect(code).toBe(0);
    return JSON.parse(out);
  };
  const [of, first, cached] = [await ran(whole), await ran(cut), await ran(cut)];
  expect(first.traceHash).toBe(of.traceHash);
  for (const { notes } of [first, cached]) {
    expect(notes.join('\n')).toMatch(
      new RegExp(`${FILE}:${QUOTES.length + 1}: the last row has no end of line and is left out`),
    );
  }
  whole.remove();
  cut.remove();
});

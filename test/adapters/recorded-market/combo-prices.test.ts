// Prices of combos in recordings, which may be zero or below, in every type of file that can carry one. Read from bytes and by
// way of text, the rows are the same; of other instruments such prices stay faults, or no price.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readCombos } from '../../../src/adapters/recorded-market/combos-file.ts';
import { mergeColumns } from '../../../src/adapters/recorded-market/merge-columns.ts';
import { mergeRecordings } from '../../../src/adapters/recorded-market/merge-recordings.ts';
import { openRows } from '../../../src/adapters/recorded-market/open-rows.ts';
import { recordingFiles } from '../../../src/adapters/recorded-market/recording-files.ts';
import type { SymbolsRead } from '../../../src/adapters/recorded-market/row-readers.ts';
import { BlockBuilder } from '../../../src/values/recorded/block-builder.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import { QUOTES_HEADER, RecordingFolder, TRADES_HEADER } from './recorded-market-files.ts';

const DATE = '2024-03-01';
const DAY_US = Date.UTC(2024, 2, 1) * 1_000;
const SPREAD = 'BTC-FS-28JUN24_PERP';
const READ: SymbolsRead = { isWanted: () => true, isCombo: (symbol) => symbol === SPREAD };
let folder: RecordingFolder;

beforeEach(() => {
  folder = new RecordingFolder();
});
afterEach(() => folder.remove());

const files = () => recordingFiles(folder.path);

async function asText(read: SymbolsRead = READ): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of mergeRecordings(files(), read)) events.push(...batch);
  return events;
}

async function asColumns(): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const block of mergeColumns(files(), READ)) {
    for (let row = 0; row < block.count; row += 1) events.push(block.event(row));
  }
  return events;
}

const stamp = (symbol: string): string => `deribit,${symbol},${DAY_US},${DAY_US}`;

const depthHeader = (depth: number): string =>
  `exchange,symbol,timestamp,local_timestamp,${Array.from(
    { length: depth },
    (_, i) => `asks[${i}].price,asks[${i}].amount,bids[${i}].price,bids[${i}].amount`,
  ).join(',')}`;
const depthLine = (symbol: string, depth: number): string =>
  `${stamp(symbol)},2.5,40,-7.5,20${',,,,'.repeat(depth - 1)}`;

const TICKER_HEADER =
  'exchange,symbol,timestamp,local_timestamp,funding_timestamp,funding_rate,predicted_funding_rate,open_interest,last_price,index_price,mark_price';

interface Carrier {
  readonly type: string;
  readonly lines: (symbol: string) => readonly string[];
  readonly event: object;
  readonly isPlain: boolean;
}

const BOOK = {
  kind: 'book',
  bids: [{ price: '-7.5', amount: '20' }],
  asks: [{ price: '2.5', amount: '40' }],
};
const carriers: readonly Carrier[] = [
  {
    type: 'quotes',
    event: BOOK,
    isPlain: true,
    lines: (symbol) => [QUOTES_HEADER, `${stamp(symbol)},40,2.5,-7.5,20`],
  },
  {
    type: 'book_snapshot_5',
    event: BOOK,
    isPlain: true,
    lines: (symbol) => [depthHeader(5), depthLine(symbol, 5)],
  },
  {
    type: 'book_snapshot_25',
    event: BOOK,
    isPlain: true,
    lines: (symbol) => [depthHeader(25), depthLine(symbol, 25)],
  },
  {
    type: 'trades',
    isPlain: true,
    event: { kind: 'trade', side: 'sell', price: '-7.5', amount: '20' },
    lines: (symbol) => [TRADES_HEADER, `${stamp(symbol)},t1,sell,-7.5,20`],
  },
  {
    type: 'derivative_ticker',
    event: { kind: 'ticker', mark: '-2.5' },
    isPlain: false,
    lines: (symbol) => [TICKER_HEADER, `${stamp(symbol)},,,,,-2.5,61000,-2.5`],
  },
];

describe.each(carriers)('prices below zero in $type', ({ type, lines, event, isPlain }) => {
  test('a combo has them, from text and from bytes', async () => {
    folder.write(`deribit_${type}_${DATE}_${SPREAD}.csv.gz`, lines(SPREAD));
    const [row, ...others] = await asText();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ symbol: SPREAD, ...event });
    if (isPlain) expect(await asColumns()).toEqual([row]);
  });

  test('the cache has them as they were', async () => {
    folder.write(`deribit_${type}_${DATE}_${SPREAD}.csv.gz`, lines(SPREAD));
    const options = { symbols: new Set([SPREAD]), combos: new Set([SPREAD]), cache: folder.path };
    await openRows(files(), options);
    const { rows, trouble } = await openRows(files(), options);
    expect(trouble).toBeUndefined();
    const { value } = await rows().next();
    expect('event' in value ? value.event(0) : value[0]).toEqual((await asText())[0]);
  });

  test('another instrument that has one is a fault of that file, row and column', async () => {
    const path = folder.write(
      `deribit_${type}_${DATE}_BTC-PERPETUAL.csv.gz`,
      lines('BTC-PERPETUAL'),
    );
    await expect(asText()).rejects.toThrow(
      new RegExp(`${path}.*2.*is "-[27].5"; accepted: a decimal such as 61203.5, or nothing`, 's'),
    );
  });
});

test('a combo that costs nothing has a price, and an empty side has none', async () => {
  const sides = ['3,0,-1,4', '3,0.0,,', '0,0,-1,4', ',0,-1,4', ',,,'];
  folder.write(`deribit_quotes_${DATE}_${SPREAD}.csv`, [
    QUOTES_HEADER,
    ...sides.map((fields) => `${stamp(SPREAD)},${fields}`),
  ]);
  const rows = await asText();
  expect(await asColumns()).toEqual(rows);
  const asks = rows.map((row) => row.kind === 'book' && row.asks.map(({ price }) => price));
  expect(asks).toEqual([['0'], ['0.0'], [], [], []]);
});

test('a cache without combos is not read for one whose prices are zero', async () => {
  folder.write(`deribit_quotes_${DATE}_${SPREAD}.csv`, [QUOTES_HEADER, `${stamp(SPREAD)},3,0,0,4`]);
  const options = { symbols: new Set([SPREAD]), cache: folder.path };
  expect((await openRows(files(), options)).survey.symbols.get(SPREAD)?.tick).toBeUndefined();
  const { rows } = await openRows(files(), { ...options, combos: new Set([SPREAD]) });
  const { value } = await rows().next();
  expect('event' in value ? value.event(0) : value[0]).toMatchObject({ bids: [{ amount: '4' }] });
});

const signed = fc
  .tuple(fc.boolean(), fc.nat({ max: 99_999 }), fc.nat({ max: 999 }), fc.nat({ max: 3 }))
  .map(([isNegative, whole, part, places]) => {
    const digits = places === 0 ? '' : `.${String(part).padStart(places, '0').slice(0, places)}`;
    return `${isNegative ? '-' : ''}${whole}${digits}`;
  });
const amount = fc.constantFrom('10', '0', '', '2.5');

test('whatever the prices, the rows from bytes are those from text, and one grid has them all', async () => {
  const row = fc.tuple(fc.constantFrom(SPREAD, SPREAD, 'OTHER'), signed, signed, amount, amount);
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 25, size: 'max' }), async (drawn) => {
      const lines = drawn.map(([symbol, ask, bid, asked, bidden]) => {
        const [a, b] = [ask, bid].map((at) => (symbol === SPREAD ? at : at.replace('-', '')));
        return `${stamp(symbol)},${asked},${a},${b},${bidden}`;
      });
      folder.write(`deribit_quotes_${DATE}_${SPREAD}.csv`, [QUOTES_HEADER, ...lines]);
      const rows = await asText();
      expect(await asColumns()).toEqual(rows);
      const builder = new BlockBuilder();
      expect(rows.every((event) => builder.add(event))).toBe(true);
      const block = builder.take();
      expect(rows.map((_, at) => block.event(at))).toEqual(rows);
      const read = { symbols: new Set([SPREAD]), combos: new Set([SPREAD]) };
      const step = Number((await openRows(files(), read)).survey.symbols.get(SPREAD)?.tick ?? '1');
      for (const event of rows) {
        if (event.kind !== 'book' || event.symbol !== SPREAD) continue;
        for (const { price } of [...event.bids, ...event.asks]) {
          const steps = Number(price) / step;
          expect(Math.abs(steps - Math.round(steps))).toBeLessThan(1e-6);
        }
      }
    }),
    { numRuns: 60 },
  );
});

describe('the legs of recorded combos', () => {
  const HEADER = 'exchange,symbol,leg,ratio';

  test('combos.csv has a row for each leg', async () => {
    folder.write('combos.csv', [
      HEADER,
      'deribit,BTC-CC-28JUN24-1A2B3C4D,BTC-28JUN24,1',
      'deribit,BTC-CC-28JUN24-1A2B3C4D,BTC-PERPETUAL,-2',
      'deribit,BTC-CC-28JUN24-1A2B3C4D,BTC-28JUN24,1',
    ]);
    const combos = await readCombos(folder.path);
    expect([...combos]).toEqual([
      [
        'BTC-CC-28JUN24-1A2B3C4D',
        [
          { instrument: 'BTC-28JUN24', ratio: 1 },
          { instrument: 'BTC-PERPETUAL', ratio: -2 },
        ],
      ],
    ]);
  });

  test('a folder without the file has none', async () => {
    expect(await readCombos(folder.path)).toEqual(new Map());
  });

  test.each([
    ['deribit,A,B,0', 'ratio is "0"; accepted: a whole number other than 0'],
    ['deribit,A,B,1.5', 'ratio is "1.5"; accepted: a whole number other than 0'],
    ['deribit,A,B', 'has 3 fields; accepted: 4, as many as the header'],
  ])('a row %j is a fault of that file and row', async (line, told) => {
    folder.write('combos.csv', [HEADER, 'deribit,A,C,1', line]);
    await expect(readCombos(folder.path)).rejects.toThrow(told);
    await expect(readCombos(folder.path)).rejects.toThrow(/combos\.csv.*3/s);
  });

  test('a leg that has two ratios is a fault of the second row', async () => {
    folder.write('combos.csv', [HEADER, 'deribit,A,C,1', 'deribit,A,C,2']);
    await expect(readCombos(folder.path)).rejects.toThrow('ratio is "2"; accepted: 1, as in a row');
  });
});

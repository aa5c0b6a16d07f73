// Recordings as files: rows are read as written, in order of arrival, and faults name the line.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Columns } from '../../../src/adapters/recorded-market/columns.ts';
import { inferInstrument } from '../../../src/adapters/recorded-market/infer-instrument.ts';
import { readInstruments } from '../../../src/adapters/recorded-market/instruments-file.ts';
import { mergeRecordings } from '../../../src/adapters/recorded-market/merge-recordings.ts';
import { readRecording } from '../../../src/adapters/recorded-market/read-recording.ts';
import {
  type RecordingFile,
  recordingFiles,
  recordingsOf,
} from '../../../src/adapters/recorded-market/recording-files.ts';
import { SeenGrid } from '../../../src/adapters/recorded-market/seen-grid.ts';
import {
  type SymbolSurvey,
  surveyRecordings,
} from '../../../src/adapters/recorded-market/survey-recordings.ts';
import { text } from '../../../src/values/amounts.ts';
import { instant } from '../../../src/values/instant.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import {
  QUOTES_HEADER,
  quoteLine,
  RecordingFolder,
  TRADES_HEADER,
  tradeLine,
} from './recorded-market-files.ts';

const START_US = 1_700_000_000_000_000;
const everything = { isWanted: () => true };

let folder: RecordingFolder;
beforeEach(() => {
  folder = new RecordingFolder();
});
afterEach(() => folder.remove());

const fileOf = (path: string): RecordingFile => {
  const found = recordingFiles(folder.path).find((file) => file.path === path);
  if (found === undefined) throw new Error(`no recording at ${path}`);
  return found;
};

async function all(batches: AsyncIterable<readonly RecordedEvent[]>): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of batches) events.push(...batch);
  return events;
}

const read = (name: string, lines: readonly string[]): Promise<RecordedEvent[]> =>
  all(readRecording(fileOf(folder.write(name, lines)), everything));

const stamp = (atUs: number) => ({ symbol: 'X-USD', atUs, at: instant(Math.ceil(atUs / 1_000)) });

const decimal = fc
  .tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 9_999_999 }))
  .map(([whole, part]) => `${whole}.${String(part).padStart(7, '0')}`);
const level = fc.option(
  fc.record({ price: decimal, amount: fc.option(decimal, { nil: undefined }) }),
  {
    nil: undefined,
  },
);
const times = fc
  .array(fc.integer({ min: 0, max: 3_000_000 }), { minLength: 1, maxLength: 60, size: 'max' })
  .map((steps) => {
    let at = START_US;
    return steps.map((step) => {
      at += step;
      return at;
    });
  });

const booksAt = (at: readonly number[]) =>
  fc.tuple(...at.map((us) => fc.tuple(level, level).map(([bid, ask]) => bookOf(us, bid, ask))));
const bookOf = (
  us: number,
  bid: { price: string; amount: string | undefined } | undefined,
  ask: { price: string; amount: string | undefined } | undefined,
) => ({
  ...stamp(us),
  kind: 'book' as const,
  bids: bid === undefined ? [] : [bid],
  asks: ask === undefined ? [] : [ask],
});
const tradesAt = (at: readonly number[]) =>
  fc.tuple(
    ...at.map((us) =>
      fc
        .tuple(fc.constantFrom('buy', 'sell', undefined), decimal, decimal)
        .map(([side, price, amount]) => ({
          ...stamp(us),
          kind: 'trade' as const,
          side,
          price,
          amount,
        })),
    ),
  );

describe('quotes and trades', () => {
  test('rows are read as written, in any column order, gzipped or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        times.chain(booksAt),
        fc.shuffledSubarray(QUOTES_HEADER.split(','), { minLength: 8 }),
        fc.boolean(),
        async (books, columns, isPacked) => {
          const places = columns.map((name) => QUOTES_HEADER.split(',').indexOf(name));
          const lines = books.map((event) => {
            const fields = quoteLine('venue', event).split(',');
            return places.map((at) => fields[at]).join(',');
          });
          const name = `venue_quotes_2023-11-14_X-USD.csv${isPacked ? '.gz' : ''}`;
          expect(await read(name, [columns.join(','), ...lines])).toEqual(books);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('several files are merged into one stream: by time, books before trades, each file in its order', async () => {
    await fc.assert(
      fc.asyncProperty(times.chain(booksAt), times.chain(tradesAt), async (books, trades) => {
        folder.write('venue_quotes_2023-11-14_X-USD.csv', [
          QUOTES_HEADER,
          ...books.map((event) => quoteLine('venue', event)),
        ]);
        folder.write('venue_trades_2023-11-14_X-USD.csv.gz', [
          TRADES_HEADER,
          ...trades.map((event) => tradeLine('venue', event)),
        ]);
        const merged = await all(mergeRecordings(recordingFiles(folder.path), everything));
        // The expected order is a stable sort of books followed by trades.
        expect(merged).toEqual([...books, ...trades].toSorted((a, b) => a.atUs - b.atUs));
      }),
      { numRuns: 30 },
    );
  });

  test('the time is that of arrival, or of the exchange if missing, rounded up to the next millisecond', async () => {
    const events = await read('venue_trades_2023-11-14_X-USD.csv', [
      TRADES_HEADER,
      'venue,X-USD,1700000000000000,1700000000500001,,buy,10,1',
      'venue,X-USD,1700000001000000,,,sell,10,1',
    ]);
    expect(events.map(({ atUs, at }) => [atUs, at])).toEqual([
      [1_700_000_000_500_001, 1_700_000_000_501],
      [1_700_000_001_000_000, 1_700_000_001_000],
    ]);
  });

  test('an empty side, a locked book and a zero are read correctly', async () => {
    const line = (rest: string, at: number) =>
      `venue,X-USD,${START_US + at},${START_US + at},${rest}`;
    const events = await read('venue_quotes_2023-11-14_X-USD.csv', [
      QUOTES_HEADER,
      line('1,10,10,2', 0),
      line(',,10,2', 1),
      line('0.000,0.00,10,2', 2),
    ]);
    expect(
      events.map((event) => event.kind === 'book' && [event.bids.length, event.asks.length]),
    ).toEqual([
      [1, 1],
      [1, 0],
      [1, 0],
    ]);
  });

  test('snapshots have their levels, best first, without empty ones', async () => {
    const header = ['exchange', 'symbol', 'timestamp', 'local_timestamp'];
    for (let i = 0; i < 5; i += 1) {
      for (const side of ['asks', 'bids'])
        header.push(`${side}[${i}].price`, `${side}[${i}].amount`);
    }
    const [event] = await read('venue_book_snapshot_5_2023-11-14_X-USD.csv', [
      header.join(','),
      `venue,X-USD,${START_US},${START_US},11,1,10,2,12,3,9,4,,,8,5,,,,,,,,`,
    ]);
    expect(event).toEqual({
      ...stamp(START_US),
      kind: 'book',
      bids: [
        { price: '10', amount: '2' },
        { price: '9', amount: '4' },
        { price: '8', amount: '5' },
      ],
      asks: [
        { price: '11', amount: '1' },
        { price: '12', amount: '3' },
      ],
    });
  });

  test('option chains give quotes and mark prices of the requested options', async () => {
    const path = folder.write('deribit_options_chain_2023-11-14_OPTIONS.csv', [
      'exchange,symbol,timestamp,local_timestamp,type,strike_price,expiration,bid_price,bid_amount,ask_price,ask_amount,mark_price,mark_iv,underlying_price,delta,gamma,vega,theta,rho',
      `deribit,BTC-29MAR24-50000-C,${START_US},${START_US},call,50000,1711699200000000,0.05,,0.0525,3,0.0511,64.2,37000,0.31,,40.5,,`,
      `deribit,BTC-29MAR24-60000-C,${START_US},${START_US},call,60000,1711699200000000,,,0.03,,0.02,61,37000,0.2,,30,,`,
    ]);
    const isWanted = (symbol: string) => symbol.includes('50000');
    const events = await all(readRecording(fileOf(path), { isWanted }));
    expect(events).toEqual([
      {
        symbol: 'BTC-29MAR24-50000-C',
        atUs: START_US,
        at: START_US / 1_000,
        kind: 'book',
        bids: [{ price: '0.05', amount: undefined }],
        asks: [{ price: '0.0525', amount: '3' }],
      },
      {
        symbol: 'BTC-29MAR24-50000-C',
        atUs: START_US,
        at: START_US / 1_000,
        kind: 'ticker',
        mark: '0.0511',
        underlying: '37000',
        markIv: 0.642,
        greeks: { delta: 0.31, vega: 40.5 },
      },
    ]);
  });
});

describe('reading faults name the file, the line and what is accepted', () => {
  const line = (at: number, rest = ',buy,10,1') => `venue,X-USD,${at},${at},${rest}`;
  const name = 'venue_trades_2023-11-14_X-USD.csv';

  test.each([
    ['a price that is not a decimal', line(START_US, ',buy,1e999,1'), 'price is "1e999"'],
    ['a negative amount', line(START_US, ',buy,10,-1'), 'amount is "-1"'],
    ['a missing price', line(START_US, ',buy,,1'), 'price is ""'],
    ['an unknown side', line(START_US, ',up,10,1'), 'side is "up"; accepted: buy, sell or unknown'],
    ['a time in milliseconds', line(START_US / 1_000), 'local_timestamp is "1700000000000"'],
  ])('%s is reported with the line', async (_what, wrong, message) => {
    const reading = read(name, [TRADES_HEADER, line(START_US), wrong]);
    await expect(reading).rejects.toThrow(`${name}:3: ${message}`);
  });

  test('a missing column is reported', async () => {
    const reading = read(name, ['exchange,symbol,timestamp,local_timestamp,side,price', 'a']);
    await expect(reading).rejects.toThrow(
      `${name}:1: has no column "amount"; it has exchange,symbol,timestamp,local_timestamp,side,price`,
    );
  });

  test('a corrupt gzip file and an empty file are reported', async () => {
    const path = join(folder.path, `${name}.gz`);
    writeFileSync(path, 'plain text');
    await expect(all(readRecording(fileOf(path), everything))).rejects.toThrow(
      /is not gzipped, although its name says so; accepted: CSV, or gzipped/,
    );
    const empty = join(folder.path, name);
    writeFileSync(empty, '');
    await expect(all(readRecording(fileOf(empty), everything))).rejects.toThrow('is empty');
  });
});

describe('rows out of order', () => {
  const name = 'venue_trades_2023-11-14_X-USD.csv';
  const at = (seconds: number, id: number) =>
    `venue,X-USD,${START_US},${START_US + seconds * 1_000_000},${id},buy,${id},1`;

  test('slightly late rows are sorted, stably, and counted', async () => {
    const path = folder.write(name, [
      TRADES_HEADER,
      at(1, 1),
      at(3, 2),
      at(2, 3),
      at(2, 4),
      at(9, 5),
    ]);
    const reported: unknown[] = [];
    const options = {
      ...everything,
      onDisorder: (_file: unknown, found: unknown) => reported.push(found),
    };
    const events = await all(readRecording(fileOf(path), options));
    expect(events.map((event) => event.kind === 'trade' && event.price)).toEqual([
      '1',
      '3',
      '4',
      '2',
      '5',
    ]);
    expect(reported).toEqual([{ rows: 2, worstUs: 1_000_000 }]);
  });

  test('rows that are too late are refused with the line', async () => {
    const reading = read(name, [TRADES_HEADER, at(1, 1), at(30, 2), at(2, 3)]);
    await expect(reading).rejects.toThrow(
      `${name}:4: arrived 28 s before a row above it; accepted: rows by local_timestamp`,
    );
  });
});

test('recordings are found by file name, and of two kinds of books for one day the deeper one is read', () => {
  for (const name of [
    'venue_quotes_2023-11-14_X-USD.csv.gz',
    'venue_book_snapshot_5_2023-11-14_X-USD.csv.gz',
    'venue_trades_2023-11-14_X-USD.csv',
    'venue_quotes_2023-11-15_X-USD.csv',
    'PROVENANCE.md',
    'venue_incremental_book_L2_2023-11-14_X-USD.csv.gz',
  ]) {
    folder.write(name, ['x']);
  }
  const files = recordingsOf(recordingFiles(folder.path));
  expect(files.map(({ type, date }) => `${type} ${date}`)).toEqual([
    'book_snapshot_5 2023-11-14',
    'trades 2023-11-14',
    'quotes 2023-11-15',
  ]);
});

describe('the terms of recorded instruments', () => {
  const seen = (symbol: string, change: Partial<SymbolSurvey> = {}): SymbolSurvey => ({
    symbol,
    books: 10,
    trades: 10,
    firstAt: 0,
    lastAt: 1,
    tick: '0.5',
    amountStep: '10',
    hasSizes: true,
    hasIndex: false,
    crossed: 0,
    ...change,
  });

  test.each([
    ['deribit', 'BTC-PERPETUAL', 'perpetual BTC/USD inverse usd'],
    ['deribit', 'ETH_USDC-PERPETUAL', 'perpetual ETH/USDC linear base'],
    ['deribit', 'BTC-27MAR26', 'future BTC/USD inverse usd'],
    ['deribit', 'BTC-27MAR26-90000-P', 'option BTC/BTC inverse base'],
    ['deribit', 'ETH_USDC', 'spot ETH/USDC linear base'],
    ['gemini', 'ETH-USD', 'spot ETH/USD linear base'],
    ['binance', 'NEXOUSDT', 'spot NEXO/USDT linear base'],
    ['binance-futures', 'BTCUSDT', 'perpetual BTC/USDT linear base'],
    ['binance-delivery', 'BTCUSD_PERP', 'perpetual BTC/USD inverse usd'],
  ])('%s %s is read as %s', (exchange, symbol, expected) => {
    const { instrument } = inferInstrument(exchange, seen(symbol));
    const { kind, base, quote, marginKind, amountUnit } = instrument;
    expect(`${kind} ${base}/${quote} ${marginKind} ${amountUnit}`).toBe(expected);
  });

  test('sizes in contracts of known value become amounts', () => {
    const described = inferInstrument('binance-delivery', seen('BTCUSD_PERP', { amountStep: '1' }));
    expect(text(described.instrument.amountStep)).toBe('100');
    expect(text(described.recordedStep)).toBe('1');
    expect(described.notes.join()).toContain('contracts of 100 USD');
  });

  test('expiry and strike are read from the name', () => {
    const { instrument } = inferInstrument('deribit', seen('BTC-27MAR26-90000-P'));
    expect(instrument.expiresAt).toBe(Date.UTC(2026, 2, 27, 8));
    expect(instrument.option && text(instrument.option.strike)).toBe('90000');
    expect(instrument.option?.type).toBe('put');
  });

  test('the step divides all numbers seen and is 1, 2 or 5 of a decimal place', () => {
    const steps = fc.constantFrom(1, 2, 5, 10, 20, 50, 100);
    fc.assert(
      fc.property(
        steps,
        fc.integer({ min: 0, max: 4 }),
        fc.array(fc.integer({ min: 1, max: 1_000_000 }), {
          minLength: 1,
          maxLength: 50,
          size: 'max',
        }),
        (step, places, counts) => {
          const grid = new SeenGrid();
          const unit = 10 ** places;
          for (const count of counts) grid.add(((count * step) / unit).toFixed(places));
          const found = Math.round(Number(grid.step()) * unit);
          expect(/^0*(?:\.0*)?[125]0*(?:\.0+)?$/.test(grid.step() ?? '')).toBe(true);
          for (const count of counts) expect((count * step) % found).toBe(0);
          expect(found).toBeGreaterThanOrEqual(step);
        },
      ),
    );
  });

  test('a survey returns the span and the grid of a recording', async () => {
    folder.write('venue_quotes_2023-11-14_X-USD.csv', [
      QUOTES_HEADER,
      `venue,X-USD,${START_US},${START_US},1.50,10.10,10.05,2`,
      `venue,X-USD,${START_US},${START_US + 2_000_000},1.25,10.20,10.00,3`,
    ]);
    const survey = await surveyRecordings(recordingFiles(folder.path), everything);
    expect(survey.symbols.get('X-USD')).toEqual({
      symbol: 'X-USD',
      books: 2,
      trades: 0,
      firstAt: START_US / 1_000,
      lastAt: START_US / 1_000 + 2_000,
      tick: '0.05',
      amountStep: '0.05',
      hasSizes: true,
      hasIndex: false,
      price: '10.05',
      crossed: 0,
    });
  });

  const HEADER =
    'exchange,symbol,kind,base,quote,settlement,contract_size,amount_unit,tick_size,amount_step,min_amount,expiration,strike,option_type,maker_fee,taker_fee';

  test('an instruments file gives all terms, including contracts', async () => {
    const path = folder.write('instruments.csv', [
      HEADER,
      'binance-delivery,BTCUSD_PERP,perpetual,BTC,USD,BTC,100,contracts,0.1,1,1,,,,0.0002,0.0005',
      'deribit,BTC-27MAR26-90000-P,option,BTC,BTC,BTC,1,base,0.0001,0.1,0.1,1774598400000000,90000,put,,',
    ]);
    const described = await readInstruments(path);
    const perpetual = described.get('binance-delivery BTCUSD_PERP');
    expect(perpetual?.instrument).toMatchObject({ amountUnit: 'usd', marginKind: 'inverse' });
    expect(perpetual && text(perpetual.instrument.amountStep)).toBe('100');
    expect(perpetual && text(perpetual.recordedStep)).toBe('1');
    expect(perpetual && text(perpetual.instrument.takerFee)).toBe('0.0005');
    const put = described.get('deribit BTC-27MAR26-90000-P')?.instrument;
    expect([put?.expiresAt, put?.option?.type]).toEqual([Date.UTC(2026, 2, 27, 8), 'put']);
  });

  test('a fault in an instruments file names the line', async () => {
    const path = folder.write('instruments.csv', [
      HEADER,
      'deribit,X,swap,BTC,USD,BTC,10,usd,0.5,10,10,,,,,',
    ]);
    await expect(readInstruments(path)).rejects.toThrow(
      'instruments.csv:2: kind is "swap"; accepted: option, perpetual, future, spot',
    );
  });
});

test('numbers with an exponent are read digit for digit', () => {
  const columns = new Columns('file.csv', ['price']);
  const read = (field: string) => columns.decimal({ line: 2, fields: [field] }, 0);
  expect(['8.609e-05', '3.844E-5', '1e3', '1.5e+2', '12.34e-1', '0.0e-8'].map(read)).toEqual([
    '0.00008609',
    '0.00003844',
    '1000',
    '150',
    '1.234',
    '0.000000000',
  ]);
  fc.assert(
    fc.property(fc.double({ min: 1e-20, max: 1e20, noNaN: true }), (value) => {
      const written = value.toExponential();
      const [mantissa = '', exponent = ''] = written.split('e');
      const [digits, power] = [mantissa.replace('.', '').length, Number(exponent)];
      const fits = power < 18 && digits - 1 - power <= 18;
      if (fits) expect(Number(read(written))).toBe(value);
      else expect(() => read(written)).toThrow('at most 18 digits on each side of the point');
    }),
  );
  for (const wrong of ['1e999', 'e5', '1e', '-1e-5', '0x1e5', '1e-30']) {
    expect(() => read(wrong)).toThrow('accepted: a decimal such as 61203.5');
  }
});

// Recordings read from bytes into columns. The judge is the reader by way of text: the same rows, the same survey, or nothing.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mergeColumns } from '../../../src/adapters/recorded-market/merge-columns.ts';
import { mergeRecordings } from '../../../src/adapters/recorded-market/merge-recordings.ts';
import { openRows } from '../../../src/adapters/recorded-market/open-rows.ts';
import { NotPlain } from '../../../src/adapters/recorded-market/plain-lines.ts';
import { recordingFiles } from '../../../src/adapters/recorded-market/recording-files.ts';
import {
  surveyColumns,
  surveyRecordings,
} from '../../../src/adapters/recorded-market/survey-recordings.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import { QUOTES_HEADER, RecordingFolder, TRADES_HEADER } from './recorded-market-files.ts';

const DATE = '2024-03-01';
const DAY_US = Date.UTC(2024, 2, 1) * 1_000;
const isWanted = (symbol: string): boolean => symbol !== 'OTHER';
let folder: RecordingFolder;

beforeEach(() => {
  folder = new RecordingFolder();
});
afterEach(() => folder.remove());

const files = () => recordingFiles(folder.path);

async function usual(): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of mergeRecordings(files(), { isWanted })) events.push(...batch);
  return events;
}

async function inColumns(): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const block of mergeColumns(files(), { isWanted })) {
    for (let row = 0; row < block.count; row += 1) events.push(block.event(row));
  }
  return events;
}

const decimal = fc
  .tuple(fc.nat({ max: 999_999 }), fc.nat({ max: 99_999 }), fc.nat({ max: 5 }))
  .map(([whole, part, places]) =>
    places === 0
      ? String(whole)
      : `${whole}.${String(part).padStart(places, '0').slice(0, places)}`,
  );
const field = fc.oneof(
  { weight: 8, arbitrary: decimal },
  { weight: 1, arbitrary: fc.constantFrom('', '0', '0.000') },
);
const row = fc.record({
  stepUs: fc.nat({ max: 2_000_000 }),
  symbol: fc.constantFrom('BTCUSDT', 'BTCUSDT', 'ETHUSDT', 'OTHER'),
  side: fc.constantFrom('buy', 'sell', 'unknown', ''),
  fields: fc.array(field, { minLength: 20, maxLength: 20 }),
  price: decimal,
  amount: decimal,
});
type Drawn = Readonly<Record<'symbol' | 'side' | 'price' | 'amount', string>> & {
  readonly stepUs: number;
  readonly fields: readonly string[];
};

function timed(rows: readonly Drawn[]): readonly (Drawn & { readonly us: number })[] {
  let us = DAY_US;
  return rows.map((drawn) => {
    us += drawn.stepUs;
    return { ...drawn, us };
  });
}

const SNAPSHOT_HEADER = `exchange,symbol,timestamp,local_timestamp,${Array.from(
  { length: 5 },
  (_, i) => `asks[${i}].price,asks[${i}].amount,bids[${i}].price,bids[${i}].amount`,
).join(',')}`;

function write(quotes: readonly Drawn[], books: readonly Drawn[], trades: readonly Drawn[]): void {
  folder.write(`binance_quotes_${DATE}_BTCUSDT.csv.gz`, [
    QUOTES_HEADER,
    ...timed(quotes).map(
      ({ us, symbol, fields }) => `binance,${symbol},${us},${us},${fields.slice(0, 4).join(',')}`,
    ),
  ]);
  folder.write(`binance_book_snapshot_5_${DATE}_ETHUSDT.csv`, [
    SNAPSHOT_HEADER,
    ...timed(books).map(({ us, symbol, fields }) => `binance,${symbol},,${us},${fields.join(',')}`),
  ]);
  folder.write(`binance_trades_${DATE}_BTCUSDT.csv.gz`, [
    TRADES_HEADER,
    ...timed(trades).map(
      ({ us, symbol, side, price, amount }) =>
        `binance,${symbol},${us},${us},7,${side},${price},${amount}`,
    ),
  ]);
}

describe('plain recordings in columns', () => {
  test('quotes, books and trades give the rows and the survey of the usual reader', async () => {
    const rows = fc.array(row, { maxLength: 30, size: 'max' });
    await fc.assert(
      fc.asyncProperty(rows, rows, rows, async (quotes, books, trades) => {
        write(quotes, books, trades);
        const wanted = await usual();
        expect(await inColumns()).toEqual(wanted);
        const survey = await surveyColumns(mergeColumns(files(), { isWanted }), {});
        expect(survey).toEqual(await surveyRecordings(files(), { isWanted }));
      }),
      { numRuns: 60 },
    );
  });

  const good = `binance,BTCUSDT,${DAY_US},${DAY_US},1,61000.5,61000,2`;
  const unusual: readonly (readonly [what: string, lines: readonly string[]])[] = [
    ['rows out of order', [good.replaceAll(String(DAY_US), String(DAY_US + 1_000_000)), good]],
    ['an exponent', [good.replace(',2', ',8.609e-05')]],
    ['a quotation mark', [good.replace('binance', '"binance"')]],
    ['a number of too many digits', [good.replace('61000.5', '61000.12345678901234')]],
    ['an end of line of another system', [`${good}\r`]],
    ['an empty line', [good, '', good]],
  ];
  test.each(unusual)('%s is left to the usual reader', async (_what, lines) => {
    folder.write(`binance_quotes_${DATE}_BTCUSDT.csv.gz`, [QUOTES_HEADER, ...lines]);
    await expect(inColumns()).rejects.toThrow(NotPlain);
    const wanted = await usual();
    expect(wanted.length).toBeGreaterThan(0);
    const rows = (await openRows(files(), { symbols: new Set(['BTCUSDT']) })).rows();
    const events: RecordedEvent[] = [];
    for (let next = await rows.next(); next.done !== true; next = await rows.next()) {
      const batch = next.value;
      if (!('upTo' in batch)) events.push(...batch);
      else for (let at = 0; at < batch.count; at += 1) events.push(batch.event(at));
    }
    expect(events).toEqual(wanted);
  });

  const faults: readonly (readonly [what: string, line: string])[] = [
    ['a short line', good.slice(0, -2)],
    ['a wide line', `${good},5`],
    ['a leading zero', good.replace('61000.5', '061000.5')],
    ['a negative number', good.replace(',2', ',-2')],
    ['a time in milliseconds', good.replaceAll(String(DAY_US), String(DAY_US / 1_000))],
    ['a time of too many digits', good.replaceAll(String(DAY_US), `0${DAY_US}`)],
    ['another day', good.replaceAll(String(DAY_US), String(DAY_US + 5 * 86_400_000_000))],
  ];
  test.each(faults)('%s is reported by the usual reader, with its line', async (_what, line) => {
    folder.write(`binance_quotes_${DATE}_BTCUSDT.csv.gz`, [QUOTES_HEADER, good, line]);
    await expect(inColumns()).rejects.toThrow(NotPlain);
    const opened = openRows(files(), { symbols: new Set(['BTCUSDT']) });
    await expect(opened).rejects.toThrow(/line 3|:3/);
  });
});

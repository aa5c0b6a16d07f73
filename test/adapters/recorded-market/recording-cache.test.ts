// The cache of recordings as columns: what it gives is what the files give, and it never gives anything else.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DamagedBlocks } from '../../../src/adapters/recorded-market/block-file.ts';
import { mergeRecordings } from '../../../src/adapters/recorded-market/merge-recordings.ts';
import { type OpenedRows, openRows } from '../../../src/adapters/recorded-market/open-rows.ts';
import { recordingFiles } from '../../../src/adapters/recorded-market/recording-files.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import { RecordingFolder } from './recorded-market-files.ts';

const SYMBOL = 'BTCUSDT';
const symbols = new Set([SYMBOL]);
const DAY_US = Date.UTC(2024, 2, 1) * 1_000;
let folder: RecordingFolder;
let cache: string;

const quotes = (price: string): readonly string[] => [
  'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount',
  ...[3, 1, 2, 4].map((second) => {
    const us = DAY_US + second * 1_000_000;
    return `binance,${SYMBOL},${us},${us},0.5${second}00,${price},61000.5${second},1`;
  }),
];
const trades = (): readonly string[] => [
  'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
  ...[1, 2].map((second) => {
    const us = DAY_US + second * 1_000_000;
    return `binance,${SYMBOL},${us},${us},${second},buy,61001.00,0.00012`;
  }),
];
const write = (price = '61001.25'): void => {
  folder.write(`binance_quotes_2024-03-01_${SYMBOL}.csv.gz`, quotes(price));
};

beforeEach(() => {
  folder = new RecordingFolder();
  cache = join(folder.path, '.twapd-cache');
  write();
  folder.write(`binance_trades_2024-03-01_${SYMBOL}.csv`, trades());
});
afterEach(() => folder.remove());

const open = (at: string | undefined = cache, onRows?: (rows: number) => void) =>
  openRows(recordingFiles(folder.path), { symbols, cache: at, onRows });

async function eventsIn(opened: Pick<OpenedRows, 'rows'>): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  const rows = opened.rows();
  for (let next = await rows.next(); next.done !== true; next = await rows.next()) {
    const batch = next.value;
    if (!('upTo' in batch)) events.push(...batch);
    else for (let row = 0; row < batch.count; row += 1) events.push(batch.event(row));
  }
  return events;
}

async function merged(): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of mergeRecordings(recordingFiles(folder.path), {
    isWanted: (symbol) => symbols.has(symbol),
  })) {
    events.push(...batch);
  }
  return events;
}

const cached = (): readonly string[] => readdirSync(cache).map((name) => join(cache, name));

describe('the cache of recordings', () => {
  test('the first run fills it, and the next take the same rows and survey without reading the files', async () => {
    const first = await open();
    expect(first.trouble).toBeUndefined();
    expect(cached()).toHaveLength(1);
    let read = 0;
    const second = await open(cache, (rows) => {
      read = rows;
    });
    expect(read).toBe(0);
    expect(second.survey).toEqual(first.survey);
    expect(second.survey.disorders).toEqual([
      { path: recordingFiles(folder.path)[0]?.path, rows: 2, worstUs: 2_000_000 },
    ]);
    const wanted = await merged();
    expect(wanted).toHaveLength(6);
    expect(await eventsIn(first)).toEqual(wanted);
    expect(await eventsIn(second)).toEqual(wanted);
    expect(await eventsIn(second)).toEqual(wanted);
    expect((await open(undefined)).survey).toEqual(first.survey);
  });

  test('a recording that has changed is read again', async () => {
    await open();
    write('61001.50');
    const again = await open();
    expect(await eventsIn(again)).toEqual(await merged());
    expect(cached()).toHaveLength(2);
  });

  test('a damaged file gives no rows: it is removed and made again', async () => {
    const wanted = await eventsIn(await open());
    const [path = ''] = cached();
    const whole = readFileSync(path);

    writeFileSync(path, whole.subarray(0, whole.length / 2));
    expect(await eventsIn(await open())).toEqual(wanted);
    expect(readFileSync(path)).toEqual(whole);

    const flipped = Buffer.from(whole);
    flipped[3] = (flipped[3] ?? 0) ^ 1;
    writeFileSync(path, flipped);
    const opened = await open();
    await expect(eventsIn(opened)).rejects.toThrow(DamagedBlocks);
    expect(cached()).toEqual([]);
    expect(await eventsIn(await open())).toEqual(wanted);
  });

  test('without a place for it, or with a number of too many digits, every run reads the files and the reason is given', async () => {
    const file = join(folder.path, 'a-file');
    writeFileSync(file, '');
    const nowhere = await open(join(file, 'cache'));
    expect(nowhere.trouble).toContain('ENOTDIR');
    expect(await eventsIn(nowhere)).toEqual(await merged());

    write('61001.12345678901234');
    const exact = await open();
    expect(exact.trouble).toContain('too many digits');
    expect(await eventsIn(exact)).toEqual(await merged());
    expect(await eventsIn(exact)).toEqual(await merged());
    expect(cached()).toEqual([]);
  });

  test('a fault of a recording leaves no file behind', async () => {
    folder.write(`binance_trades_2024-03-01_${SYMBOL}.csv`, [...trades(), 'binance,short']);
    await expect(open()).rejects.toThrow('fields');
    expect(cached()).toEqual([]);
  });
});

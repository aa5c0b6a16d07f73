// Writes recordings into a test folder: CSV files with the names and layout of tardis.dev.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';

export class RecordingFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'twapd-recording-'));

  /** Lines without line ends; files with a `.gz` name are compressed. */
  write(name: string, lines: readonly string[]): string {
    const path = join(this.path, name);
    const text = `${lines.join('\n')}\n`;
    writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
    return path;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export const QUOTES_HEADER =
  'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount';
export const TRADES_HEADER = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount';

export function quoteLine(exchange: string, event: Extract<RecordedEvent, { kind: 'book' }>) {
  const [bid] = event.bids;
  const [ask] = event.asks;
  const us = event.atUs;
  return `${exchange},${event.symbol},${us},${us},${ask?.amount ?? ''},${ask?.price ?? ''},${bid?.price ?? ''},${bid?.amount ?? ''}`;
}

export const tradeLine = (exchange: string, event: Extract<RecordedEvent, { kind: 'trade' }>) =>
  `${exchange},${event.symbol},${event.atUs},${event.atUs},,${event.side ?? 'unknown'},${event.price},${event.amount}`;

/** Quotes and trades of one day as two files. */
export function writeDay(
  folder: RecordingFolder,
  of: { readonly exchange: string; readonly date: string; readonly symbol: string },
  rows: readonly RecordedEvent[],
): void {
  const { exchange, date, symbol } = of;
  const books = rows.filter((row) => row.kind === 'book');
  const trades = rows.filter((row) => row.kind === 'trade');
  folder.write(`${exchange}_quotes_${date}_${symbol}.csv.gz`, [
    QUOTES_HEADER,
    ...books.map((row) => quoteLine(exchange, row)),
  ]);
  folder.write(`${exchange}_trades_${date}_${symbol}.csv.gz`, [
    TRADES_HEADER,
    ...trades.map((row) => tradeLine(exchange, row)),
  ]);
}

// Makes recordings for benches: a day of quotes each second for two symbols, and a day of very many trades.
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { type Rng, rng } from '../src/values/rng.ts';

export const DAY_MS = 86_400_000;
export const DATE = '2024-03-01';
export const PAIR = ['BTCUSDT', 'BTCUSDC'] as const;
const FROM_US = Date.parse(`${DATE}T00:00:00Z`) * 1_000;
const QUOTES_HEADER =
  'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount';
const TRADES_HEADER = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount';
const CENTS = 100;
/** Rows that are compressed together. */
const CHUNK = 50_000;

const amount = (draw: Rng): string => (draw.next() * 10 + 0.00001).toFixed(5);
const priceOf = (ticks: number): string => (ticks / CENTS).toFixed(2);

/** A row each second, at any time within it; the mid moves in half of them. */
export function writeQuotes(folder: string, symbol: string): void {
  const draw = rng(`bench/quotes/${symbol}`);
  const lines = [QUOTES_HEADER];
  let bid = 61_000 * CENTS;
  for (let second = 0; second < DAY_MS / 1_000; second += 1) {
    const us = FROM_US + second * 1_000_000 + draw.below(900_000);
    if (draw.next() < 0.5) bid += draw.below(11) - 5;
    const ask = bid + 1 + draw.below(4);
    const [asked, offered] = [amount(draw), amount(draw)];
    lines.push(
      `binance,${symbol},${us - 3_000},${us},${asked},${priceOf(ask)},${priceOf(bid)},${offered}`,
    );
  }
  const path = join(folder, `binance_quotes_${DATE}_${symbol}.csv.gz`);
  writeFileSync(path, gzipSync(`${lines.join('\n')}\n`));
}

/** `count` trades, evenly over the day. */
export async function writeTrades(folder: string, symbol: string, count: number): Promise<void> {
  const draw = rng(`bench/trades/${symbol}`);
  const gzip = createGzip({ level: 1 });
  const path = join(folder, `binance_trades_${DATE}_${symbol}.csv.gz`);
  const written = finished(gzip.pipe(createWriteStream(path)));
  gzip.write(`${TRADES_HEADER}\n`);
  const everyUs = (DAY_MS * 1_000) / count;
  for (let from = 0; from < count; from += CHUNK) {
    const lines: string[] = [];
    for (let row = from; row < Math.min(count, from + CHUNK); row += 1) {
      const us = FROM_US + Math.floor(row * everyUs);
      const side = draw.next() < 0.5 ? 'buy' : 'sell';
      const price = priceOf(61_000 * CENTS + draw.below(500));
      lines.push(
        `binance,${symbol},${us},${us},${row},${side},${price},0.${10_000 + draw.below(80_000)}`,
      );
    }
    if (!gzip.write(`${lines.join('\n')}\n`)) await new Promise((go) => gzip.once('drain', go));
  }
  gzip.end();
  await written;
}

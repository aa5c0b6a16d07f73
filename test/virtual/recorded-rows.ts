// Rows of a recording in short form, and a recorded day generated from a seed.

import type { RecordedInstrument } from '../../src/exchange/market/recorded-symbol.ts';
import { modelPrice, price, quantity, text } from '../../src/values/amounts.ts';
import { instrumentName } from '../../src/values/ids.ts';
import { type Instant, instant, later } from '../../src/values/instant.ts';
import type { RecordedEvent } from '../../src/values/recorded-event.ts';
import { rng } from '../../src/values/rng.ts';
import { spot } from '../support/engine/markets.ts';

export const SYMBOL = 'BTC-USD';
export const DAY = instant(Date.UTC(2024, 2, 1));

/** Ticks of 1, lots of 0.1. */
export const recordedSpot = (change: Partial<RecordedInstrument> = {}): RecordedInstrument => ({
  instrument: spot({
    name: instrumentName(SYMBOL),
    quote: 'USD' as never,
    settlement: 'USD' as never,
    tickSize: price('1'),
    amountStep: quantity('0.1'),
    minAmount: quantity('0.1'),
    contractSize: quantity('0.1'),
  }),
  recordedStep: quantity('0.1'),
  assumedLots: 100,
  ...change,
});

const stamp = (second: number) => {
  const at: Instant = later(DAY, second * 1_000);
  return { symbol: SYMBOL, atUs: at * 1_000, at };
};

/** A row of quotes `second` seconds into the day. */
export const book = (
  second: number,
  [bid, bidAmount]: readonly [number, string],
  [ask, askAmount]: readonly [number, string],
): RecordedEvent => ({
  ...stamp(second),
  kind: 'book',
  bids: [{ price: String(bid), amount: bidAmount }],
  asks: [{ price: String(ask), amount: askAmount }],
});

export const trade = (
  second: number,
  side: 'buy' | 'sell',
  [at, amount]: readonly [number, string],
): RecordedEvent => ({ ...stamp(second), kind: 'trade', side, price: String(at), amount });

export async function* inBatches(
  rows: readonly RecordedEvent[],
  size = 64,
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let at = 0; at < rows.length; at += size) {
    await Promise.resolve();
    yield rows.slice(at, at + size);
  }
}

/** A random walk with one row per second, occasional gaps, and trades on both sides. */
export function walk(seed: string, seconds: number): readonly RecordedEvent[] {
  const draw = rng(seed);
  const rows: RecordedEvent[] = [];
  let mid = 60_000;
  for (let second = 0; second < seconds; second += 1) {
    if (draw.next() < 0.01) second += draw.below(30);
    mid += Math.round(draw.normal() * 3);
    const half = 1 + draw.below(4);
    const size = () => text(modelPrice((1 + draw.below(50)) / 10));
    rows.push(book(second, [mid - half, size()], [mid + half, size()]));
    if (draw.next() < 0.4) {
      const side = draw.next() < 0.5 ? 'buy' : 'sell';
      rows.push(trade(second + 0.25, side, [mid + (side === 'buy' ? half : -half), size()]));
    }
  }
  return rows;
}

// Answers that need the tickers of a whole currency: hundreds of markets are read in small pieces, and everybody who
// asks within a second gets the same answer, so that their cost does not grow with the number of clients.

import type { Ticker } from '../../../ports/market-reads.ts';
import { type Instant, SECOND_MS } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Desks } from '../../desks/desks.ts';
import { readTickers } from '../../order-api/market/read-tickers.ts';
import { ReadyJson } from '../../wire/ready-json.ts';
import { summaryJson } from './deribit-book-json.ts';

interface Kept {
  readonly at: Instant;
  readonly json: Promise<ReadyJson>;
}

const KEPT_MAX = 32;

const keptOf = new WeakMap<Desks, Map<string, Kept>>();

export interface Question {
  /** Distinguishes one question from another. */
  readonly of: string;
  readonly now: Instant;
}

/** The answer that `make` gave within the last second, or gives now. */
export function sharedAnswer(
  orders: Desks,
  { of, now }: Question,
  make: () => Promise<ReadyJson>,
): Promise<ReadyJson> {
  const kept = keptOf.get(orders) ?? new Map<string, Kept>();
  keptOf.set(orders, kept);
  const known = kept.get(of);
  if (known !== undefined && Math.abs(now - known.at) < SECOND_MS) return known.json;
  const json = make();
  kept.delete(of);
  kept.set(of, { at: now, json });
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT_MAX) break;
    kept.delete(oldest);
  }
  // What failed is asked again by the next client. Unexamined: every caller gets the same promise, and so its error.
  json.catch(() => {
    if (kept.get(of)?.json === json) kept.delete(of);
  });
  return json;
}

/** Reads the ticker of every instrument in trading that is wanted, each once. */
export async function eachTicker(
  orders: Desks,
  isWanted: (instrument: Instrument) => boolean,
  visit: (instrument: Instrument, ticker: Ticker) => void,
): Promise<void> {
  for (const market of orders.markets()) {
    await readTickers(market, market.listed({ expired: false }).filter(isWanted), visit);
  }
}

export const summariesOf = (
  orders: Desks,
  wanted: Question & { readonly isWanted: (instrument: Instrument) => boolean },
): Promise<ReadyJson> =>
  sharedAnswer(orders, wanted, async () => {
    const rows: string[] = [];
    await eachTicker(orders, wanted.isWanted, (instrument, ticker) => {
      rows.push(JSON.stringify(summaryJson(instrument, ticker)));
    });
    return new ReadyJson(Buffer.from(`[${rows.join(',')}]`));
  });

// Deribit's channels of an index: its price, its volatility, the estimate of the next delivery, and the mark prices of
// its options. Decisions: prices of an index are published every second at most; mark prices of options every five
// seconds, those that have changed; outside the half hour before an expiry the estimate is the index.

import { decimalNumber, modelNumber, orZero } from '../../../ports/deribit-wire/json-number.ts';
import type { MarketReads } from '../../../ports/market-reads.ts';
import { HOUR_MS, type Instant, later, SECOND_MS } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { Paced } from '../../order-api/channels/paced.ts';
import { readTickers } from '../../order-api/market/read-tickers.ts';
import type { OpenSource } from './channel-fan-out.ts';
import { type OfMarket, tickerSource } from './market-sources.ts';

export interface OfIndex extends OfMarket {
  readonly index: string;
  readonly now: () => Instant;
}

/** What the index is read from: its perpetual if it has one, because that never expires. */
export function leaderOf(
  markets: readonly MarketReads[],
  index: string,
): { readonly market: MarketReads; readonly instrument: Instrument } | undefined {
  for (const market of markets) {
    const members = membersOf(market, index);
    const instrument = members.find(({ kind }) => kind === 'perpetual') ?? members[0];
    if (instrument !== undefined) return { market, instrument };
  }
  return undefined;
}

const membersOf = (market: MarketReads, index: string): readonly Instrument[] =>
  market.listed({ expired: false }).filter(({ indexName }) => indexName === index);

export const indexPrices = (of: OfIndex): OpenSource =>
  tickerSource(of, {
    intervalMs: SECOND_MS,
    viewOf: ({ index, at }) => ({
      index_name: of.index,
      price: orZero(index),
      timestamp: at,
    }),
  });

/** Publishes what `read` gives at every interval, if it has changed. */
const polled =
  (
    everyMs: number,
    {
      read,
      onFault,
    }: { readonly read: () => Promise<unknown>; readonly onFault: OfIndex['onFault'] },
  ): OpenSource =>
  (publish) => {
    let last: string | undefined;
    let isClosed = false;
    const flush = async (): Promise<void> => {
      const data = await read();
      if (isClosed || data === undefined) return;
      const text = JSON.stringify(data);
      if (text === last) return;
      last = text;
      publish(text);
    };
    const paced = new Paced({ intervalMs: 1, flush, onFault });
    paced.mark();
    const timer = setInterval(() => paced.mark(), everyMs);
    timer.unref();
    const leave = (): void => {
      isClosed = true;
      clearInterval(timer);
      paced.stop();
    };
    return { leave, present: () => last, markets: 1 };
  };

/** `undefined` if the market has no volatility index. */
export const volatilities = ({ market, index, now, onFault }: OfIndex): OpenSource =>
  polled(SECOND_MS, {
    onFault,
    read: async () => {
      const at = now();
      const span = { from: at, until: later(at, 1), everyMs: 1 };
      const [bar] = (await market.history('volatility', { index, ...span })) ?? [];
      if (bar === undefined) return undefined;
      return { index_name: index, volatility: modelNumber(bar.close, 2), timestamp: at };
    },
  });

const WINDOW_MS = HOUR_MS / 2;

export const expiryEstimates = (of: OfIndex): OpenSource =>
  polled(SECOND_MS, {
    onFault: of.onFault,
    read: async () => {
      const at = of.now();
      const next = nextExpiry(membersOf(of.market, of.index), at);
      const leftMs = (next?.expiresAt ?? at) - at;
      const isAveraged = next !== undefined && leftMs <= WINDOW_MS;
      const ticker = await of.market.ticker(isAveraged ? next.name : of.instrument.name);
      if (ticker === undefined) return undefined;
      const price = isAveraged ? ticker.estimatedDeliveryPrice : ticker.index;
      return {
        price: orZero(price ?? ticker.index),
        seconds: Math.floor(leftMs / SECOND_MS),
        is_estimated: isAveraged,
        ...(isAveraged && ticksOf(leftMs)),
      };
    },
  });

/** The average has a sample every four seconds. */
const TICK_MS = 4 * SECOND_MS;
const ticksOf = (leftMs: number) => ({
  left_ticks: Math.ceil(leftMs / TICK_MS),
  total_ticks: WINDOW_MS / TICK_MS,
});

function nextExpiry(members: readonly Instrument[], now: Instant): Instrument | undefined {
  let next: Instrument | undefined;
  for (const one of members) {
    if (one.expiresAt === undefined || one.expiresAt <= now) continue;
    if (next?.expiresAt === undefined || one.expiresAt < next.expiresAt) next = one;
  }
  return next;
}

const MARKS_MS = 5 * SECOND_MS;
/** What reading all options of an index costs, as followed markets. */
export const OPTIONS_COST = 50;

export const optionMarks =
  (of: OfIndex): OpenSource =>
  (publish) => {
    const shown = new Map<string, string>();
    const source = polled(MARKS_MS, {
      onFault: of.onFault,
      read: async () => {
        const options = membersOf(of.market, of.index).filter(({ option }) => option !== undefined);
        const rows: unknown[] = [];
        await readTickers(of.market, options, ({ name }, ticker) => {
          if (ticker.mark === undefined) return;
          const iv = ticker.markIv ?? 0;
          const row = { instrument_name: name, mark_price: decimalNumber(ticker.mark) };
          const text = JSON.stringify({ ...row, iv });
          if (shown.get(name) !== text) {
            rows.push({ ...row, iv: modelNumber(iv, 4), timestamp: ticker.at });
          }
          shown.set(name, text);
        });
        for (const name of shown.keys()) {
          if (!options.some((one) => one.name === name)) shown.delete(name);
        }
        return rows.length === 0 ? undefined : rows;
      },
    })(publish);
    return source && { leave: source.leave, markets: OPTIONS_COST };
  };

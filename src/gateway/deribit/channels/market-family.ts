// Deribit's public channels: `book.BTC-PERPETUAL.100ms`, `deribit_price_index.btc_usd`, `instrument.state.any.any`.
// Decisions: `announcements` and `platform_state` are granted and never publish, because nothing is announced and no index
// is ever locked; `platform_state.public_methods_state` says once that everybody may call the public methods.

import { type Instant, later, SECOND_MS } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import {
  type Channel,
  INTERVAL_MS,
  isRaw,
  parseChannel,
} from '../../order-api/channels/channel.ts';
import { Paced } from '../../order-api/channels/paced.ts';
import { findInstrument } from '../../order-api/find-instrument.ts';
import { KINDS } from '../../order-api/param-fields.ts';
import { candleJson } from '../market/deribit-history-json.ts';
import { RESOLUTIONS } from '../market/deribit-tape-methods.ts';
import { isOfMarket } from '../method/instrument-params.ts';
import { type OpenSource, SharedChannels } from './channel-fan-out.ts';
import type { ChannelFamily, ChannelOpening, FamilyParts, OpenChannel } from './deribit-channel.ts';
import {
  expiryEstimates,
  indexPrices,
  leaderOf,
  type OfIndex,
  optionMarks,
  volatilities,
} from './index-sources.ts';
import { instrumentStates, newInstruments, type OfListing } from './listing-sources.ts';
import {
  books,
  groupedBooks,
  incrementalTickers,
  type OfMarket,
  perpetuals,
  quotes,
  tickers,
  trades,
} from './market-sources.ts';

type MarketChannel = Extract<
  Channel,
  { readonly kind: 'ticker' | 'quote' | 'book' | 'grouped_book' | 'trades' }
>;

const KINDS_HERE: ReadonlySet<string> = new Set([
  'ticker',
  'quote',
  'book',
  'grouped_book',
  'trades',
]);

const PERPETUAL = /^perpetual\.([\w-]{2,64})\.(raw|100ms|agg2)$/;
const INCREMENTAL = /^incremental_ticker\.([\w-]{2,64})$/;
const CHART = /^chart\.trades\.([\w-]{2,64})\.(\w{1,4})$/;
const LISTING = /^instrument\.(state|creation)\.(\w{2,16})\.(\w{2,12})$/;
const INDEX =
  /^(deribit_price_index|deribit_volatility_index|estimated_expiration_price|markprice\.options)\.(\w{2,32})$/;
const SILENT: ReadonlySet<string> = new Set(['announcements', 'platform_state']);
const PUBLIC_METHODS = 'platform_state.public_methods_state';

const INDEX_SOURCES: Readonly<Record<string, (of: OfIndex) => OpenSource>> = {
  deribit_price_index: indexPrices,
  deribit_volatility_index: volatilities,
  estimated_expiration_price: expiryEstimates,
  'markprice.options': optionMarks,
};

export class MarketFamily implements ChannelFamily {
  readonly #parts: Pick<FamilyParts, 'orders' | 'now'>;
  readonly #shared: SharedChannels;
  readonly #onFault: (error: unknown) => void;

  constructor({ orders, now, report }: Pick<FamilyParts, 'orders' | 'now' | 'report'>) {
    this.#parts = { orders, now };
    this.#onFault = (error) => report(error, 'channel');
    this.#shared = new SharedChannels(this.#onFault);
  }

  isRaw(name: string): boolean {
    const channel = marketChannel(name);
    return channel === undefined ? PERPETUAL.exec(name)?.[2] === 'raw' : isRaw(channel);
  }

  open(name: string, { publish }: ChannelOpening): OpenChannel | undefined {
    if (SILENT.has(name)) return NOTHING;
    if (name === PUBLIC_METHODS) {
      publish('{"allow_unauthenticated_public_requests":true}');
      return NOTHING;
    }
    const source = this.#sourceOf(name);
    return source && this.#shared.join(name, publish, source);
  }

  close(): void {
    this.#shared.close();
  }

  #sourceOf(name: string): OpenSource | undefined {
    const channel = marketChannel(name);
    if (channel !== undefined) return this.#marketSource(channel);
    const [, perpetual, interval] = PERPETUAL.exec(name) ?? [];
    if (perpetual !== undefined && interval !== undefined) {
      const of = this.#marketOf(perpetual);
      const intervalMs = INTERVAL_MS[interval as keyof typeof INTERVAL_MS];
      return of?.instrument.kind === 'perpetual' ? perpetuals(of, intervalMs) : undefined;
    }
    const [, ticker] = INCREMENTAL.exec(name) ?? [];
    if (ticker !== undefined) {
      const of = this.#marketOf(ticker);
      return of && incrementalTickers(of);
    }
    const [, charted, word = ''] = CHART.exec(name) ?? [];
    if (charted !== undefined) {
      const of = this.#marketOf(charted);
      const everyMs = RESOLUTIONS.get(word);
      return of && of.instrument.isRouted !== true && everyMs !== undefined
        ? candles(of, { everyMs, now: this.#parts.now })
        : undefined;
    }
    return this.#indexSource(name) ?? this.#listingSource(name);
  }

  #marketSource(channel: MarketChannel): OpenSource | undefined {
    if (channel.kind === 'trades') return trades(this.#parts.orders, channel, this.#onFault);
    const of = this.#marketOf(channel.instrument);
    if (of === undefined) return undefined;
    switch (channel.kind) {
      case 'ticker':
        return tickers(of, channel);
      case 'quote':
        return quotes(of);
      case 'book':
        return books(of, channel);
      case 'grouped_book':
        return groupedBooks(of, channel);
    }
  }

  #indexSource(name: string): OpenSource | undefined {
    const [, what = '', index] = INDEX.exec(name) ?? [];
    if (index === undefined) return undefined;
    const { orders, now } = this.#parts;
    const leader = leaderOf(orders.markets(), index);
    return leader && INDEX_SOURCES[what]?.({ ...leader, index, now, onFault: this.#onFault });
  }

  #listingSource(name: string): OpenSource | undefined {
    const [, what, kind = '', code = ''] = LISTING.exec(name) ?? [];
    const kinds = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
    if (what === undefined || kinds === undefined) return undefined;
    const listing: OfListing = {
      of: this.#parts.orders,
      now: this.#parts.now,
      isWanted: (one) => isOfMarket(one, { kinds }) && (code === 'any' || code === one.settlement),
    };
    return what === 'state' ? instrumentStates(listing) : newInstruments(listing);
  }

  #marketOf(name: string): OfMarket | undefined {
    const found = findInstrument(this.#parts.orders.markets(), name as Instrument['name']);
    return found && { ...found, onFault: this.#onFault };
  }
}

const NOTHING: OpenChannel = { leave: () => undefined, markets: 0 };

function marketChannel(name: string): MarketChannel | undefined {
  const channel = parseChannel(name);
  if (channel === undefined || !KINDS_HERE.has(channel.kind)) return undefined;
  return channel as MarketChannel;
}

/** Deribit's channel of candles: the candle of the present period whenever a trade changes it, once a second at most. */
const candles =
  (
    { market, instrument, onFault }: OfMarket,
    { everyMs, now }: { readonly everyMs: number; readonly now: () => Instant },
  ): OpenSource =>
  (publish) => {
    let last: string | undefined;
    const flush = async (): Promise<void> => {
      const at = now();
      const span = { from: at, until: later(at, 1), everyMs };
      const found = await market.history('candles', { instrument: instrument.name, ...span });
      const candle = found?.at(-1);
      const text = candle && JSON.stringify(candleJson(candle));
      if (text === undefined || text === last) return;
      last = text;
      publish(text);
    };
    const paced = new Paced({ intervalMs: SECOND_MS, flush, onFault });
    paced.mark();
    const unfollow = market.follow(instrument.name, (news) => {
      if (news.kind === 'trade') paced.mark();
    });
    const leave = (): void => {
      unfollow();
      paced.stop();
    };
    return { leave, present: () => last, markets: 1 };
  };

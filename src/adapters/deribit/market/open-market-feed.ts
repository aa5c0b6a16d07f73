// The public market of a Deribit venue without an account: for a paper venue on live prices, and for the recorder.
import type { Clock } from '../../../ports/clock.ts';
import { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { MarketReads } from '../../../ports/market-reads.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Rng } from '../../../values/rng.ts';
import type { SessionRules } from '../session/rpc-session.ts';
import { Sessions } from '../session/sessions.ts';
import { openSocket } from '../session/venue-socket.ts';
import { DeribitMarket } from './deribit-market.ts';
import type { InstrumentCatalogue } from './instrument-catalogue.ts';
import type { QuoteBoard } from './quote-board.ts';

export interface MarketFeedOptions {
  /** Of the WebSocket. */
  readonly url: string;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly rules?: Partial<SessionRules>;
  /** Throws if the venue is not the one that is meant. */
  readonly checkVenue?: (testnet: boolean | undefined) => void;
  /** Receives broken connections, and messages that cannot be read. */
  readonly onFault: (error: unknown) => void;
}

export interface MarketFeed {
  readonly market: MarketReads;
  readonly instruments: InstrumentCatalogue;
  readonly quotes: QuoteBoard;
  /** What was sent beyond what is known, and what could not be read. */
  readonly counts: ReadonlyMap<string, number>;
  /** Settled when the instruments were listed for the first time. */
  readonly ready: Promise<void>;
  venueNow(): Instant;
  /** Why there is no market data, or nothing is traded there; of an index, of what depends on it. */
  trouble(indexName?: string): string | undefined;
  close(): void;
}

const RULES: SessionRules = {
  timeoutMs: 10_000,
  probeMs: 10_000,
  heartbeatSec: 10,
  backoff: { minMs: 500, maxMs: 30_000, heldMs: 10_000 },
};

/** Connects at once, and again after every break, until it is closed. */
export function openMarketFeed(options: MarketFeedOptions): MarketFeed {
  const { url, clock, rng, onFault } = options;
  const tally = new WireTally(() => undefined);
  const ready = Promise.withResolvers<void>();
  const nothing = new Map<number, never>();
  const market: DeribitMarket = new DeribitMarket({
    clock,
    rng,
    tally,
    onFault,
    request: (method, params) => sessions.requestMarket(method, params),
    venueNow: () => sessions.venueNow(),
    own: { inBook: () => nothing },
  });
  const sessions: Sessions = new Sessions({
    url,
    open: openSocket,
    clock,
    rng,
    tally,
    onFault,
    accounts: [],
    accountChannels: [],
    rules: { ...RULES, ...options.rules },
    checkVenue: options.checkVenue ?? (() => undefined),
    identify: () => Promise.resolve(),
    greetMarket: (request) => market.greet(request),
    prepareAccount: () => Promise.resolve(),
    onMarketUp: () => {
      market.up();
      ready.resolve();
    },
    onMarketDown: () => market.down(),
    onMarketMessage: (channel, data) => market.receive(channel, data),
    onAccountUp: () => undefined,
    onAccountDown: () => undefined,
    onAccountMessage: () => undefined,
    onAccountUnreadable: () => undefined,
  });
  return {
    market: market.desk,
    instruments: market.instruments,
    quotes: market.quotes,
    counts: tally.counts,
    ready: ready.promise,
    venueNow: () => sessions.venueNow(),
    trouble: (indexName) => sessions.trouble() ?? market.platform.trouble(indexName),
    close: () => {
      market.close();
      sessions.close();
    },
  };
}

// Opens the market of a paper exchange on live prices: the public channels of a live venue, without a key. Every instrument
// that was needed once stays followed until it expires, so that positions keep their marks.
import { randomUUID } from 'node:crypto';
import { followRows } from '../../adapters/deribit/market/live-rows.ts';
import { type MarketFeed, openMarketFeed } from '../../adapters/deribit/market/open-market-feed.ts';
import { checkVenue } from '../../adapters/deribit/venue-check.ts';
import { LiveFedMarket } from '../../exchange/market/live-fed-market.ts';
import type { Clock } from '../../ports/clock.ts';
import { text } from '../../values/amounts.ts';
import type { InstrumentName } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import { rng } from '../../values/rng.ts';
import { placeOf } from '../config/rules/venue-place.ts';
import type { LiveMarketSection } from '../config/sections/market-section.ts';

export interface LiveMarketOptions {
  readonly clock: Clock;
  /** Called for a failure that is handled: a broken connection, a malformed message. */
  readonly report: (error: unknown) => void;
}

export interface OpenLiveMarket {
  readonly market: LiveFedMarket;
  readonly host: string;
  /** Why there are no prices. */
  readonly trouble: () => string | undefined;
  close(): Promise<void>;
}

/** Longest wait for the instruments. */
const READY_MS = 30_000;
/** Beyond it, of those not in use the one that was needed longest ago is no longer followed. */
const FOLLOWED_MAX = 150;

/** Rejects if the instruments cannot be listed: positions in them could not be valued. */
export async function openLiveMarket(
  section: LiveMarketSection,
  { clock, report }: LiveMarketOptions,
): Promise<OpenLiveMarket> {
  const { environment = section.url === undefined ? 'production' : undefined } = section;
  const place = placeOf({ environment, url: section.url });
  const { url: trading, marketUrl: url = trading, expected } = place;
  const { host } = new URL(url);
  const feed = openMarketFeed({
    url,
    clock,
    rng: rng(randomUUID()),
    onFault: report,
    // Reading real prices costs nothing.
    checkVenue: (testnet) => checkVenue({ expected, url, allowsLive: true }, testnet),
  });
  const followed = new Map<InstrumentName, () => void>();
  const close = (): Promise<void> => {
    for (const leave of followed.values()) leave();
    feed.close();
    return Promise.resolve();
  };
  const inUse = new Set<InstrumentName>();
  const leaveOldest = (): void => {
    const oldest = followed.entries().find(([name]) => !inUse.has(name));
    if (followed.size <= FOLLOWED_MAX || oldest === undefined) return;
    const [name, leave] = oldest;
    leave();
    followed.delete(name);
  };
  const market = new LiveFedMarket({
    listed: () => feed.instruments.listed(feed.venueNow()),
    holeMs: section.maxGapSec * 1_000,
    onStart: (name) => {
      const leave =
        followed.get(name) ??
        followRows(name, { quotes: feed.quotes, clock, listener: (rows) => market.feed(rows) });
      // Moved to the end: needed last.
      followed.delete(name);
      followed.set(name, leave);
      inUse.add(name);
      leaveOldest();
    },
    onStop: (name) => inUse.delete(name),
  });
  try {
    await ready(feed, clock, host);
    await noteIndexes(feed, market, report);
    const trouble = (): string | undefined => {
      const why = feed.trouble();
      return why === undefined ? undefined : `live prices of ${host}: ${why}`;
    };
    return { market, host, trouble, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function ready(feed: MarketFeed, clock: Clock, host: string): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const stop = clock.at(later(clock.now(), READY_MS), () =>
    reject(new Error(`the market of ${host} cannot be read: ${feed.trouble() ?? 'no answer'}`)),
  );
  try {
    await Promise.race([feed.ready, late]);
  } finally {
    stop();
  }
}

/** Of everything that can expire, known before anything does. */
async function noteIndexes(
  { market, instruments, venueNow }: MarketFeed,
  to: LiveFedMarket,
  report: (error: unknown) => void,
): Promise<void> {
  const now = venueNow();
  const all = [...instruments.listed(now), ...instruments.expired(now)];
  const expiring = all.filter(({ expiresAt }) => expiresAt !== undefined);
  for (const name of new Set(expiring.map(({ indexName }) => indexName))) {
    try {
      const price = await market.index(name);
      if (price !== undefined) to.noteIndex(name, text(price));
    } catch (error) {
      report(error);
    }
  }
}

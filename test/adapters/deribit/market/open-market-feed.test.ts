// The market feed of the Deribit adapter over a real socket, from a paper exchange that speaks Deribit's wire.
import { afterEach, describe, expect, test } from 'vitest';
import {
  type MarketFeed,
  openMarketFeed,
} from '../../../../src/adapters/deribit/market/open-market-feed.ts';
import type { MarketNews } from '../../../../src/ports/market-reads.ts';
import { quantity, ratio, scaled, text } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import { instrumentName } from '../../../../src/values/ids.ts';
import { HOUR_MS, later, MINUTE_MS } from '../../../../src/values/instant.ts';
import { onTick } from '../../../../src/values/instrument.ts';
import { rng } from '../../../../src/values/rng.ts';
import { openVenue } from '../../../support/engine/venue-records.ts';
import { anOrder, BTC, OTHER } from '../../paper/paper-stage.ts';
import { type ServeDeribitOptions, type ServedDeribit, serveDeribit } from '../deribit-stage.ts';

interface Scene {
  readonly served: ServedDeribit;
  readonly feed: MarketFeed;
  readonly faults: unknown[];
}

/** The exchange grants a stranger some fifty channels: three of each, and its own three. */
const AT_ONCE = 15;

const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(options: ServeDeribitOptions = {}): Promise<ServedDeribit> {
  const served = await serveDeribit(options);
  closers.push(() => served.close());
  return served;
}

async function scene(options: ServeDeribitOptions = {}): Promise<Scene> {
  const served = await serve(options);
  const faults: unknown[] = [];
  const feed = openMarketFeed({
    url: served.url,
    clock: served.clock,
    rng: rng('feed'),
    rules: { timeoutMs: 30_000, backoff: { minMs: 20, maxMs: 200, heldMs: 1_000 } },
    onFault: (error) => faults.push(error),
  });
  closers.push(() => feed.close());
  await feed.ready;
  return { served, feed, faults };
}

const untilQuoted = async (feed: MarketFeed, name = BTC) => {
  await expect.poll(() => feed.quotes.quote(name)).toBeDefined();
  return must(feed.quotes.quote(name), 'a quote');
};

describe('a market feed', () => {
  test('lists every instrument of the exchange with the same terms', async () => {
    const { served, feed, faults } = await scene();
    const theirs = served.venue.instruments();
    expect(feed.market.listed({ expired: false })).toHaveLength(theirs.length);
    for (const one of theirs) expect(feed.market.instrument(one.name)).toEqual(one);
    expect(feed.market.indexNames()).toContain('btc_usd');
    expect([faults, [...feed.counts]]).toEqual([[], []]);
  });

  test('quotes what the exchange quotes, of every kind of instrument', async () => {
    const { served, feed, faults } = await scene();
    const kinds = new Map(served.venue.instruments().map((one) => [one.kind, one.name]));
    const names = [BTC, ...kinds.values()];
    for (const name of names) closers.push(feed.quotes.watch(name), served.venue.watch(name));
    for (const name of names) {
      const quote = await untilQuoted(feed, name);
      const theirs = must(served.venue.quote(name), 'their quote');
      expect(quote.mark && text(quote.mark)).toMatch(/^-?\d/);
      expect(Object.keys(quote).sort()).toEqual(
        expect.arrayContaining(['bid', 'ask', 'mark', 'index', 'minPrice', 'maxPrice', 'seenAt']),
      );
      expect(quote.markIv === undefined).toBe(theirs.markIv === undefined);
      expect(quote.greeks === undefined).toBe(theirs.greeks === undefined);
      expect(quote.underlying === undefined).toBe(theirs.underlying === undefined);
    }
    expect(faults).toEqual([]);
  });

  test('follows the book as orders change it, and counts what is traded', async () => {
    const { served, feed } = await scene();
    const news: MarketNews[] = [];
    closers.push(feed.market.follow(BTC, (one) => news.push(one)));
    const before = await untilQuoted(feed);
    const bid = must(before.bid, 'a bid');
    const better = anOrder(served.venue, { price: bid.price, quantity: quantity('7770') });
    const venue = openVenue(served.venue);
    expect((await venue.place(better)).kind).toBe('done');
    const ask = must(before.ask, 'an ask');
    const terms = must(served.venue.instrument(BTC), 'its terms');
    const taker = anOrder(served.venue, {
      side: 'buy',
      account: OTHER,
      quantity: quantity('500'),
      price: onTick(terms, scaled(ask.price, ratio('1.005')), 'down'),
    });
    expect((await venue.place(taker)).kind).toBe('done');
    await expect.poll(() => news.some(({ kind }) => kind === 'trade')).toBe(true);
    await expect
      .poll(() => feed.quotes.quote(BTC)?.traded?.toNumber() ?? 0)
      .toBeGreaterThanOrEqual(500);
    const book = must(await feed.market.book(BTC, 1_000), 'a book');
    expect(book.bids.some((level) => level.quantity.gte(7_770))).toBe(true);
  });

  test('answers queries of tickers, books, indices and the past', async () => {
    const { served, feed, faults } = await scene();
    const { market } = feed;
    const ticker = must(await market.ticker(BTC), 'a ticker');
    expect([ticker.instrument, ticker.state]).toEqual([BTC, 'open']);
    const book = must(await market.book(BTC, 7), 'a book');
    expect([book.bids.length, book.asks.length]).toEqual([7, 7]);
    expect(text(must(await market.index('btc_usd'), 'an index'))).toMatch(/^\d+/);
    const until = served.clock.now();
    const span = { from: later(until, -6 * HOUR_MS), until };
    const tape = await market.history('tape', {
      instruments: [BTC],
      ...span,
      count: 50,
      order: 'desc',
    });
    expect(tape?.trades).toHaveLength(50);
    const candles = await market.history('candles', {
      instrument: BTC,
      ...span,
      everyMs: 5 * MINUTE_MS,
    });
    expect(candles?.length).toBeGreaterThanOrEqual(71);
    const funding = await market.history('funding', { instrument: BTC, ...span });
    expect(funding).toHaveLength(6);
    expect(await market.history('fundingPaid', { instrument: BTC, ...span })).toBeTypeOf('number');
    const deliveries = await market.history('deliveries', {
      index: 'btc_usd',
      offset: 0,
      count: 3,
    });
    expect(deliveries?.prices).toHaveLength(3);
    expect(deliveries?.prices[0]?.at).toBeTypeOf('number');
    const volatility = await market.history('volatility', {
      index: 'btc_usd',
      ...span,
      everyMs: HOUR_MS,
    });
    expect(volatility?.length).toBeGreaterThanOrEqual(6);
    const realised = await market.history('realised', { index: 'btc_usd' });
    expect(realised?.length).toBeGreaterThan(0);
    expect(await market.history('marks', { instrument: BTC, ...span, everyMs: MINUTE_MS })).toBe(
      undefined,
    );
    expect(faults).toEqual([]);
  });

  test('knows nothing of an instrument or an index that is not listed', async () => {
    const { feed } = await scene();
    const nothing = instrumentName('BTC-NOTHING');
    expect(await feed.market.ticker(nothing)).toBeUndefined();
    expect(await feed.market.book(nothing, 5)).toBeUndefined();
    expect(await feed.market.index('nothing_usd')).toBeUndefined();
    expect(feed.quotes.quote(nothing)).toBeUndefined();
  });

  test('follows many instruments that come and go within the credits that the venue counts', async () => {
    const { served, feed, faults } = await scene({
      limits: { deribit: { credits: 'on', tier: 4 } },
    });
    const names = served.venue
      .instruments()
      .slice(0, AT_ONCE)
      .map(({ name }) => name);
    for (let round = 0; round < 8; round += 1) {
      const leaves = names.map((name) => feed.quotes.watch(name));
      await untilQuoted(feed, must(names[round], 'a name'));
      for (const leave of leaves) leave();
    }
    for (const name of names) closers.push(feed.quotes.watch(name));
    for (const name of names) await untilQuoted(feed, name);
    expect([faults, served.reported]).toEqual([[], []]);
  });

  test('quotes nothing while the exchange is away, and quotes again when it is back', async () => {
    const { served, feed } = await scene();
    closers.push(feed.quotes.watch(BTC));
    await untilQuoted(feed);
    expect(feed.trouble()).toBeUndefined();
    await served.close();
    closers.shift();
    await expect.poll(() => feed.trouble()).toBeDefined();
    expect(feed.quotes.quote(BTC)).toBeUndefined();
    await serve({ port: served.port, clock: served.clock });
    await untilQuoted(feed);
    expect(feed.trouble()).toBeUndefined();
  });
});

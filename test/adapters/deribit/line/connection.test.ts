// A connection that breaks, stops answering, is refused or disagrees about the time, at a real exchange behind a proxy.
import { afterEach, describe, expect, test } from 'vitest';
import type { DeribitVenue } from '../../../../src/adapters/deribit/deribit-venue.ts';
import type { OrderRecord } from '../../../../src/core/order/order-record.ts';
import { MarketUnanswered } from '../../../../src/ports/market-reads.ts';
import { tradesSince } from '../../../../src/ports/trades-since.ts';
import type { VenueNotice } from '../../../../src/ports/trading-desk.ts';
import { price, ratio, scaled } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import { instant, later } from '../../../../src/values/instant.ts';
import { passiveTick } from '../../../../src/values/instrument.ts';
import { ACCOUNT, anOrder, BTC, OTHER, type StageOrder } from '../../paper/paper-stage.ts';
import { until } from '../../until.ts';
import { connectTo } from '../connect-deribit.ts';
import { KEY, noonClock, serveDeribit } from '../deribit-stage.ts';
import { CuttingProxy } from './cutting-proxy.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A cut is detected at once; an answer may take as long as a busy machine needs. */
const RULES = {
  timeoutMs: 30_000,
  probeMs: 30_000,
  backoff: { minMs: 10, maxMs: 100, heldMs: 1_000 },
};
/** Where silence has to be detected. */
const IMPATIENT = { ...RULES, timeoutMs: 500, probeMs: 200 };

async function staged(options: Parameters<typeof connectTo>[1] = {}) {
  const exchange = await serveDeribit();
  closers.push(() => exchange.close());
  const proxy = await CuttingProxy.to(exchange.port);
  closers.push(() => proxy.close());
  const connected = await connectTo(proxy.url, { rules: RULES, ...options });
  closers.push(() => connected.venue.close());
  return { exchange, proxy, ...connected };
}

/** A buy of the perpetual, two percent below the bid. */
async function restingOrder(venue: DeribitVenue): Promise<StageOrder> {
  venue.watch(BTC);
  await until(() => venue.quote(BTC)?.bid !== undefined);
  const terms = must(venue.instrument(BTC), 'listed');
  const bid = must(venue.quote(BTC)?.bid, 'a bid').price;
  const at = passiveTick(terms, 'buy', scaled(bid, ratio('0.98')));
  return anOrder(venue, { instrument: BTC, quantity: terms.minAmount, price: at });
}

describe('a connection', () => {
  test('a request that is cut off because the venue is closed is no fault', async () => {
    const { venue, faults } = await staged();
    // After this refusal the adapter reads the instrument again.
    const refused = await venue.place(anOrder(venue, { price: price('89000.1') }));
    expect(refused).toMatchObject({ kind: 'refused', code: 10043 });
    await venue.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(faults).toEqual([]);
  });

  test('a connection that breaks drops its quotes, sends nothing, and publishes its return', async () => {
    const { venue, proxy } = await staged();
    const order = await restingOrder(venue);
    const heard: VenueNotice[] = [];
    venue.subscribe((notice) => heard.push(notice));
    proxy.goDown();
    // Each account has its own connection: the last to detect the break may be the one with the quotes.
    await until(() => venue.trouble() !== undefined && venue.quote(BTC) === undefined);
    await expect(venue.market.ticker(BTC)).rejects.toThrow(MarketUnanswered);
    expect(await venue.place(order)).toMatchObject({ kind: 'refused', class: 'later' });
    expect(await venue.reconcile(order)).toMatchObject({ kind: 'refused' });
    expect(await venue.openOrders({ account: ACCOUNT })).toMatchObject({ kind: 'refused' });
    expect(await tradesSince(venue, ACCOUNT, instant(0))).toMatchObject({ kind: 'refused' });
    expect(await venue.positions({ account: ACCOUNT })).toMatchObject({ kind: 'refused' });
    expect((venue.instruments() ?? []).length).toBeGreaterThan(0);
    proxy.restore();
    await until(() => venue.trouble() === undefined && venue.quote(BTC)?.bid !== undefined);
    const returns = heard.flatMap((one) => (one.kind === 'reconnected' ? [one.accounts] : []));
    // One of each account, and one of the market, which is of no account.
    for (const accounts of [[ACCOUNT], [OTHER], []]) expect(returns).toContainEqual(accounts);
    expect(await venue.reconcile(order)).toMatchObject({ kind: 'done', value: { orders: [] } });
    const valid = { ...order, validUntil: later(venue.venueNow(), 60_000) };
    expect(await venue.place(valid)).toMatchObject({ kind: 'done' });
  });

  test('a connection that stops answering is replaced, and an order sent on it is unknown until a query finds it', async () => {
    const { venue, proxy } = await staged({ rules: IMPATIENT });
    const order = await restingOrder(venue);
    proxy.arm('silence_after_request');
    expect(await venue.place(order)).toMatchObject({ kind: 'unknown' });
    let found: readonly OrderRecord[] = [];
    await until(async () => {
      const answer = await venue.reconcile(order);
      if (answer.kind === 'done') found = answer.value.orders;
      return found.length > 0;
    });
    expect(found).toMatchObject([{ state: 'open', label: order.label }]);
  });

  test('a detached account keeps its orders although they are cancelled on disconnect', async () => {
    const { venue, exchange } = await staged({ cancelOnDisconnect: true });
    const order = await restingOrder(venue);
    expect(await venue.place(order)).toMatchObject({ kind: 'done' });
    await venue.detach(ACCOUNT);
    expect(await venue.openOrders({ account: ACCOUNT })).toMatchObject({ kind: 'refused' });
    await venue.attach(ACCOUNT);
    // What a broken connection cancels, the exchange has cancelled before the next one is logged in.
    expect(await venue.openOrders({ account: ACCOUNT })).toMatchObject({ value: [{}] });
    expect(await exchange.venue.openOrders({ account: ACCOUNT })).toMatchObject({ value: [{}] });
  });

  test('a venue that is opened without accounts has its markets, and an account once that is attached', async () => {
    const { venue } = await staged({ attaches: false });
    expect(venue.trouble()).toBeUndefined();
    expect(venue.instrument(BTC)).toBeDefined();
    expect(venue.rateBudgets()).toEqual([]);
    expect(await venue.openOrders({ account: ACCOUNT })).toMatchObject({
      kind: 'refused',
      class: 'later',
    });
    await venue.attach(ACCOUNT);
    expect(await venue.openOrders({ account: ACCOUNT })).toMatchObject({ kind: 'done' });
    expect(new Set(venue.rateBudgets().map(({ account }) => account))).toEqual(new Set([ACCOUNT]));
  });

  test('a connection that is lost has its orders cancelled exactly if cancel on disconnect is set', async () => {
    const { venue, proxy, exchange } = await staged({ cancelOnDisconnect: true });
    const order = await restingOrder(venue);
    expect(await venue.place(order)).toMatchObject({ value: { order: { state: 'open' } } });
    proxy.cut();
    const { account, label } = order;
    await until(async () => {
      const reply = await exchange.venue.ordersLabelled({ account, label });
      return reply.kind === 'done' && reply.value[0]?.cancelReason === 'cancel_on_disconnect';
    });
    const { venue: without, proxy: other, exchange: second } = await staged();
    const kept = await restingOrder(without);
    expect(await without.place(kept)).toMatchObject({ value: { order: { state: 'open' } } });
    other.cut();
    await until(async () => (await without.reconcile(kept)).kind === 'done');
    const open = await second.venue.openOrders({ account });
    expect(open).toMatchObject({ kind: 'done', value: [{ label: kept.label, state: 'open' }] });
  });

  test('a connection with a secret that the venue does not know is reported once, with the reason', async () => {
    const exchange = await serveDeribit();
    closers.push(() => exchange.close());
    const clientSecret = Buffer.from('another secret of this desk').toString('base64');
    const accounts = [
      { account: ACCOUNT, key: { kind: 'deribit', clientId: KEY.id, clientSecret } } as const,
    ];
    const stranger = await connectTo(exchange.url, { accounts, rules: RULES, firstWaitMs: 200 });
    closers.push(() => stranger.venue.close());
    await until(() => stranger.venue.trouble()?.includes('13004') === true);
    // The connection of the market and that of the account, once each.
    await until(() => stranger.faults.length >= 2);
    await stranger.pass(500);
    expect(stranger.faults).toHaveLength(2);
    expect(JSON.stringify(stranger.faults.map(String))).not.toContain(clientSecret);
  });

  test('a connection to an exchange whose clock is too far from ours places nothing', async () => {
    const exchange = await serveDeribit();
    closers.push(() => exchange.close());
    const clock = noonClock();
    const now = () => later(clock.now(), -5_000);
    const slow = {
      now,
      monotonicMs: () => clock.monotonicMs(),
      at: (dueAt: ReturnType<typeof now>, then: () => void) => clock.at(later(dueAt, 5_000), then),
    };
    const { venue } = await connectTo(exchange.url, { clock: slow, skewMaxMs: 1_000 });
    closers.push(() => venue.close());
    const order = await restingOrder(venue);
    expect(venue.trouble()).toContain('accepted: 1000');
    expect(await venue.place(order)).toMatchObject({ kind: 'refused', class: 'later' });
  });
});

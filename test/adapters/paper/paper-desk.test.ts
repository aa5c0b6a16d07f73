// The life cycle of each kind of order as its owner sees it through the order API.
import { describe, expect, it } from 'vitest';
import type { OrderRecord } from '../../../src/core/order/order-record.ts';
import type { NewOrder } from '../../../src/ports/trading-desk.ts';
import {
  isLess,
  isMore,
  type Price,
  price,
  quantity,
  text,
  toNumber,
} from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency } from '../../../src/values/ids.ts';
import { HOUR_MS, later, MINUTE_MS, utcInstant } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { ids, VenueAct, value } from '../../conformance/venue-act.ts';
import { ACCOUNT, BTC, MemoryStore, OTHER, paperStage } from './paper-stage.ts';

const EIGHT = utcInstant({ year: 2026, month: 11, day: 21, hour: 8 });

function begin(clock?: VirtualClock) {
  const store = new MemoryStore();
  const stage = paperStage({ journal: { store } }, clock);
  const { venue, pass } = stage;
  venue.watch(BTC);
  const act = new VenueAct({
    venue,
    account: ACCOUNT,
    instrument: BTC,
    now: () => stage.clock.now(),
    pass,
    close: () => venue.close(),
  });
  const again = () => paperStage({ journal: { store } }, stage.clock).venue;
  return { act, venue, pass, clock: stage.clock, again };
}

const states = ({ notices }: VenueAct): readonly string[] =>
  notices.flatMap((one) =>
    one.kind === 'order' ? [`${one.order.orderId} ${one.order.state}`] : [],
  );

const childOf = (orders: readonly OrderRecord[], waiting: OrderRecord): OrderRecord =>
  must(
    orders.find(({ triggerOrderId }) => triggerOrderId === waiting.orderId),
    'an order came of it',
  );

/** All orders with the label, newest first. */
const labelled = async (act: VenueAct, label: string): Promise<readonly OrderRecord[]> =>
  value(await act.desk.ordersLabelled({ account: ACCOUNT, label }));

async function until(
  { act, pass }: { readonly act: VenueAct; readonly pass: (ms: number) => Promise<void> },
  order: OrderRecord,
  state: OrderRecord['state'],
): Promise<OrderRecord> {
  for (let round = 0; round < 2_000; round += 1) {
    const now = await act.now(order);
    if (now.state === state) return now;
    await pass(30_000);
  }
  throw new Error(`${order.orderId} never was ${state}`);
}

describe('a trigger order', () => {
  it('a met trigger order is replaced by an order of its own, published in causal order', async () => {
    const at = begin();
    const { act, pass } = at;
    const mark = must((await act.ticker()).mark, 'mark');
    const { order: stop } = await act.entered({
      side: 'sell',
      type: 'stop_market',
      price: undefined,
      label: 'guard',
      trigger: 'mark_price',
      triggerPrice: await act.away('buy', '0.999'),
    });
    await pass(10);
    act.notices.length = 0;
    const triggered = await until(at, stop, 'triggered');
    expect(triggered).toMatchObject({ type: 'stop_market', triggered: true });
    const all = await labelled(act, 'guard');
    const child = childOf(all, stop);
    expect(child).toMatchObject({
      type: 'market',
      state: 'filled',
      label: 'guard',
      side: 'sell',
    });
    expect(isLess(must(child.averagePrice, 'average'), mark)).toBe(true);
    await pass(100);
    const published = states(act).filter((one) => one.startsWith(`${stop.orderId} `));
    expect(published).toEqual([`${stop.orderId} triggered`]);
    const [first] = states(act);
    expect(first).toBe(`${stop.orderId} triggered`);
    expect(states(act)).toContain(`${child.orderId} filled`);
  });

  it('a triggered order with a limit rests at it and can be cancelled', async () => {
    const at = begin();
    const { act } = at;
    const { order: take } = await act.entered({
      side: 'sell',
      type: 'take_limit',
      price: await act.away('sell', '1.05'),
      label: 'profit',
      trigger: 'index_price',
      triggerPrice: await act.away('sell', '1.001'),
    });
    await until(at, take, 'triggered');
    const child = childOf(await labelled(act, 'profit'), take);
    expect(child).toMatchObject({ type: 'limit', state: 'open' });
    expect(child.originalType).toBeUndefined();
    expect(ids(await act.open())).toEqual([child.orderId]);
    expect(value(await act.desk.cancelAll({ account: ACCOUNT, label: 'profit' }))).toBe(1);
  });

  it('a trailing stop moves one way only, until the price reverses by the offset', async () => {
    const at = begin();
    const { act, pass } = at;
    const { order: trailing } = await act.entered({
      side: 'sell',
      type: 'trailing_stop',
      price: undefined,
      trigger: 'mark_price',
      triggerOffset: price('200'),
    });
    let last = must(trailing.trigger?.price, 'trigger');
    let moves = 0;
    for (let round = 0; round < 5_000; round += 1) {
      const now = await act.now(trailing);
      if (now.state === 'triggered') break;
      const next = must(now.trigger?.price, 'trigger');
      expect(isLess(next, last)).toBe(false);
      if (isMore(next, last)) moves += 1;
      last = next;
      await pass(5_000);
    }
    expect(await act.now(trailing)).toMatchObject({ state: 'triggered' });
    expect(moves).toBeGreaterThan(0);
  });

  it('an untriggered order keeps waiting in the next process', async () => {
    const { act, venue, again } = begin();
    const { order } = await act.entered({
      side: 'sell',
      type: 'stop_limit',
      trigger: 'last_price',
      triggerPrice: await act.away('buy', '0.9'),
    });
    await venue.close();
    const found = value(await again().openOrders({ account: ACCOUNT }));
    expect(found).toEqual([order]);
  });
});

describe('linked orders', () => {
  it('orders triggered by a fill cancel each other', async () => {
    const at = begin();
    const { act, pass } = at;
    const others = [
      act.otherTerms({ side: 'sell', label: 'up', price: await act.away('sell', '1.002') }),
      act.otherTerms({
        side: 'sell',
        label: 'down',
        type: 'stop_market',
        trigger: 'mark_price',
        triggerPrice: await act.away('buy', '0.95'),
      }),
    ];
    const { order: primary } = await act.entered({
      price: await act.through('buy'),
      link: { kind: 'one_triggers_one_cancels_other', fillCondition: 'first_hit', others },
    });
    expect(primary).toMatchObject({ state: 'filled', isPrimaryOtoco: true });
    expect(primary.otoOrderIds).toHaveLength(2);
    await pass(1);
    const pair = await act.open();
    expect(pair.map(({ label, state }) => `${label} ${state}`).sort()).toEqual([
      'down untriggered',
      'up open',
    ]);
    expect(new Set(pair.map(({ ocoRef }) => ocoRef)).size).toBe(1);
    const up = must(
      pair.find(({ label }) => label === 'up'),
      'the limit order',
    );
    await until(at, up, 'filled');
    const down = must(
      pair.find(({ label }) => label === 'down'),
      'the stop',
    );
    expect(await act.now(down)).toMatchObject({
      state: 'cancelled',
      cancelReason: 'oco_other_closed',
    });
    expect(value(await act.desk.positions({ account: ACCOUNT }))).toEqual([]);
  });

  it('incremental orders grow with the fills of the first, by whole contracts, to their full size', async () => {
    const { act, pass } = begin();
    const at = await act.away('buy', '0.9999');
    const others = [
      act.otherTerms({
        side: 'sell',
        label: 'share',
        quantity: quantity('500'),
        price: await act.away('sell', '1.05'),
      }),
    ];
    const { order: primary } = await act.entered({
      price: at,
      quantity: quantity('1000'),
      postOnly: true,
      link: { kind: 'one_triggers_other', fillCondition: 'incremental', others },
    });
    for (let round = 0; round < 500; round += 1) {
      const now = await act.now(primary);
      const [live] = (await labelled(act, 'share')).filter(({ state }) => state === 'open');
      const share = Math.floor((toNumber(now.filledQuantity) * 0.5) / 10) * 10;
      expect(live === undefined ? 0 : toNumber(live.quantity)).toBe(share);
      if (now.state === 'filled') break;
      await pass(10_000);
    }
    expect(await act.now(primary)).toMatchObject({ state: 'filled' });
  });
});

describe('an option order priced by the exchange', () => {
  const nearOption = (act: VenueAct, index: Price): Instrument => {
    const away = ({ option }: Instrument): number =>
      Math.abs(toNumber(must(option, 'option').strike) - toNumber(index));
    const calls = act.venue.market
      .listed({ expired: false })
      .filter(({ name, option }) => name.startsWith('BTC-') && option?.type === 'call')
      .filter(({ expiresAt }) => (expiresAt ?? 0) > EIGHT + 5 * 24 * HOUR_MS);
    return must(
      calls.sort((a, b) => away(a) - away(b) || (a.expiresAt ?? 0) - (b.expiresAt ?? 0))[0],
      'an option',
    );
  };

  it.each([
    ['usd', 'sell', '9000'],
    ['implv', 'buy', '30'],
  ] as const)(
    'an order in %s is repriced with the market and flagged as such',
    async (kind, side, given) => {
      const { act, pass } = begin();
      const { name } = nearOption(act, must(await act.venue.market.index('btc_usd'), 'index'));
      const order: NewOrder = await act.order({
        instrument: name,
        side,
        quantity: quantity('0.5'),
        price: price(given),
        advanced: kind,
      });
      const { order: first } = value(await act.desk.place(order));
      expect(first).toMatchObject({ state: 'open', autoReplaced: false, advanced: { kind } });
      expect(text(must(first.advanced, 'advanced').value)).toBe(given);
      const priceOf = (order: OrderRecord): string => text(must(order.price, 'price'));
      let now = first;
      for (let round = 0; round < 400 && priceOf(now) === priceOf(first); round += 1) {
        await pass(MINUTE_MS);
        now = await act.now(first);
      }
      expect(priceOf(now)).not.toBe(priceOf(first));
      expect(now).toMatchObject({ autoReplaced: true, replaced: true, orderId: first.orderId });
      expect(text(must(now.advanced, 'advanced').value)).toBe(given);
    },
  );

  it('market orders on options are refused', async () => {
    const { act } = begin();
    const { name } = nearOption(act, must(await act.venue.market.index('btc_usd'), 'index'));
    const order = await act.order({ instrument: name, type: 'market', price: undefined });
    expect(await act.desk.place({ ...order, quantity: quantity('1') })).toMatchObject({
      code: -32602,
      details: { param: 'type' },
    });
  });
});

describe('the daily settlement', () => {
  it('the settlement cancels day orders, keeps the others, and pauses the books', async () => {
    const clock = new VirtualClock(later(EIGHT, -60_000));
    const { act, pass } = begin(clock);
    const { order: day } = await act.entered({ timeInForce: 'good_til_day' });
    const { order: kept } = await act.entered();
    await pass(60_001);
    const order = await act.order();
    expect(await act.desk.place(order)).toMatchObject({ kind: 'refused', code: 10041 });
    expect((await act.ticker()).state).toBe('settlement');
    await pass(MINUTE_MS);
    expect(await act.now(day)).toMatchObject({ state: 'cancelled', cancelReason: 'settlement' });
    expect(await act.now(kept)).toMatchObject({ state: 'open' });
    expect(await act.desk.place(order)).toMatchObject({ kind: 'done' });
    expect((await act.ticker()).state).toBe('open');
  });
});

describe('two accounts', () => {
  it("accounts see their own orders, and each other's only in the book", async () => {
    const { act, pass, venue } = begin();
    const { order } = await act.entered();
    const other = { account: OTHER };
    expect(value(await act.desk.openOrders(other))).toEqual([]);
    expect(await act.desk.order(OTHER, order.orderId)).toMatchObject({ code: 10029 });
    expect(await act.desk.cancel({ ...other, of: { orderId: order.orderId } })).toMatchObject({
      code: 10029,
    });
    const bid = await act.entered({ ...other, label: '', price: await act.away('buy', '0.995') });
    await pass(10);
    const accounts = act.notices.flatMap((one) =>
      one.kind === 'order' ? [one.order.account] : [],
    );
    expect(accounts).toEqual([ACCOUNT, OTHER]);
    const book = must(await venue.market.book(BTC, 1_000), 'book');
    expect(book.bids.some((level) => level.price.eq(must(bid.order.price, 'price')))).toBe(true);
    expect(value(await act.desk.summary(OTHER, currency('BTC'))).account).toBe(OTHER);
  });
});

// Contract of the order methods and the market data of every venue: every kind of order, every query.
import { describe, expect, it } from 'vitest';
import type { BookView } from '../../src/ports/market-reads.ts';
import type { HistoryQuery, NewOrder, TradesQuery } from '../../src/ports/trading-desk.ts';
import {
  isLess,
  isMore,
  isPositive,
  minus,
  plus,
  price,
  type Quantity,
  quantity,
  text,
} from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { accountId, currency, instrumentName, orderId } from '../../src/values/ids.ts';
import { later } from '../../src/values/instant.ts';
import { tickAt } from '../../src/values/instrument.ts';
import type { PriceLevel } from '../../src/values/quote.ts';
import { ids, type VenueAct, value } from './venue-act.ts';

type Begin = () => Promise<VenueAct>;

const isSameLevel = (one: PriceLevel | undefined, other: PriceLevel | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.price.eq(other.price) &&
  one.quantity.eq(other.quantity);

export function orderMethods(begin: Begin): void {
  describe('order entry', () => entering(begin));
  describe('entry of trigger and linked orders', () => waiting(begin));
  describe('refused orders', () => refusing(begin));
  describe('edits', () => editing(begin));
  describe('cancels', () => cancelling(begin));
  describe('queries', () => asking(begin));
  describe('notices', () => telling(begin));
  describe('market data', () => markets(begin));
}

function entering(begin: Begin): void {
  it('a resting order is returned with all requested terms', async () => {
    const act = await begin();
    const order = await act.order({ quantity: act.size(3), postOnly: true });
    const { order: resting, trades } = value(await act.venue.place(order));
    expect(trades).toEqual([]);
    expect(resting).toMatchObject({
      account: order.account,
      instrument: order.instrument,
      side: 'buy',
      type: 'limit',
      state: 'open',
      timeInForce: 'good_til_cancelled',
      postOnly: true,
      rejectPostOnly: false,
      reduceOnly: false,
      label: order.label,
      replaced: false,
      mmp: false,
    });
    expect(resting.originalType).toBeUndefined();
    expect(resting.price && text(resting.price)).toBe(order.price && text(order.price));
    expect(text(resting.quantity)).toBe(text(order.quantity));
    expect(text(resting.filledQuantity)).toBe('0');
    expect(resting.averagePrice).toBeUndefined();
    expect(resting.updatedAt).toBe(resting.createdAt);
    const { contractSize } = act.terms;
    const contracts = must(resting.contracts, 'contracts');
    expect(text(contracts.mul(contractSize) as typeof contracts)).toBe(text(order.quantity));
  });

  it('an order that fills immediately is returned with its trades', async () => {
    const act = await begin();
    const limit = await act.through('buy');
    const { order, trades } = await act.entered({ price: limit });
    expect(order).toMatchObject({ state: 'filled', type: 'limit' });
    expect(text(order.filledQuantity)).toBe(text(order.quantity));
    expect(trades.length).toBeGreaterThan(0);
    let filled = quantity('0');
    for (const trade of trades) {
      expect(trade).toMatchObject({
        account: act.account,
        orderId: order.orderId,
        instrument: order.instrument,
        label: order.label,
        side: 'buy',
        liquidity: 'taker',
        orderType: 'limit',
        feeCurrency: act.terms.settlement,
      });
      expect(isMore(trade.price, limit)).toBe(false);
      expect(trade.tradeSeq).toBeGreaterThan(0);
      expect(trade.indexPrice && trade.markPrice).toBeDefined();
      filled = plus(filled, trade.quantity);
    }
    expect(text(filled)).toBe(text(order.quantity));
    expect(must(trades.at(-1), 'a trade').state).toBe('filled');
    if (trades.length === 1) {
      expect(text(must(order.averagePrice, 'average'))).toBe(text(must(trades[0], 'trade').price));
    }
  });

  it('a market order that fills immediately is reported as a market order', async () => {
    const act = await begin();
    const { order, trades } = await act.marketOrder({ side: 'sell' });
    expect(order).toMatchObject({ type: 'market', state: 'filled' });
    expect(order.originalType).toBeUndefined();
    expect(trades[0]).toMatchObject({ orderType: 'market', side: 'sell' });
    const limited = await act.entered({ type: 'market_limit', price: undefined });
    expect(limited.order).toMatchObject({ type: 'limit', originalType: 'market_limit' });
  });

  it('a post-only order is repriced off the opposite side, or refused if that was requested', async () => {
    const act = await begin();
    const cross = { price: await act.through('buy'), postOnly: true };
    const { order, trades } = await act.entered(cross);
    expect(order.state).toBe('open');
    expect(trades).toEqual([]);
    expect(isLess(must(order.price, 'price'), cross.price)).toBe(true);
    const rejecting = await act.order({ ...cross, rejectPostOnly: true });
    const refused = { kind: 'refused', code: 11054, class: 'final' };
    expect(await act.venue.place(rejecting)).toMatchObject(refused);
  });

  it('a reduce-only order is capped at the position', async () => {
    const act = await begin();
    await act.marketOrder({ quantity: act.size(3) });
    const { order } = await act.entered({
      side: 'sell',
      quantity: act.size(9),
      reduceOnly: true,
    });
    expect(text(order.quantity)).toBe(text(act.size(3)));
    const wrong = await act.order({ reduceOnly: true });
    expect(await act.venue.place(wrong)).toMatchObject({ kind: 'refused' });
  });

  it('the book shows only the display amount of an iceberg order', async () => {
    const act = await begin();
    // At this price there are no other orders.
    const at = await act.away('buy', '0.99');
    const shownAt = async (): Promise<Quantity> => {
      const book = must(await act.venue.market.book(act.stage.instrument, 10_000), 'a book');
      return book.bids.find((level) => level.price.eq(at))?.quantity ?? quantity('0');
    };
    const before = await shownAt();
    const { order } = await act.entered({
      price: at,
      quantity: act.size(1_000),
      displayQuantity: act.size(100),
    });
    expect(order.state).toBe('open');
    expect(order.displayQuantity && text(order.displayQuantity)).toBe(text(act.size(100)));
    expect(order.refreshQuantity && text(order.refreshQuantity)).toBe(text(act.size(100)));
    const shown = async (): Promise<string> => text(minus(await shownAt(), before));
    expect(await act.read(shown, (more) => more !== '0')).toBe(text(act.size(100)));
    const small = await act.order({ quantity: act.size(1_000), displayQuantity: act.size(1) });
    expect(await act.venue.place(small)).toMatchObject({ kind: 'refused', code: 10036 });
  });
}

/** Stop and take orders on either side of the market, and linked orders. */
function waiting(begin: Begin): void {
  it('trigger orders stay out of the book until they are triggered', async () => {
    const act = await begin();
    const trigger = { trigger: 'index_price', triggerPrice: await act.away('buy', '0.9') } as const;
    const none = { price: undefined, trades: [] };
    const stop = await act.entered({
      side: 'sell',
      type: 'stop_market',
      price: undefined,
      ...trigger,
    });
    expect(stop).toMatchObject({
      trades: none.trades,
      order: { state: 'untriggered', type: 'stop_market', trigger: { source: 'index_price' } },
    });
    expect(stop.order.price).toBeUndefined();
    expect(stop.order.triggered).toBe(false);
    const limit = await act.entered({ side: 'sell', type: 'stop_limit', ...trigger });
    expect(limit.order).toMatchObject({ state: 'untriggered', type: 'stop_limit' });
    expect(limit.order.price).toBeDefined();
    expect(ids(await act.open())).toEqual([limit.order.orderId, stop.order.orderId]);
    const stops = await act.venue.openOrders({ account: act.account, types: ['stop_market'] });
    expect(ids(value(stops))).toEqual([stop.order.orderId]);
  });

  it('a trailing stop gets a trigger price at its offset from the market', async () => {
    const act = await begin();
    const mark = must((await act.ticker()).mark, 'mark');
    const offset = price('1000');
    const { order } = await act.entered({
      side: 'sell',
      type: 'trailing_stop',
      price: undefined,
      trigger: 'mark_price',
      triggerOffset: offset,
    });
    const { trigger } = order;
    expect(order).toMatchObject({ type: 'trailing_stop', state: 'untriggered' });
    expect(trigger?.offset && text(trigger.offset)).toBe('1000');
    const reference = must(trigger?.reference, 'reference');
    expect(isLess(must(trigger?.price, 'trigger price'), reference)).toBe(true);
    expect(Math.abs(reference.minus(mark).toNumber())).toBeLessThan(500);
  });

  it('the fill of a primary order places its secondary orders', async () => {
    const act = await begin();
    const others = [act.otherTerms({ side: 'sell', price: await act.resting('sell') })];
    const link = {
      kind: 'one_triggers_other',
      fillCondition: 'first_hit',
      others,
    } as const;
    const { order } = await act.entered({ link });
    expect(order).toMatchObject({ fillCondition: 'first_hit', state: 'open' });
    expect(order.otoOrderIds).toHaveLength(1);
    const dormant = (await act.open()).find((one) => one.isSecondaryOto);
    expect(dormant).toMatchObject({ state: 'untriggered', orderId: order.otoOrderIds?.[0] });
    value(await act.venue.cancel({ account: act.account, of: { orderId: order.orderId } }));
    expect(await act.open()).toEqual([]);
    const filled = await act.entered({ price: await act.through('buy'), link });
    expect(filled.order.state).toBe('filled');
    await act.stage.pass(10);
    const [placed] = await act.open();
    expect(placed).toMatchObject({ state: 'open', side: 'sell', isSecondaryOto: true });
    expect(placed?.primaryOrderId).toBe(filled.order.orderId);
  });

  it('the end of one linked order cancels the other', async () => {
    const act = await begin();
    const others = [act.otherTerms({ side: 'sell', price: await act.resting('sell') })];
    const link = { kind: 'one_cancels_other', fillCondition: 'first_hit', others } as const;
    const { order } = await act.entered({ link });
    const pair = await act.open();
    expect(pair).toHaveLength(2);
    expect(new Set(pair.map(({ ocoRef }) => ocoRef)).size).toBe(1);
    expect(pair[0]?.ocoRef).toBeDefined();
    value(await act.venue.cancel({ account: act.account, of: { orderId: order.orderId } }));
    expect(await act.open()).toEqual([]);
    const other = must(
      pair.find(({ orderId: id }) => id !== order.orderId),
      'the other',
    );
    expect(await act.now(other)).toMatchObject({
      state: 'cancelled',
      cancelReason: 'oco_other_closed',
    });
  });
}

function refusing(begin: Begin): void {
  const cases: readonly [string, (act: VenueAct) => Promise<Partial<NewOrder>>, number][] = [
    ['at its validUntil', async (act) => ({ validUntil: act.reached() }), 13888],
    ['of an unknown instrument', async () => ({ instrument: instrumentName('XYZ') }), -32602],
    ['without a price', async () => ({ price: undefined }), -32602],
    ['of size zero', async () => ({ quantity: quantity('0') }), 10002],
    [
      'off the lot',
      async (act) => ({ quantity: act.size(1).mul('1.5') as ReturnType<typeof quantity> }),
      -32602,
    ],
    [
      'off the tick',
      async (act) => {
        const at = await act.resting('buy');
        const tick = tickAt(act.terms, at);
        return { price: at.plus(tick.div(3).toDecimalPlaces(6)) as typeof at };
      },
      10043,
    ],
    ['with a label that is too long', async () => ({ label: 'x'.repeat(65) }), -32602],
    ['beyond the band', async (act) => ({ price: await act.away('buy', '3') }), 10007],
    ['without its trigger price', async () => ({ type: 'stop_market', price: undefined }), -32602],
    [
      'that is post-only and immediate-or-cancel',
      async () => ({ postOnly: true, timeInForce: 'immediate_or_cancel' as const }),
      11047,
    ],
    ['beyond the available funds', async (act) => ({ quantity: act.size(100_000_000_000) }), 10009],
  ];
  it.each(cases)('an order %s is refused', async (_, changes, code) => {
    const act = await begin();
    const order = await act.order(await changes(act));
    const reply = await act.venue.place(order);
    expect(reply).toMatchObject({ kind: 'refused', code });
    if (code === -32602) {
      expect(reply).toMatchObject({
        details: { param: expect.stringMatching(/^[a-z][A-Za-z]*$/), reason: expect.any(String) },
      });
    }
    expect(await act.open()).toEqual([]);
  });

  it('an order of an unknown account is refused', async () => {
    const act = await begin();
    const order = await act.order({ account: accountId('99999') });
    expect(await act.venue.place(order)).toMatchObject({ kind: 'refused' });
  });
}

function editing(begin: Begin): void {
  it('an edit changes size and price and keeps the order', async () => {
    const act = await begin();
    const { order: before } = await act.entered();
    await act.stage.pass(20);
    const { account } = act;
    const at = await act.away('buy', '0.985');
    const changes = [
      { of: { orderId: before.orderId }, quantity: act.size(4), price: at },
      { of: { label: before.label, instrument: before.instrument }, quantity: act.size(2) },
    ];
    for (const change of changes) {
      const { order } = value(await act.venue.edit({ account, ...change }));
      expect(order).toMatchObject({
        orderId: before.orderId,
        label: before.label,
        state: 'open',
        replaced: true,
        createdAt: before.createdAt,
      });
      expect(order.updatedAt).toBeGreaterThan(before.updatedAt);
      expect(text(order.quantity)).toBe(text(change.quantity));
      expect(order.price && text(order.price)).toBe(text(at));
    }
  });

  it('an edit that would take with rejectPostOnly is refused, and the order is cancelled', async () => {
    const act = await begin();
    const { order } = await act.entered({ postOnly: true, rejectPostOnly: true });
    const { account, orderId } = order;
    const price = await act.through('buy');
    const of = { orderId, instrument: order.instrument };
    const flags = { postOnly: true, rejectPostOnly: true };
    const answer = await act.venue.edit({ account, of, price, ...flags });
    expect(answer).toMatchObject({ kind: 'refused', code: 11054, class: 'final' });
    const ended = value(await act.venue.order(account, orderId));
    expect(ended).toMatchObject({ state: 'cancelled', cancelReason: 'edit_post_only_reject' });
    expect(await act.open()).toEqual([]);
  });

  it('an edit also changes untriggered orders', async () => {
    const act = await begin();
    const { order } = await act.entered({
      side: 'sell',
      type: 'stop_market',
      price: undefined,
      trigger: 'mark_price',
      triggerPrice: await act.away('buy', '0.9'),
    });
    const triggerPrice = await act.away('buy', '0.8');
    const change = { account: act.account, of: { orderId: order.orderId }, triggerPrice };
    const edited = value(await act.venue.edit({ ...change, quantity: act.size(2) }));
    const moved = must(edited.order.trigger?.price, 'trigger price');
    expect([text(moved), text(edited.order.quantity)]).toEqual([
      text(triggerPrice),
      text(act.size(2)),
    ]);
  });

  it('an edit of a closed, unknown or ambiguous order is refused', async () => {
    const act = await begin();
    const { account } = act;
    const { order: closed } = await act.marketOrder();
    const edit = (of: { orderId: ReturnType<typeof orderId> }) =>
      act.venue.edit({ account, of, quantity: act.size(2) });
    expect(await edit({ orderId: closed.orderId })).toMatchObject({ code: 11044 });
    expect(await edit({ orderId: orderId('404') })).toMatchObject({ code: 10004 });
    const label = 'twice';
    await act.entered({ label });
    await act.entered({ label });
    const of = { label, instrument: act.stage.instrument };
    expect(await act.venue.edit({ account, of, quantity: act.size(2) })).toMatchObject({
      code: 13032,
    });
  });
}

function cancelling(begin: Begin): void {
  it('an order is cancelled once, with the reason', async () => {
    const act = await begin();
    const { account } = act;
    for (const reason of ['user_request', 'cancel_on_disconnect', 'mmp_trigger'] as const) {
      const { order } = await act.entered();
      const request = { account, of: { orderId: order.orderId } };
      expect(value(await act.venue.cancel({ ...request, reason }))).toMatchObject({
        state: 'cancelled',
        cancelReason: act.stage.passesCancelReasons === false ? 'user_request' : reason,
      });
      expect(await act.venue.cancel(request)).toMatchObject({ kind: 'refused', code: 11044 });
    }
    expect(await act.venue.cancel({ account, of: { orderId: orderId('404') } })).toMatchObject({
      code: 10004,
    });
  });

  it('cancelAll cancels every order that the filter matches and returns their count', async () => {
    const act = await begin();
    const { account } = act;
    const { settlement } = act.terms;
    const stop = {
      side: 'sell',
      type: 'stop_market',
      price: undefined,
      trigger: 'mark_price',
      triggerPrice: await act.away('buy', '0.9'),
    } as const;
    const elsewhere = instrumentName('XYZ');
    const steps = [
      [{ types: ['stop_market'] }, 1, 2],
      [{ kinds: ['option'] }, 0, 3],
      [{ instrument: elsewhere }, 0, 3],
      [{ label: 'marked' }, 1, 2],
      [{ label: 'marked', types: ['stop_market'] }, 0, 3],
      [{ label: 'marked', kinds: ['perpetual'] }, 1, 2],
      [{ currency: currency('XYZ') }, 0, 3],
      [{ currency: settlement, kinds: ['perpetual'] }, 3, 0],
      [{}, 3, 0],
    ] as const;
    for (const [filter, count, left] of steps) {
      const all = [
        await act.entered(),
        await act.entered({ label: 'marked' }),
        await act.entered(stop),
      ];
      const taken = value(
        await act.venue.cancelAll({ account, ...filter, reason: 'risk_mitigation' }),
      );
      expect(taken, JSON.stringify(filter)).toBe(count);
      expect(await act.open()).toHaveLength(left);
      const after = await Promise.all(
        all.map(({ order }) => act.venue.order(account, order.orderId)),
      );
      const reasons = after.map((one) => value(one).cancelReason);
      const reason = act.stage.passesCancelReasons === false ? 'user_request' : 'risk_mitigation';
      expect(reasons.filter((one) => one === reason)).toHaveLength(count);
      await act.venue.cancelAll({ account });
    }
    expect(value(await act.venue.cancelAll({ account }))).toBe(0);
  });
}

function asking(begin: Begin): void {
  it('orders are found by id and by label in every state, newest first', async () => {
    const act = await begin();
    const { account } = act;
    const label = 'wanted';
    const { order: filled } = await act.marketOrder({ label });
    await act.stage.pass(20);
    const { order: open } = await act.entered({ label });
    await act.entered();
    expect(await act.now(filled)).toMatchObject({ state: 'filled', label });
    const labelled = value(await act.venue.ordersLabelled({ account, label }));
    expect(ids(labelled)).toEqual([open.orderId, filled.orderId]);
    expect(await act.venue.order(account, orderId('404'))).toMatchObject({ code: 10004 });
    expect(await act.venue.order(accountId('99999'), open.orderId)).toMatchObject({
      kind: 'refused',
    });
  });

  it('closed orders are listed page by page, each once', async () => {
    const act = await begin();
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { order } = await act.marketOrder();
      made.unshift(order.orderId);
      await act.stage.pass(10);
    }
    const { order: unfilled } = await act.entered({ timeInForce: 'immediate_or_cancel' });
    const query: HistoryQuery = {
      account: act.account,
      count: 2,
      offset: 0,
      includeOld: false,
      includeUnfilled: false,
      historical: false,
    };
    const seen: string[] = [];
    let token: string | undefined;
    do {
      const page = value(await act.venue.orderHistory({ ...query, continuation: token }));
      expect(page.orders.length).toBeLessThanOrEqual(2);
      seen.push(...ids(page.orders));
      token = page.continuation;
    } while (token !== undefined && seen.length < 20);
    expect(seen).toEqual(made);
    const all = { ...query, count: 100, includeUnfilled: true };
    expect(ids(value(await act.venue.orderHistory(all)).orders)).toEqual([
      unfilled.orderId,
      ...made,
    ]);
    const shifted = value(await act.venue.orderHistory({ ...query, count: 2, offset: 3 }));
    expect(ids(shifted.orders)).toEqual(made.slice(3, 5));
  });

  it('trades are listed by order and by account, in both directions and in ranges', async () => {
    const act = await begin();
    const { account } = act;
    const query: TradesQuery = { account, count: 100, sorting: 'asc', historical: false };
    const { order, trades } = await act.marketOrder({ quantity: act.size(5) });
    await act.stage.pass(10);
    await act.marketOrder({ side: 'sell' });
    const own = value(await act.venue.trades({ ...query, orderId: order.orderId }));
    expect(own.trades.map((trade) => trade.tradeId)).toEqual(trades.map((one) => one.tradeId));
    expect(own.hasMore).toBe(false);
    const up = value(await act.venue.trades(query)).trades;
    const down = value(await act.venue.trades({ ...query, sorting: 'desc' })).trades;
    expect(up.length).toBeGreaterThan(trades.length);
    expect([...down].reverse()).toEqual(up);
    const one = value(await act.venue.trades({ ...query, count: 1 }));
    expect([one.trades.length, one.hasMore]).toEqual([1, true]);
    const last = must(up.at(-1), 'a trade');
    const { instrument } = last;
    const range = { ...query, instrument, startSeq: last.tradeSeq, endSeq: last.tradeSeq };
    expect(value(await act.venue.trades(range)).trades).toEqual([last]);
    const later10 = { ...query, from: last.at };
    const since = value(await act.venue.trades(later10)).trades;
    expect(since.every(({ at }) => at >= last.at)).toBe(true);
    expect(since).toContainEqual(last);
  });

  it('positions and the account summary are returned', async () => {
    const act = await begin();
    const { account } = act;
    const { settlement } = act.terms;
    const before = value(await act.venue.summary(account, settlement));
    await act.marketOrder({ quantity: act.size(5) });
    const [position, second] = value(await act.venue.positions({ account }));
    expect(second).toBeUndefined();
    expect(position).toMatchObject({ account, instrument: act.stage.instrument });
    expect(text(must(position, 'a position').quantity)).toBe(text(act.size(5)));
    expect(isMore(must(position, 'a position').initialMargin, before.initialMargin)).toBe(true);
    expect(value(await act.venue.positions({ account, kinds: ['option'] }))).toEqual([]);
    const after = value(await act.venue.summary(account, settlement));
    expect(after).toMatchObject({ account, currency: settlement });
    expect(isMore(after.initialMargin, before.initialMargin)).toBe(true);
    expect(isLess(after.availableFunds, before.availableFunds)).toBe(true);
    const equity = plus(after.marginBalance, after.optionsValue);
    expect(text(minus(after.equity, equity))).toBe('0');
  });
}

function telling(begin: Begin): void {
  it('listeners are notified of every trade, every order state and every account change', async () => {
    const act = await begin();
    const { order: resting } = await act.entered();
    await act.venue.cancel({ account: act.account, of: { orderId: resting.orderId } });
    const { order: filled, trades } = await act.marketOrder();
    const states = (id: string): readonly string[] =>
      act.notices.flatMap((one) =>
        one.kind === 'order' && one.order.orderId === id ? [one.order.state] : [],
      );
    const told = (): readonly string[] =>
      act.notices.flatMap((one) => (one.kind === 'trade' ? [one.trade.tradeId] : []));
    await act.heard(
      (notices) =>
        states(filled.orderId).includes('filled') &&
        told().length >= trades.length &&
        notices.some(({ kind }) => kind === 'account'),
    );
    expect(states(resting.orderId)).toEqual(['open', 'cancelled']);
    expect([...new Set(told())]).toEqual(trades.map(({ tradeId }) => tradeId));
    for (const one of act.notices) {
      if (one.kind !== 'trade') continue;
      expect(one.trade).toMatchObject({ account: act.account, side: filled.side });
    }
    const order = act.notices.find((one) => one.kind === 'order');
    expect(order?.kind === 'order' && order.order).toEqual(resting);
  });
}

function markets(begin: Begin): void {
  it('every listed instrument is also found by name', async () => {
    const act = await begin();
    const listed = act.venue.market.listed({ expired: false });
    expect(listed).toContainEqual(act.terms);
    expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
    expect(act.venue.market.instrument(instrumentName('XYZ'))).toBeUndefined();
    expect(await act.venue.market.ticker(instrumentName('XYZ'))).toBeUndefined();
    expect(await act.venue.market.book(instrumentName('XYZ'), 5)).toBeUndefined();
    expect(act.venue.market.indexNames()).toContain(act.terms.indexName);
    expect(await act.venue.market.index(act.terms.indexName)).toBeDefined();
    expect(await act.venue.market.index('xyz_usd')).toBeUndefined();
  });

  it('ticker and book agree, best first, and include own orders', async () => {
    const act = await begin();
    const at = await act.resting('buy');
    await act.entered({ price: at });
    const wholeBook = async (): Promise<BookView> =>
      must(await act.venue.market.book(act.stage.instrument, 10_000), 'a book');
    // The market may move between two queries.
    const [book, ticker] = await act.read(
      async () => {
        const before = await wholeBook();
        const found = await act.ticker();
        const after = await wholeBook();
        return [after, found, before.changeId === after.changeId] as const;
      },
      ([{ bids, asks }, { bid, ask }, isStill]) =>
        isStill &&
        bids.some((level) => level.price.eq(at)) &&
        isSameLevel(bids[0], bid) &&
        isSameLevel(asks[0], ask),
    );
    const { bid, ask, mark, minPrice, maxPrice, state } = ticker;
    expect(state).toBe('open');
    expect(book.bids[0]).toEqual(bid);
    expect(book.asks[0]).toEqual(ask);
    expect(isLess(must(bid, 'bid').price, must(ask, 'ask').price)).toBe(true);
    for (let n = 1; n < book.bids.length; n += 1) {
      const [better, worse] = [must(book.bids[n - 1], 'level'), must(book.bids[n], 'level')];
      expect(isMore(better.price, worse.price)).toBe(true);
    }
    expect(book.bids.some((level) => level.price.eq(at))).toBe(true);
    const [low, high] = [must(minPrice, 'band'), must(maxPrice, 'band')];
    expect(isLess(low, must(mark, 'mark')) && isMore(high, must(mark, 'mark'))).toBe(true);
    const top = must(await act.venue.market.book(act.stage.instrument, 1), 'a book');
    expect([top.bids.length, top.asks.length]).toEqual([1, 1]);
  });

  it('followers are notified of trades and book changes until they unsubscribe', async () => {
    const act = await begin();
    const { instrument } = act.stage;
    const heard: string[] = [];
    const trades: string[] = [];
    const leave = act.venue.market.follow(instrument, (news) => {
      heard.push(news.kind);
      if (news.kind === 'trade') trades.push(news.trade.tradeId);
      else expect(news.instrument).toBe(instrument);
    });
    const { trades: own } = await act.marketOrder();
    const told = () => Promise.resolve(own.map(({ tradeId }) => trades.includes(tradeId)));
    const isAll = (each: readonly boolean[]): boolean =>
      heard.includes('market') && each.every(Boolean);
    expect(await act.read(told, isAll)).toEqual(own.map(() => true));
    expect(new Set(trades).size).toBe(trades.length);
    expect(heard).toContain('market');
    const changeId = async (): Promise<number> =>
      must(await act.venue.market.book(instrument, 1), 'a book').changeId;
    const before = await changeId();
    await act.entered();
    expect(await act.read(changeId, (one) => one > before)).toBeGreaterThan(before);
    leave();
    const count = heard.length;
    await act.marketOrder();
    await act.stage.pass(1_000);
    expect(heard.length).toBe(count);
  });

  it('a trade is on the tape and in its candle where the venue keeps a history', async () => {
    const act = await begin();
    const { instrument } = act.stage;
    const { market } = act.venue;
    const from = act.venue.venueNow();
    const { trades } = await act.marketOrder();
    const [first] = trades;
    const trade = must(first, 'a market order trades at once');
    // Our estimate of the venue's clock may be behind it.
    const until = later(trade.at, 1);
    const query = { instruments: [instrument], from, until, count: 1_000, order: 'asc' } as const;
    const page = await market.history('tape', query);
    const candles = await market.history('candles', { instrument, from, until, everyMs: 60_000 });
    expect(candles === undefined).toBe(page === undefined);
    const none = { instruments: [instrumentName('XYZ')], count: 1, order: 'desc' } as const;
    expect(await market.history('tape', none)).toBeUndefined();
    if (page === undefined || candles === undefined) return;
    expect(page.hasMore).toBe(false);
    const shown = must(
      page.trades.find(({ tradeId }) => tradeId === trade.tradeId),
      'the trade is on the tape',
    );
    expect([shown.price, shown.quantity, shown.at]).toEqual([
      trade.price,
      trade.quantity,
      trade.at,
    ]);
    const candle = must(
      candles.findLast(({ at }) => at <= trade.at),
      'a candle',
    );
    expect(isMore(trade.price, candle.high) || isLess(trade.price, candle.low)).toBe(false);
    expect(isPositive(candle.volume)).toBe(true);
  });
}

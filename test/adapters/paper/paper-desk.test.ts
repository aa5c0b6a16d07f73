// The life cycle of each kind of order as its owner sees it through the order API.
import { describe, expect, it } from 'vitest';
import type { OrderRecord } from '../../../src/core/order/order-record.ts';
import type { NewOrder } from '../../../src/ports/trading-desk.ts';
import {
  isLess,
  type Price,
  price,
  quantity,
  text,
  toNumber,
} from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency } from '../../../src/values/ids.ts';
import { HOUR_MS, MINUTE_MS, utcInstant } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { VenueAct, value } from '../../conformance/venue-act.ts';
import { ACCOUNT, BTC, OTHER, paperStage } from './paper-stage.ts';

const EIGHT = utcInstant({ year: 2026, month: 11, day: 21, hour: 8 });

function begin() {
  const stage = paperStage();
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
  return { act, venue, pass };
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

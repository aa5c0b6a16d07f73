// Reconciling orders and reading trades against a venue with the venue's windows and pages: however old and many the records are, each is
// found once, and nothing that cannot be requested is called absent.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reconcile } from '../../../../src/adapters/deribit/orders/reconcile.ts';
import { overWindows } from '../../../../src/adapters/deribit/orders/trade-windows.ts';
import type { OrderRecord, TradeRecord } from '../../../../src/core/order/order-record.ts';
import { tradesSince } from '../../../../src/ports/trades-since.ts';
import type { Reply, TradesQuery, TradingDesk } from '../../../../src/ports/trading-desk.ts';
import { money, plus, price, quantity, ZERO_QUANTITY } from '../../../../src/values/amounts.ts';
import {
  childLabelOf,
  currency,
  instrumentName,
  orderId,
  tradeId,
} from '../../../../src/values/ids.ts';
import { DAY_MS, HOUR_MS, type Instant, instant, later } from '../../../../src/values/instant.ts';
import { ACCOUNT, BTC, NOON } from '../../paper/paper-stage.ts';

const PAGE_MAX = 1_000;
const LABEL = childLabelOf('wanted');

function trade(number: number, at: Instant, of = '1'): TradeRecord {
  return {
    tradeId: tradeId(String(number)),
    tradeSeq: number,
    account: ACCOUNT,
    orderId: orderId(of),
    orderType: 'limit',
    label: LABEL,
    instrument: BTC,
    side: 'buy',
    state: 'open',
    price: price('100'),
    quantity: quantity('10'),
    liquidity: 'taker',
    fee: money('0'),
    feeCurrency: currency('BTC'),
    tickDirection: 0,
    postOnly: false,
    reduceOnly: false,
    mmp: false,
    at,
  };
}

const order = (id: string, createdAt: Instant, trades: readonly TradeRecord[]): OrderRecord => ({
  orderId: orderId(id),
  account: ACCOUNT,
  instrument: BTC,
  side: 'buy',
  type: 'limit',
  state: 'cancelled',
  price: price('100'),
  quantity: quantity('1000000'),
  filledQuantity: trades.reduce((sum, one) => plus(sum, one.quantity), ZERO_QUANTITY),
  timeInForce: 'good_til_cancelled',
  postOnly: false,
  rejectPostOnly: false,
  reduceOnly: false,
  label: LABEL,
  createdAt,
  updatedAt: createdAt,
  replaced: false,
  mmp: false,
});

type Asked = Pick<TradingDesk, 'ordersLabelled' | 'orderHistory' | 'trades'> & {
  readonly openLabelled: TradingDesk['ordersLabelled'];
};
const done = <T>(value: T): Promise<Reply<T>> => Promise.resolve({ kind: 'done', value });

interface Kept {
  readonly labelled?: readonly OrderRecord[];
  /** Recent and historical orders. */
  readonly history?: readonly [readonly OrderRecord[], readonly OrderRecord[]];
  readonly trades?: readonly TradeRecord[];
}

/** Recent trades cover one day; a page has at most a thousand. */
function desk({ labelled = [], history = [[], []], trades = [] }: Kept): Asked {
  const inWindow = ({ at }: TradeRecord, historical: boolean): boolean =>
    historical === at < later(NOON, -DAY_MS);
  const isWanted = (one: TradeRecord, query: TradesQuery, historical: boolean): boolean =>
    inWindow(one, historical) &&
    (query.from === undefined || one.at >= query.from) &&
    (query.orderId === undefined || one.orderId === query.orderId);
  return {
    ordersLabelled: () => done(labelled),
    openLabelled: () => done([]),
    // A page of two.
    orderHistory: ({ historical, continuation = '0' }) => {
      const from = Number(continuation);
      const all = history[historical ? 1 : 0];
      const next = from + 2 < all.length ? String(from + 2) : undefined;
      // The venue's page is cut before it is filtered by label.
      const orders = all.slice(from, from + 2).filter((one) => one.label === LABEL);
      return done({ orders, continuation: next });
    },
    trades: async (query) => {
      const page = await overWindows(query, NOON, (historical) => {
        const found = trades.filter((one) => isWanted(one, query, historical));
        const count = Math.min(query.count, PAGE_MAX);
        return done({ trades: found.slice(0, count), hasMore: found.length > count });
      });
      return page as Reply<{ trades: readonly TradeRecord[]; hasMore: boolean }>;
    },
  };
}

const settling = (kept: Kept, changes: Partial<Asked> = {}) => {
  const reads = { ...desk(kept), ...changes };
  return {
    since: (from: Instant) => tradesSince(reads, ACCOUNT, from),
    reconciled: () => reconcile(reads, query),
  };
};
const query = { account: ACCOUNT, instrument: BTC, label: LABEL };
const unknown = { kind: 'unknown', reason: 'the line is down' } as const;

/** `count` trades, each `gapMs` after the previous one; the last one is now. */
const row = (count: number, gapMs: number): readonly TradeRecord[] =>
  Array.from({ length: count }, (_, n) => trade(n, later(NOON, -(count - n) * gapMs)));

describe('trades since an instant', () => {
  test('trades since an instant are each returned once, oldest first, across pages and both windows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 3_000, size: 'max' }),
        fc.integer({ min: 0, max: 3 * DAY_MS }),
        async (gaps, sinceMs) => {
          let at = later(NOON, -3 * DAY_MS);
          const trades = gaps.map((gap, n) => {
            at = later(at, gap);
            return trade(n, at);
          });
          const from = later(NOON, -sinceMs);
          const answer = await settling({ trades }).since(from);
          expect(answer.kind === 'done' && answer.value.map((one) => one.tradeId)).toEqual(
            trades.filter((one) => one.at >= from).map((one) => one.tradeId),
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  test.each([22, 23.5, 24.5, 25.5, 26])(
    'trades since an instant are found however close to the end of the recent window they are: %d h',
    async (hours) => {
      const at = later(NOON, -hours * HOUR_MS);
      const trades = [trade(1, at)];
      const since = await settling({ trades }).since(at);
      expect(since.kind === 'done' && since.value).toHaveLength(1);
      const labelled = [order('1', at, trades)];
      const found = await settling({ labelled, trades }).reconciled();
      expect(found.kind === 'done' && found.value.trades).toHaveLength(1);
    },
  );

  test('trades since an instant are unknown if one millisecond has more than a page, or a page is not answered', async () => {
    const crowd = row(1_500, 0);
    expect(await settling({ trades: crowd }).since(NOON)).toMatchObject({
      kind: 'unknown',
    });
    const down = { trades: () => Promise.resolve(unknown) };
    expect(await settling({}, down).since(NOON)).toEqual(unknown);
  });
});

describe('an order by its label', () => {
  test('an order by its label is found with its trades, including those of yesterday', async () => {
    const trades = row(6, DAY_MS / 2);
    const labelled = [order('1', later(NOON, -4 * DAY_MS), trades)];
    const answer = await settling({ labelled, trades }).reconciled();
    expect(answer.kind === 'done' && answer.value.trades.map((one) => one.tradeId)).toEqual(
      trades.map((one) => one.tradeId),
    );
  });

  test('an order by its label has all its trades even if they exceed one answer', async () => {
    const own = row(2_400, 7);
    const strange = row(100, 11).map((one) => trade(10_000 + one.tradeSeq, one.at, '2'));
    const trades = [...own, ...strange].sort((a, b) => a.at - b.at);
    const labelled = [order('1', later(NOON, -60_000), own)];
    const answer = await settling({ labelled, trades }).reconciled();
    expect(answer.kind === 'done' && answer.value.trades.map((one) => one.tradeId)).toEqual(
      own.map((one) => one.tradeId),
    );
  });

  test('an order by its label is found in either history if the look-up does not return it', async () => {
    const old = [order('1', instant(0), [])];
    for (const history of [[old, []] as const, [[], old] as const]) {
      expect(await settling({ history }).reconciled()).toMatchObject({
        value: { orders: [{ orderId: '1' }] },
      });
    }
  });

  test('an order by its label is found behind pages of other orders', async () => {
    const strange = Array.from({ length: 7 }, (_, n) => ({
      ...order(String(n + 2), NOON, []),
      label: 'a stranger',
    }));
    const history = [strange, [...strange, order('1', instant(0), [])]] as const;
    expect(await settling({ history }).reconciled()).toMatchObject({
      value: { orders: [{ orderId: '1' }] },
    });
  });

  test('an order by its label is unknown while its trades do not add up to what it has filled', async () => {
    const filled = [order('1', NOON, row(3, 5))];
    const answer = await settling({ labelled: filled, trades: row(2, 5) }).reconciled();
    expect(answer).toMatchObject({ kind: 'unknown' });
    const down = () => Promise.resolve(unknown);
    expect(await settling({ labelled: filled }, { trades: down }).reconciled()).toEqual(unknown);
  });

  test.each([-32602, 10020, 13020])(
    'an order by its label is not called absent because the history of its instrument is refused with %d',
    async (code) => {
      const refused = { kind: 'refused', code, message: 'refused', class: 'final' } as const;
      const strange = { ...order('2', NOON, []), instrument: instrumentName('ETH-PERPETUAL') };
      const all: Asked['orderHistory'] = ({ instrument, historical }) =>
        instrument !== undefined
          ? Promise.resolve(refused)
          : done({ orders: historical ? [strange, order('1', instant(0), [])] : [] });
      expect(await settling({}, { orderHistory: all }).reconciled()).toMatchObject({
        kind: 'done',
        value: { orders: [{ orderId: '1' }] },
      });
      const none: Asked['orderHistory'] = () => Promise.resolve(refused);
      expect(await settling({}, { orderHistory: none }).reconciled()).toEqual(refused);
    },
  );
});

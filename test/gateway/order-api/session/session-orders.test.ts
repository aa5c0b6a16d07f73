// The orders of one connection: which are cancelled, and that closed ones do not accumulate.
import { expect, it } from 'vitest';
import type { OrderRecord } from '../../../../src/core/order/order-record.ts';
import { SessionOrders } from '../../../../src/gateway/order-api/session/session-orders.ts';
import type { Reply, TradingDesk } from '../../../../src/ports/trading-desk.ts';
import { price, quantity } from '../../../../src/values/amounts.ts';
import { type OrderId, orderId } from '../../../../src/values/ids.ts';
import { type Instant, later } from '../../../../src/values/instant.ts';
import { VirtualClock } from '../../../../src/virtual/virtual-clock.ts';
import { ACCOUNT, BTC, NOON } from '../../../adapters/paper/paper-stage.ts';
import { until } from '../../../adapters/until.ts';
import { settle } from '../../../simulation/settle.ts';
import { virtualTimers } from '../../../simulation/wire/virtual-timers.ts';

const anOrder = (id: string, more: Partial<OrderRecord> = {}): OrderRecord => ({
  orderId: orderId(id),
  account: ACCOUNT,
  instrument: BTC,
  side: 'buy',
  type: 'limit',
  state: 'open',
  price: price('60000'),
  quantity: quantity('10'),
  filledQuantity: quantity('0'),
  timeInForce: 'good_til_cancelled',
  postOnly: false,
  rejectPostOnly: false,
  reduceOnly: false,
  label: '',
  createdAt: NOON,
  updatedAt: NOON,
  replaced: false,
  mmp: false,
  ...more,
});

const SETTLEMENT = { code: 10041, message: 'settlement_in_progress', class: 'later' } as const;

/** An order API with some open orders, of which only queries and cancels are used. */
class OpenOrders {
  readonly open = new Map<OrderId, OrderRecord>();
  readonly cancelled: OrderId[] = [];
  looks = 0;
  /** The number of queries that get no answer. */
  silentFor = 0;
  /** The number of cancels whose order stays open: it waits in its speed bump, or its book is closed. */
  waitsFor = 0;
  refusesFor = 0;

  add(order: OrderRecord): OrderRecord {
    this.open.set(order.orderId, order);
    return order;
  }

  made(): SessionOrders {
    const desk: Pick<TradingDesk, 'openOrders' | 'cancel'> = {
      openOrders: () => {
        this.looks += 1;
        return Promise.resolve(this.#answer([...this.open.values()]));
      },
      cancel: ({ of }) => {
        const id = 'orderId' in of ? of.orderId : orderId(of.label);
        const order = this.open.get(id);
        if (this.refusesFor > 0) {
          this.refusesFor -= 1;
          return Promise.resolve({ kind: 'refused', ...SETTLEMENT });
        }
        if (this.waitsFor > 0) {
          this.waitsFor -= 1;
          return Promise.resolve(this.#answer(order ?? anOrder(id)));
        }
        const closed = { ...(order ?? anOrder(id)), state: 'cancelled' } as const;
        const answer = this.#answer(closed);
        if (answer.kind !== 'done') return Promise.resolve(answer);
        this.open.delete(id);
        this.cancelled.push(id);
        return Promise.resolve(answer);
      },
    };
    return new SessionOrders({ forAccount: () => desk as TradingDesk });
  }

  #answer<T>(value: T): Reply<T> {
    if (this.silentFor === 0) return { kind: 'done', value };
    this.silentFor -= 1;
    return { kind: 'unknown', reason: 'no answer' };
  }
}

it('the orders of a connection and those they triggered are cancelled, and no others', async () => {
  const desk = new OpenOrders();
  const made = desk.made();
  made.note(desk.add(anOrder('own')));
  made.note(anOrder('parent', { state: 'untriggered', otoOrderIds: [orderId('second')] }));
  made.note(anOrder('done', { state: 'filled' }));
  desk.add(anOrder('second', { primaryOrderId: orderId('parent') }));
  desk.add(anOrder('child', { triggerOrderId: orderId('parent') }));
  desk.add(anOrder('foreign'));
  await made.cancelAll(ACCOUNT);
  expect([...desk.cancelled].sort()).toEqual(['child', 'own', 'second']);
  expect([...desk.open.keys()]).toEqual(['foreign']);
});

it('a cancel on disconnect is retried if the venue does not answer', async () => {
  const desk = new OpenOrders();
  const made = desk.made();
  made.note(desk.add(anOrder('own')));
  desk.silentFor = 2;
  await made.cancelAll(ACCOUNT);
  expect(desk.cancelled).toEqual(['own']);
});

it.each([
  ['stays open after a cancel', 'waitsFor', 1, 50],
  ['stays open after seven cancels', 'waitsFor', 7, 6_350],
  ['refuses to be cancelled for a while', 'refusesFor', 3, 350],
] as const)('an order that %s is cancelled later', async (_, how, times, ms) => {
  const desk = new OpenOrders();
  const made = desk.made();
  made.note(desk.add(anOrder('own')));
  desk[how] = times;
  const tookMs = await inVirtualTime(() => made.cancelAll(ACCOUNT));
  expect([desk.cancelled, tookMs]).toEqual([['own'], ms]);
});

it('an order that no attempt closes in 13 seconds is reported', async () => {
  const desk = new OpenOrders();
  const made = desk.made();
  made.note(desk.add(anOrder('own')));
  desk.refusesFor = 8;
  const what = 'may be open although their connection is gone';
  await inVirtualTime(() => expect(made.cancelAll(ACCOUNT)).rejects.toThrow(what));
});

/** The milliseconds that it took. */
async function inVirtualTime(act: () => Promise<unknown>): Promise<number> {
  const clock = new VirtualClock(NOON);
  const restore = virtualTimers(clock);
  try {
    let endedAt: Instant | undefined;
    const ended = act().then(() => {
      endedAt = clock.now();
    });
    await clock.run(later(NOON, 15_000), settle);
    await ended;
    return Number(endedAt) - NOON;
  } finally {
    restore();
  }
}

it('ids of closed orders are dropped', async () => {
  const desk = new OpenOrders();
  const made = desk.made();
  made.note(desk.add(anOrder('stays')));
  for (let n = 0; n < 4_999; n += 1) made.note(anOrder(`closed-${n}`));
  await until(() => desk.looks === 1);
  desk.add(anOrder('closed-7'));
  await made.cancelAll(ACCOUNT);
  expect(desk.cancelled).toEqual(['stays']);
});

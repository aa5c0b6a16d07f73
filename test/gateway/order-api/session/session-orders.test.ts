// The orders of one connection: which are cancelled, and that closed ones do not accumulate.
import { expect, it } from 'vitest';
import type { OrderRecord } from '../../../../src/core/order/order-record.ts';
import { SessionOrders } from '../../../../src/gateway/order-api/session/session-orders.ts';
import type { Reply, TradingDesk } from '../../../../src/ports/trading-desk.ts';
import { price, quantity } from '../../../../src/values/amounts.ts';
import { type OrderId, orderId } from '../../../../src/values/ids.ts';
import { ACCOUNT, BTC, NOON } from '../../../adapters/paper/paper-stage.ts';
import { until } from '../../../adapters/until.ts';

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

/** An order API with some open orders, of which only queries and cancels are used. */
class OpenOrders {
  readonly open = new Map<OrderId, OrderRecord>();
  readonly cancelled: OrderId[] = [];
  looks = 0;
  /** The number of queries that get no answer. */
  silentFor = 0;

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
        const answer = this.#answer(order ?? anOrder(id));
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

// What a capture did is undone: orders are cancelled, fills are traded back once, and what is not proved is named.
import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../src/adapters/deribit/capture/capture-point.ts';
import type { OrderRecord } from '../../../src/core/order/order-record.ts';
import { leftAfter, type UndoOptions } from '../../../src/main/doctor/capture/undo-point.ts';
import type { NewOrder, Reply } from '../../../src/ports/trading-desk.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { accountId, orderId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { NOON, perpetual } from '../../support/engine/markets.ts';

const UNKNOWN: Reply<never> = { kind: 'unknown', reason: 'no answer' };
const REFUSED: Reply<never> = {
  kind: 'refused',
  code: 10_007,
  message: 'price_too_high',
  class: 'final',
};
const BUY = 'private/buy';
const VALID_MS = 10_000;
const INSTRUMENT = perpetual();

interface Placed {
  readonly id: string;
  readonly side: 'buy' | 'sell';
  state: 'open' | 'filled' | 'cancelled';
  filled: string;
  /** From when the list shows it. */
  readonly fromMs: number;
}

interface Behaviour {
  readonly orders: readonly {
    readonly state: Placed['state'];
    readonly filled: string;
    readonly lagMs?: number;
  }[];
  /** What the orders that trade back are answered, in turn; then they fill. */
  readonly back?: readonly (Reply<never> | 'lost fill')[];
  /** Whether their fills take this long to be listed. */
  readonly lagMs?: number;
  readonly isListed?: boolean;
  readonly isQuoted?: boolean;
  readonly answers?: readonly Answer[];
}

const accepted = (id: string, filled: string): Answer => ({
  method: BUY,
  params: { instrument_name: INSTRUMENT.name },
  outcome: { kind: 'result', value: { order: { order_id: id, filled_amount: filled } } },
});

async function undone(behaviour: Behaviour) {
  const { orders, back = [], lagMs = 0, isListed = true, isQuoted = true } = behaviour;
  const clock = new VirtualClock(NOON);
  const replies = [...back];
  const sent: string[] = [];
  const placed: Placed[] = orders.map(({ state, filled, lagMs: late = 0 }, at) => ({
    id: `o${at}`,
    side: 'buy',
    state,
    filled,
    fromMs: clock.monotonicMs() + late,
  }));
  const recordOf = ({ id, side, state, filled }: Placed) =>
    ({ orderId: orderId(id), side, state, filledQuantity: quantity(filled) }) as OrderRecord;
  const venue = {
    requestsOf: () => () => Promise.resolve(UNKNOWN),
    venueNow: () => clock.now(),
    quote: () =>
      isQuoted ? { bid: { price: price('89999.5') }, ask: { price: price('90000') } } : undefined,
    ordersLabelled: () =>
      Promise.resolve(
        isListed
          ? {
              kind: 'done',
              value: placed.filter(({ fromMs }) => fromMs <= clock.monotonicMs()).map(recordOf),
            }
          : UNKNOWN,
      ),
    cancel: ({ of }: { readonly of: { readonly orderId: string } }) => {
      sent.push(`cancel ${of.orderId}`);
      const found = placed.find(({ id }) => id === of.orderId);
      if (found !== undefined) found.state = 'cancelled';
      return Promise.resolve({ kind: 'done', value: {} });
    },
    place: ({ side, quantity: size, price: at, timeInForce, reduceOnly }: NewOrder) => {
      const terms = `${side} ${text(size)} at ${at === undefined ? '' : text(at)}`;
      sent.push(`${terms} ${timeInForce}${reduceOnly ? ' reduce' : ''}`);
      const reply = replies.shift();
      if (reply !== undefined && reply !== 'lost fill') return Promise.resolve(reply);
      const one: Placed = {
        id: `b${placed.length}`,
        side,
        state: 'filled',
        filled: text(size),
        fromMs: clock.monotonicMs() + lagMs,
      };
      placed.push(one);
      return Promise.resolve(
        reply === 'lost fill'
          ? UNKNOWN
          : { kind: 'done', value: { order: recordOf(one), trades: [] } },
      );
    },
  } as unknown as UndoOptions['venue'];
  let isDone = false;
  const undoing = leftAfter(
    {
      venue,
      clock,
      account: accountId('1'),
      label: 'ours',
      instruments: [INSTRUMENT],
      validMs: VALID_MS,
    },
    'fill',
    behaviour.answers ?? placed.map(({ id, filled }) => accepted(id, filled)),
  );
  void undoing.then(() => {
    isDone = true;
  });
  while (!isDone) {
    await settled();
    if (!isDone) clock.advanceTo(later(clock.now(), 50));
  }
  return { left: await undoing, sent, tookMs: clock.monotonicMs() };
}

describe('after an open point', () => {
  test('an open order is cancelled', async () => {
    const { left, sent } = await undone({ orders: [{ state: 'open', filled: '0' }] });
    expect([left, sent]).toEqual([undefined, ['cancel o0']]);
  });

  test('a fill is traded back at the best price, and may cross a position', async () => {
    const { left, sent } = await undone({ orders: [{ state: 'filled', filled: '10' }] });
    expect([left, sent]).toEqual([undefined, ['sell 10 at 89999.5 immediate_or_cancel']]);
  });

  test('the filled part of an order that rests is traded back after its cancel', async () => {
    const { left, sent } = await undone({ orders: [{ state: 'open', filled: '4' }] });
    expect([left, sent]).toEqual([
      undefined,
      ['cancel o0', 'sell 4 at 89999.5 immediate_or_cancel'],
    ]);
  });

  test('a list that shows the fill late does not make it traded back twice', async () => {
    const { left, sent } = await undone({
      orders: [{ state: 'filled', filled: '10' }],
      lagMs: 500,
    });
    expect([left, sent.length]).toEqual([undefined, 1]);
  });

  test('an order that the list does not show yet is waited for', async () => {
    const { left, sent } = await undone({
      orders: [{ state: 'filled', filled: '10', lagMs: 300 }],
    });
    expect([left, sent.length]).toEqual([undefined, 1]);
  });

  test('a lost answer to trading back is followed only when the order can have no more effect', async () => {
    const { left, sent, tookMs } = await undone({
      orders: [{ state: 'filled', filled: '10' }],
      back: ['lost fill'],
      lagMs: 5_000,
    });
    expect([left, sent.length]).toEqual([undefined, 1]);
    expect(tookMs).toBeGreaterThanOrEqual(VALID_MS);
  });

  test('a request of the point without an answer is waited for until the venue must refuse it', async () => {
    const { left, sent, tookMs } = await undone({
      orders: [{ state: 'filled', filled: '10', lagMs: 9_000 }],
      answers: [{ method: BUY, params: {}, outcome: UNKNOWN }],
    });
    expect([left, sent.length]).toEqual([undefined, 1]);
    expect(tookMs).toBeGreaterThanOrEqual(VALID_MS);
  });

  test('a refused order is tried again', async () => {
    const { left, sent } = await undone({
      orders: [{ state: 'filled', filled: '10' }],
      back: [REFUSED],
    });
    expect([left, sent.length]).toEqual([undefined, 2]);
  });

  test.each([
    [{ isListed: false }, 'its orders cannot be listed'],
    [{ isQuoted: false }, '10 may be held'],
    [{ back: [REFUSED, REFUSED, REFUSED, REFUSED, REFUSED] }, '10 may be held'],
    [{ answers: [accepted('o9', '0')] }, 'the list of its orders is older than their answers'],
  ])('what the venue does not show as undone is named: %j', async (behaviour, why) => {
    const { left } = await undone({ orders: [{ state: 'filled', filled: '10' }], ...behaviour });
    expect(left).toBe(
      `orders labelled ours on BTC-PERPETUAL: ${why}; cancel and trade it back manually`,
    );
  });
});

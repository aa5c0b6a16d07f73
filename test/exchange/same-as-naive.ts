// The properties in which the exchange and its oracle must agree after a command, besides the book itself.
import { expect } from 'vitest';
import type { Exchange } from '../../src/exchange/exchange.ts';
import type { ExchangeAnswer } from '../../src/exchange/exchange-command.ts';
import type { ExchangeOrder, ExchangeTrade } from '../../src/exchange/order.ts';
import { accountId, type InstrumentName, orderId } from '../../src/values/ids.ts';
import { limitOf } from './exchange-desk.ts';
import type { NaiveAnswer, NaiveBook, NaiveFill, NaiveOrder } from './naive-book.ts';

/** On an instrument with ticks of a half and lots of ten. */
interface Both {
  readonly exchange: Exchange;
  readonly naive: NaiveBook;
}

const ticksOf = (price: { toNumber(): number }): number => price.toNumber() * 2;
const lotsOf = (quantity: { toNumber(): number }): number => quantity.toNumber() / 10;

const essence = ({ id, state, ticks, total, filled, postOnly, reduceOnly }: NaiveOrder) => ({
  id,
  state,
  ticks,
  total,
  filled,
  postOnly,
  reduceOnly,
});

const essenceOf = (order: ExchangeOrder) => ({
  id: order.orderId,
  state: order.state,
  ticks: ticksOf(limitOf(order)),
  total: lotsOf(order.quantity),
  filled: lotsOf(order.filledQuantity),
  postOnly: order.postOnly,
  reduceOnly: order.reduceOnly,
});

export function expectSameAnswer(what: string, answer: ExchangeAnswer, naive: NaiveAnswer): void {
  if (typeof naive === 'number') {
    expect(answer, what).toMatchObject({ kind: 'refused', code: naive });
    return;
  }
  if (answer.kind !== 'order') throw new Error(`${what}: ${JSON.stringify(answer)}`);
  expect(essenceOf(answer.order), what).toEqual(essence(naive));
}

/** Compares every order that ever existed, not only the ones queried. */
export function expectSameOrders({ exchange, naive }: Both): void {
  for (const order of naive.orders.values()) {
    const known = exchange.order(accountId(order.owner), orderId(order.id));
    expect(known && essenceOf(known)).toEqual(essence(order));
  }
}

/** Price, size and side of every print, and for each user whether it was maker or taker. */
export function expectSameFills({ exchange, naive }: Both): readonly NaiveFill[] {
  const events = exchange.drainEvents();
  const { fills } = naive;
  naive.fills = [];
  const prints = events.filter((event) => event.kind === 'print');
  expect(prints.map(({ side, priceTicks, lots }) => [side, priceTicks, lots])).toEqual(
    fills.map(({ taker, ticks, lots }) => [taker.side, ticks, lots]),
  );
  const trades = events.filter((event) => event.kind === 'trade');
  const sides = fills.flatMap(({ maker, taker, ticks, lots, isHidden }) => [
    { party: maker, seen: [maker.id, ticks, lots, isHidden ? 'taker' : 'maker'] },
    { party: taker, seen: [taker.id, ticks, lots, 'taker'] },
  ]);
  const expected = sides.filter(({ party }) => !party.isBot).map(({ seen }) => seen);
  expect(trades.map(({ trade }) => seenOf(trade))).toEqual(expected);
  return fills;
}

const seenOf = ({ orderId: id, price, quantity, liquidity }: ExchangeTrade) => [
  id,
  ticksOf(price),
  lotsOf(quantity),
  liquidity,
];

interface Parties {
  readonly users: readonly string[];
  readonly bots: readonly string[];
  readonly name: InstrumentName;
}

/** Each user's position, and that all positions cancel out. */
export function expectSamePositions({ exchange, naive }: Both, parties: Parties): void {
  let sum = 0;
  for (const user of parties.users) {
    const [own] = exchange.positions(accountId(user));
    const lots = own === undefined ? 0 : lotsOf(own.quantity);
    expect(lots).toBe(naive.positions.get(user) ?? 0);
    sum += lots;
  }
  for (const bot of parties.bots) sum += exchange.inventory(accountId(bot), parties.name);
  expect(sum).toBe(0);
}

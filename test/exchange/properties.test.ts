import { describe, expect, it } from 'vitest';
import { Exchange } from '../../src/exchange/exchange.ts';
import type { ExchangeAnswer } from '../../src/exchange/exchange-command.ts';
import type { ExchangeEvent, ExchangePosition } from '../../src/exchange/exchange-event.ts';
import { feeOf } from '../../src/exchange/model/fees.ts';
import type { ExchangeOrder, ExchangeTrade } from '../../src/exchange/order.ts';
import { isLess, negated, text, ZERO_MONEY } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import type { Decimal } from '../../src/values/decimal.ts';
import { type AccountId, accountId } from '../../src/values/ids.ts';
import { nonEmpty } from '../support/non-empty.ts';
import { ALICE, BOB, limitOf, options } from './exchange-desk.ts';
import { everyKind } from './instruments.ts';
import { RandomDay } from './random-day.ts';

const STEPS = 2_000;
const USERS = [ALICE, BOB];
const BOTS = ['bot-1', 'bot-2', 'bot-taker'].map(accountId);
const SEEDS = ['mon', 'tue', 'wed'];

interface Seen {
  readonly exchange: Exchange;
  readonly answers: readonly ExchangeAnswer[];
  readonly events: readonly ExchangeEvent[];
  readonly faults: readonly string[];
  /** How many open reduce-only orders were checked. */
  readonly reduceOnlySeen: number;
}

/** Runs a day and checks the exchange after every command. */
function run(seed: string): Seen {
  const exchange = new Exchange(options());
  const day = new RandomDay(seed);
  const answers: ExchangeAnswer[] = [];
  const events: ExchangeEvent[] = [];
  const faults: string[] = [];
  let reduceOnlySeen = 0;
  for (let i = 0; i < STEPS; i += 1) {
    const command = day.next();
    // A refresh first removes the old quotes, which may include the previous best price.
    const before = command.kind === 'make_quotes' ? undefined : touches(exchange);
    const answer = exchange.handle(command);
    if (answer.kind === 'order') day.sawOrder(answer.order);
    answers.push(answer);
    const happened = exchange.drainEvents();
    events.push(...happened);
    faults.push(...crossedBooks(exchange), ...emptyLevels(exchange), ...overdrawn(exchange));
    faults.push(...tradesThrough(exchange, before, happened));
    const open = reduceOnlyOrders(exchange);
    reduceOnlySeen += open.length;
    faults.push(...reducedTooFar(exchange, open));
  }
  return { exchange, answers, events, faults, reduceOnlySeen };
}

function crossedBooks(exchange: Exchange): string[] {
  return everyKind.flatMap(({ name }) => {
    const bid = exchange.bestTicks(name, 'buy')?.priceTicks ?? 0;
    const ask = exchange.bestTicks(name, 'sell')?.priceTicks ?? Number.POSITIVE_INFINITY;
    return bid < ask ? [] : [`${name} crossed at ${bid}`];
  });
}

const emptyLevels = (exchange: Exchange): string[] =>
  everyKind.flatMap(({ name }) => {
    const { bids, asks } = exchange.depth(name, 1_000);
    const empty = [...bids, ...asks].filter(({ quantity }) => !quantity.gt(0));
    return empty.map(({ price }) => `${name} shows nothing at ${text(price)}`);
  });

type Touches = ReadonlyMap<string, number | undefined>;

/** The best price of each side of each book, in ticks. */
const touches = (exchange: Exchange): Touches =>
  new Map(
    everyKind.flatMap(({ name }) =>
      (['buy', 'sell'] as const).map((side) => [
        `${name} ${side}`,
        exchange.bestTicks(name, side)?.priceTicks,
      ]),
    ),
  );

/** Whether a command traded anything but the best prices in order, or skipped one. */
function tradesThrough(
  exchange: Exchange,
  before: Touches | undefined,
  happened: readonly ExchangeEvent[],
): string[] {
  const prints = happened.filter((event) => event.kind === 'print');
  const walks = Map.groupBy(prints, ({ instrument, side }) => `${instrument} ${side}`);
  return [...walks.values()].flatMap((walk) => {
    const [{ instrument, side } = {} as (typeof walk)[number]] = walk;
    const made = side === 'buy' ? 'sell' : 'buy';
    const path = [
      ...(before === undefined ? [] : [before.get(`${instrument} ${made}`)]),
      ...walk.map(({ priceTicks }) => priceTicks),
      ...[exchange.bestTicks(instrument, made)?.priceTicks].filter((ticks) => ticks !== undefined),
    ];
    const sign = side === 'buy' ? 1 : -1;
    const wrong = path.some(
      (ticks, i) => i > 0 && sign * (Number(ticks) - Number(path[i - 1])) < 0,
    );
    const skipped = before !== undefined && path[0] !== path[1];
    return wrong || skipped ? [`${instrument} ${side} traded along ${path}`] : [];
  });
}

const overdrawn = (exchange: Exchange): string[] =>
  USERS.flatMap((account) => exchange.balances(account))
    .filter(({ amount }) => isLess(amount, ZERO_MONEY))
    .map(({ account, currency, amount }) => `${account} has ${text(amount)} ${currency}`);

const reduceOnlyOrders = (exchange: Exchange): ExchangeOrder[] =>
  USERS.flatMap((account) => exchange.openOrders({ account })).filter((order) => order.reduceOnly);

function reducedTooFar(exchange: Exchange, open: readonly ExchangeOrder[]): string[] {
  const groups = Map.groupBy(open, (o) => `${o.account} ${o.instrument} ${o.side}`);
  return [...groups].flatMap(([group, orders]) => {
    const [{ account, instrument, side } = {} as ExchangeOrder] = orders;
    const own = exchange.positions(account).find((p) => p.instrument === instrument);
    const held = (own?.quantity.toNumber() ?? 0) * (side === 'sell' ? 1 : -1);
    const left = sumOf(orders.map((o) => o.quantity.minus(o.filledQuantity)));
    return Number(left) <= Math.max(0, held) ? [] : [`${group}: ${left} against ${held}`];
  });
}

const days = new Map<string, Seen>();
function dayOf(seed: string): Seen {
  const known = days.get(seed);
  if (known !== undefined) return known;
  const seen = run(seed);
  days.set(seed, seen);
  return seen;
}

const tradesOf = (events: readonly ExchangeEvent[]): ExchangeTrade[] =>
  events.flatMap((event) => (event.kind === 'trade' ? [event.trade] : []));

const lastPositions = (events: readonly ExchangeEvent[]): ExchangePosition[] => {
  const last = new Map<string, ExchangePosition>();
  for (const event of events) {
    if (event.kind !== 'position_changed') continue;
    last.set(`${event.position.account} ${event.position.instrument}`, event.position);
  }
  return [...last.values()];
};

const sumOf = (values: readonly Decimal[]): string =>
  text(values.reduce((sum, value) => sum.plus(value), ZERO_MONEY as Decimal) as typeof ZERO_MONEY);

describe('a random day of trading', () => {
  it.each(SEEDS)(
    'no price is crossed, empty or traded through, no balance negative, no reduce-only order above the position (%s)',
    (seed) => {
      const { faults, reduceOnlySeen } = dayOf(seed);
      expect(faults).toEqual([]);
      expect(reduceOnlySeen).toBeGreaterThan(50);
    },
  );

  it.each(SEEDS)('every contract bought was sold (%s)', (seed) => {
    const { exchange } = dayOf(seed);
    for (const { name, kind } of nonEmpty(everyKind)) {
      if (kind === 'spot') continue;
      const lots = exchange.grid(name);
      let sum = BOTS.reduce((total, bot) => total + exchange.inventory(bot, name), 0);
      for (const account of USERS) {
        const own = exchange.positions(account).find((p) => p.instrument === name);
        sum += own === undefined ? 0 : (lots?.lotsOf(own.quantity) ?? Number.NaN);
      }
      expect(sum, name).toBe(0);
    }
  });

  it.each(SEEDS)('the fills of an order add up to its filled quantity (%s)', (seed) => {
    const { exchange, events } = dayOf(seed);
    const last = new Map<string, ExchangeOrder>();
    for (const event of events) {
      if (event.kind === 'order_changed') last.set(event.order.orderId, event.order);
    }
    expect(last.size).toBeGreaterThan(200);
    const byOrder = Map.groupBy(tradesOf(events), (trade) => trade.orderId);
    for (const order of last.values()) {
      const fills = byOrder.get(order.orderId) ?? [];
      expect(sumOf(fills.map(({ quantity }) => quantity))).toBe(text(order.filledQuantity));
      const value = sumOf(fills.map(({ price, quantity }) => price.mul(quantity)));
      expect(value).toBe(text(order.filledValue));
      expect(exchange.order(order.account, order.orderId)).toEqual(order);
    }
  });

  it.each(SEEDS)(
    'no order trades beyond its own limit, and fees follow the formula (%s)',
    (seed) => {
      const { events } = dayOf(seed);
      const limits = new Map<string, ExchangeOrder>();
      const trades = tradesOf(events);
      expect(trades.length).toBeGreaterThan(200);
      for (const event of events) {
        if (event.kind === 'order_changed') limits.set(event.order.orderId, event.order);
      }
      for (const trade of trades) {
        const instrument = everyKind.find(({ name }) => name === trade.instrument);
        if (instrument === undefined) throw new Error('a trade has an instrument');
        const fill = { ...trade, index: trade.indexPrice };
        expect(text(trade.fee)).toBe(text(feeOf(instrument, fill)));
        const order = limits.get(trade.orderId);
        if (order === undefined || order.replaced) continue;
        const isWithin =
          trade.side === 'buy' ? trade.price.lte(limitOf(order)) : trade.price.gte(limitOf(order));
        expect(isWithin).toBe(true);
      }
    },
  );

  it.each(SEEDS)(
    'balances equal the start plus realised profit, premiums and spot, less fees (%s)',
    (seed) => {
      const { exchange, events } = dayOf(seed);
      const expected = new Map<string, Decimal>();
      const key = (account: AccountId, currency: string): string => `${account} ${currency}`;
      for (const { account, balances } of options().accounts) {
        for (const [currency, amount] of balances) expected.set(key(account, currency), amount);
      }
      for (const trade of tradesOf(events)) {
        const instrument = everyKind.find(({ name }) => name === trade.instrument);
        if (instrument === undefined) throw new Error('a trade has an instrument');
        const add = (currency: string, amount: Decimal): void => {
          const at = key(trade.account, currency);
          expected.set(at, (expected.get(at) ?? ZERO_MONEY).plus(amount));
        };
        const sign = trade.side === 'buy' ? 1 : -1;
        const value = trade.price.mul(trade.quantity).mul(sign);
        add(trade.feeCurrency, negated(trade.fee));
        if (instrument.kind === 'spot') {
          add(instrument.base, trade.quantity.mul(sign));
          add(instrument.quote, value.negated());
        } else if (instrument.kind === 'option') {
          add(instrument.settlement, value.negated());
        }
      }
      for (const { account, instrument: name, realised } of lastPositions(events)) {
        const instrument = must(
          everyKind.find((one) => one.name === name),
          'a position has an instrument',
        );
        if (instrument.kind === 'option') continue;
        // Trades and settlements: realised profit was paid.
        const at = key(account, instrument.settlement);
        expected.set(at, (expected.get(at) ?? ZERO_MONEY).plus(realised));
      }
      for (const account of USERS) {
        for (const { currency, amount } of exchange.balances(account)) {
          expect(text(amount)).toBe(text(expected.get(key(account, currency)) as typeof amount));
        }
      }
    },
  );

  it('two runs give the same answers, events and state', () => {
    const [first, second] = [dayOf('mon'), run('mon')];
    expect(JSON.stringify(second.answers)).toBe(JSON.stringify(first.answers));
    expect(JSON.stringify(second.events)).toBe(JSON.stringify(first.events));
    expect(second.exchange.stateHash()).toBe(first.exchange.stateHash());
    for (const { name } of everyKind) {
      expect(second.exchange.bookHash(name)).toBe(first.exchange.bookHash(name));
    }
  });
});

// A test harness that drives an exchange: short forms of the commands with default values, and their results.

import { Exchange, type ExchangeOptions } from '../../src/exchange/exchange.ts';
import type {
  ExchangeAnswer,
  ExchangeCommand,
  OrderAnswer,
  PlaceCommand,
  RefusedAnswer,
} from '../../src/exchange/exchange-command.ts';
import type { ExchangeOrder } from '../../src/exchange/order.ts';
import { money, type Price, price, quantity, text } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import {
  type AccountId,
  accountId,
  currency,
  type InstrumentName,
  type OrderId,
} from '../../src/values/ids.ts';
import { type Instant, instant } from '../../src/values/instant.ts';
import type { Instrument, Side } from '../../src/values/instrument.ts';
import type { EditTerms } from '../../src/values/order-terms.ts';
import { everyKind } from './instruments.ts';

export const ALICE = accountId('10001');
export const BOB = accountId('10002');
export const BOT = accountId('bot-1');

export const RICH = new Map([
  [currency('BTC'), money('100')],
  [currency('ETH'), money('1000')],
  [currency('USDC'), money('5000000')],
]);

export const START = instant(Date.UTC(2026, 10, 2, 12));

export const options = (instruments: readonly Instrument[] = everyKind): ExchangeOptions => ({
  instruments,
  accounts: [
    { account: ALICE, balances: RICH },
    { account: BOB, balances: RICH },
  ],
});

type Levels = readonly (readonly [price: string, amount: string])[];
export type PlaceTerms = Partial<Omit<PlaceCommand, 'price' | 'quantity'>> & {
  readonly price?: string;
  readonly quantity: string;
};
export type NewTerms = Omit<EditTerms, 'price' | 'quantity'> & {
  readonly price?: string;
  readonly quantity?: string;
};

interface Surroundings {
  readonly index?: string;
  /** Options: the forward. */
  readonly underlying?: string;
  readonly markIv?: number;
  readonly min?: string;
  readonly max?: string;
}

export class Desk {
  readonly exchange: Exchange;
  readonly instrument: Instrument;
  now: Instant = START;

  constructor(instrument: Instrument, exchange = new Exchange(options())) {
    this.instrument = instrument;
    this.exchange = exchange;
  }

  get name(): InstrumentName {
    return this.instrument.name;
  }

  do(command: ExchangeCommand): ExchangeAnswer {
    return this.exchange.handle(command);
  }

  /** A limit order, good til cancelled, unless the terms say otherwise. */
  place(account: AccountId, side: Side, terms: PlaceTerms): ExchangeAnswer {
    return this.do({
      kind: 'place',
      now: this.now,
      account,
      instrument: this.name,
      side,
      type: 'limit',
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: false,
      label: '',
      ...terms,
      quantity: quantity(terms.quantity),
      price: terms.price === undefined ? undefined : price(terms.price),
    });
  }

  edit(account: AccountId, id: OrderId, terms: NewTerms): ExchangeAnswer {
    return this.do({ kind: 'edit', now: this.now, account, orderId: id, ...decimals(terms) });
  }

  editByLabel(account: AccountId, label: string, terms: NewTerms): ExchangeAnswer {
    const { now, name: instrument } = this;
    return this.do({ kind: 'edit_by_label', now, account, instrument, label, ...decimals(terms) });
  }

  cancel(account: AccountId, id: OrderId): ExchangeAnswer {
    return this.do({ kind: 'cancel', now: this.now, account, orderId: id });
  }

  /** Replaces the bot's levels. */
  quotes(bids: Levels, asks: Levels, account: AccountId = BOT): ExchangeAnswer {
    const { name: instrument, now } = this;
    return this.do({
      kind: 'make_quotes',
      now,
      account,
      instrument,
      bids: this.#levels(bids),
      asks: this.#levels(asks),
    });
  }

  take(side: Side, amount: string, limit: string): ExchangeAnswer {
    const [level] = this.#levels([[limit, amount]]);
    if (level === undefined) throw new Error('one level in, one level out');
    const { priceTicks: limitTicks, lots } = level;
    const { name: instrument, now } = this;
    return this.do({ kind: 'take', now, account: BOT, instrument, side, lots, limitTicks });
  }

  reference(mark: string, more: Surroundings = {}): void {
    this.do({
      kind: 'set_reference',
      now: this.now,
      instrument: this.name,
      index: price(more.index ?? mark),
      mark: price(mark),
      underlying: more.underlying === undefined ? undefined : price(more.underlying),
      markIv: more.markIv,
      minPrice: more.min === undefined ? undefined : price(more.min),
      maxPrice: more.max === undefined ? undefined : price(more.max),
    });
  }

  order(account: AccountId, id: OrderId): ExchangeOrder {
    const order = this.exchange.order(account, id);
    if (order === undefined) throw new Error(`no order ${id}`);
    return order;
  }

  position(account: AccountId): string {
    const own = this.exchange.positions(account).find((p) => p.instrument === this.name);
    return own === undefined ? '0' : text(own.quantity);
  }

  balance(account: AccountId, of: string): string {
    const own = this.exchange.balances(account).find((b) => b.currency === of);
    return own === undefined ? '0' : text(own.amount);
  }

  /** One side of the book as `price×amount`, best first. */
  book(side: Side): readonly string[] {
    const depth = this.exchange.depth(this.name, 100);
    const levels = side === 'buy' ? depth.bids : depth.asks;
    return levels.map((level) => `${text(level.price)}×${text(level.quantity)}`);
  }

  #levels(levels: Levels) {
    const grid = this.exchange.grid(this.name);
    return levels.map(([at, amount]) => ({
      priceTicks: grid?.ticksOf(price(at)) ?? Number.NaN,
      lots: grid?.lotsOf(quantity(amount)) ?? Number.NaN,
    }));
  }
}

function decimals({ price: at, quantity: amount, ...rest }: NewTerms): EditTerms {
  return {
    ...rest,
    price: at === undefined ? undefined : price(at),
    quantity: amount === undefined ? undefined : quantity(amount),
  };
}

export function accepted(answer: ExchangeAnswer): OrderAnswer {
  if (answer.kind !== 'order') throw new Error(`not accepted: ${JSON.stringify(answer)}`);
  return answer;
}

export function refused(answer: ExchangeAnswer): RefusedAnswer {
  if (answer.kind !== 'refused') throw new Error(`not refused: ${JSON.stringify(answer)}`);
  return answer;
}

/** The limit of an order that has one. */
export const limitOf = (order: ExchangeOrder): Price => must(order.price, 'the order has a limit');

// What the orders of one portfolio are judged by: its account at one moment, as plain values. Its size depends on the
// portfolio's legs and open orders, not on the account's.
import {
  type Money,
  minus,
  plus,
  type Quantity,
  rounded,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import { DAY_MS, type Instant } from '../../../values/instant.ts';
import { type Instrument, type Side, tradedByLegs } from '../../../values/instrument.ts';
import type { AccountView, GateOrder, WorkingOrder } from './gate-order.ts';

/** The account on one side of one instrument. */
export interface SideExposure {
  /** Remaining quantity of the working orders, those of combos included, without those that only reduce a position. */
  readonly working: Quantity;
  /** Working orders in the book: at least those that an opposing order would meet first. */
  readonly nearest: readonly WorkingOrder[];
}

export interface MarketExposure {
  /** Signed, in the amount unit. */
  readonly position: Quantity;
  /** The position is the day's net trades: spot. */
  readonly isOfDay: boolean;
  readonly sides: Readonly<Record<Side, SideExposure>>;
}

export interface AccountSnapshot {
  /** The day, UTC, for which `tradedUsd` and the positions of a day count. */
  readonly day: number;
  /** Value of all working orders of the account. */
  readonly workingUsd: Money;
  readonly tradedUsd: Money;
  /** By instrument; an absent one has neither position nor orders. */
  readonly markets: ReadonlyMap<string, MarketExposure>;
  /** The working orders of the portfolio. */
  readonly own: readonly WorkingOrder[];
}

export const dayOf = (at: Instant): number => Math.floor(at / DAY_MS);

/** The snapshot as the controls read it at `now`. */
export class SnapshotView implements AccountView {
  readonly #snapshot: AccountSnapshot;
  readonly #isPastDay: boolean;

  constructor(snapshot: AccountSnapshot, now: Instant) {
    this.#snapshot = snapshot;
    this.#isPastDay = dayOf(now) > snapshot.day;
  }

  position(instrument: string): Quantity {
    const market = this.#snapshot.markets.get(instrument);
    return market === undefined || (market.isOfDay && this.#isPastDay)
      ? ZERO_QUANTITY
      : market.position;
  }

  working(instrument: string, side: Side, except: string): Quantity {
    const sum = this.#snapshot.markets.get(instrument)?.sides[side].working ?? ZERO_QUANTITY;
    return workingWithout(sum, { instrument, side }, this.#own(except));
  }

  grossUsd(except: string): Money {
    const { workingUsd } = this.#snapshot;
    const tradedUsd = this.#isPastDay ? ZERO_MONEY : this.#snapshot.tradedUsd;
    return grossWithout(this.#own(except), { workingUsd, tradedUsd });
  }

  ordersOn(instrument: string, side: Side): Iterable<WorkingOrder> {
    return this.#snapshot.markets.get(instrument)?.sides[side].nearest ?? [];
  }

  #own(key: string): WorkingOrder | undefined {
    return this.#snapshot.own.find((one) => one.key === key);
  }
}

/** The sum of the working orders of a side without `own`, if that is one of them. */
export function workingWithout(
  sum: Quantity,
  of: { readonly instrument: string; readonly side: Side },
  own: WorkingOrder | undefined,
): Quantity {
  if (own === undefined || own.reduceOnly) return sum;
  const here = [own, ...(own.inLegs ?? [])].find(
    ({ instrument, side }) => instrument === of.instrument && side === of.side,
  );
  return here === undefined ? sum : minus(sum, here.rest);
}

/** What a working order of a combo would do in each leg; `undefined` for any other instrument. */
export function inLegs(
  legs: Instrument['legs'],
  order: WorkingOrder,
): readonly WorkingOrder[] | undefined {
  if (legs === undefined) return undefined;
  return tradedByLegs(legs, order.side, order.rest).map(({ instrument, side, quantity }) => ({
    key: order.key,
    instrument,
    side,
    rest: quantity,
    price: undefined,
    usd: ZERO_MONEY,
    isInBook: false,
    reduceOnly: order.reduceOnly,
  }));
}

/** What works and was traded, without `own`. */
export function grossWithout(
  own: WorkingOrder | undefined,
  { workingUsd, tradedUsd }: Pick<AccountSnapshot, 'workingUsd' | 'tradedUsd'>,
): Money {
  const all = plus(workingUsd, tradedUsd);
  return own === undefined ? all : minus(all, own.usd);
}

/** The snapshot in which a new order counts too, as it will once it is cleared. */
export function withOrder(snapshot: AccountSnapshot, order: GateOrder): AccountSnapshot {
  const { key, side, price, reduceOnly, isImmediate, quantity: rest } = order;
  const instrument = order.instrument.name;
  const isInBook = !order.waits;
  const usd = rounded(order.usd ?? ZERO_MONEY, 2, 'up');
  const whole = { key, instrument, side, rest, price, usd, isInBook, isImmediate, reduceOnly };
  const added: WorkingOrder = { ...whole, inLegs: inLegs(order.instrument.legs, whole) };
  const markets = new Map(snapshot.markets);
  for (const one of [added, ...(added.inLegs ?? [])]) {
    markets.set(one.instrument, marketWith(markets.get(one.instrument) ?? NO_EXPOSURE, one));
  }
  return {
    ...snapshot,
    workingUsd: plus(snapshot.workingUsd, usd),
    markets,
    own: [...snapshot.own, added],
  };
}

const EMPTY_SIDE: SideExposure = { working: ZERO_QUANTITY, nearest: [] };
const NO_EXPOSURE: MarketExposure = {
  position: ZERO_QUANTITY,
  isOfDay: false,
  sides: { buy: EMPTY_SIDE, sell: EMPTY_SIDE },
};

function marketWith(market: MarketExposure, added: WorkingOrder): MarketExposure {
  const { working, nearest } = market.sides[added.side];
  const side: SideExposure = {
    working: added.reduceOnly ? working : plus(working, added.rest),
    nearest: [...nearest, added],
  };
  return { ...market, sides: { ...market.sides, [added.side]: side } };
}

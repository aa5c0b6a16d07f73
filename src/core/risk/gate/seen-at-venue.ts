// A venue's reports on an account, as far as the controls count them: orders, trades, positions.
import {
  type Money,
  notional,
  type Price,
  type Quantity,
  rounded,
  ZERO_MONEY,
} from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import { grossRatio, type Instrument, type Side } from '../../../values/instrument.ts';
import type { Quote } from '../../../values/quote.ts';
import { orderUsd } from '../order-check.ts';
import type { WorkingOrder } from './gate-order.ts';

export interface SeenOrder {
  readonly key: string;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly filled: Quantity;
  readonly price: Price | undefined;
  /** Value of the whole order. */
  readonly usd: Money;
  /** When the venue last changed it, by its own clock. */
  readonly at: Instant;
  readonly isOpen: boolean;
  readonly isInBook: boolean;
  readonly reduceOnly: boolean;
}

export interface SeenTrade {
  readonly tradeId: string;
  /** Key of its order, as in `SeenOrder`. */
  readonly key: string;
  /** Empty if the order has none. */
  readonly label: string;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly indexPrice?: Price | undefined;
  readonly markPrice?: Price | undefined;
  readonly at: Instant;
}

/** The complete known state of an account at one moment, freshly read. */
export interface AccountReading {
  readonly at: Instant;
  /** The number of reports received before the reading began: later ones take precedence over it. */
  readonly since: number;
  readonly orders: readonly SeenOrder[];
  /** Signed; spot excluded. */
  readonly positions: readonly { readonly instrument: string; readonly quantity: Quantity }[];
  /** Since midnight UTC if `isWhole`, otherwise only the latest. */
  readonly trades: readonly SeenTrade[];
  /** It contains the whole day: everything counted before is discarded. */
  readonly isWhole: boolean;
}

/** As `orderUsd`; if the price of an option's coin is unknown, its strike is used instead. */
export function knownUsd(
  order: {
    readonly instrument: Instrument;
    readonly quantity: Quantity;
    readonly price: Price | undefined;
  },
  quote: Quote | undefined,
): Money {
  const { instrument } = order;
  const quantity = order.quantity.mul(grossRatio(instrument)) as Quantity;
  const price = order.price ?? quote?.mark;
  if (instrument.kind === 'option' || instrument.kind === 'option_combo') {
    const coin = quote?.underlying ?? quote?.index ?? instrument.option?.strike;
    return coin === undefined ? ZERO_MONEY : notional(coin, quantity);
  }
  if (instrument.amountUnit === 'usd') return quantity as unknown as Money;
  if (price === undefined) return ZERO_MONEY;
  return orderUsd({ instrument, quantity: order.quantity, price }, quote) ?? ZERO_MONEY;
}

export const tradeUsd = ({ instrument, quantity, price, indexPrice }: SeenTrade): Money =>
  instrument.kind === 'option'
    ? notional(indexPrice ?? instrument.option?.strike ?? price, quantity)
    : knownUsd({ instrument, quantity, price }, undefined);

/** In cents, rounded up. */
export function shareOf(
  usd: Money,
  { part, of }: { readonly part: Quantity; readonly of: Quantity },
): Money {
  const exact = part.eq(of) || of.isZero() ? usd : (usd.mul(part).div(of) as unknown as Money);
  return rounded(exact, 2, 'up');
}

/** What is known of a working order before a report on it. */
interface KnownOrder extends WorkingOrder {
  readonly legs?: Instrument['legs'];
  readonly quantity: Quantity;
  readonly wholeUsd: Money;
  readonly filled: Quantity;
  readonly saidAt?: Instant | undefined;
  readonly sentAt?: Instant | undefined;
}

/** Nothing of what is known changes by the report. */
export const isSame = (order: SeenOrder, known: KnownOrder, filled: Quantity): boolean =>
  order.isOpen &&
  known.sentAt === undefined &&
  known.saidAt === order.at &&
  known.isImmediate === undefined &&
  known.side === order.side &&
  known.instrument === order.instrument.name &&
  known.legs === order.instrument.legs &&
  known.isInBook === order.isInBook &&
  known.reduceOnly === order.reduceOnly &&
  known.filled.eq(filled) &&
  known.quantity.eq(order.quantity) &&
  known.wholeUsd.eq(order.usd) &&
  (order.price === undefined ? known.price === undefined : known.price?.eq(order.price) === true);

/** Reported before what is known. */
export const isOutdated = (
  order: SeenOrder,
  known: Pick<KnownOrder, 'saidAt'> | undefined,
): boolean => known?.saidAt !== undefined && order.at < known.saidAt;

// Converts the exchange's shapes to plain JSON and back: decimals become text, everything else stays
// unchanged.
import { money, type Price, price, quantity, ratio, text } from '../../values/amounts.ts';
import type { Decimal } from '../../values/decimal.ts';
import type { AccountId, Currency } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Plain } from '../../values/text/json-form.ts';
import type { AccountEvent, ExchangeBalance, ExchangePosition } from '../exchange-event.ts';
import type { ComboRecord } from '../model/combo-registry.ts';
import type { FundingSample } from '../model/instruments/funding-account.ts';
import type { Reference } from '../model/market-view.ts';
import type { PositionSettlement } from '../model/settlement-log.ts';
import type { ExchangeOrder, ExchangeTrade } from '../order.ts';
import type { RfqContent } from '../rfq/rfq-plain.ts';

/** The names of fields that hold decimals, in any object, and how each is read. */
const DECIMALS: Readonly<Record<string, (written: string) => Decimal>> = {
  price,
  averagePrice: price,
  value: price,
  indexPrice: price,
  markPrice: price,
  underlyingPrice: price,
  index: price,
  mark: price,
  underlying: price,
  minPrice: price,
  maxPrice: price,
  offset: price,
  reference: price,
  extreme: price,
  tickSize: price,
  above: price,
  strike: price,
  quantity,
  filledQuantity: quantity,
  displayQuantity: quantity,
  refreshQuantity: quantity,
  placedQuantity: quantity,
  cutQuantity: quantity,
  contractSize: quantity,
  amountStep: quantity,
  minAmount: quantity,
  filledValue: money,
  reserved: money,
  fee: money,
  profitLoss: money,
  balanceAfter: money,
  baseAfter: money,
  positionAfter: quantity,
  change: money,
  fundingPaid: money,
  cost: money,
  basis: money,
  settledRealised: money,
  unpaid: money,
  fromOptions: quantity,
  from: money,
  accrued: money,
  booked: money,
  paidPerLot: money,
  lotValue: money,
  settlementPrice: price,
  deliveryPrice: price,
  realised: money,
  amount: money,
  makerFee: ratio,
  takerFee: ratio,
  rate: ratio,
  ratio,
  unit: quantity,
  tick: price,
  resolution: price,
  currentFunding: ratio,
  fundingRate8h: ratio,
};

/**
 * Averages may have infinitely many decimals; they are written with this many and are not exact when read
 * back.
 */
const WRITTEN_DECIMALS = 18;

export function toPlain<T>(value: T): Plain<T> {
  return mapped(value, (key, field) =>
    key in DECIMALS && isDecimal(field)
      ? text((field as Decimal).toDecimalPlaces(WRITTEN_DECIMALS) as Parameters<typeof text>[0])
      : undefined,
  ) as Plain<T>;
}

/** A field name used for a decimal may hold an object elsewhere. */
const isDecimal = (field: unknown): boolean =>
  typeof field === 'object' && field !== null && 'toDecimalPlaces' in field;

/** @throws DecimalSyntaxError if a decimal field holds anything else. */
export function fromPlain<T>(plain: Plain<T>): T {
  return mapped(plain, (key, field) =>
    typeof field === 'string' ? DECIMALS[key]?.(field) : undefined,
  ) as T;
}

type Replace = (key: string, field: unknown) => unknown;

/** A deep copy in which `replace` may substitute the value of a field. */
function mapped(value: unknown, replace: Replace): unknown {
  if (Array.isArray(value)) return value.map((element) => mapped(element, replace));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    if (field !== undefined) copy[key] = replace(key, field) ?? mapped(field, replace);
  }
  return copy;
}

/** One journal line, as plain JSON. */
export type JournalRecord = Plain<AccountEvent>;

/** The journal line of an account event; `fromPlain` reads it. */
export const journalRecord = (event: AccountEvent): JournalRecord => toPlain(event);

export interface Counters {
  readonly orders: readonly (readonly [series: string, last: number])[];
  readonly trades: readonly (readonly [series: string, last: number])[];
  readonly tradeSeqs: readonly (readonly [instrument: string, last: number])[];
  readonly rank: number;
}

/** A snapshot before conversion to plain JSON. */
export interface SnapshotContent {
  readonly at: Instant;
  readonly instruments: readonly Instrument[];
  /** Names of the permanently closed books, with the time of closing. */
  readonly closedBooks: readonly (readonly [instrument: string, at: Instant])[];
  /** Ascending by rank. */
  readonly openOrders: readonly ExchangeOrder[];
  /** Oldest first, by the time they closed. */
  readonly closedOrders: readonly ExchangeOrder[];
  /** Per account oldest first. */
  readonly trades: readonly ExchangeTrade[];
  /** Per account oldest first; absent in snapshots written before they were kept. */
  readonly settlements?: readonly PositionSettlement[] | undefined;
  readonly positions: readonly ExchangePosition[];
  readonly balances: readonly ExchangeBalance[];
  /** Absent if no account is being liquidated, as in snapshots written before there were liquidations. */
  readonly liquidations?:
    | readonly { readonly account: AccountId; readonly currency: Currency }[]
    | undefined;
  readonly references: readonly { readonly instrument: string; readonly reference: Reference }[];
  readonly counters: Counters;
  /** Absent in snapshots written before there were settlements. */
  readonly settled?: readonly SettledListing[] | undefined;
  readonly pausedUntil?: Instant | undefined;
  /** Absent if there are none, as in snapshots written before there were combos. */
  readonly combos?: readonly ComboRecord[] | undefined;
  readonly blockRfqs?: RfqContent | undefined;
}

/** The last settlement, funding sample and delivery of a listing. */
export interface SettledListing {
  readonly instrument: string;
  readonly settlementPrice?: Price | undefined;
  readonly deliveryPrice?: Price | undefined;
  readonly funding?: FundingSample | undefined;
}

export interface ExchangeSnapshot extends Plain<SnapshotContent> {
  readonly version: 1;
}

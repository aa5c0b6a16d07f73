// A user's order inside the exchange: integer fields, mutable, itself an entry of the book's queue.

import { averagePrice, type Money, type Price, ZERO_MONEY } from '../../values/amounts.ts';
import type { AccountId, OrderId } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import type { Side } from '../../values/instrument.ts';
import type { OrderState, OrderType, TimeInForce } from '../../values/order-terms.ts';
import { Resting } from '../book/price-level.ts';
import type { CancelReason, ExchangeOrder } from '../order.ts';
import type { Advanced } from './advanced-price.ts';
import { type Conditions, conditionsView } from './conditions.ts';
import type { Listing, OrderKind } from './instruments/listing.ts';

/** Fields that never change in the life of an order. */
interface OrderIdentity {
  readonly orderId: OrderId;
  readonly listing: Listing;
  readonly side: Side;
  readonly label: string;
  readonly originalType: OrderType;
  readonly timeInForce: TimeInForce;
  readonly mmp: boolean;
  readonly createdAt: Instant;
  readonly isLiquidation?: boolean | undefined;
}

/** Fields that an edit may change. */
export interface LiveTerms {
  /** Zero for an untriggered order without a limit. */
  readonly ticks: number;
  /** Total quantity, including the filled part. */
  readonly totalLots: number;
  /** Icebergs: the maximum that the book shows. Absent or zero: everything. */
  readonly refreshLots?: number | undefined;
  /** Only for orders priced by the exchange. */
  readonly advanced?: Advanced | undefined;
  readonly postOnly: boolean;
  readonly rejectPostOnly: boolean;
  readonly reduceOnly: boolean;
}

/** V8 treats the difference of two instants as a float and boxes it, unless it is converted to an integer. */
const SMALL_MAX = 2 ** 31 - 1;

/** Bits of `LiveOrder.#flags`. */
const POST_ONLY = 1;
const REJECT_POST_ONLY = 2;
const REDUCE_ONLY = 4;
const REPLACED = 8;
const LIQUIDATION = 16;

/**
 * Kept small, because there are many: shared properties are kept in one `OrderKind`, booleans are bits, and
 * `updatedAt` is stored as an age, which fits where an instant would be boxed.
 */
export class LiveOrder extends Resting {
  readonly orderId: OrderId;
  readonly label: string;
  readonly createdAt: Instant;
  readonly #kind: OrderKind;
  #flags = 0;
  #ageMs = 0;
  ticks = 0;
  totalLots = 0;
  filledLots = 0;
  filledValue: Money = ZERO_MONEY;
  state: OrderState = 'open';
  cancelReason: CancelReason | undefined = undefined;
  rank = 0;
  /** Lots and money this order has reserved in its account's exposure. */
  claimedLots = 0;
  claimedMoney: Money = ZERO_MONEY;
  /** Only for orders that are untriggered, were triggered, or are linked. */
  conditions: Conditions | undefined = undefined;
  advanced: Advanced | undefined = undefined;

  constructor(identity: OrderIdentity, owner: { readonly id: AccountId }, terms: LiveTerms) {
    super(owner, 0);
    this.orderId = identity.orderId;
    this.label = identity.label;
    this.createdAt = identity.createdAt;
    this.#kind = orderKind(identity);
    this.#set(LIQUIDATION, identity.isLiquidation ?? false);
    this.setTerms(terms);
  }

  get account(): AccountId {
    return (this.owner as { readonly id: AccountId }).id;
  }

  get listing(): Listing {
    return this.#kind.listing;
  }

  get side(): Side {
    return this.#kind.side;
  }

  get originalType(): OrderType {
    return this.#kind.originalType;
  }

  get timeInForce(): TimeInForce {
    return this.#kind.timeInForce;
  }

  get mmp(): boolean {
    return this.#kind.mmp;
  }

  get postOnly(): boolean {
    return (this.#flags & POST_ONLY) !== 0;
  }

  get rejectPostOnly(): boolean {
    return (this.#flags & REJECT_POST_ONLY) !== 0;
  }

  get reduceOnly(): boolean {
    return (this.#flags & REDUCE_ONLY) !== 0;
  }

  /** Placed by the exchange to reduce a position. */
  get isLiquidation(): boolean {
    return (this.#flags & LIQUIDATION) !== 0;
  }

  get replaced(): boolean {
    return (this.#flags & REPLACED) !== 0;
  }

  set replaced(isReplaced: boolean) {
    this.#set(REPLACED, isReplaced);
  }

  get updatedAt(): Instant {
    return later(this.createdAt, this.#ageMs);
  }

  set updatedAt(at: Instant) {
    const ageMs = at - this.createdAt;
    this.#ageMs = ageMs <= SMALL_MAX ? ageMs | 0 : ageMs;
  }

  /** `ticks` as a price. Computed on demand: stored, it would be a third of the order's memory. */
  get price(): Price {
    return this.listing.grid.priceOf(this.ticks);
  }

  /** In the book, or waiting for its trigger. */
  get isLive(): boolean {
    return this.state === 'open' || this.state === 'untriggered';
  }

  /** Unfilled lots. */
  get remainingLots(): number {
    return this.totalLots - this.filledLots;
  }

  /** The lots that the book shows of the order, or would show. */
  get shownLots(): number {
    if (this.level !== undefined) return this.lots;
    return this.refreshLots === 0
      ? this.remainingLots
      : Math.min(this.refreshLots, this.remainingLots);
  }

  /** Splits the remaining lots into shown and hidden ones, as for an order that enters the book. */
  splitLots(): void {
    this.lots = this.shownLots;
    this.hiddenLots = this.remainingLots - this.lots;
  }

  setTerms(terms: LiveTerms): void {
    this.totalLots = terms.totalLots;
    this.refreshLots = terms.refreshLots ?? 0;
    this.advanced = terms.advanced;
    this.#set(POST_ONLY, terms.postOnly);
    this.#set(REJECT_POST_ONLY, terms.rejectPostOnly);
    this.#set(REDUCE_ONLY, terms.reduceOnly);
    this.ticks = terms.ticks;
  }

  /** Writes the fields that can change while the order rests, without conditions, to `numbers` from `at` on. */
  stand(numbers: Float64Array, at: number): void {
    numbers[at] = this.ticks;
    numbers[at + 1] = this.totalLots;
    numbers[at + 2] = this.filledLots;
    numbers[at + 3] = this.#flags;
    numbers[at + 4] = this.#ageMs;
    numbers[at + 5] = this.rank;
    numbers[at + 6] = this.refreshLots;
    numbers[at + 7] = this.lots;
  }

  #set(flag: number, isSet: boolean): void {
    this.#flags = isSet ? this.#flags | flag : this.#flags & ~flag;
  }
}

/** The fields of an order that can change, except its conditions, which are changed in place. */
type OrderStand = Pick<
  LiveOrder,
  | ('state' | 'ticks' | 'totalLots' | 'filledLots' | 'filledValue' | 'postOnly' | 'rejectPostOnly')
  | ('reduceOnly' | 'replaced' | 'cancelReason' | 'updatedAt' | 'rank' | 'refreshLots')
  | ('shownLots' | 'advanced')
>;

/** How many numbers `LiveOrder.stand` writes. */
export const STAND_NUMBERS = 8;

/** The state of a resting order without conditions when it wrote `numbers`. */
export function stoodAs(order: LiveOrder, numbers: Float64Array, filledValue: Money): OrderStand {
  const [ticks, totalLots, filledLots, flags, ageMs, rank, refreshLots, shownLots] =
    numbers as unknown as StandNumbers;
  return {
    state: 'open',
    ticks,
    totalLots,
    filledLots,
    filledValue,
    postOnly: (flags & POST_ONLY) !== 0,
    rejectPostOnly: (flags & REJECT_POST_ONLY) !== 0,
    reduceOnly: (flags & REDUCE_ONLY) !== 0,
    replaced: (flags & REPLACED) !== 0,
    cancelReason: undefined,
    updatedAt: later(order.createdAt, ageMs),
    rank,
    refreshLots,
    shownLots,
    advanced: undefined,
  };
}

type StandNumbers = readonly [
  ticks: number,
  totalLots: number,
  filledLots: number,
  flags: number,
  ageMs: number,
  rank: number,
  refreshLots: number,
  shownLots: number,
];

/** The order as replies, events and queries show it, in its current or a recorded state. */
export function viewOf(order: LiveOrder, stand: OrderStand = order): ExchangeOrder {
  const { orderId, account, side, label, originalType, timeInForce, mmp, createdAt } = order;
  const { grid, instrument } = order.listing;
  const filledQuantity = grid.quantityOf(stand.filledLots);
  return {
    orderId,
    account,
    instrument: instrument.name,
    side,
    label,
    originalType,
    state: stand.state,
    quantity: grid.quantityOf(stand.totalLots),
    filledQuantity,
    filledValue: stand.filledValue,
    timeInForce,
    postOnly: stand.postOnly,
    rejectPostOnly: stand.rejectPostOnly,
    reduceOnly: stand.reduceOnly,
    mmp,
    replaced: stand.replaced,
    createdAt,
    updatedAt: stand.updatedAt,
    rank: stand.rank,
    // Placed last, because properties after a spread are defined on V8's slow path.
    ...(grid.hasPrice(stand.ticks) && { price: grid.priceOf(stand.ticks) }),
    ...(order.isLiquidation && { isLiquidation: true }),
    ...(stand.filledLots > 0 && { averagePrice: averagePrice(stand.filledValue, filledQuantity) }),
    ...(stand.cancelReason !== undefined && { cancelReason: stand.cancelReason }),
    ...(stand.refreshLots > 0 && {
      displayQuantity: grid.quantityOf(stand.shownLots),
      refreshQuantity: grid.quantityOf(stand.refreshLots),
    }),
    ...(order.conditions && conditionsView(order.conditions, grid, order.isLive)),
    ...(reservesByIndex(order) && { reserved: order.claimedMoney }),
    ...(stand.advanced && {
      advanced: { kind: stand.advanced.kind, value: stand.advanced.value },
      autoReplaced: stand.advanced.autoReplaced,
    }),
  };
}

/** Bids for linear options reserve a fee alongside the premium, which is a share of the index. */
export function reservesByIndex({ claimedMoney, listing }: LiveOrder): boolean {
  const { kind, marginKind } = listing.instrument;
  const isOption = kind === 'option' || kind === 'option_combo';
  return isOption && marginKind === 'linear' && !claimedMoney.isZero();
}

/**
 * The single shared object for these properties. It is kept with the market: a global table would outlive the
 * markets.
 */
function orderKind(words: OrderKind): OrderKind {
  const { listing, side, originalType, timeInForce, mmp } = words;
  const key = `${side} ${originalType} ${timeInForce} ${mmp}`;
  const kind = listing.kinds.get(key);
  if (kind !== undefined) return kind;
  const made = { listing, side, originalType, timeInForce, mmp };
  listing.kinds.set(key, made);
  return made;
}

// What happened to a leg, read from the events in one pass: its slices, children and fills, each with the number of its
// event in the history, by which the market at that moment is found.
import {
  type Money,
  money,
  type Price,
  plus,
  price,
  type Quantity,
  quantity,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { parseChildLabel } from '../../values/ids.ts';
import { type Instant, instant } from '../../values/instant.ts';
import type { Side } from '../../values/instrument.ts';
import type { PortfolioEvent } from '../portfolio/aggregate/portfolio-event.ts';
import type { SkipReason } from '../terms/reasons.ts';

export interface FillHistory {
  readonly version: number;
  readonly label: string;
  readonly slice: number;
  readonly tradeId: string;
  readonly quantity: Quantity;
  readonly price: Price;
  readonly fee: Money;
  readonly feeCurrency: string;
  readonly liquidity: 'maker' | 'taker';
  /** On the venue's clock. */
  readonly tradedAt: Instant;
  readonly child: ChildHistory;
}

export interface ChildHistory {
  readonly version: number;
  readonly label: string;
  readonly slice: number;
  readonly attempt: number;
  readonly intendedAt: Instant;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly sentPrice: Price;
  /** As last edited. */
  price: Price;
  readonly timeInForce: string;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  /** A leg of a Block RFQ: its price is allocated, not found in the book. */
  readonly isBlock: boolean;
  liveAt?: Instant | undefined;
  closedAt?: Instant | undefined;
  outcome: 'open' | 'filled' | 'cancelled' | 'rejected' | 'unsent';
  /** The venue's, once it is known. */
  orderId?: string | undefined;
  /** Why it was cancelled or refused, as the venue says it. */
  reason?: string | undefined;
  filled: Quantity;
  made: Quantity;
  /** What was sent, and each price that an edit was confirmed with. */
  readonly prices: { readonly at: Instant; readonly price: Price }[];
}

export interface SliceHistory {
  readonly slice: number;
  readonly dueAt: Instant | undefined;
  readonly startedAt: Instant;
  readonly version: number;
  readonly planned: Quantity;
  readonly quantity: Quantity;
  filled: Quantity;
  /** When the first child was decided. */
  sentAt?: Instant | undefined;
  /** When the venue first said that it has one. */
  liveAt?: Instant | undefined;
  children: number;
  readonly waits: SkipReason[];
  /** It passed without being run. */
  readonly isMissed: boolean;
}

export interface LegHistory {
  readonly slices: readonly SliceHistory[];
  readonly children: readonly ChildHistory[];
  /** In order of the venue's time. */
  readonly fills: readonly FillHistory[];
}

interface Telling {
  readonly slices: Map<number, SliceHistory>;
  readonly children: Map<string, ChildHistory>;
  readonly fills: FillHistory[];
}

export class LegHistoryBuilder {
  readonly #legs: Telling[] = [];
  #version = 0;

  /** Events in the order of the history, from the first. */
  add(event: PortfolioEvent): void {
    this.#version += 1;
    switch (event.kind) {
      case 'slices_missed':
        for (let slice = event.from; slice <= event.to; slice += 1) this.#missed(event, slice);
        break;
      case 'slice_started':
        this.#leg(event.leg).slices.set(event.slice, {
          slice: event.slice,
          dueAt: instant(event.dueAt),
          startedAt: instant(event.at),
          version: this.#version,
          planned: quantity(event.planned),
          quantity: quantity(event.quantity),
          filled: ZERO_QUANTITY,
          children: 0,
          waits: [],
          isMissed: false,
        });
        break;
      case 'slice_waiting':
        this.#leg(event.leg).slices.get(event.slice)?.waits.push(event.reason);
        break;
      case 'child_intended':
        this.#intended(event);
        break;
      default:
        if ('label' in event) this.#ofChild(event);
    }
  }

  leg(leg: number): LegHistory {
    const { slices, children, fills } = this.#leg(leg);
    return {
      slices: [...slices.values()].sort((a, b) => a.slice - b.slice),
      children: [...children.values()],
      fills: fills.sort((a, b) => a.tradedAt - b.tradedAt || a.version - b.version),
    };
  }

  #leg(leg: number): Telling {
    const known = this.#legs[leg] ?? { slices: new Map(), children: new Map(), fills: [] };
    this.#legs[leg] = known;
    return known;
  }

  #missed({ leg, at }: { readonly leg: number; readonly at: number }, slice: number): void {
    this.#leg(leg).slices.set(slice, {
      slice,
      dueAt: undefined,
      startedAt: instant(at),
      version: this.#version,
      planned: ZERO_QUANTITY,
      quantity: ZERO_QUANTITY,
      filled: ZERO_QUANTITY,
      children: 0,
      waits: [],
      isMissed: true,
    });
  }

  #intended(event: PortfolioEvent & { readonly kind: 'child_intended' }): void {
    const { leg, slice, label, attempt, timeInForce, block } = event;
    const telling = this.#leg(leg);
    telling.children.set(label, {
      version: this.#version,
      label,
      slice,
      attempt,
      intendedAt: instant(event.at),
      side: event.side,
      quantity: quantity(event.quantity),
      timeInForce,
      sentPrice: price(event.price),
      price: price(event.price),
      postOnly: event.postOnly,
      reduceOnly: event.reduceOnly,
      isBlock: block === true,
      outcome: 'open',
      prices: [{ at: instant(event.at), price: price(event.price) }],
      filled: ZERO_QUANTITY,
      made: ZERO_QUANTITY,
    });
    const of = telling.slices.get(slice);
    if (of === undefined) return;
    of.children += 1;
    of.sentAt ??= instant(event.at);
  }

  #ofChild(event: PortfolioEvent & { readonly label: string }): void {
    const leg = parseChildLabel(event.label)?.leg;
    const telling = leg === undefined ? undefined : this.#leg(leg);
    const child = telling?.children.get(event.label);
    if (telling === undefined || child === undefined) return;
    const slice = telling.slices.get(child.slice);
    const at = instant(event.at);
    switch (event.kind) {
      case 'child_live':
        child.liveAt ??= at;
        child.orderId = event.orderId;
        if (slice !== undefined) slice.liveAt ??= at;
        break;
      case 'child_rejected':
        child.outcome = 'rejected';
        child.reason = event.message;
        child.closedAt = at;
        break;
      case 'child_unsent':
        child.outcome = 'unsent';
        child.closedAt = at;
        break;
      case 'child_closed':
        child.outcome = event.state;
        child.orderId = event.orderId;
        child.reason = event.reason;
        child.closedAt = at;
        if (slice !== undefined) slice.liveAt ??= at;
        break;
      case 'edit_done':
        child.price = price(event.price);
        child.prices.push({ at, price: child.price });
        break;
      case 'fill_booked': {
        const of = quantity(event.quantity);
        child.filled = plus(child.filled, of);
        if (event.liquidity === 'maker') child.made = plus(child.made, of);
        if (slice !== undefined) slice.filled = plus(slice.filled, of);
        telling.fills.push({
          version: this.#version,
          label: event.label,
          slice: child.slice,
          child,
          tradeId: event.tradeId,
          quantity: of,
          price: price(event.price),
          fee: money(event.fee),
          feeCurrency: event.feeCurrency,
          liquidity: event.liquidity,
          tradedAt: instant(event.tradedAt),
        });
        break;
      }
      default:
    }
  }
}

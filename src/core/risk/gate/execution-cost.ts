// PT-2 and PT-20: the cost of execution relative to the market when a leg began, as far as today's trades show: the
// mark price at the leg's first trade of the day. Fed with trades alone, so that a restart computes the same.
import {
  absolute,
  averagePrice,
  basisPoints,
  distance,
  inverseNotionalOn,
  isMore,
  type Money,
  minus,
  notional,
  type Price,
  plus,
  type Quantity,
  rounded,
  text,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import { parseChildLabel } from '../../../values/ids.ts';
import { DAY_MS, type Instant, later } from '../../../values/instant.ts';
import { isCombo } from '../../../values/instrument.ts';
import { allowanceOf } from '../../pricing/price-allowance.ts';
import type { DriftLimits } from './control-limits.ts';
import type { GateFault } from './gate-order.ts';
import type { SeenTrade } from './seen-at-venue.ts';

interface Fill {
  readonly at: Instant;
  readonly value: Money;
  readonly quantity: Quantity;
}

/** A leg whose fills had drifted too far when one of its children traded. */
export interface Drift {
  /** Of the child. */
  readonly label: string;
  readonly fault: GateFault;
  /** When it traded. */
  readonly at: Instant;
}

interface LegCost {
  readonly arrival: Price;
  /** Fills within the window, oldest first. */
  readonly fills: Fill[];
  /** Total value of those fills. */
  value: Money;
  quantity: Quantity;
  /** The latest of today. */
  drift?: Drift | undefined;
}

const CENTS = { places: 2, rounding: 'half_even' } as const;
const FILLS_MAX = 1_000;

export class ExecutionCost {
  readonly #legs = new Map<string, LegCost>();
  #lossUsd = ZERO_MONEY;
  #day = 0;

  /** Excess paid, or shortfall received, relative to the mark price at arrival; negative if better than it. */
  lossUsd(now: Instant): Money {
    this.#roll(now);
    return this.#lossUsd;
  }

  /** The latest drift of each leg today, also of those that have come back since. */
  *drifts(): Iterable<Drift> {
    for (const { drift } of this.#legs.values()) if (drift !== undefined) yield drift;
  }

  /** Counts a trade of a child, each once. Returns the drift if its leg is too far by now. */
  traded(trade: SeenTrade, drift: DriftLimits | undefined): Drift | undefined {
    const child = parseChildLabel(trade.label);
    if (child === undefined) return undefined;
    this.#roll(trade.at);
    const name = `${child.portfolio}/${child.leg}`;
    const leg = this.#legs.get(name) ?? newLeg(trade);
    this.#legs.set(name, leg);
    this.#lossUsd = plus(this.#lossUsd, costUsd(trade, leg.arrival));
    if (drift === undefined) return undefined;
    const { at, price, quantity } = trade;
    add(leg, { at, value: notional(price, quantity), quantity }, later(at, -drift.windowMs));
    const { instrument, indexPrice: index } = trade;
    const isOfOptions = instrument.kind === 'option' || instrument.kind === 'option_combo';
    const drifts = basisPoints(isOfOptions ? drift.optionBps : drift.bps);
    const allowed = allowanceOf({ instrument, from: leg.arrival, share: drifts, index });
    const fault = driftFault(leg, allowed);
    if (fault === undefined) return undefined;
    leg.drift = { label: trade.label, fault, at };
    return leg.drift;
  }

  /** Clears the trades of the day, which are then counted again. */
  forget(): void {
    this.#lossUsd = ZERO_MONEY;
    this.#legs.clear();
  }

  #roll(now: Instant): void {
    const day = Math.floor(now / DAY_MS);
    if (day <= this.#day) return;
    this.#day = day;
    this.forget();
  }
}

const newLeg = ({ markPrice, price }: SeenTrade): LegCost => ({
  arrival: markPrice ?? price,
  fills: [],
  value: ZERO_MONEY,
  quantity: ZERO_QUANTITY,
});

/** Sums are updated incrementally: they are exact, whatever is added or removed. */
function add(leg: LegCost, fill: Fill, since: Instant): void {
  leg.fills.push(fill);
  leg.value = plus(leg.value, fill.value);
  leg.quantity = plus(leg.quantity, fill.quantity);
  for (let [oldest] = leg.fills; oldest !== undefined && oldest !== fill; [oldest] = leg.fills) {
    if (oldest.at > since && leg.fills.length <= FILLS_MAX) return;
    leg.fills.shift();
    leg.value = minus(leg.value, oldest.value);
    leg.quantity = minus(leg.quantity, oldest.quantity);
  }
}

function driftFault({ arrival, value, quantity }: LegCost, allowed: Price): GateFault | undefined {
  // Compares products instead of quotients, so that a division is almost never needed.
  const due = notional(arrival, quantity);
  if (!isMore(absolute(minus(value, due)), notional(allowed, quantity))) return undefined;
  const average = averagePrice(value, quantity);
  const away = absolute(distance(arrival, average));
  const why = `average ${shown(average)} is ${shown(away)} from ${text(arrival)} at arrival, more than ${shown(allowed)}`;
  return { why, limit: shown(allowed), input: shown(away) };
}

const shown = (price: Price): string => text(rounded(price, 8, 'half_even'));

function costUsd(trade: SeenTrade, arrival: Price): Money {
  const { side, price, quantity, instrument, indexPrice } = trade;
  const worse = side === 'buy' ? distance(arrival, price) : distance(price, arrival);
  const perQuote = notional(worse, quantity);
  if (instrument.amountUnit === 'usd') {
    // The price of a combo is a difference of its legs' prices, each of them about the index.
    const at = isCombo(instrument) ? indexPrice : arrival;
    return at === undefined
      ? ZERO_MONEY
      : inverseNotionalOn(at, perQuote as unknown as Quantity, CENTS);
  }
  const usd =
    instrument.marginKind === 'inverse'
      ? perQuote.mul(indexPrice ?? instrument.option?.strike ?? 1)
      : perQuote;
  return rounded(usd as Money, CENTS.places, CENTS.rounding);
}

/** PT-20: why an account may start nothing new today, or not until its loss is known. */
export function slippageFault(
  lossUsd: Money | undefined,
  limit: Money | undefined,
): GateFault | undefined {
  if (lossUsd === undefined) return { why: 'what executing has cost today is not known yet' };
  if (limit === undefined) return { why: 'no limit on the loss of execution a day' };
  if (!isMore(lossUsd, limit)) return undefined;
  const over = minus(lossUsd, limit);
  return {
    why: `execution has cost ${text(lossUsd)} USD today, ${text(over)} more than ${text(limit)}`,
    limit: text(limit),
    input: text(lossUsd),
  };
}

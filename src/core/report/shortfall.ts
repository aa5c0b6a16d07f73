// Implementation shortfall (Perold 1988) of a leg and its parts (after Wagner and Kissell), in the currency in which it
// costs. Positive is a cost. The parts add up to the whole exactly: it is also computed directly, and the two are
// compared.
//
//   whole    = s (Σ q·w(p) + R·w(E) − Q·w(D)) + fees
//   delay    = s Q (w(A) − w(D))       from the decision to the start; the whole order waited
//   market   = s F (w(T) − w(A))       how the market moved on the average of the interval
//   schedule = s Σ q (w(m) − w(T))     when it was traded, against an even course
//   spread   = s Σ q (w(p) − w(m))     against the mid before each fill; negative where it earned
//   unsplit  = s Σ q (w(p) − w(A))     fills without a recorded mid: all of the three above
//   residual = s R (w(E) − w(A))       what was not done, at the last mid
//
// with s = +1 for a buy and −1 for a sell, D, A, E the mids at decision, arrival and end, T the interval's mean mid, m the
// mid before a fill, Q asked, F filled, R = Q − F. What a unit is worth, w, is its price, or −1/price where the amount is
// in USD and paid in coin, so that a rising price costs a buyer in both.
import {
  inverseNotionalOn,
  type Money,
  minus,
  negated,
  notional,
  type Price,
  plus,
  type Quantity,
  quantity,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { assert } from '../../values/assert.ts';
import type { Side } from '../../values/instrument.ts';

export interface ShortfallFill {
  readonly quantity: Quantity;
  readonly price: Price;
  /** The mid before it; absent if none was recorded. */
  readonly mid: Price | undefined;
}

export interface ShortfallQuestion {
  readonly side: Side;
  readonly isInverse: boolean;
  readonly asked: Quantity;
  readonly fills: readonly ShortfallFill[];
  readonly decision: Price;
  readonly arrival: Price;
  /** The interval's mean mid; absent: the arrival takes its place. */
  readonly twap: Price | undefined;
  /** The last mid; not needed if nothing is left. */
  readonly end: Price | undefined;
  readonly fees: Money;
}

export interface ShortfallParts {
  readonly delay: Money;
  readonly market: Money;
  readonly schedule: Money;
  readonly spread: Money;
  readonly unsplit: Money;
  readonly residual: Money;
  readonly fees: Money;
}

export interface Shortfall extends ShortfallParts {
  /** The sum of the parts. */
  readonly total: Money;
  /** Value of the whole order at the decision, the denominator of basis points. */
  readonly atDecision: Money;
}

/** With as many decimals, one coin in 10^18, products with amounts are exact. */
const UNIT_GRID = { places: 18, rounding: 'half_even' } as const;
const ONE = quantity('1');

/** What one unit is worth, so that more of it is worse for a buyer. */
const worthOf = (at: Price, isInverse: boolean): Price =>
  isInverse ? (negated(inverseNotionalOn(at, ONE, UNIT_GRID)) as Money as unknown as Price) : at;

export function shortfall(question: ShortfallQuestion): Shortfall {
  const { side, isInverse, asked, fills, fees } = question;
  const worth = (at: Price): Price => worthOf(at, isInverse);
  const signed = (of: Money): Money => (side === 'buy' ? of : negated(of));
  const [decision, arrival] = [worth(question.decision), worth(question.arrival)];
  const mean = question.twap === undefined ? arrival : worth(question.twap);
  const end = question.end === undefined ? arrival : worth(question.end);
  let [paid, schedule, spread, unsplit] = [ZERO_MONEY, ZERO_MONEY, ZERO_MONEY, ZERO_MONEY];
  let [filled, withMid] = [ZERO_QUANTITY, ZERO_QUANTITY];
  for (const fill of fills) {
    const at = worth(fill.price);
    filled = plus(filled, fill.quantity);
    paid = plus(paid, notional(at, fill.quantity));
    if (fill.mid === undefined) {
      unsplit = plus(unsplit, moved(arrival, at, fill.quantity));
      continue;
    }
    const mid = worth(fill.mid);
    withMid = plus(withMid, fill.quantity);
    schedule = plus(schedule, moved(mean, mid, fill.quantity));
    spread = plus(spread, moved(mid, at, fill.quantity));
  }
  const left = minus(asked, filled);
  const parts: ShortfallParts = {
    delay: signed(moved(decision, arrival, asked)),
    market: signed(moved(arrival, mean, withMid)),
    schedule: signed(schedule),
    spread: signed(spread),
    unsplit: signed(unsplit),
    residual: signed(moved(arrival, end, left)),
    fees,
  };
  const total = sumOf(Object.values(parts));
  const worthless = notional(decision, asked);
  const direct = plus(signed(minus(plus(paid, notional(end, left)), worthless)), fees);
  assert(direct.eq(total), () => `parts of ${total} against a shortfall of ${direct}`);
  return { ...parts, total, atDecision: isInverse ? negated(worthless) : worthless };
}

/** What `of` gained in worth. */
const moved = (from: Price, to: Price, of: Quantity): Money =>
  minus(notional(to, of), notional(from, of));

const sumOf = (all: readonly Money[]): Money => all.reduce(plus, ZERO_MONEY);

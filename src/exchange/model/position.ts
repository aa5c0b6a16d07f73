// Position arithmetic: how a fill changes size, cost and realised profit. Average cost; closing takes a
// proportional share of the cost and the last lot takes the remainder, so nothing is lost. Profits are exact
// here; only payments are rounded, and the rest is carried forward.
import {
  inverseNotionalOn,
  type Money,
  minus,
  negated,
  notional,
  type Price,
  plus,
  proportionOn,
  type Quantity,
  steps,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import type { Instrument } from '../../values/instrument.ts';

/** The precision of costs, the most that a journal keeps: ten dollars at 100,000 still have an average of eight decimals. */
const COST_GRID = { places: 18, rounding: 'half_up' } as const;

export interface Holding {
  /** Signed. */
  readonly lots: number;
  /** The cost of the open lots, never negative: coin for USD-sized contracts, quote currency otherwise. */
  readonly cost: Money;
  /**
   * The basis of profit: the cost, moved at each settlement by exactly the amount paid. For an option, whose
   * profit is paid only on closing, the value at the last settlement.
   */
  readonly basis: Money;
}

export const FLAT: Holding = { lots: 0, cost: ZERO_MONEY, basis: ZERO_MONEY };

interface HoldingChange {
  readonly after: Holding;
  /** In the settlement currency, exact to 18 decimals; zero if nothing was closed. */
  readonly profitLoss: Money;
}

/** In the unit of costs: USD / price for USD-sized contracts, price × quantity otherwise. */
export function costOf(instrument: Instrument, price: Price, quantity: Quantity): Money {
  return instrument.amountUnit === 'usd'
    ? inverseNotionalOn(price, quantity, COST_GRID)
    : notional(price, quantity);
}

/**
 * The value of `lots` at one price, computed so that equal and opposite holdings have equal and opposite
 * values.
 */
export const valueOfLots = (
  instrument: Instrument,
  price: Price,
  { lot, lots }: { readonly lot: Quantity; readonly lots: number },
): Money => steps(costOf(instrument, price, lot), Math.abs(lots));

/**
 * The holding after `signedLots` traded for `value`. A long linear position earns value − basis; a USD-sized
 * one is short the coin and earns basis − value: S · (1/E − 1/X). An option earns against its cost.
 */
export function afterFill(
  instrument: Instrument,
  before: Holding,
  signedLots: number,
  value: Money,
): HoldingChange {
  const lots = before.lots + signedLots;
  if (before.lots === 0 || Math.sign(before.lots) === Math.sign(signedLots)) {
    const after = { lots, cost: plus(before.cost, value), basis: plus(before.basis, value) };
    return { after, profitLoss: ZERO_MONEY };
  }
  const held = Math.abs(before.lots);
  const traded = Math.abs(signedLots);
  const closed = Math.min(held, traded);
  const closedValue = partOf(value, closed, traded);
  const closedCost = partOf(before.cost, closed, held);
  const closedBasis = partOf(before.basis, closed, held);
  const opened = minus(value, closedValue);
  const isTurned = traded > held;
  const cost = isTurned ? opened : minus(before.cost, closedCost);
  const basis = isTurned ? opened : minus(before.basis, closedBasis);
  const from = instrument.kind === 'option' ? closedCost : closedBasis;
  const profitLoss = gainOf(instrument, before.lots, minus(closedValue, from));
  return { after: { lots, cost, basis }, profitLoss };
}

/** The gain of a holding of this sign when its value rises by `rise`. */
export const gainOf = (instrument: Instrument, lots: number, rise: Money): Money =>
  lots > 0 === (instrument.amountUnit !== 'usd') ? rise : negated(rise);

/** The holding after `paid` of its open profit was paid, which lowers its future profit by that amount. */
export const afterPayment = (instrument: Instrument, before: Holding, paid: Money): Holding => ({
  ...before,
  basis: plus(before.basis, gainOf(instrument, before.lots, paid)),
});

const partOf = (whole: Money, part: number, of: number): Money =>
  part === of ? whole : proportionOn(whole, { numerator: part, denominator: of, ...COST_GRID });

// Position arithmetic: what a fill does to size, cost and realised profit. Average cost; closing takes
// its proportional share of the cost, the last lot takes all that is left, so nothing is lost. Profits
// are exact here; only what is paid is rounded, and the rest is carried on.
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

/** How costs are kept. */
const COST_GRID = { places: 16, rounding: 'half_up' } as const;

export interface Holding {
  /** Signed. */
  readonly lots: number;
  /** What the open lots cost, never negative: coin for USD-sized contracts, quote otherwise. */
  readonly cost: Money;
  /**
   * What profit counts from: the cost, moved at each settlement by exactly what was paid there. For an
   * option, whose profit is paid only when it is closed, the value at the last settlement.
   */
  readonly basis: Money;
}

export const FLAT: Holding = { lots: 0, cost: ZERO_MONEY, basis: ZERO_MONEY };

interface HoldingChange {
  readonly after: Holding;
  /** In the settlement currency, exact to 16 decimals; zero while nothing is closed. */
  readonly profitLoss: Money;
}

/** The unit costs are kept in: USD / price for USD-sized contracts, price × quantity otherwise. */
export function costOf(instrument: Instrument, price: Price, quantity: Quantity): Money {
  return instrument.amountUnit === 'usd'
    ? inverseNotionalOn(price, quantity, COST_GRID)
    : notional(price, quantity);
}

/** `lots` at one price, so that equal and opposite holdings are worth equal and opposite amounts. */
export const valueOfLots = (
  instrument: Instrument,
  price: Price,
  { lot, lots }: { readonly lot: Quantity; readonly lots: number },
): Money => steps(costOf(instrument, price, lot), Math.abs(lots));

/**
 * `signedLots` traded for `value`. A long linear position earns value − basis; a USD-sized one is short
 * the coin against it and earns basis − value: S · (1/E − 1/X). An option earns against its cost.
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

/** What a holding of this sign gains when its value rises by `rise`. */
export const gainOf = (instrument: Instrument, lots: number, rise: Money): Money =>
  lots > 0 === (instrument.amountUnit !== 'usd') ? rise : negated(rise);

/** The holding after `paid` of its open profit was paid: what it earns from here on is less by that. */
export const afterPayment = (instrument: Instrument, before: Holding, paid: Money): Holding => ({
  ...before,
  basis: plus(before.basis, gainOf(instrument, before.lots, paid)),
});

const partOf = (whole: Money, part: number, of: number): Money =>
  part === of ? whole : proportionOn(whole, { numerator: part, denominator: of, ...COST_GRID });

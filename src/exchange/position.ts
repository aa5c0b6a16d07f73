// Position arithmetic: what a fill does to size, cost and realised profit. Average cost; closing takes
// its proportional share of the cost, the last lot takes all that is left, so nothing is lost.
import {
  inverseNotionalOn,
  type Money,
  minus,
  notional,
  type Price,
  plus,
  proportionOn,
  type Quantity,
  rounded,
  ZERO_MONEY,
} from '../values/amounts.ts';
import type { Instrument } from '../values/instrument.ts';
import { decimalsOf } from './fees.ts';

/** How costs are kept. */
const COST_GRID = { places: 16, rounding: 'half_up' } as const;

export interface Holding {
  /** Signed. */
  readonly lots: number;
  /** What the open lots cost, never negative: coin for USD-sized contracts, quote otherwise. */
  readonly cost: Money;
}

interface HoldingChange {
  readonly after: Holding;
  /** In the settlement currency, rounded to its decimals; zero while nothing is closed. */
  readonly profitLoss: Money;
}

/** The unit costs are kept in: USD / price for USD-sized contracts, price × quantity otherwise. */
export function costOf(instrument: Instrument, price: Price, quantity: Quantity): Money {
  return instrument.amountUnit === 'usd'
    ? inverseNotionalOn(price, quantity, COST_GRID)
    : notional(price, quantity);
}

/**
 * `signedLots` traded for `value`. A long linear position earns value − cost; a USD-sized one is short
 * the coin against it and earns cost − value: S · (1/E − 1/X).
 */
export function afterFill(
  instrument: Instrument,
  before: Holding,
  signedLots: number,
  value: Money,
): HoldingChange {
  const lots = before.lots + signedLots;
  if (before.lots === 0 || Math.sign(before.lots) === Math.sign(signedLots)) {
    return { after: { lots, cost: plus(before.cost, value) }, profitLoss: ZERO_MONEY };
  }
  const held = Math.abs(before.lots);
  const traded = Math.abs(signedLots);
  const closed = Math.min(held, traded);
  const closedCost = partOf(before.cost, closed, held);
  const closedValue = partOf(value, closed, traded);
  const cost = traded > held ? minus(value, closedValue) : minus(before.cost, closedCost);
  const gainsWhenValueRises = before.lots > 0 === (instrument.amountUnit !== 'usd');
  const profitLoss = gainsWhenValueRises
    ? minus(closedValue, closedCost)
    : minus(closedCost, closedValue);
  const decimals = decimalsOf(instrument.settlement);
  return { after: { lots, cost }, profitLoss: rounded(profitLoss, decimals, 'half_up') };
}

const partOf = (whole: Money, part: number, of: number): Money =>
  part === of ? whole : proportionOn(whole, { numerator: part, denominator: of, ...COST_GRID });

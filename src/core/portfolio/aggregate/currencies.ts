// The currency codes that describe a leg and the currency of its sums. Choices beyond the venue's settlement rules
// are listed in docs/interface.md.
import {
  averageInversePriceOn,
  averagePriceOn,
  inverseNotional,
  isZero,
  type Money,
  notional,
  type Price,
  type Quantity,
} from '../../../values/amounts.ts';
import { forCcy, type Instrument, isPricedInversely } from '../../../values/instrument.ts';
import type { LegState } from './portfolio-state.ts';

export interface LegCurrencies {
  /** The coin the leg is exposed to. */
  readonly forCcy: string;
  /** Currency in which the coin is priced. */
  readonly domCcy: string;
  /** Currency of the mark price. */
  readonly markCcy: string;
  /** Currency of the quantity. */
  readonly notionalCcy: string;
  /** Currency of profit, loss and fees. */
  readonly defaultPvCcy: string;
}

export function legCurrencies(instrument: Instrument): LegCurrencies {
  const isInverse = instrument.marginKind === 'inverse';
  return {
    forCcy: forCcy(instrument),
    domCcy: isInverse ? 'USD' : instrument.quote,
    markCcy: instrument.quote,
    notionalCcy: quantityCurrency(instrument),
    defaultPvCcy: instrument.settlement,
  };
}

export const quantityCurrency = (instrument: Instrument): string =>
  instrument.amountUnit === 'usd' ? 'USD' : instrument.base;

/**
 * What a fill adds to a leg's value: coin for contracts sized in USD, otherwise in the quote currency; price × quantity
 * of a combo, whatever its unit, which only its average price is made from.
 */
export const fillValue = (instrument: Instrument, at: Price, of: Quantity): Money =>
  isPricedInversely(instrument) ? inverseNotional(at, of) : notional(at, of);

/** Decimals of an average beyond those of the tick; the sums behind it are exact. */
const AVERAGE_PLACES_MORE = 3;

/**
 * The average fill price; `undefined` without fills. Contracts sized in USD average harmonically:
 * their coin value is quantity / price.
 */
export function averageFillPrice(leg: LegState, instrument: Instrument): Price | undefined {
  if (isZero(leg.filled)) return undefined;
  const places = instrument.tickSize.dp() + AVERAGE_PLACES_MORE;
  const grid = { places, rounding: 'half_even' } as const;
  return isPricedInversely(instrument)
    ? averageInversePriceOn(leg.filled, leg.value, grid)
    : averagePriceOn(leg.value, leg.filled, grid);
}

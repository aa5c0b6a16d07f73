// The currency codes a leg is described by, and what its sums are in. Choices beside the venue's own
// settlement rules are listed in docs/interface.md.
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
import { forCcy, type Instrument } from '../../../values/instrument.ts';
import type { LegState } from './portfolio-state.ts';

export interface LegCurrencies {
  /** The coin the leg is exposed to. */
  readonly forCcy: string;
  /** What the coin is counted in. */
  readonly domCcy: string;
  /** What the mark price is in. */
  readonly markCcy: string;
  /** What the quantity is in. */
  readonly notionalCcy: string;
  /** What profit, loss and fees are in. */
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

/** What a fill adds to a leg's value: coin for contracts sized in USD, else in the quote currency. */
export const fillValue = (instrument: Instrument, at: Price, of: Quantity): Money =>
  instrument.amountUnit === 'usd' ? inverseNotional(at, of) : notional(at, of);

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
  return instrument.amountUnit === 'usd'
    ? averageInversePriceOn(leg.filled, leg.value, grid)
    : averagePriceOn(leg.value, leg.filled, grid);
}

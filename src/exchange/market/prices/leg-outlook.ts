// The basis of a Block RFQ maker's price for one leg: the market's mid price and width, and the exposure of
// one unit. Floats, because it only produces quotes.
import { toNumber } from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Reference } from '../../model/market-view.ts';

export interface LegOutlook {
  /** In the quote unit, as is `halfSpread`. */
  readonly middle: number;
  readonly halfSpread: number;
  /** Coins of the underlying per unit of the amount. */
  readonly delta: number;
  /** USD per volatility point, per unit of the amount. */
  readonly vega: number;
  /** USD per coin. */
  readonly index: number;
  /** Prices are jumping: makers do not quote. */
  readonly isAlarmed: boolean;
}

/** Half the width of a market without quotes: a volatility point, or three basis points. */
const VOLATILITY_POINTS = 1;
const BASIS_POINTS = 3;

/** Derived from the exchange's reference data if the market source has no outlook. */
export function outlookOf(instrument: Instrument, reference: Reference): LegOutlook | undefined {
  const index = reference.index === undefined ? 0 : toNumber(reference.index);
  const middle = toNumber(reference.mark);
  if (!(index > 0)) return undefined;
  const isOption = instrument.kind === 'option';
  const { delta = isOption ? undefined : 1, vega = isOption ? undefined : 0 } =
    reference.greeks ?? {};
  if (delta === undefined || vega === undefined) return undefined;
  const unit = instrument.marginKind === 'inverse' ? index : 1;
  const tick = toNumber(instrument.tickSize);
  const half = isOption ? (VOLATILITY_POINTS * vega) / unit : middle * BASIS_POINTS * 0.0001;
  return {
    middle,
    halfSpread: Math.max(half, tick),
    ...exposureOf(instrument, { middle, index, delta, vega }),
    index,
    isAlarmed: false,
  };
}

interface Sensitivity {
  readonly middle: number;
  readonly index: number;
  readonly delta: number;
  readonly vega: number;
}

/** A premium in coin is itself exposed to the coin. */
export function exposureOf(
  instrument: Instrument,
  { middle, index, delta, vega }: Sensitivity,
): Pick<LegOutlook, 'delta' | 'vega'> {
  if (instrument.kind !== 'option') {
    return { delta: instrument.amountUnit === 'usd' ? 1 / index : 1, vega: 0 };
  }
  return { delta: instrument.marginKind === 'inverse' ? delta - middle : delta, vega };
}

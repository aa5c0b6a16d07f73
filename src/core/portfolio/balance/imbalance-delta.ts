// The imbalance of a BALANCE portfolio as exposure: the quantity filled beyond proportion, in delta coins. A
// monitoring figure computed with floats; the bound that is asserted is in units.
import { toNumber } from '../../../values/amounts.ts';
import { type Instrument, signOf } from '../../../values/instrument.ts';
import type { Quote } from '../../../values/quote.ts';
import { imbalanceOf } from '../aggregate/imbalance.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import { legInstrument, legSpec } from '../aggregate/positions.ts';

/** The freshest quote of an instrument; `undefined` = unknown. */
type QuoteLookup = (instrument: string) => Quote | undefined;

export interface Imbalance {
  /** The largest share of its bound by which a leg is ahead, in [0, 1]. */
  readonly share: number;
  /** Net delta of the excess, in coins; absent while a price or a greek is unknown. */
  readonly delta?: number | undefined;
  /** Its upper bound while the part lasts, assuming that all legs add up. */
  readonly deltaBound?: number | undefined;
}

export function measureImbalance(state: PortfolioState, quotes: QuoteLookup): Imbalance {
  let share = 0;
  let delta = 0;
  let deltaBound = 0;
  for (const { leg, ahead, bound } of imbalanceOf(state)) {
    const most = toNumber(bound);
    if (most > 0) share = Math.max(share, toNumber(ahead) / most);
    const instrument = legInstrument(state, leg);
    const each = coinsPerUnit(instrument, quotes(instrument.name));
    delta += signOf(legSpec(state, leg).side) * toNumber(ahead) * each;
    deltaBound += most * Math.abs(each);
  }
  return Number.isNaN(delta) ? { share } : { share, delta, deltaBound };
}

/** Delta of one unit of quantity, in coins; NaN if it cannot be computed. */
function coinsPerUnit(instrument: Instrument, quote: Quote | undefined): number {
  if (instrument.kind === 'option') return quote?.greeks?.delta ?? Number.NaN;
  if (instrument.amountUnit === 'base') return 1;
  const price = quote?.mark ?? quote?.index;
  return price === undefined ? Number.NaN : 1 / toNumber(price);
}

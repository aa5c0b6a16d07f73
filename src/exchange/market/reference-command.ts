// Converts a valuation to a command of the exchange: exact decimals, the band on the tick grid and never
// narrower than given.
import { modelPrice, type Price, type Ratio, ratioOf } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Grid } from '../book/grid.ts';
import type { SetReferenceCommand } from '../exchange-command.ts';
import type { Valuation } from './prices/marks.ts';
import { bandTicks } from './prices/price-band.ts';

export interface Priced {
  readonly instrument: Instrument;
  readonly grid: Grid;
  /** Size of the smallest tick. */
  readonly tick: number;
}

export function referenceCommand(
  { instrument, grid, tick }: Priced,
  at: Valuation,
  now: Instant,
): SetReferenceCommand {
  const { lowest, highest } = bandTicks(grid, tick, at);
  return {
    kind: 'set_reference',
    now,
    instrument: instrument.name,
    index: modelPrice(at.index),
    mark: modelPrice(at.mark),
    ...(at.option && optionReference(at.option)),
    ...(at.funding && fundingReference(at.funding)),
    minPrice: grid.priceOf(lowest),
    maxPrice: grid.priceOf(highest),
  };
}

function optionReference(option: NonNullable<Valuation['option']>): {
  underlying: Price;
  markIv: number;
  greeks: SetReferenceCommand['greeks'];
} {
  const { underlying, volatility, greeks } = option;
  return { underlying: modelPrice(underlying), markIv: volatility, greeks };
}

function fundingReference(funding: NonNullable<Valuation['funding']>): {
  currentFunding: Ratio;
  fundingRate8h: Ratio;
} {
  const { current, lastEightHours } = funding;
  return { currentFunding: ratioOf(current), fundingRate8h: ratioOf(lastEightHours) };
}

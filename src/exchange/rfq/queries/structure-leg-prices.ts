// The prices of the legs of a structure at a price of the whole: as near to the mark prices as the price allows, inside
// the price bands of the legs.
//
// Source: the venue derives them from an aggregated price and the mark prices of the legs; sizes are the amount of the
// structure times the ratio of each leg.
import {
  isMultiple,
  type Price,
  type Quantity,
  type Ratio,
  steps,
  stepsIn,
  text,
} from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import { MINUTE_MS } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import type { Refusal } from '../../model/refusal.ts';
import { fittedLegs } from '../../structures/leg-prices.ts';
import { legSizes } from '../leg-sizes.ts';
import { rangesOf } from '../quote-checks.ts';
import * as refusal from '../rfq-refusal.ts';
import { structureOf } from '../structure.ts';

export interface LegPricesQuery {
  readonly legs: readonly {
    readonly instrument: InstrumentName;
    readonly side: Side;
    /** Default: one contract. */
    readonly quantity?: Quantity | undefined;
  }[];
  readonly price: Price;
}

export interface LegPrices {
  readonly kind: 'leg_prices';
  readonly quantity: Quantity;
  readonly legs: readonly {
    readonly instrument: InstrumentName;
    readonly side: Side;
    readonly ratio: Ratio;
    readonly price: Price;
  }[];
}

const RULES = { param: 'legs', least: 2, most: 20, lifeMs: MINUTE_MS, life: 'a minute' } as const;

export function structureLegPrices(
  state: ExchangeState,
  { legs: named, price }: LegPricesQuery,
): LegPrices | Refusal {
  const sizes = legSizes(state, named, RULES);
  if ('code' in sizes) return sizes;
  const structure = structureOf(sizes);
  if (structure === undefined) {
    return refusal.invalidAmount('legs', 'sizes have no common ratio; accepted: whole multiples');
  }
  const { legs, resolution, unit, units } = structure;
  const from: number[] = [];
  for (const leg of legs) {
    const { reference } = must(state.listings.get(leg.instrument), 'legs are listed');
    if (reference === undefined) {
      return refusal.priceNotAllowed('legs', `${leg.instrument} has no mark price yet; try again`);
    }
    from.push(Math.max(1, Math.round(reference.mark.div(leg.tick).toNumber())));
  }
  if (!isMultiple(price, resolution)) {
    return refusal.wrongTick('price', `accepted: multiples of ${text(resolution)}`);
  }
  const target = stepsIn(price, resolution);
  const ticks = fittedLegs({ legs, from, ranges: rangesOf(state, legs), target });
  if (ticks === undefined) {
    const reason = 'no leg prices on tick and inside the bands add up to it';
    return refusal.invalidPrice('price', reason);
  }
  return {
    kind: 'leg_prices',
    quantity: steps(unit, units),
    legs: legs.map(({ instrument, side, ratio, tick }, at) => ({
      instrument,
      side,
      ratio,
      price: steps(tick, must(ticks[at], 'each leg has a price')),
    })),
  };
}

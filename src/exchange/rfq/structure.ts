// The shape of an RFQ: leg sizes as one quantity times a ratio each, and both as whole numbers, so that any
// traded part is on every leg's lot grid.
//
// Source: the venue shows ratios of whole numbers without a common divisor; if ratios exceed a hundred, the
// smallest leg is the quantity instead.
import {
  equals,
  type Price,
  price,
  type Quantity,
  quantity,
  type Ratio,
  ratio,
  smaller,
  steps,
  stepsIn,
  toNumber,
} from '../../values/amounts.ts';
import type { Side } from '../../values/instrument.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { gcdOf } from '../structures/structure-leg.ts';
import { blockClassOf, blockMinimum, blockTick } from './blocks/block-terms.ts';
import type { RfqLeg } from './rfq.ts';

export interface LegSize {
  readonly listing: Listing;
  readonly side: Side;
  readonly quantity: Quantity;
}

export interface Structure {
  readonly legs: readonly RfqLeg[];
  readonly units: number;
  readonly unit: Quantity;
  readonly resolution: Price;
}

/** Whole ratios above this are not useful. */
const WHOLE_RATIO_MAX = 100;
const RATIO_MAX = 10_000;
const RATIO_PLACES = 2;

const tenTo = (places: number): string => (places === 0 ? '1' : `0.${'1'.padStart(places, '0')}`);
const placesOf = (value: Quantity | Price): number => value.dp();

/** `undefined` if the sizes are not multiples of one quantity with ratios of two decimals. */
export function structureOf(sizes: readonly LegSize[]): Structure | undefined {
  const shape = shapeOf(sizes.map(({ quantity: size }) => size));
  if (shape === undefined) return undefined;
  const lots = sizes.map(({ listing, quantity: size }) => stepsIn(size, listing.grid.lot));
  const units = gcdOf(lots);
  const unit = shape.quantity.div(units) as Quantity;
  if (!equals(steps(unit, units), shape.quantity)) return undefined;
  const ticks = sizes.map(({ listing }) => blockTick(listing.instrument));
  const places = Math.max(...ticks.map(placesOf));
  const legs = sizes.map(({ listing, side }, at): RfqLeg => {
    const tick = ticks[at] as Price;
    const hundredths = shape.hundredths[at] as number;
    return {
      instrument: listing.instrument.name,
      side,
      ratio: steps(ratio('0.01'), hundredths) as Ratio,
      lots: (lots[at] as number) / units,
      tick,
      step: hundredths * stepsIn(tick, price(tenTo(places))),
    };
  });
  return { legs, units, unit, resolution: price(tenTo(places + RATIO_PLACES)) };
}

interface Shape {
  readonly quantity: Quantity;
  readonly hundredths: readonly number[];
}

function shapeOf(sizes: readonly Quantity[]): Shape | undefined {
  const step = quantity(tenTo(Math.max(...sizes.map(placesOf))));
  const counts = sizes.map((size) => stepsIn(size, step));
  const divisor = gcdOf(counts);
  const whole = counts.map((count) => count / divisor);
  if (Math.max(...whole) <= WHOLE_RATIO_MAX) {
    return { quantity: steps(step, divisor), hundredths: whole.map((times) => times * 100) };
  }
  const least = sizes.reduce(smaller);
  const leastCount = stepsIn(least, step);
  const hundredths = counts.map((count) => (count * 100) / leastCount);
  const isExact = hundredths.every((times) => Number.isInteger(times) && times <= RATIO_MAX * 100);
  return isExact ? { quantity: least, hundredths } : undefined;
}

/**
 * The minimum block in units: the size at which the options together, or the futures, or the spot pairs,
 * reach their minimum. `undefined` while a mark price it depends on is not known.
 */
export function leastUnits(
  legs: readonly RfqLeg[],
  listings: readonly Listing[],
): number | undefined {
  const reached = new Map<string, number>();
  for (const [at, leg] of legs.entries()) {
    const listing = listings[at] as Listing;
    const minimum = blockMinimum(listing);
    if (minimum === undefined) return undefined;
    const of = blockClassOf(listing.instrument);
    const size = leg.lots * toNumber(listing.grid.lot);
    reached.set(of, (reached.get(of) ?? 0) + size / minimum);
  }
  // The tolerance prevents a float's last digit from requiring one unit more.
  const needed = [...reached.values()].map((perUnit) => Math.ceil(1 / perUnit - 1e-9));
  return Math.max(1, Math.min(...needed));
}

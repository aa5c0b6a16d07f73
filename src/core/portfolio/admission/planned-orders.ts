// The planned slices of a leg against the largest order that the limits allow, at the market of now.
import {
  isMore,
  minus,
  plus,
  type Quantity,
  ratioOf,
  share,
  stepsIn,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { type OrderCap, orderCap } from '../../risk/order-cap.ts';
import type { LegPlan } from '../../schedule/slice-plan.ts';
import type { PortfolioSpec } from '../../terms/spec.ts';
import type { AdmitContext } from './admit-context.ts';

/** What the planned orders of an account are judged by. */
export type CapContext = Pick<AdmitContext, 'orderUsdMax' | 'controls' | 'quote'>;

export function capOf(
  instrument: Instrument,
  account: string,
  { orderUsdMax, controls, quote: find }: CapContext,
): OrderCap | undefined {
  const quote = find(instrument.name);
  return orderCap({ account, instrument, quote }, { orderUsdMax, controls });
}

export interface Ahead {
  readonly plan: LegPlan;
  readonly instrument: Instrument;
  readonly nextSlice: number;
}

/** Intervals that one slice may span: two if it aims at the middle of the time, twice that at random sizes. */
const INTERVALS_MAX = 4;

/** The largest slice that has not begun, if it is above `most`. */
export function largestAhead(
  { plan, instrument, nextSlice }: Ahead,
  most: Quantity,
): Quantity | undefined {
  const { slices } = plan;
  if (nextSlice >= slices) return undefined;
  const open = minus(plan.total, plan.targetAfter(nextSlice - 1));
  const intervals = Math.max(1, slices - nextSlice - 1);
  const bound = share(open, ratioOf(Math.min(1, INTERVALS_MAX / intervals)));
  if (!isMore(plus(bound, instrument.amountStep), most)) return undefined;
  let largest: Quantity | undefined;
  for (let slice = nextSlice; slice < slices; slice += 1) {
    const size = plan.planned(slice);
    if (isMore(size, largest ?? most)) largest = size;
  }
  return largest;
}

/** Decimals of a reduced randomness, as people write it. */
const PLACES = 10_000;

export interface CalmedBy {
  /** What is ahead of a leg under a specification; absent if it has no slices of its own. */
  readonly ahead: (spec: PortfolioSpec, leg: number) => Ahead | undefined;
  readonly caps: CapContext;
}

/** The specification with its random sizes reduced, if it must be, so that no planned slice is above the cap of an order. */
export function calmed(spec: PortfolioSpec, { ahead, caps }: CalmedBy): PortfolioSpec {
  const { randomise } = spec.execution;
  if (randomise === undefined || randomise.size === 0) return spec;
  const sized = (size: number): PortfolioSpec => ({
    ...spec,
    execution: { ...spec.execution, randomise: { ...randomise, size } },
  });
  const even = sized(0);
  let { size } = randomise;
  for (const leg of spec.legs.keys()) {
    const own = ahead(spec, leg);
    const cap = own && capOf(own.instrument, spec.accountId, caps);
    if (own === undefined || cap === undefined) continue;
    if (largestAhead(own, cap.quantity) === undefined) continue;
    const flat = ahead(even, leg);
    const widest = flat && (largestAhead(flat, ZERO_QUANTITY) ?? ZERO_QUANTITY);
    if (widest === undefined) continue;
    size = calmSize(size, widest, { most: cap.quantity, lot: own.instrument.amountStep });
  }
  return size === randomise.size ? spec : sized(size);
}

/**
 * The randomness of sizes, at most `size`, at which the largest slice of an even plan stays below `most`: a slice
 * deviates by at most that share of it, and half a lot is rounded up on either side of it.
 */
function calmSize(
  size: number,
  even: Quantity,
  { most, lot }: { readonly most: Quantity; readonly lot: Quantity },
): number {
  const room = (stepsIn(most, lot) - 1) / (stepsIn(even, lot) + 1) - 1;
  return Math.max(0, Math.min(size, Math.floor(room * PLACES) / PLACES));
}

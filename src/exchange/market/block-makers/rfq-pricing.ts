// The quote of a market maker for a structure: the mid price of its legs, a width that grows with size, a
// lean against the maker's inventory, and a size limited to what it can hedge and carry.
import { toNumber } from '../../../values/amounts.ts';
import { type Side, signOf } from '../../../values/instrument.ts';
import type { Reference } from '../../model/market-view.ts';
import type { Rfq } from '../../rfq/rfq.ts';
import { fittedLegs, legRange } from '../../structures/leg-prices.ts';
import { gcdOf } from '../../structures/structure-leg.ts';
import type { LegOutlook } from '../prices/leg-outlook.ts';
import type { DeskTraits } from './rfq-desks.ts';

export interface SeenLeg {
  readonly reference: Reference | undefined;
  readonly outlook: LegOutlook;
  /** The maker's position in it, in the amount unit. */
  readonly held: number;
}

export interface DeskView {
  readonly desk: DeskTraits;
  readonly legs: readonly SeenLeg[];
  readonly hedge?: SeenLeg | undefined;
  /** Standard normal: how the maker's view differs from the market. */
  readonly opinion: number;
  /**
   * The quotes of other makers, in ticks: no maker bids at or above another's offer, or offers at or below
   * another's bid.
   */
  readonly others: { readonly highestBid: number; readonly lowestOffer: number };
}

export interface DeskQuote {
  readonly units: number;
  readonly ticks: number;
  readonly legTicks: readonly number[];
}

/** The maximum shift of the mid price by the maker's opinion, as a fraction of the width. */
const OPINION = 0.25;
/** The shift of the mid price at full inventory, as a fraction of the width. */
const LEAN = 0.5;
/** The extra cost of a size at the limit, as a fraction of the width. */
const SIZE_PREMIUM = 0.5;
/** Structures are quoted tighter than the sum of their legs. */
const SPREAD_DISCOUNT = 0.5;

/** `undefined` if the maker declines that side or lacks capacity. */
export function deskQuote(rfq: Rfq, view: DeskView, side: Side): DeskQuote | undefined {
  const { desk, legs } = view;
  if (legs.some(({ outlook }) => outlook.isAlarmed)) return undefined;
  const load = loadOf(rfq, view, side);
  const units = Math.floor(rfq.units * Math.min(1, load.share));
  if (units < rfq.minUnits) return undefined;
  const width = desk.width * widthOf(rfq, legs) * (1 + SIZE_PREMIUM * load.used);
  const opinion = OPINION * Math.max(-1, Math.min(1, view.opinion / 2)) - LEAN * load.lean;
  const price = middleOf(rfq, legs) + width * opinion - signOf(side) * width;
  const priced = onGrid(rfq, view, { price, side });
  return priced && { units, ...priced };
}

const ratioOf = (rfq: Rfq, leg: number): number =>
  toNumber((rfq.legs[leg] as Rfq['legs'][0]).ratio);
const signed = (rfq: Rfq, leg: number): number =>
  signOf((rfq.legs[leg] as Rfq['legs'][0]).side) * ratioOf(rfq, leg);

const middleOf = (rfq: Rfq, legs: readonly SeenLeg[]): number =>
  legs.reduce((sum, { outlook }, leg) => sum + signed(rfq, leg) * outlook.middle, 0);

/** The full width of the widest leg plus half of the others. */
function widthOf(rfq: Rfq, legs: readonly SeenLeg[]): number {
  const widths = legs.map(({ outlook }, leg) => ratioOf(rfq, leg) * outlook.halfSpread);
  const widest = Math.max(...widths);
  const sum = widths.reduce((all, width) => all + width, 0);
  return widest + SPREAD_DISCOUNT * (sum - widest);
}

interface Load {
  /** The fraction of the RFQ that the maker can take; may exceed 1. */
  readonly share: number;
  /** The fraction of the maker's capacity that the RFQ uses, at most 1. */
  readonly used: number;
  /** −1 to 1: positive if the maker already holds too much of the structure's exposure. */
  readonly lean: number;
}

function loadOf(rfq: Rfq, view: DeskView, side: Side): Load {
  const { desk, legs } = view;
  const size = toNumber(rfq.unit) * rfq.units;
  const asked = { delta: 0, vega: 0 };
  let heldVega = 0;
  for (const [leg, { outlook, held: amount }] of legs.entries()) {
    const bought = signOf(side) * signed(rfq, leg) * size;
    asked.delta += bought * outlook.delta * outlook.index;
    asked.vega += bought * outlook.vega;
    heldVega += amount * outlook.vega;
  }
  const { hedge } = view;
  if (hedge !== undefined && rfq.hedge !== undefined) {
    const bought = signOf(side) * signOf(rfq.hedge.side) * toNumber(rfq.hedge.quantity);
    asked.delta += bought * hedge.outlook.delta * hedge.outlook.index;
  }
  const deltaShare = shareOf(desk.deltaMaxUsd, 0, asked.delta);
  const vegaShare = shareOf(desk.vegaMaxUsd, heldVega, asked.vega);
  const share = Math.min(deltaShare, vegaShare);
  const towards = Math.sign(asked.vega) * signOf(side);
  const lean = Math.max(-1, Math.min(1, (towards * heldVega) / desk.vegaMaxUsd));
  return { share, used: Math.min(1, 1 / share), lean };
}

/**
 * The fraction of `asked` that fits below `most` given what is held; hedges are done, so delta starts from
 * zero.
 */
function shareOf(most: number, held: number, asked: number): number {
  if (asked === 0) return Number.POSITIVE_INFINITY;
  const room = Math.max(0, most - Math.sign(asked) * held);
  return room / Math.abs(asked);
}

/** Rounded away from trading, with leg prices that add up. */
function onGrid(
  rfq: Rfq,
  { legs, others }: DeskView,
  { price, side }: { readonly price: number; readonly side: Side },
): Omit<DeskQuote, 'units'> | undefined {
  const step = gcdOf(rfq.legs.map((leg) => leg.step));
  const exact = price / toNumber(rfq.resolution) / step;
  const target =
    side === 'buy'
      ? Math.min(step * Math.floor(exact), others.lowestOffer - step)
      : Math.max(step * Math.ceil(exact), others.highestBid + step);
  const ranges = rfq.legs.map((leg, at) => legRange(leg, legs[at] as SeenLeg));
  const from = rfq.legs.map(({ tick }, at) =>
    Math.round((legs[at] as SeenLeg).outlook.middle / toNumber(tick)),
  );
  const legTicks = fittedLegs({ legs: rfq.legs, from, ranges, target });
  return legTicks && { ticks: target, legTicks };
}

// Which position a round of a liquidation reduces, and by how much: the one whose reduction lowers the shortfall most, and no
// more of it than is needed. Positions with a margin come first; long options, which need none, are sold for their
// premium only where no such position can be reduced.
import {
  isLess,
  isMore,
  type Money,
  minus,
  negated,
  plus,
  steps,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import type { Side } from '../../values/instrument.ts';
import { maintenanceOf } from '../accounting/margin.ts';
import type { Exposure } from '../model/exposure.ts';
import { liquidationFeeOf } from '../model/fees.ts';
import { LIQUIDATION } from '../model/instruments/contract-rules.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { lotMarksOf } from '../model/lot-marks.ts';

export interface LiquidationStep {
  readonly exposure: Exposure;
  readonly side: Side;
  readonly lots: number;
}

/** `undefined` if no position can be reduced now: no book is open, or no step would lower the shortfall. */
export function chooseStep(
  positions: readonly Exposure[],
  shortfall: Money,
  now: Instant,
): LiquidationStep | undefined {
  const tradable = positions.filter((exposure) => isTradable(exposure, now));
  const margined = tradable.filter(needsMargin);
  const best = bestOf(margined) ?? bestOf(tradable.filter((exposure) => !needsMargin(exposure)));
  if (best === undefined) return undefined;
  const lots = neededLots(best, shortfall);
  return { exposure: best, side: closingSide(best), lots };
}

const closingSide = ({ lots }: Exposure): Side => (lots > 0 ? 'sell' : 'buy');

const needsMargin = ({ listing, lots }: Exposure): boolean =>
  isMore(maintenanceOf(listing, lots), ZERO_MONEY);

/** Its book is open, has a mark price, and somebody would take the other side. */
const isTradable = (exposure: Exposure, now: Instant): boolean => {
  const { listing } = exposure;
  const isOpen = listing.state === 'open' && !listing.isExpired(now);
  const hasOther = listing.book.against(closingSide(exposure)).best !== undefined;
  return isOpen && listing.reference !== undefined && hasOther;
};

/** Of equals the first by name. */
function bestOf(exposures: readonly Exposure[]): Exposure | undefined {
  const byName = [...exposures].sort((a, b) =>
    a.listing.instrument.name < b.listing.instrument.name ? -1 : 1,
  );
  let best: { readonly exposure: Exposure; readonly relief: Money } | undefined;
  for (const exposure of byName) {
    const relief = reliefOf(exposure, stepLots(exposure));
    if (isMore(relief, best?.relief ?? ZERO_MONEY)) best = { exposure, relief };
  }
  return best?.exposure;
}

/** The most that one round closes. A rest too small for an order of its own is closed with it. */
function stepLots({ listing, lots }: Exposure): number {
  const held = Math.abs(lots);
  const part = Math.ceil(held * LIQUIDATION.stepShare);
  return wholeOrder(listing, held, Math.max(part, listing.grid.minLots));
}

const wholeOrder = ({ grid }: Listing, held: number, lots: number): number =>
  held - lots < grid.minLots ? held : lots;

/** The fewest lots whose relief covers the shortfall, at most those of a step. */
function neededLots(exposure: Exposure, shortfall: Money): number {
  const most = stepLots(exposure);
  const { listing, lots } = exposure;
  let [low, high] = [Math.min(listing.grid.minLots, most), most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isLess(reliefOf(exposure, middle), shortfall)) low = middle + 1;
    else high = middle;
  }
  return Math.min(most, wholeOrder(listing, Math.abs(lots), low));
}

/**
 * By how much the shortfall falls when `closed` lots are traded at the mark price: the margin they needed, less the commission; of
 * options also the premium, received for long ones and paid for short ones.
 */
function reliefOf({ listing, lots }: Exposure, closed: number): Money {
  const { instrument, grid, reference } = listing;
  if (reference === undefined) return ZERO_MONEY;
  const { mark, index } = reference;
  const freed = minus(
    maintenanceOf(listing, lots),
    maintenanceOf(listing, lots - Math.sign(lots) * closed),
  );
  const fee = liquidationFeeOf(instrument, {
    price: mark,
    quantity: grid.quantityOf(closed),
    index,
  });
  const value =
    instrument.kind === 'option' ? steps(lotMarksOf(listing, mark).value, closed) : ZERO_MONEY;
  return plus(minus(freed, fee), lots > 0 ? value : negated(value));
}

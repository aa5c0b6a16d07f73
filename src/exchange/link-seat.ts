// The place of one order among those of a linked request, and how far the others have moved it. In lots.
import type { OrderId } from '../values/ids.ts';
import type { Grid } from './grid.ts';
import type { FillCondition, LinkKind, LinkProgress, OrderLink } from './order.ts';

/** Mutable, and the same object for a dormant order and for what it becomes. */
export interface Share {
  /** What shares are counted of. */
  totalLots: number;
  placedLots: number;
  doneLots: number;
  cutLots: number;
}

export interface LinkSeat {
  readonly ref: string;
  readonly kind: LinkKind;
  readonly fillCondition: FillCondition;
  readonly role: OrderLink['role'];
  readonly place: number;
  readonly secondaryIds?: readonly OrderId[] | undefined;
  readonly primaryId?: OrderId | undefined;
  readonly ocoRef?: string | undefined;
  readonly share: Share;
}

export function seatView(seat: LinkSeat, grid: Grid, isLive: boolean): OrderLink {
  const { share, secondaryIds, primaryId, ocoRef, ref, kind, fillCondition, role, place } = seat;
  return {
    kind,
    fillCondition,
    role,
    ...(secondaryIds && { secondaryIds }),
    ...(primaryId !== undefined && { primaryId }),
    ...(ocoRef !== undefined && { ocoRef }),
    ref,
    place,
    ...(isLive && role !== 'primary' && { progress: progressOf(share, grid) }),
  };
}

const progressOf = (share: Share, grid: Grid): LinkProgress => ({
  quantity: grid.quantityOf(share.totalLots),
  placedQuantity: grid.quantityOf(share.placedLots),
  doneQuantity: grid.quantityOf(share.doneLots),
  cutQuantity: grid.quantityOf(share.cutLots),
});

/** The seat that `recorded` is the view of; `share` is filled in from it. */
export function seatOf(recorded: OrderLink, grid: Grid, share: Share): LinkSeat {
  const { progress, ...seat } = recorded;
  if (progress !== undefined) {
    share.totalLots = grid.lotsOf(progress.quantity) ?? 0;
    share.placedLots = grid.lotsOf(progress.placedQuantity) ?? 0;
    share.doneLots = grid.lotsOf(progress.doneQuantity) ?? 0;
    share.cutLots = grid.lotsOf(progress.cutQuantity) ?? 0;
  }
  return { ...seat, share };
}

export const newShare = (totalLots: number, placedLots: number): Share => ({
  totalLots,
  placedLots,
  doneLots: 0,
  cutLots: 0,
});

export function seatText({ ref, place, role, primaryId, share }: LinkSeat): string {
  const { totalLots, placedLots, doneLots, cutLots } = share;
  const numbers = role === 'primary' ? [] : [totalLots, placedLots, doneLots, cutLots];
  return [ref, place, role, primaryId ?? '-', ...numbers].join(' ');
}

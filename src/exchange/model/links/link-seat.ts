// The place of one order in a linked request, and how far the other orders have changed its size. In lots.

import type { OrderId } from '../../../values/ids.ts';
import type { FillCondition, LinkKind } from '../../../values/order-terms.ts';
import type { Grid } from '../../book/grid.ts';
import type { LinkProgress, OrderLink } from '../../order.ts';

/** Mutable; the same object is shared by a dormant order and all orders that replace it. */
export interface Share {
  /** The total that shares are computed from. */
  totalLots: number;
  placedLots: number;
  filledLots: number;
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
  /** The shares of all orders that cancel each other, including this one; empty if there are none. */
  readonly pool: readonly Share[];
}

/** The lots that may still rest after the fills of the other orders. */
export const roomOf = ({ placedLots, filledLots, cutLots }: Share): number =>
  placedLots - filledLots - cutLots;

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
  filledQuantity: grid.quantityOf(share.filledLots),
  cutQuantity: grid.quantityOf(share.cutLots),
});

/** The seat that `recorded` is the view of; its share is updated to match. */
export function seatOf(
  recorded: OrderLink,
  grid: Grid,
  { share, pool }: Pick<LinkSeat, 'share' | 'pool'>,
): LinkSeat {
  const { progress, ...seat } = recorded;
  if (progress !== undefined) {
    share.totalLots = grid.lotsOf(progress.quantity) ?? 0;
    share.placedLots = grid.lotsOf(progress.placedQuantity) ?? 0;
    share.filledLots = grid.lotsOf(progress.filledQuantity) ?? 0;
    share.cutLots = grid.lotsOf(progress.cutQuantity) ?? 0;
  }
  return { ...seat, share, pool };
}

export const newShare = (totalLots: number, placedLots: number): Share => ({
  totalLots,
  placedLots,
  filledLots: 0,
  cutLots: 0,
});

export function seatText({ ref, place, role, primaryId, share }: LinkSeat): string {
  const { totalLots, placedLots, filledLots, cutLots } = share;
  const numbers = role === 'primary' ? [] : [totalLots, placedLots, filledLots, cutLots];
  return [ref, place, role, primaryId ?? '-', ...numbers].join(' ');
}

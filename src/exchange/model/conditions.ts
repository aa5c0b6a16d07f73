// Order fields that only some orders have: a trigger, the order they came from, a place in a linked request, a speed bump.
import type { OrderId } from '../../values/ids.ts';
import type { Grid } from '../book/grid.ts';
import type { ExchangeOrder, OrderBump } from '../order.ts';
import { type LinkSeat, seatText, seatView } from './links/link-seat.ts';
import { type Trigger, triggerView } from './triggers/trigger.ts';

export interface Conditions {
  readonly trigger?: Trigger | undefined;
  readonly triggerOrderId?: OrderId | undefined;
  /** Trigger orders: the order that replaced this one when it was triggered. */
  readonly firedOrderId?: OrderId | undefined;
  readonly rejectReason?: string | undefined;
  readonly seat?: LinkSeat | undefined;
  readonly bump?: OrderBump | undefined;
}

type ConditionFields = Pick<
  ExchangeOrder,
  'trigger' | 'triggerOrderId' | 'firedOrderId' | 'rejectReason' | 'link' | 'bump'
>;

export function conditionsView(
  { trigger, triggerOrderId, firedOrderId, rejectReason, seat, bump }: Conditions,
  grid: Grid,
  isLive: boolean,
): ConditionFields {
  return {
    ...(trigger && { trigger: triggerView(trigger) }),
    ...(triggerOrderId !== undefined && { triggerOrderId }),
    ...(firedOrderId !== undefined && { firedOrderId }),
    ...(rejectReason !== undefined && { rejectReason }),
    ...(seat && { link: seatView(seat, grid, isLive) }),
    ...(bump && { bump }),
  };
}

/** All fields that affect what happens next, as text for state hashes. */
export function conditionsText({ trigger, triggerOrderId, seat, bump }: Conditions): string {
  const words: (string | number | undefined)[] = [];
  if (trigger !== undefined) {
    const { source, rises, ticks, offsetTicks, extremeTicks } = trigger;
    words.push('trigger', source, rises ? 'up' : 'down', ticks, offsetTicks, extremeTicks);
  }
  if (triggerOrderId !== undefined) words.push('from', triggerOrderId);
  if (seat !== undefined) words.push('link', seatText(seat));
  if (bump !== undefined) words.push('bump', bump.until, bump.cancelReason);
  return words.map((word) => word ?? '-').join(' ');
}

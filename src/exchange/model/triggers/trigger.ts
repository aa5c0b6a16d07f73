// The trigger of an order: a watched price in whole ticks, and the direction of the crossing. The comparison
// is inclusive (venue's support pages on stop, take-profit and trailing orders, 2026).

import { isMultiple, type Price, price, steps, stepsIn } from '../../../values/amounts.ts';
import type { Side } from '../../../values/instrument.ts';
import type { OrderType, TriggerSource } from '../../../values/order-terms.ts';
import type { OrderTrigger } from '../../order.ts';
import type { Listing } from '../instruments/listing.ts';

export type TriggerType = Extract<
  OrderType,
  'stop_limit' | 'stop_market' | 'take_limit' | 'take_market' | 'trailing_stop'
>;

/** A watched price between two ticks is rounded to the tick it has not passed yet. */
export interface WatchedTicks {
  readonly floor: number;
  readonly ceil: number;
}

export interface Trigger {
  readonly source: TriggerSource;
  /** One tick of the watched price. */
  readonly unit: Price;
  /** Triggers at or above `ticks`; otherwise at or below. */
  readonly rises: boolean;
  /** Absent while a trailing stop waits for something other than the price. */
  readonly ticks?: number | undefined;
  /** Trailing stops. */
  readonly offsetTicks?: number | undefined;
  readonly extremeTicks?: number | undefined;
  readonly reference?: Price | undefined;
}

/**
 * Option prices are in coin, but their index is in USD. A choice of ours; the venue's tick is not published.
 */
const OPTION_INDEX_TICK = price('0.01');

const TRIGGER_TYPES: ReadonlySet<OrderType> = new Set([
  'stop_limit',
  'stop_market',
  'take_limit',
  'take_market',
  'trailing_stop',
]);

export const isTriggerType = (type: OrderType): type is TriggerType => TRIGGER_TYPES.has(type);

/** The order type after triggering. */
export const childTypeOf = (type: TriggerType): 'limit' | 'market' =>
  type === 'stop_limit' || type === 'take_limit' ? 'limit' : 'market';

export const triggerUnit = ({ instrument, grid }: Listing, source: TriggerSource): Price =>
  instrument.kind === 'option' && source === 'index_price' ? OPTION_INDEX_TICK : grid.tick;

/** Stops trigger with the move of the market, take-profit orders against it. */
export const risesFor = (type: TriggerType, side: Side): boolean =>
  (side === 'buy') !== (type === 'take_limit' || type === 'take_market');

export function ticksAround(watched: Price, unit: Price): WatchedTicks {
  const floor = stepsIn(watched, unit);
  return { floor, ceil: isMultiple(watched, unit) ? floor : floor + 1 };
}

export function isMet(trigger: Trigger, watched: WatchedTicks): boolean {
  if (trigger.ticks === undefined) return false;
  return trigger.rises ? watched.floor >= trigger.ticks : watched.ceil <= trigger.ticks;
}

/** A trailing stop after the watched price was observed; the same object if it has not moved. */
export function trailed(trigger: Trigger, watched: WatchedTicks): Trigger {
  const { rises, offsetTicks, extremeTicks } = trigger;
  if (offsetTicks === undefined) return trigger;
  const extreme = rises ? watched.ceil : watched.floor;
  const isFurther =
    extremeTicks === undefined || (rises ? extreme < extremeTicks : extreme > extremeTicks);
  return isFurther ? trailingFrom(trigger, extreme) : trigger;
}

/** The trigger at the offset's distance from `extremeTicks`. */
export function trailingFrom(trigger: Trigger, extremeTicks: number): Trigger {
  const offset = trigger.offsetTicks ?? 0;
  const ticks = trigger.rises ? extremeTicks + offset : extremeTicks - offset;
  return { ...trigger, extremeTicks, ticks };
}

export function triggerView({ unit, ...trigger }: Trigger): OrderTrigger {
  const { source, ticks, offsetTicks, extremeTicks, reference } = trigger;
  return {
    source,
    ...(ticks !== undefined && { price: steps(unit, ticks) }),
    ...(offsetTicks !== undefined && { offset: steps(unit, offsetTicks) }),
    ...(reference && { reference }),
    ...(extremeTicks !== undefined && { extreme: steps(unit, extremeTicks) }),
  };
}

/** The trigger that `recorded` is the view of. */
export function triggerOf(
  listing: Listing,
  { type, side }: { readonly type: TriggerType; readonly side: Side },
  recorded: OrderTrigger,
): Trigger {
  const { source, price: at, offset, extreme, reference } = recorded;
  const unit = triggerUnit(listing, source);
  return {
    source,
    unit,
    rises: risesFor(type, side),
    ...(at && { ticks: stepsIn(at, unit) }),
    ...(offset && { offsetTicks: stepsIn(offset, unit) }),
    ...(reference && { reference }),
    ...(extreme && { extremeTicks: stepsIn(extreme, unit) }),
  };
}

// Applies every control to one order, cheapest first; the first fault counts. Only a granted override bypasses a
// control.
import { isPositive, text } from '../../../values/amounts.ts';
import { isPriceOf } from '../../../values/instrument.ts';
import { duplicateOrder } from './duplicate-order.ts';
import type { GateContext, GateFault, GateOrder, OrderControl } from './gate-order.ts';
import { grossLimit } from './gross-limit.ts';
import { marketUnrest } from './market-unrest.ts';
import { orderValue, orderVolume } from './order-limits.ts';
import { permission } from './permission.ts';
import { positionLimit } from './position-limit.ts';
import { priceCollar } from './price-collar.ts';
import { selfMatch } from './self-match.ts';

export type GateControl =
  | 'input'
  | 'price_collar'
  | 'price_drift'
  | 'order_value'
  | 'order_volume'
  | 'duplicate'
  | 'position'
  | 'gross'
  | 'permission'
  | 'market_unrest'
  | 'self_match';

/** An unusable value blocks the order: with NaN, both comparisons are false. */
const usableInput: OrderControl = ({ instrument, quantity, price, triggerPrice }) => {
  if (!isPositive(quantity)) return { why: `${text(quantity)} is no size`, input: text(quantity) };
  for (const one of [price, triggerPrice]) {
    if (one === undefined || isPriceOf(instrument, one)) continue;
    return { why: `${text(one)} is no price of ${instrument.name}`, input: text(one) };
  }
  return undefined;
};

/**
 * PT-2: a leg whose fills of the day are not known may have drifted already. Once they are, its portfolio is paused if it
 * has.
 */
const knownFills: OrderControl = ({ child }, { account, limits }) =>
  child === undefined || limits.drift === undefined || account !== undefined
    ? undefined
    : { why: 'what the account has traded today is not known yet' };

const CONTROLS: readonly (readonly [GateControl, OrderControl])[] = [
  ['input', usableInput],
  ['permission', permission],
  ['order_volume', orderVolume],
  ['order_value', orderValue],
  ['price_collar', priceCollar],
  ['price_drift', knownFills],
  ['market_unrest', marketUnrest],
  ['duplicate', duplicateOrder],
  ['position', positionLimit],
  ['gross', grossLimit],
  ['self_match', selfMatch],
];

/** The controls for a leg of a block: its price is agreed, and it never meets the book. */
const OF_BLOCKS: ReadonlySet<GateControl> = new Set([
  'input',
  'permission',
  'order_volume',
  'position',
  'gross',
]);

export interface GateBlock extends GateFault {
  readonly control: string;
  /** Version of the rules and limits applied. */
  readonly version: string;
}

/** For example "price_collar: 105 is 5 beyond … (limit 3, was 5, rules 1-ab12)". */
export function blockText({ control, why, limit, input, version }: GateBlock): string {
  const held = limit === undefined ? '' : `limit ${limit}, was ${input ?? 'unknown'}, `;
  return `${control}: ${why} (${held}rules ${version})`;
}

/** Whether a control may not object to the order. */
export type Exception = (order: GateOrder, control: GateControl) => boolean;

/** Returns the first control that objects. */
export function judgeOrder(
  order: GateOrder,
  context: GateContext,
  isExcepted: Exception = () => false,
): GateBlock | undefined {
  for (const [control, check] of CONTROLS) {
    const fault = check(order, context);
    if (fault === undefined || isExcepted(order, control)) continue;
    return { ...fault, control, version: context.limits.version };
  }
  return undefined;
}

/** Like {@link judgeOrder}, for one leg of a Block RFQ, a quote or an accept. */
export const judgeBlockLeg = (
  leg: GateOrder,
  context: GateContext,
  isExcepted: Exception = () => false,
): GateBlock | undefined =>
  judgeOrder(
    leg,
    context,
    (order, control) => !OF_BLOCKS.has(control) || isExcepted(order, control),
  );

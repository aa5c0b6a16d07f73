// How much of what a slice wants goes into one order. What could be larger than the limits on single orders, or than the
// leg's share of the volume, is divided: the rest follows in further orders of the slice, or returns to the pool.
import { isZero, type Price, type Quantity, smaller, text } from '../../../values/amounts.ts';
import { tradable } from '../../../values/instrument.ts';
import { overrideFor } from '../../risk/gate/overrides.ts';
import { type CapControl, capBelow, type OrderCap } from '../../risk/order-cap.ts';
import type { Draft } from '../aggregate/draft.ts';
import { orderable } from '../aggregate/part-target.ts';
import { legInstrument, legSpec } from '../aggregate/positions.ts';

/** The largest order of at most `most`, where possible with a rest that can be ordered as well; zero if there is none. */
export function divided(
  { state }: Pick<Draft, 'state'>,
  leg: number,
  { wanted, most }: { readonly wanted: Quantity; readonly most: Quantity },
): Quantity {
  const instrument = legInstrument(state, leg);
  const size = smaller(wanted, most);
  const whole = orderable(instrument, { wanted: size, open: wanted });
  return isZero(whole) ? tradable(instrument, size) : whole;
}

export interface Sized {
  readonly quantity: Quantity;
  readonly price: Price;
}

/** The limit that an order or a new price of one would exceed; a granted override excepts it. */
export function capOn(draft: Draft, leg: number, order: Sized): OrderCap | undefined {
  const { settings, gate, quotes } = draft.inputs;
  const instrument = legInstrument(draft.state, leg);
  const { side } = legSpec(draft.state, leg);
  const account = draft.state.spec.accountId;
  const { quantity, price } = order;
  const isExcepted = (control: CapControl): boolean => {
    if (gate === undefined || gate.overrides.length === 0) return false;
    const asked = { account, instrument, side, quantity };
    return overrideFor(gate.overrides, { order: asked, control, now: draft.now }) !== undefined;
  };
  const question = { account, instrument, price, quote: quotes.get(instrument.name) };
  const caps = { orderUsdMax: settings.orderUsdMax, controls: gate?.limits };
  return capBelow(quantity, question, { caps, isExcepted });
}

/** For example "order_value: 1105560 of BTC-PERPETUAL are wanted, at most 1000000 an order (limit 1000000 USD)". */
export function capText(
  { state }: Pick<Draft, 'state'>,
  leg: number,
  { wanted, cap }: { readonly wanted: Quantity; readonly cap: OrderCap },
): string {
  const { name } = legInstrument(state, leg);
  const most = `at most ${text(cap.quantity)} an order (limit ${cap.limit})`;
  return `${cap.control}: ${text(wanted)} of ${name} are wanted, ${most}`;
}

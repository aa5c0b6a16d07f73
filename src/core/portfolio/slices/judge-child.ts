// Judges a child order by the controls of the gate before it is intended, or before a new price of it is.
import { isLess, isMore, type Price, type Quantity } from '../../../values/amounts.ts';
import { opposite } from '../../../values/instrument.ts';
import type { TimeInForce } from '../../../values/order-terms.ts';
import type { Quote } from '../../../values/quote.ts';
import { shortOf } from '../../pricing/child-price.ts';
import { SnapshotView } from '../../risk/gate/account-snapshot.ts';
import { countingOrder, judgeByInputs } from '../../risk/gate/gate-inputs.ts';
import type { GateOrder } from '../../risk/gate/gate-order.ts';
import { blockText } from '../../risk/gate/judge-order.ts';
import { orderUsd } from '../../risk/order-check.ts';
import type { Draft } from '../aggregate/draft.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import { legInstrument, legSpec } from '../aggregate/positions.ts';

export interface ChildTerms {
  readonly leg: number;
  readonly slice: number;
  readonly quantity: Quantity;
  readonly price: Price;
  /** New orders only: an edit does not change it. */
  readonly timeInForce?: TimeInForce | undefined;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  /** The label of the child; its edits have the same. */
  readonly label: string;
}

/** The child as the controls see it. */
export function childOrder(
  state: PortfolioState,
  child: ChildTerms,
  quote: Quote | undefined,
): GateOrder {
  const { leg, slice, quantity, price, timeInForce, postOnly, reduceOnly, label } = child;
  const { side } = legSpec(state, leg);
  const instrument = legInstrument(state, leg);
  return {
    account: state.spec.accountId,
    instrument,
    side,
    quantity,
    price,
    usd: orderUsd({ instrument, quantity, price }, quote),
    reduceOnly,
    takes: !postOnly,
    isImmediate: isImmediate(timeInForce),
    waits: false,
    key: label,
    child: { portfolio: state.id, leg, slice },
  };
}

/** A child that is about to be intended, or a new price of one. */
export interface JudgedChild {
  /** Why a control would block it at this moment; absent if none would. It is judged again when it is sent. */
  readonly objection?: string | undefined;
  /** Where limits are set. */
  readonly order?: GateOrder | undefined;
}

export function judgeChild(draft: Draft, child: ChildTerms): JudgedChild {
  const { gate, quotes } = draft.inputs;
  if (gate === undefined) return NOT_JUDGED;
  const quote = quotes.get(legSpec(draft.state, child.leg).instrument);
  const order = childOrder(draft.state, child, quote);
  const block = judgeByInputs(order, gate, { now: draft.now, quote });
  return { order, objection: block && blockText(block) };
}

const NOT_JUDGED: JudgedChild = {};

/**
 * The price of a child that never rests, one tick short of own orders in the book behind the touch: it takes what is
 * offered in front of them, where at its own price it would not be sent (PT-14). Unchanged if an own order is at the
 * touch: nothing is in front of it.
 */
export function shortOfOwnOrders(
  { state, inputs, now }: Pick<Draft, 'state' | 'inputs' | 'now'>,
  leg: number,
  { price, timeInForce }: Required<Pick<ChildTerms, 'price' | 'timeInForce'>>,
): Price {
  const { gate, quotes } = inputs;
  if (!isImmediate(timeInForce) || gate?.limits.selfMatch !== true) return price;
  const instrument = legInstrument(state, leg);
  const { side } = legSpec(state, leg);
  const quote = quotes.get(instrument.name);
  const touch = side === 'buy' ? quote?.ask?.price : quote?.bid?.price;
  if (gate.account === undefined || touch === undefined) return price;
  let short = price;
  const opposing = new SnapshotView(gate.account, now).ordersOn(instrument.name, opposite(side));
  for (const own of opposing) {
    if (!own.isInBook || own.isImmediate === true || own.price === undefined) continue;
    short = shortOf(instrument, side, { price: short, opposite: own.price });
  }
  const reaches = side === 'buy' ? !isLess(short, touch) : !isMore(short, touch);
  return reaches ? short : price;
}

const isImmediate = (timeInForce: TimeInForce | undefined): boolean =>
  timeInForce === 'immediate_or_cancel' || timeInForce === 'fill_or_kill';

/** A new child that is intended counts for whatever is judged after it in the same turn. */
export function countIntended(draft: Draft, { order }: JudgedChild): void {
  const { gate } = draft.inputs;
  if (gate === undefined || order === undefined) return;
  draft.inputs = { ...draft.inputs, gate: countingOrder(gate, order, draft.now) };
}

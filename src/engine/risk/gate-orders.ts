// Brings orders to the gate. A child was judged when it was decided and is judged again as it is sent. A manual order is
// checked before the venue sees it: its label is not reserved for children, its instrument is known, and every control
// lets it pass; the reply names what was wrong.
import { type Refused, refusal, unsent } from '../../core/order/answer-class.ts';
import type { OrderRecord } from '../../core/order/order-record.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { legSpec } from '../../core/portfolio/aggregate/positions.ts';
import { type ChildTerms, childOrder } from '../../core/portfolio/slices/judge-child.ts';
import { REJECTION_CODES } from '../../core/rejection.ts';
import {
  checkEntered,
  type EnteredOrder,
  hasLimit,
  judgedPrice,
} from '../../core/risk/entered-order.ts';
import { NO_LIMITS } from '../../core/risk/gate/control-limits.ts';
import type { GateOrder } from '../../core/risk/gate/gate-order.ts';
import { blockText, type GateBlock } from '../../core/risk/gate/judge-order.ts';
import type { OrderVerdict } from '../../core/risk/order-check.ts';
import { orderUsd } from '../../core/risk/order-check.ts';
import { maySend, type SwitchSetting, settingText } from '../../core/risk/trading-switch.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { OrderChange } from '../../ports/trading-desk.ts';
import type { Venue } from '../../ports/venue.ts';
import { isMultiple, type Price, type Quantity } from '../../values/amounts.ts';
import {
  type AccountId,
  type InstrumentName,
  instrumentName,
  labelPrefix,
  type OrderId,
} from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument, Side } from '../../values/instrument.ts';
import type { AdvancedKind, OrderTerms, OrderType } from '../../values/order-terms.ts';
import type { Quote } from '../../values/quote.ts';
import { unlisted } from '../../values/unlisted.ts';
import type { Gate, Passage, Passing } from './gate.ts';
import { orderKey } from './gate-accounts.ts';

/** An order as it would be after the request. */
export interface Prospect {
  readonly side: Side;
  readonly type: OrderType;
  readonly quantity: Quantity;
  readonly price?: Price | undefined;
  readonly triggerPrice?: Price | undefined;
  readonly advanced?: AdvancedKind | undefined;
  readonly postOnly?: boolean | undefined;
  readonly reduceOnly?: boolean | undefined;
}

/** The effect of the request, and the known state of its market. */
export interface Judged {
  readonly instrument: Instrument;
  /** Empty if the request can only make an order smaller. */
  readonly orders: readonly Prospect[];
  /** The id of the order to be changed. */
  readonly orderId?: OrderId | undefined;
  readonly quote: Quote | undefined;
  readonly now: Instant;
}

export type Block = Extract<OrderVerdict, { readonly kind: 'blocked' }>;

export interface Objection {
  readonly reply: Refused;
  /** The control that objects; absent if the request itself is malformed. */
  readonly control?: string | undefined;
}

const invalid = (param: string, reason: string): Objection => ({
  reply: refusal(-32602, { param, reason }),
});

/** The venue does not trade it now; it may still know an expired one. */
export function unknownInstrument(
  venue: Pick<Venue, 'market' | 'instruments'>,
  name: InstrumentName,
  now: Instant,
): Objection {
  const expiresAt = venue.market.instrument(name)?.expiresAt;
  const { kind, reason } = unlisted(name, venue.instruments(), now, expiresAt);
  return kind === 'unread' ? { reply: unsent(reason) } : invalid('instrumentName', reason);
}

/** Labels of child orders are reserved for the engine, which would treat such an order as its own. */
export function ownLabelObjection(
  { deployment }: Pick<Settings, 'deployment'>,
  label: string,
  param: string,
): Objection | undefined {
  const prefix = labelPrefix(deployment);
  if (!label.startsWith(prefix)) return undefined;
  const reason =
    `${label} is the label of a child order, which its portfolio prices and sizes; accepted: a ` +
    `label that does not begin with ${prefix}`;
  return invalid(param, reason);
}

/** Every edit must state the price unit of an option order again; only a new price may change the unit. */
export function unitObjection(
  { advanced: before }: Pick<OrderRecord, 'advanced'>,
  { advanced: after, price }: Pick<OrderChange, 'advanced' | 'price'>,
): Objection | undefined {
  const refused = (code: number, param: string, reason: string): Objection => ({
    reply: refusal(code, { param, reason }),
  });
  if (before === undefined) {
    if (after === undefined) return undefined;
    const reason =
      `the order is not priced by the exchange and cannot be edited to ${after}; accepted: an edit ` +
      'without advanced, or a new order';
    return refused(11041, 'advanced', reason);
  }
  if (after === undefined) {
    const reason = `the order is priced in ${before.kind}; accepted: usd or implv, given with every edit`;
    return refused(11047, 'advanced', reason);
  }
  if (after === before.kind || price !== undefined) return undefined;
  const reason = `required when advanced changes from ${before.kind} to ${after}; accepted: a price in ${after}`;
  return refused(11047, 'price', reason);
}

/** The objection of a trading switch to an order that is about to be sent. */
export function switchObjection(
  setting: SwitchSetting | undefined,
  order: { readonly reduceOnly: boolean },
): Objection | undefined {
  if (setting === undefined || maySend(setting.state, order)) return undefined;
  const accepted = setting.state === 'halted' ? 'cancels' : 'cancels and orders with reduceOnly';
  const details = { param: '', reason: `${settingText(setting)}; accepted: ${accepted}` };
  return { control: 'trading', reply: refusal(REJECTION_CODES.trading_halted, details) };
}

/** Runs every control over every order of the request and returns the first objection. */
export function objectionTo(
  judged: Judged,
  limits: Pick<Settings, 'orderUsdMax'>,
): Objection | undefined {
  const { instrument, quote, now } = judged;
  for (const prospect of judged.orders) {
    const { type, price, quantity } = prospect;
    if (hasLimit(type) && price === undefined) {
      return invalid('price', `required for a ${type} order`);
    }
    const order: EnteredOrder = { ...prospect, instrument };
    const verdict = checkEntered(order, { quote, now }, limits);
    if (verdict.kind === 'blocked') return asObjection(verdict, instrument, quantity);
  }
  return undefined;
}

/** Converts the orders of a request to the input of the gate's controls. */
export function gateOrders(
  { instrument, orders, quote, now, orderId }: Judged,
  account: AccountId,
  key: string,
): readonly GateOrder[] {
  return orders.map((prospect, index) => ({
    account,
    instrument,
    side: prospect.side,
    quantity: prospect.quantity,
    ...enteredTerms({ ...prospect, instrument }, quote, now),
    reduceOnly: prospect.reduceOnly === true,
    key: orderId === undefined ? `${key} ${index}` : orderKey(orderId),
  }));
}

/** Converts a block by a control at the gate to an objection. */
export function gateObjection(block: GateBlock): Objection {
  if (block.control === 'recovery') return notYet(block);
  const param = block.control === 'price_collar' ? 'price' : 'quantity';
  const details = { param, reason: blockText(block) };
  return { control: block.control, reply: refusal(REJECTION_CODES.risk_limit, details) };
}

/** Nothing was sent; the same request will pass shortly. Cancels are still sent. */
const notYet = ({ control, why }: GateBlock): Objection => ({
  control,
  reply: refusal(10040, { param: '', reason: why }),
});

/** The message budget of the account is used up; cancels are still sent. */
export const overBudget = (waitMs: number): Objection => ({
  control: 'messages',
  reply: refusal(10028, {
    param: '',
    reason: `the message budget allows the next order in ${waitMs} ms`,
    retryAfterSec: Math.max(1, Math.ceil(waitMs / 1_000)),
  }),
});

/** Faults of tick and size are reported with the venue's codes, limits with ours. */
function asObjection(
  { control, why }: Block,
  instrument: Instrument,
  quantity: Quantity,
): Objection {
  const refused = (code: number, param: string): Objection => ({
    control,
    reply: refusal(code, { param, reason: `${control}: ${why}` }),
  });
  switch (control) {
    case 'order_quantity':
      return isMultiple(quantity, instrument.amountStep)
        ? refused(10002, 'quantity')
        : refused(-32602, 'quantity');
    case 'order_price':
      return refused(10043, 'price');
    default:
      return refused(REJECTION_CODES.risk_limit, 'quantity');
  }
}

/** The order itself and the orders linked to it. */
export const prospectsOf = (
  order: OrderTerms & {
    readonly advanced?: AdvancedKind | undefined;
    readonly link?: { readonly others: readonly OrderTerms[] } | undefined;
  },
): readonly Prospect[] => [order, ...(order.link?.others ?? [])];

/** Checks the child for the last time and clears it. */
export function passChild<T>(
  gate: Gate,
  request: T,
  of: { readonly venue: Venue; readonly state: PortfolioState; readonly child: ChildTerms },
): Passage<T> {
  const { venue, state, child } = of;
  const passing = (): Passing => {
    const instrument = instrumentName(legSpec(state, child.leg).instrument);
    return {
      venue,
      account: state.spec.accountId,
      stage: 'child',
      orders: [childOrder(state, child, venue.quote(instrument))],
      instrument,
      portfolio: state.id,
    };
  };
  return gate.pass(request, gate.limits === NO_LIMITS ? NOT_JUDGED(venue, state) : passing());
}

const NOT_JUDGED = (venue: Venue, { spec }: PortfolioState): Passing => ({
  venue,
  account: spec.accountId,
  stage: 'child',
  orders: [],
});

const AT_ONCE: ReadonlySet<OrderType> = new Set(['limit', 'market', 'market_limit']);

/**
 * The form of an entered order, of any kind, that the controls of the gate check. An order without a limit is checked at the
 * first price it meets, and valued at the worst it may pay.
 */
function enteredTerms(
  order: EnteredOrder & { readonly postOnly?: boolean | undefined },
  quote: Quote | undefined,
  now: Instant,
): Pick<GateOrder, 'price' | 'usd' | 'takes' | 'waits' | 'triggerPrice'> {
  const { instrument, quantity, type, triggerPrice } = order;
  const worst = judgedPrice(order, quote, now);
  const waits = !AT_ONCE.has(type);
  return {
    price: hasLimit(type) ? worst : waits ? undefined : firstMet(order, quote),
    usd: worst && orderUsd({ instrument, quantity, price: worst }, quote),
    takes: !waits && order.postOnly !== true,
    waits,
    triggerPrice: waits ? triggerPrice : undefined,
  };
}

function firstMet({ side }: EnteredOrder, quote: Quote | undefined): Price | undefined {
  const level = side === 'buy' ? quote?.ask : quote?.bid;
  return level?.price ?? quote?.mark;
}

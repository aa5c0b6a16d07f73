// Recalculates each control at the gate from the exchange's own record and the market shown: the reason why an order must not
// have been sent, by the limits in force. Where the gate cannot know everything at once (other processes' orders in flight,
// very recent notices), the order gets the benefit of the doubt.
import type { OverridableControl } from '../../../src/core/risk/gate/overrides.ts';
import { toNumber } from '../../../src/values/amounts.ts';
import { childLabelOf, parseChildLabel } from '../../../src/values/ids.ts';
import type { TrueOrder } from '../oracles/exchange.oracle.ts';
import type { ControlNumbers } from '../plan/controls-plan.ts';
import { certainJump } from '../world/market-jump.ts';
import type { ShownTouch } from '../world/shown-touch.ts';
import type { CheckedOrder } from './checked-order.ts';

export interface ControlCase {
  readonly order: CheckedOrder;
  readonly numbers: ControlNumbers;
  /** By true time. */
  readonly nowMs: number;
  readonly skewMs: number;
  /** All quotes shown for the instrument. */
  readonly shown: readonly ShownTouch[];
  /** Quotes shown this recently may not have been received. */
  readonly unseenMs: number;
  /** The daemon has a quote of it at this moment. */
  readonly isQuoted: boolean;
  /** Orders of the account, and of all accounts, at the exchange. */
  readonly ofAccount: readonly TrueOrder[];
  readonly ofAll: readonly TrueOrder[];
  /** The daemon is notified of every event at the venue at once. */
  readonly isHeard: boolean;
  /** Time since which the daemon has watched the market; absent: uncertain. */
  readonly watchedSinceMs: number | undefined;
  /** Recently sent new children, newest last. */
  readonly sent: readonly Sent[];
  /** No reply or notice has arrived, and the order may still reach the exchange. */
  readonly isUnknown: (label: string) => boolean;
}

export interface Sent {
  readonly order: CheckedOrder;
  readonly atMs: number;
}

export interface Excess {
  readonly control: OverridableControl | 'permission' | 'duplicate';
  readonly why: string;
}

const BPS = 10_000;
const SLACK = 1e-9;

export function excessOf(of: ControlCase): Excess | undefined {
  for (const rule of RULES) {
    const excess = rule(of);
    if (excess !== undefined) return excess;
  }
  return undefined;
}

type Rule = (of: ControlCase) => Excess | undefined;

/** PT-10. */
const permission: Rule = ({ order, numbers: { permits } }) =>
  permits === undefined || permits.includes(order.instrument.kind)
    ? undefined
    : { control: 'permission', why: `a ${order.instrument.kind} is not permitted` };

/** PT-4. */
const volume: Rule = ({ order, numbers: { quantityMax } }) => {
  const limit = limitFor(order, quantityMax);
  if (limit === undefined || order.quantity <= limit + SLACK) return undefined;
  return { control: 'order_volume', why: `${order.quantity} is more than ${limit}` };
};

/** PT-3, by instrument. */
const value: Rule = ({ order, numbers: { orderUsdMax } }) => {
  const isMeant = order.instrument.kind === 'perpetual' && orderUsdMax !== undefined;
  if (!isMeant || order.quantity <= orderUsdMax) return undefined;
  return { control: 'order_value', why: `worth ${order.quantity} USD of ${orderUsdMax}` };
};

/** PT-1. */
const collar: Rule = (of) => {
  const { order, numbers, shown, nowMs, skewMs } = of;
  if (numbers.collar === undefined || order.instrument.kind === 'option') return undefined;
  const { bps, ageMaxMs } = numbers.collar;
  const latest = shown.at(-1);
  if (latest === undefined) return { control: 'price_collar', why: 'nothing was ever shown' };
  const ageMs = nowMs - latest.at;
  if (ageMs > ageMaxMs + skewMs) {
    return { control: 'price_collar', why: `what was shown is ${ageMs} ms old` };
  }
  const tick = toNumber(order.instrument.tickSize);
  const isBuy = order.side === 'buy';
  const beyond = lately(of).map(({ mark }) => {
    const away = isBuy ? order.price - mark * tick : mark * tick - order.price;
    return (away / (mark * tick)) * BPS;
  });
  const least = Math.min(...beyond);
  if (least <= bps + 1e-6) return undefined;
  return { control: 'price_collar', why: `${least} bps beyond the mark, at most ${bps}` };
};

/** PT-13. */
const unrest: Rule = (of) => {
  const { order, ofAll, shown, nowMs, watchedSinceMs, isQuoted } = of;
  const { market } = of.numbers;
  if (market === undefined) return undefined;
  // Orders of ours that rested inside the wide spread of an option moved the middle that the daemon saw.
  const jump =
    watchedSinceMs === undefined || order.instrument.kind === 'option'
      ? undefined
      : certainJump(shown, { market, nowMs, watchedSinceMs });
  if (jump !== undefined) return { control: 'market_unrest', why: jump };
  if (!order.takes || order.instrument.kind === 'option' || !isQuoted) return undefined;
  const touches = lately(of);
  const since = touches[0]?.at ?? nowMs;
  // Orders of ours narrow the market that the daemon sees, also one that has ended since it was last shown.
  const isNarrowed = ofAll.some(
    ({ order: one, versions }) =>
      one.instrument === order.instrument.name &&
      (one.state === 'open' || (versions.at(-1)?.at ?? since) >= since),
  );
  const widths = touches.map(({ bid, ask }) =>
    bid === undefined || ask === undefined ? 0 : ((ask - bid) / ((ask + bid) / 2)) * BPS,
  );
  const least = Math.min(...widths);
  if (widths.length === 0) return undefined;
  if (isNarrowed || least <= market.spreadBps + 1e-6) return undefined;
  return { control: 'market_unrest', why: `the market is ${least} bps wide` };
};

/** PT-7. */
const duplicate: Rule = ({ order, numbers: { duplicateMs }, ofAccount, ...of }) => {
  const { sent, nowMs, skewMs, isUnknown } = of;
  const { child } = order;
  if (duplicateMs === undefined || child === undefined) return undefined;
  const since = nowMs - duplicateMs + skewMs;
  const twin = sent.find(({ order: one, atMs }) => {
    const isSame =
      one.child?.portfolio === child.portfolio &&
      one.child.leg === child.leg &&
      one.child.slice !== child.slice &&
      one.quantity === order.quantity &&
      one.price === order.price &&
      one.side === order.side &&
      one.life === order.life;
    if (!isSame || atMs <= since) return false;
    return isUnknown(one.label) || ofAccount.some(isOpenAs(one.label));
  });
  return twin && { control: 'duplicate', why: `${twin.order.label} is the same and may be open` };
};

/** PT-8. */
const position: Rule = ({ order, numbers: { positionMax }, ofAccount, isHeard }) => {
  const limit = limitFor(order, positionMax);
  if (limit === undefined || !isHeard || order.reduceOnly) return undefined;
  let after = order.quantity - filledOf(order.before);
  for (const known of ofAccount) {
    if (known.order.instrument !== order.instrument.name) continue;
    const filled = filledOf(known);
    after += known.order.side === order.side ? filled : -filled;
    const isOther = known !== order.before && known.order.state === 'open';
    if (isOther && known.order.side === order.side) after += restOf(known);
  }
  if (after <= limit + SLACK) return undefined;
  return { control: 'position', why: `${after} with all orders filled, at most ${limit}` };
};

/** PT-9, without what an option is worth. */
const gross: Rule = ({ order, numbers: { grossUsdMax }, ofAccount, isHeard }) => {
  const isMeant = order.instrument.kind === 'perpetual' && !order.reduceOnly;
  if (grossUsdMax === undefined || !isHeard || !isMeant) return undefined;
  let after = order.quantity - filledOf(order.before);
  for (const known of ofAccount) {
    if (!known.order.instrument.endsWith('PERPETUAL')) continue;
    after += filledOf(known);
    if (known !== order.before && known.order.state === 'open') after += restOf(known);
  }
  if (after <= grossUsdMax + SLACK) return undefined;
  return { control: 'gross', why: `${after} USD working and traded, at most ${grossUsdMax}` };
};

const IMMEDIATE: ReadonlySet<string> = new Set(['immediate_or_cancel', 'fill_or_kill']);

/** PT-14. */
const selfMatch: Rule = ({ order, numbers, ofAccount, isHeard }) => {
  if (numbers.selfMatch === undefined || !order.takes || !isHeard) return undefined;
  const met = ofAccount.find(({ order: own, timeInForce, versions }) => {
    const isOther = own.state === 'open' && own.label !== order.label;
    // One that waits for its speed bump and never rests leaves the queue before any that comes later.
    if (IMMEDIATE.has(timeInForce)) return false;
    const isAgainst = own.instrument === order.instrument.name && own.side !== order.side;
    // One that is being changed may be elsewhere by now.
    if (!isOther || !isAgainst || own.price === undefined || versions.length > 1) return false;
    const at = toNumber(own.price);
    return order.side === 'buy' ? order.price >= at : order.price <= at;
  });
  return met && { control: 'self_match', why: `meets ${met.order.label} of its own account` };
};

const RULES: readonly Rule[] = [
  permission,
  volume,
  value,
  collar,
  unrest,
  duplicate,
  position,
  gross,
  selfMatch,
];

function limitFor(
  { instrument }: CheckedOrder,
  limits: { readonly usd: number; readonly coins: number } | undefined,
): number | undefined {
  if (instrument.kind === 'option') return undefined;
  return instrument.amountUnit === 'usd' ? limits?.usd : limits?.coins;
}

/** The latest quote, and earlier ones that it may not have replaced yet. */
function lately({ shown, nowMs, unseenMs }: ControlCase): readonly ShownTouch[] {
  const from = shown.findLastIndex(({ at }) => at <= nowMs - unseenMs);
  return shown.slice(Math.max(0, from));
}

const isOpenAs =
  (label: string) =>
  ({ order }: TrueOrder): boolean =>
    order.label === label && order.state === 'open';

const filledOf = (known: TrueOrder | undefined): number =>
  known === undefined ? 0 : toNumber(known.order.filledQuantity);

const restOf = ({ order }: TrueOrder): number =>
  toNumber(order.quantity) - toNumber(order.filledQuantity);

/** The child a label is of, where it is one. */
export function childOf(label: string): CheckedOrder['child'] {
  return parseChildLabel(childLabelOf(label));
}

// Recalculates the largest order that the limits on single orders allow, in whole lots: from the numbers of the run and
// the coin its options are valued on. Nothing here is taken from the engine's own sums.
import { toNumber } from '../../../src/values/amounts.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { ControlNumbers, ControlsPlan, OverridePlan } from '../plan/controls-plan.ts';
import { FORWARD } from '../world/simulated-market.ts';
import { orderable, orderablePart } from './sizes.ts';

export interface OrderLimits {
  /** Of every order; absent: none. */
  readonly orderUsdMax: number | undefined;
  /** Those of the gate; absent: none. */
  readonly controls: ControlsPlan | undefined;
  /** True time at which the run began. */
  readonly startAt: number;
}

export interface OrderCase {
  readonly instrument: Instrument;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  /** What is wanted, at least. */
  readonly lots: number;
  /** By the clock of the one who decides. */
  readonly at: number;
}

type Granted = Pick<OverridePlan, 'control'>;

/** Of sums of floats, in lots. */
const SLACK_LOTS = 1e-9;
/** No clock, and no wake that comes ahead of its instant, is further from true time. */
const CLOCK_MS = 1_000;

/**
 * The largest order in lots. There is more than one answer while limits change, and where an override may except the order
 * from one of them.
 */
export function largestOrders(order: OrderCase, limits: OrderLimits): readonly number[] {
  const sets = subsets(overridesFor(order, limits));
  const found = numbersAt(order.at, limits).flatMap((numbers) =>
    sets.map((granted) => largestOrder(order, { limits, numbers, granted })),
  );
  return [...new Set(found)];
}

interface InForce {
  readonly limits: OrderLimits;
  readonly numbers: ControlNumbers;
  readonly granted: readonly Granted[];
}

function largestOrder({ instrument, price }: OrderCase, of: InForce): number {
  const { limits, numbers, granted } = of;
  const isUsd = instrument.amountUnit === 'usd';
  const unitUsd = isUsd ? 1 : instrument.kind === 'option' ? toNumber(FORWARD) : price;
  const isExcepted = (name: Granted['control']): boolean =>
    granted.some(({ control }) => control === name);
  const amounts: number[] = [];
  if (limits.orderUsdMax !== undefined) amounts.push(limits.orderUsdMax / unitUsd);
  // The table of PT-3 names the perpetual alone, and that of PT-4 lets any option through.
  const { orderUsdMax, quantityMax } = numbers;
  if (orderUsdMax !== undefined && isUsd && !isExcepted('order_value')) amounts.push(orderUsdMax);
  if (quantityMax !== undefined && instrument.kind !== 'option' && !isExcepted('order_volume')) {
    amounts.push(isUsd ? quantityMax.usd : quantityMax.coins);
  }
  return Math.floor(Math.min(...amounts) / toNumber(instrument.amountStep) + SLACK_LOTS);
}

/** The limits of the gate that may be in force; both sets about the time of their change. */
function numbersAt(at: number, { controls, startAt }: OrderLimits): readonly ControlNumbers[] {
  if (controls === undefined) return [{}];
  const { numbers, later } = controls;
  if (later === undefined) return [numbers];
  const afterMs = at - startAt - later.atMs;
  if (Math.abs(afterMs) <= CLOCK_MS) return [numbers, later.numbers];
  return [afterMs < 0 ? numbers : later.numbers];
}

/** Those that two people may have granted to an order like this; each names the perpetual. */
function overridesFor(
  { instrument, side, lots, at }: OrderCase,
  { controls, startAt }: OrderLimits,
): readonly Granted[] {
  if (controls === undefined || instrument.amountUnit !== 'usd') return [];
  const usd = lots * toNumber(instrument.amountStep);
  const meant = controls.overrides.filter(
    (one) =>
      !one.isBySame &&
      one.side === side &&
      usd <= one.usd &&
      at >= startAt + one.atMs - CLOCK_MS &&
      (one.control === 'order_value' || one.control === 'order_volume'),
  );
  return [...new Set(meant.map(({ control }) => control))].map((control) => ({ control }));
}

/** Of at most two controls. */
function subsets([one, other]: readonly Granted[]): readonly (readonly Granted[])[] {
  if (one === undefined) return [[]];
  return other === undefined ? [[], [one]] : [[], [one], [other], [one, other]];
}

/** What goes into one order of what is wanted, where possible with a rest that can be ordered as well. */
export function dividedLots(wanted: number, most: number, least: number): number {
  if (wanted <= most) return orderable(wanted, least);
  return orderablePart(most, wanted, least) || orderable(most, least);
}

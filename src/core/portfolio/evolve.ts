// Folds events into the state. Total and forgiving: whatever was recorded has happened, so nothing
// is refused here; `decide` is where rules are.
import {
  inverseNotional,
  money,
  notional,
  type Price,
  plus,
  price,
  type Quantity,
  quantity,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { instant } from '../../values/instant.ts';
import { emptyLayeredMap } from '../../values/layered-map.ts';
import type { EndReason, PortfolioEvent } from './event.ts';
import { type ChildEvent, childOf, evolveChild } from './evolve-child.ts';
import { instrumentFromRecord, specFromRecord } from './spec-record.ts';
import type { CurrentSlice, LegState, PortfolioState } from './state.ts';

type Submitted = Extract<PortfolioEvent, { kind: 'submitted' }>;
type Started = Extract<PortfolioEvent, { kind: 'slice_started' }>;

const NEW_LEG: LegState = {
  nextSlice: 0,
  filled: ZERO_QUANTITY,
  value: ZERO_MONEY,
  inverseValue: ZERO_MONEY,
  fees: new Map(),
  slicesPlaced: 0,
  slicesMissed: 0,
  rejectedInRow: 0,
  reprices: 0,
};

/** The state after the first event of a portfolio. */
export function begin(id: PortfolioId, event: Submitted): PortfolioState {
  const spec = specFromRecord(event.spec);
  return {
    id,
    version: 1,
    spec,
    instruments: new Map(event.instruments.map((item) => [item.name, instrumentFromRecord(item)])),
    status: 'pending',
    submittedAt: instant(event.at),
    updatedAt: instant(event.at),
    lastEditedBy: spec.by.uid,
    legs: spec.legs.map(() => NEW_LEG),
    children: new Map(),
    ended: emptyLayeredMap(),
    mirrored: emptyLayeredMap(),
    broken: false,
  };
}

/** The state after one more event. */
export function evolve(state: PortfolioState, event: PortfolioEvent): PortfolioState {
  const next = applied(state, event);
  return { ...next, version: state.version + 1, updatedAt: instant(event.at) };
}

/** The whole history; `undefined` without events. */
export function fold(
  id: PortfolioId,
  events: readonly PortfolioEvent[],
): PortfolioState | undefined {
  const [first, ...rest] = events;
  if (first?.kind !== 'submitted') return undefined;
  return rest.reduce(evolve, begin(id, first));
}

function applied(state: PortfolioState, event: PortfolioEvent): PortfolioState {
  switch (event.kind) {
    case 'submitted':
      return state;
    case 'started':
      return { ...state, status: 'active' };
    case 'slices_missed':
      return withLeg(state, event.leg, (leg) => ({
        ...leg,
        nextSlice: event.to + 1,
        slicesMissed: leg.slicesMissed + event.to - event.from + 1,
      }));
    case 'slice_started':
      return withLeg(state, event.leg, (leg) => startSlice(leg, event));
    case 'slice_waiting':
      return withCurrent(state, event.leg, (slice) => ({ ...slice, waiting: event.reason }));
    case 'slice_ended':
      return withLeg(state, event.leg, ({ current: _over, ...leg }) => leg);
    case 'fill_mirrored':
      return mirrorFill(state, event);
    case 'assumption_broken':
      return { ...state, broken: true };
    case 'time_over':
      return { ...state, timeOverAt: instant(event.at) };
    case 'cancelling':
      return { ...state, status: 'cancelling', reason: event.reason, lastEditedBy: event.by };
    case 'cancelled':
      return over(state, 'cancelled', event.reason);
    case 'filled':
      return over(state, 'filled', 'filled');
    default:
      return evolveChildren(state, event);
  }
}

function over(
  state: PortfolioState,
  status: 'filled' | 'cancelled',
  reason: EndReason,
): PortfolioState {
  const legs = state.legs.map(({ current: _over, ...leg }) => leg);
  return { ...state, status, reason, legs };
}

export function withLeg(
  state: PortfolioState,
  index: number,
  change: (leg: LegState) => LegState,
): PortfolioState {
  const leg = must(state.legs[index], `portfolio ${state.id} has no leg ${index}`);
  return { ...state, legs: state.legs.with(index, change(leg)) };
}

export const withCurrent = (
  state: PortfolioState,
  index: number,
  change: (slice: CurrentSlice) => CurrentSlice,
): PortfolioState =>
  withLeg(state, index, (leg) =>
    leg.current === undefined ? leg : { ...leg, current: change(leg.current) },
  );

const startSlice = (leg: LegState, event: Started): LegState => ({
  ...leg,
  nextSlice: event.slice + 1,
  current: {
    slice: event.slice,
    dueAt: instant(event.dueAt),
    endsAt: instant(event.endsAt),
    planned: quantity(event.planned),
    quantity: quantity(event.quantity),
    filled: ZERO_QUANTITY,
    attempts: 0,
  },
});

/** A leg with one more fill: totals are sums over fills and nothing else. */
export const filledLeg = (leg: LegState, of: Quantity, at: Price): LegState => ({
  ...leg,
  filled: plus(leg.filled, of),
  value: plus(leg.value, notional(at, of)),
  inverseValue: plus(leg.inverseValue, inverseNotional(at, of)),
});

function mirrorFill(
  state: PortfolioState,
  event: Extract<PortfolioEvent, { kind: 'fill_mirrored' }>,
): PortfolioState {
  const next = withLeg(state, event.leg, (leg) =>
    filledLeg(leg, quantity(event.quantity), price(event.price)),
  );
  return { ...next, mirrored: state.mirrored.with(event.tradeId, true) };
}

function evolveChildren(state: PortfolioState, event: ChildEvent): PortfolioState {
  const next = evolveChild(state, event);
  switch (event.kind) {
    case 'child_intended':
      return withLeg(
        withCurrent(next, event.leg, ({ waiting: _over, ...slice }) => ({
          ...slice,
          attempts: slice.attempts + 1,
          triedAt: instant(event.at),
        })),
        event.leg,
        (leg) => ({ ...leg, slicesPlaced: leg.slicesPlaced + (event.attempt === 1 ? 1 : 0) }),
      );
    case 'fill_booked':
      return bookFill(next, event);
    case 'child_rejected':
      return withLeg(next, legOf(state, event.label), (leg) => ({
        ...leg,
        rejectedInRow: leg.rejectedInRow + 1,
      }));
    case 'child_live':
      return withLeg(next, legOf(state, event.label), (leg) => ({ ...leg, rejectedInRow: 0 }));
    case 'edit_intended':
      return withLeg(next, legOf(state, event.label), (leg) => ({
        ...leg,
        reprices: leg.reprices + 1,
      }));
    default:
      return next;
  }
}

const legOf = (state: PortfolioState, label: string): number => childOf(state, label).leg;

function bookFill(
  state: PortfolioState,
  event: Extract<PortfolioEvent, { kind: 'fill_booked' }>,
): PortfolioState {
  const child = childOf(state, event.label);
  const amount = quantity(event.quantity);
  return withLeg(state, child.leg, (leg) => {
    const paid = leg.fees.get(event.feeCurrency) ?? ZERO_MONEY;
    const fees = new Map(leg.fees).set(event.feeCurrency, plus(paid, money(event.fee)));
    const { current } = leg;
    const own = current?.slice === child.slice;
    return {
      ...filledLeg(leg, amount, price(event.price)),
      fees,
      ...(own && { current: { ...current, filled: plus(current.filled, amount) } }),
    };
  });
}

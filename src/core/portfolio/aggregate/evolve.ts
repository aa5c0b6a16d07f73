// Folds events into the state. Total: recorded events are never refused; the rules are in `decide`.
import {
  equals,
  money,
  type Price,
  plus,
  price,
  type Quantity,
  quantity,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import type { PortfolioId } from '../../../values/ids.ts';
import { instant } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { emptyLayeredMap } from '../../../values/layered-map.ts';
import { markedTape } from '../../schedule/tape.ts';
import { withTerms } from '../../terms/amend-terms.ts';
import {
  instrumentFromRecord,
  instrumentToRecord,
  specFromRecord,
} from '../../terms/spec-record.ts';
import { fillValue } from './currencies.ts';
import { type ChildEvent, childOf, evolveChild } from './evolve-child.ts';
import { evolvePart, startedPart } from './evolve-part.ts';
import { evolveRfq } from './evolve-residual-rfq.ts';
import type { EndReason, PortfolioEvent } from './portfolio-event.ts';
import type { CurrentSlice, LegState, MirroredFills, PortfolioState } from './portfolio-state.ts';
import { legInstrument } from './positions.ts';
import { NO_SETTLED } from './settled-children.ts';
import { countedSlice } from './slice-counts.ts';

type Submitted = Extract<PortfolioEvent, { kind: 'submitted' }>;
type Started = Extract<PortfolioEvent, { kind: 'slice_started' }>;
type Mirrored = Extract<PortfolioEvent, { kind: 'fill_mirrored' }>;

/** All fields are set from the start, here and below: objects of one shape are cheap to copy and to read. */
const NEW_LEG: LegState = {
  nextSlice: 0,
  rebase: undefined,
  current: undefined,
  filled: ZERO_QUANTITY,
  mirroredFrom: undefined,
  value: ZERO_MONEY,
  fees: new Map(),
  slicesBegun: 0,
  slicesPlaced: 0,
  lastPlaced: undefined,
  skipped: undefined,
  tape: undefined,
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
    reason: undefined,
    timeOverAt: undefined,
    rfq: undefined,
    paused: undefined,
    resumedAt: undefined,
    refusedInRow: 0,
    submittedAt: instant(event.at),
    updatedAt: instant(event.at),
    lastEditedBy: spec.by.uid,
    legs: spec.legs.map(() => NEW_LEG),
    part: undefined,
    partsDone: 0,
    partBase: undefined,
    children: new Map(),
    ended: NO_SETTLED,
    fills: 0,
    mirrored: { count: 0, trades: undefined },
    amendments: 0,
    broken: false,
  };
}

/** The state after one more event. */
export function evolve(state: PortfolioState, event: PortfolioEvent): PortfolioState {
  // Assigning to a copy costs a tenth of spreading into it.
  const next: Changing = Object.assign({ ...state }, changes(state, event));
  next.version = state.version + 1;
  next.updatedAt = instant(event.at);
  return next;
}

/** The changes made by an event; a state is copied once per event, and a turn has many. */
type Changes = Partial<PortfolioState>;

type Changing = { -readonly [K in keyof PortfolioState]: PortfolioState[K] };

function changes(state: PortfolioState, event: PortfolioEvent): Changes {
  switch (event.kind) {
    case 'submitted':
      return {};
    case 'started':
      return { status: 'active' };
    case 'slices_missed':
      return changedLeg(state, event.leg, (leg) => ({
        ...leg,
        nextSlice: event.to + 1,
        ...(event.skipped !== undefined && {
          skipped: plus(leg.skipped ?? ZERO_QUANTITY, quantity(event.skipped)),
        }),
      }));
    case 'slice_started':
      return changedLeg(state, event.leg, (leg) => startSlice(leg, event));
    case 'slice_arrived':
      return changedLeg(state, event.leg, (leg) => ({
        ...leg,
        current: leg.current && { ...leg.current, arrival: price(event.price) },
      }));
    case 'slice_waiting':
      return changedLeg(state, event.leg, (leg) => ({
        ...leg,
        current: leg.current && { ...leg.current, waiting: event.reason },
      }));
    case 'slice_ended':
      return changedLeg(state, event.leg, (leg) => ({ ...leg, current: undefined }));
    case 'part_started':
    case 'part_waiting':
    case 'part_chased':
    case 'part_ended':
      return evolvePart(state, event);
    case 'fill_mirrored':
      return mirrorFill(state, event);
    case 'assumption_broken':
      return { broken: true };
    case 'amended':
      return amended(state, event);
    case 'paused':
      return {
        paused: { by: event.by, at: instant(event.at) },
        refusedInRow: 0,
        lastEditedBy: event.by,
      };
    case 'resumed':
      return {
        paused: undefined,
        resumedAt: instant(event.at),
        refusedInRow: 0,
        lastEditedBy: event.by,
      };
    case 'rfq_skipped':
    case 'rfq_intended':
    case 'rfq_refused':
    case 'rfq_unknown':
    case 'rfq_absent':
    case 'rfq_opened':
    case 'rfq_quoted':
    case 'rfq_accept_intended':
    case 'rfq_accept_refused':
    case 'rfq_accept_unknown':
    case 'rfq_cancel_intended':
    case 'rfq_over':
      return { rfq: evolveRfq(state.rfq, event) };
    case 'ticks_changed':
      return ticksChanged(state, event);
    case 'hedge_left_open':
      return changedLeg(state, event.leg, (leg) => ({
        ...leg,
        current: leg.current && { ...leg.current, leftOpen: quantity(event.quantity) },
      }));
    case 'time_over':
      return { timeOverAt: instant(event.at) };
    case 'cancelling':
      return { status: 'cancelling', reason: event.reason, lastEditedBy: event.by };
    case 'cancelled':
      return over(state, 'cancelled', event.reason);
    case 'filled':
      return over(state, 'filled', 'filled');
    default:
      return {
        ...evolveChild(state, event),
        ...changedByChild(state, event),
        ...startedPart(state, event),
      };
  }
}

function over(state: PortfolioState, status: 'filled' | 'cancelled', reason: EndReason): Changes {
  return {
    status,
    reason,
    paused: undefined,
    legs: state.legs.map((leg) => ({ ...leg, current: undefined })),
  };
}

function changedLeg(
  state: PortfolioState,
  index: number,
  change: (leg: LegState) => LegState,
): Changes {
  const leg = must(state.legs[index], () => `portfolio ${state.id} has no leg ${index}`);
  return { legs: state.legs.with(index, change(leg)) };
}

const startSlice = (leg: LegState, event: Started): LegState => ({
  ...leg,
  nextSlice: event.slice + 1,
  slicesBegun: leg.slicesBegun + 1,
  current: {
    slice: event.slice,
    dueAt: instant(event.dueAt),
    endsAt: instant(event.endsAt),
    planned: quantity(event.planned),
    quantity: quantity(event.quantity),
    filled: ZERO_QUANTITY,
    attempts: 0,
    capped: undefined,
    triedAt: undefined,
    refusals: undefined,
    staleAttempts: undefined,
    waiting: undefined,
    arrival: undefined,
    ...(event.isCover && { isCover: true }),
  },
  ...(event.traded !== undefined && { tape: markedTape(leg.tape, event.traded) }),
});

/** Totals with one more fill: sums over fills and nothing else. */
const filled = (
  leg: LegState,
  instrument: Instrument,
  fill: { readonly quantity: Quantity; readonly price: Price },
): Pick<LegState, 'filled' | 'value'> => ({
  filled: plus(leg.filled, fill.quantity),
  value: plus(leg.value, fillValue(instrument, fill.price, fill.quantity)),
});

function mirrorFill(state: PortfolioState, event: Mirrored): Changes {
  const fill = { quantity: quantity(event.quantity), price: price(event.price) };
  const instrument = legInstrument(state, event.leg);
  return {
    ...changedLeg(state, event.leg, (leg) => ({
      ...leg,
      ...filled(leg, instrument, fill),
      mirroredFrom: plus(
        leg.mirroredFrom ?? ZERO_QUANTITY,
        quantity(event.original ?? event.quantity),
      ),
    })),
    mirrored: mirroredWith(state.mirrored, event),
  };
}

function mirroredWith(
  { count, trades }: MirroredFills,
  { number, tradeId }: Mirrored,
): MirroredFills {
  if (number !== undefined && trades === undefined) return { count: number, trades };
  return { count, trades: (trades ?? emptyLayeredMap<string, true>()).with(tradeId, true) };
}

function changedByChild(state: PortfolioState, event: ChildEvent): Changes {
  switch (event.kind) {
    case 'child_intended':
      return changedLeg(state, event.leg, (leg) => ({
        ...leg,
        current: leg.current && tried(leg.current, event.at),
        ...placedIn(leg, countedSlice(state, event)),
      }));
    case 'fill_booked':
      return bookFill(state, event);
    case 'child_rejected': {
      const legs = changedLeg(state, legOf(state, event.label), (leg) => ({
        ...leg,
        rejectedInRow: leg.rejectedInRow + 1,
        refusal: { code: event.code, message: event.message, at: instant(event.at) },
        current: leg.current && refused(leg.current, event),
      }));
      return event.code === NOT_SENT ? legs : { ...legs, refusedInRow: state.refusedInRow + 1 };
    }
    case 'child_live': {
      const index = legOf(state, event.label);
      const refusals = state.refusedInRow === 0 ? {} : { refusedInRow: 0 };
      if (state.legs[index]?.rejectedInRow === 0) return refusals;
      const legs = changedLeg(state, index, (leg) => ({
        ...leg,
        rejectedInRow: 0,
        refusal: undefined,
      }));
      return { ...legs, ...refusals };
    }
    case 'edit_intended':
      return changedLeg(state, legOf(state, event.label), (leg) => ({
        ...leg,
        reprices: leg.reprices + 1,
      }));
    default:
      return {};
  }
}

const placedIn = (leg: LegState, slice: number | undefined): Partial<LegState> =>
  slice === undefined || slice === leg.lastPlaced
    ? {}
    : { slicesPlaced: leg.slicesPlaced + 1, lastPlaced: slice };

const tried = (slice: CurrentSlice, at: number): CurrentSlice => ({
  ...slice,
  attempts: slice.attempts + 1,
  triedAt: instant(at),
  waiting: undefined,
});

const legOf = (state: PortfolioState, label: string): number => childOf(state, label).leg;

/** The code of a refusal of our own: the venue never had the order. */
const NOT_SENT = 0;

/** A post-only order is refused because of the current price; the next price may be accepted. */
const POST_ONLY_REJECT = 11054;

const refused = (
  current: CurrentSlice,
  { code, retry }: { readonly code: number; readonly retry: boolean },
): CurrentSlice =>
  retry || code === POST_ONLY_REJECT
    ? current
    : { ...current, refusals: (current.refusals ?? 0) + 1 };

function bookFill(
  state: PortfolioState,
  event: Extract<PortfolioEvent, { kind: 'fill_booked' }>,
): Changes {
  const child = childOf(state, event.label);
  const fill = { quantity: quantity(event.quantity), price: price(event.price) };
  const instrument = legInstrument(state, child.leg);
  const legs = changedLeg(state, child.leg, (leg) => {
    const paid = leg.fees.get(event.feeCurrency) ?? ZERO_MONEY;
    const fees = new Map(leg.fees).set(event.feeCurrency, plus(paid, money(event.fee)));
    const { current } = leg;
    const own = current?.slice === child.slice;
    const isWhole = equals(plus(child.filled, fill.quantity), child.quantity);
    return {
      ...leg,
      ...filled(leg, instrument, fill),
      fees,
      current: own ? withFill(current, fill.quantity, isWhole) : current,
    };
  });
  return { ...legs, fills: state.fills + 1 };
}

function withFill(current: CurrentSlice, of: Quantity, isWhole: boolean): CurrentSlice {
  const slice = { ...current, filled: plus(current.filled, of) };
  if (!isWhole || current.waiting !== 'order_cap') return slice;
  return { ...slice, capped: (current.capped ?? 0) + 1, triedAt: undefined };
}

/** Instruments of one content are one object, which portfolios share. */
function ticksChanged(
  { instruments }: PortfolioState,
  { instrument, tickSize, tickSteps }: Extract<PortfolioEvent, { kind: 'ticks_changed' }>,
): Partial<PortfolioState> {
  const known = instruments.get(instrument);
  if (known === undefined) return {};
  const moved = instrumentFromRecord({ ...instrumentToRecord(known), tickSize, tickSteps });
  return { instruments: new Map(instruments).set(instrument, moved) };
}

/** Folds an amendment: a new specification, restarted plans, and prices that are no longer valid. */
type Amended = Extract<PortfolioEvent, { kind: 'amended' }>;

/** The state changes made by the event. */
const amended = (state: PortfolioState, event: Amended): Partial<PortfolioState> => ({
  spec: withTerms(state.spec, event.after),
  amendments: event.number,
  lastEditedBy: event.by,
  legs: state.legs.map((leg, index) => replanned(leg, index, event)),
});

function replanned(leg: LegState, index: number, { replans, repriced }: Amended): LegState {
  const record = replans[index];
  const rebase =
    record == null
      ? undefined
      : { from: instant(record.from), slice: record.slice, done: quantity(record.done) };
  const { current } = leg;
  const isStale = current !== undefined && repriced.includes(index);
  return {
    ...leg,
    rebase,
    current: isStale ? { ...current, staleAttempts: current.attempts } : current,
  };
}

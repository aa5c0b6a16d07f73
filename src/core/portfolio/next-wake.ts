// When a portfolio must be checked next. There are two answers: what the schedule requires (stored in the ledger, so
// that any process finds it), and the earlier price polls, kept only in memory.
import { isPositive } from '../../values/amounts.ts';
import { earliest, INSTANT_MAX, type Instant, later, latest } from '../../values/instant.ts';
import { repriceEveryMs } from '../pricing/child-price.ts';
import { isBlackout, nextBlackoutEdge, openFrom } from '../terms/blackout-windows.ts';
import type { Settings } from '../terms/settings.ts';
import { balanceOf } from './aggregate/part-allowance.ts';
import {
  type CurrentSlice,
  isTerminal,
  type PortfolioState,
  triesOf,
} from './aggregate/portfolio-state.ts';
import {
  endAt,
  hasUnsettled,
  legSpec,
  legState,
  planOf,
  workingOf,
} from './aggregate/positions.ts';
import { chaseAt, hedgedBy, nextCheckAt, renewAt, sweptBy } from './balance/part-clock.ts';
import { crossesNow } from './balance/tend-leg.ts';
import { nextStepAt, styleAt } from './slices/execution-style.ts';
import { openExposures } from './slices/open-exposure.ts';
import { queryAt } from './slices/reconcile-child.ts';
import { endActionFrom, rfqCheckAt, rfqInstants } from './slices/residual-rfq-due.ts';
import { guardAt, isAfterEnd, isSweep } from './slices/slice-times.ts';
import { sliceRest } from './slices/work-slice.ts';

/** Poll interval of a slice that cannot place, if its pricing names none. */
const POLL_MS = 1_000;
/** Work that stays overdue because the venue does not answer is retried at least this often. */
const OVERDUE_REST_MAX_MS = 10_000;

/** How long after its planned end a shadow without an end notice is checked. */
const SHADOW_REST_MS = 60_000;

/**
 * The next instant required by the schedule; in the past while something is due that cannot be done yet; `undefined`
 * if nothing is left to do. A shadow only waits for the other's end, which it may miss.
 */
export function nextDueAt(state: PortfolioState, settings: Settings): Instant | undefined {
  if (isTerminal(state.status) && !hasUnsettled(state)) return undefined;
  if (state.spec.mirrorOf !== undefined) {
    return earliest(later(endAt(state.spec), SHADOW_REST_MS), INSTANT_MAX);
  }
  return firstDue(state, settings);
}

/** The first instant later than `after` at which something is due; the end of all time if there is none. */
function firstDue(
  state: PortfolioState,
  settings: Settings,
  after = Number.NEGATIVE_INFINITY,
): Instant {
  let first = INSTANT_MAX;
  const note = (at: Instant | undefined): void => {
    if (at !== undefined && at > after && at < first) first = at;
  };
  for (const child of state.children.values()) {
    note(queryAt(child, settings));
    note(child.cancel?.retryAt);
  }
  if (state.rfq !== undefined || state.timeOverAt !== undefined) {
    for (const at of rfqInstants(state, settings)) note(at);
  }
  if (isTerminal(state.status) || state.spec.mirrorOf !== undefined) return first;
  if (isStopped(state)) {
    for (const { current } of state.legs) if (current?.isCover === true) note(current.endsAt);
  }
  if (state.status === 'cancelling') return first;
  if (state.timeOverAt === undefined) note(endAt(state.spec));
  if (state.paused !== undefined) return first;
  if (state.spec.balance !== undefined) {
    for (const at of partInstants(state, settings)) note(at);
    return first;
  }
  note(endActionDeferredUntil(state));
  for (let leg = 0; leg < state.legs.length; leg += 1) noteLeg(state, { leg, settings, note });
  return first;
}

/**
 * The next instant of the plan itself, including the end: for this the queue schedules a wake-up. Everything due
 * earlier concerns children sent by this process, which sets its own timers.
 */
export function nextSliceAt(state: PortfolioState): Instant | undefined {
  if (isTerminal(state.status) || state.status === 'cancelling') return undefined;
  if (state.spec.mirrorOf !== undefined || state.timeOverAt !== undefined) return undefined;
  let next = endAt(state.spec);
  // A paused portfolio without an end has nothing due for which the queue could schedule a wake-up.
  if (state.paused !== undefined) return next === INSTANT_MAX ? undefined : next;
  if (state.spec.balance !== undefined) return earliest(next, partDueAt(state) ?? next);
  for (let leg = 0; leg < state.legs.length; leg += 1) {
    next = earliest(next, sliceDueAt(state, leg) ?? next);
  }
  return next;
}

/**
 * When to wake for {@link nextSliceAt}: a slice is decided `armMs` ahead, so that its intent is durable when it is
 * due; everything else is decided at its own instant.
 */
export function nextArmAt(state: PortfolioState, settings: Settings): Instant | undefined {
  const next = nextSliceAt(state);
  const first = firstClockedAt(state);
  return first === undefined || first !== next ? next : later(first, -settings.armMs);
}

/** The slices that {@link nextArmAt} wakes for, one of each leg; none if it wakes for something else. */
export function armedSlices(state: PortfolioState): readonly ArmedSlice[] {
  const first = firstClockedAt(state);
  if (first === undefined || first !== nextSliceAt(state)) return [];
  return state.legs.flatMap(({ nextSlice }, leg) =>
    sliceDueAt(state, leg) === first ? [{ leg, slice: nextSlice, dueAt: first }] : [],
  );
}

export interface ArmedSlice {
  readonly leg: number;
  readonly slice: number;
  readonly dueAt: Instant;
}

/** How much further ahead than `armMs` a slice is decided at most if many are due at the same time. */
export const CROWD_AHEAD_MS_MAX = 250;

/**
 * The instant as of which to decide: a slice less than `armMs` ahead counts as due. So does the one at `sliceAt`, up to
 * {@link CROWD_AHEAD_MS_MAX} further ahead, unless an order is open: what it is going to leave is not known yet.
 */
export function armedNow(
  state: PortfolioState,
  now: Instant,
  settings: Settings,
  sliceAt?: Instant,
): Instant {
  if (settings.armMs === 0) return now;
  const first = firstClockedAt(state);
  if (first === undefined || first <= now) return now;
  const isCrowded = first === sliceAt && state.children.size === 0;
  const aheadMsMax = settings.armMs + (isCrowded ? CROWD_AHEAD_MS_MAX : 0);
  return first - now <= aheadMsMax ? first : now;
}

/** The next slice of a clock-scheduled leg, while slices may be started. */
function firstClockedAt(state: PortfolioState): Instant | undefined {
  const { spec, status, timeOverAt, paused } = state;
  if (status !== 'pending' && status !== 'active') return undefined;
  if (timeOverAt !== undefined || paused !== undefined) return undefined;
  if (spec.mirrorOf !== undefined || spec.balance !== undefined) return undefined;
  return soonest(state.legs.map((_, leg) => sliceDueAt(state, leg)));
}

function sliceDueAt(state: PortfolioState, leg: number): Instant | undefined {
  const { nextSlice } = legState(state, leg);
  const plan = planOf(state, leg);
  const isClocked = state.timeOverAt === undefined && !legSpec(state, leg).hedge;
  return isClocked && nextSlice < plan.slices ? plan.dueAt(nextSlice) : undefined;
}

interface LegLook {
  readonly leg: number;
  readonly settings: Settings;
  readonly note: (at: Instant | undefined) => void;
}

function noteLeg(state: PortfolioState, { leg, settings, note }: LegLook): void {
  const { current } = legState(state, leg);
  if (current !== undefined && isAfterEnd(state, current)) {
    if (!isSweep(state, current) && rests(state, leg)) note(guardAt(settings, current));
    return note(current.endsAt);
  }
  note(sliceDueAt(state, leg));
  if (current === undefined) return;
  if (rests(state, leg)) note(guardAt(settings, current));
  if (legSpec(state, leg).hedge && state.timeOverAt === undefined) note(current.endsAt);
}

/**
 * When an end action deferred by a blackout window may start; `undefined` once it has started. The window may have begun after
 * the end, while the outcome of an order was not known yet.
 */
function endActionDeferredUntil(state: PortfolioState): Instant | undefined {
  const { quiet } = state.spec.execution;
  if (quiet === undefined) return;
  const from = endActionFrom(state);
  if (from === undefined) return;
  const isUnderWay = state.legs.some(({ current }) => current && current.dueAt >= from);
  const isHeld = state.legs.some(({ current }) => current?.waiting === 'quiet_window');
  if (isUnderWay || !(isHeld || isBlackout(quiet, from))) return;
  return openFrom(quiet, isHeld ? latest(from, state.updatedAt) : from);
}

/** Whether the leg has a child at the venue that may have to be cancelled. */
const rests = (state: PortfolioState, leg: number): boolean =>
  workingOf(state, leg).some((child) => child.cancel === undefined && child.state !== 'sending');

export interface WakeQuestion {
  readonly now: Instant;
  /** The result of `nextDueAt`. */
  readonly due: Instant;
  readonly settings: Settings;
}

/**
 * The next instant after `now` at which to check: the schedule's own, or earlier for a price poll, another attempt,
 * or a retry of overdue work.
 */
export function nextWakeAt(state: PortfolioState, { now, due, settings }: WakeQuestion): Instant {
  let next = due > now ? due : afterOverdue(state, { now, due, settings });
  next = earliest(next, rfqCheckAt(state, now) ?? next);
  if (isTerminal(state.status) || state.spec.mirrorOf !== undefined) return next;
  if (isStopped(state) && openExposures(state).length === 0) return next;
  const edge = nextBlackoutEdge(state.spec.execution.quiet, now);
  if (edge !== undefined && hasBegun(state)) next = earliest(next, edge);
  for (let leg = 0; leg < state.legs.length; leg += 1) {
    if (isStopped(state) && legState(state, leg).current?.isCover !== true) continue;
    const poll = pollAt({ state, leg, now, settings });
    if (poll !== undefined) next = earliest(next, poll);
  }
  return next;
}

/** Nothing but hedges of what was executed is sent. */
const isStopped = ({ status, paused }: PortfolioState): boolean =>
  status === 'cancelling' || paused !== undefined;

const hasBegun = (state: PortfolioState): boolean =>
  state.legs.some(({ current }) => current !== undefined);

/** Retries with exponential back-off, because missing answers cannot be forced. */
function afterOverdue(state: PortfolioState, { now, due, settings }: WakeQuestion): Instant {
  let restMs = settings.retryMs;
  while (restMs < OVERDUE_REST_MAX_MS && later(due, restMs) <= now) restMs *= 2;
  const again = onGrid(due, Math.min(restMs, OVERDUE_REST_MAX_MS), now);
  return earliest(again, firstDue(state, settings, now));
}

interface PollQuestion {
  readonly state: PortfolioState;
  readonly leg: number;
  readonly now: Instant;
  readonly settings: Settings;
}

function pollAt({ state, leg, now, settings }: PollQuestion): Instant | undefined {
  const { current } = legState(state, leg);
  if (current === undefined || now >= current.endsAt) return undefined;
  const { quiet, would, escalation } = state.spec.execution;
  if (isBlackout(quiet, now)) return undefined;
  const step = nextStepAt(escalation, current, now);
  const look = repriceAt({ state, leg, now, settings }, current);
  const offer = would?.some((one) => one.leg === leg)
    ? onGrid(current.dueAt, POLL_MS, now)
    : undefined;
  return soonest([step, look, offer]);
}

const soonest = (instants: readonly (Instant | undefined)[]): Instant | undefined =>
  instants.reduce((a, b) => (a === undefined || b === undefined ? (a ?? b) : earliest(a, b)));

function repriceAt(question: PollQuestion, current: CurrentSlice): Instant | undefined {
  const { state, leg, now, settings } = question;
  const everyMs = pollEveryMs(question, current);
  const own = workingOf(state, leg).filter((child) => child.slice === current.slice);
  const [child] = own;
  if (child !== undefined) {
    const isFollowing = child.state === 'live' && !child.edit && !child.cancel;
    return everyMs !== undefined && isFollowing ? onGrid(child.pricedAt, everyMs, now) : undefined;
  }
  if (triesOf(current) >= settings.attemptsMax) return undefined;
  if (!isPositive(sliceRest({ state }, leg, current))) return undefined;
  const tried = current.triedAt ?? current.dueAt;
  const again = onGrid(tried, Math.max(settings.retryMs, everyMs ?? POLL_MS), now);
  return latest(again, later(now, 1));
}

/** A sweep is priced through the opposite side, whatever reference its leg follows. */
const pollEveryMs = (
  { state, leg, now }: PollQuestion,
  current: CurrentSlice,
): number | undefined =>
  isSweep(state, current) || crossesNow(state, leg)
    ? undefined
    : repriceEveryMs(styleAt({ state }, leg, now).pricing);

/** The first multiple of `everyMs` after `from` that is later than `now`. */
const onGrid = (from: Instant, everyMs: number, now: Instant): Instant =>
  later(from, (Math.floor(Math.max(0, now - from) / everyMs) + 1) * everyMs);

// When a BALANCE portfolio must be checked next, apart from its children and its end.

/** The next instant of the part itself, for which the queue schedules a wake-up. */
function partDueAt(state: PortfolioState): Instant | undefined {
  const { part, partsDone, spec } = state;
  const balance = balanceOf(state);
  if (part === undefined) return partsDone < balance.parts ? spec.startAt : undefined;
  return part.stage === 'sweep' || state.timeOverAt !== undefined
    ? undefined
    : (chaseAt(part, balance) ?? nextCheckAt(part, balance));
}

/** Every instant at which the parts need a check. */
export function* partInstants(state: PortfolioState, settings: Settings): Iterable<Instant> {
  const { part, legs } = state;
  const due = partDueAt(state);
  if (due !== undefined) yield due;
  if (part === undefined) return;
  const balance = balanceOf(state);
  if (due !== undefined) yield nextCheckAt(part, balance);
  if (part.stage === 'sweep') yield sweptBy(part, settings);
  const hedged = hedgedBy(state, settings);
  if (hedged !== undefined) yield hedged;
  for (const [leg, { current }] of legs.entries()) {
    if (current === undefined) continue;
    // Earlier than the end only where the total limit was amended.
    if (due !== undefined) yield current.endsAt;
    if (workingOf(state, leg).length > 0) continue;
    const again = renewAt(current, balance, settings);
    if (again !== undefined) yield again;
  }
}

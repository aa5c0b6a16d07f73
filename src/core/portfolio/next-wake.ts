// When a portfolio has to be looked at again. Two answers: what the schedule demands (kept in the
// ledger, so that any process finds it), and the sooner polls of prices, kept only in memory.
import { isPositive } from '../../values/amounts.ts';
import { earliest, INSTANT_MAX, type Instant, later, latest } from '../../values/instant.ts';
import type { ChildOrder } from '../order/child-order.ts';
import { repriceEveryMs } from '../pricing/child-price.ts';
import { guardAt, isSweep } from './advance.ts';
import { endAt, legSpec, legState, planOf, workingOf } from './positions.ts';
import type { Settings } from './settings.ts';
import { settleAt } from './settle-child.ts';
import { isTerminal, type PortfolioState } from './state.ts';

/** How often a slice that cannot place looks at the market again, where its pricing names no interval. */
const POLL_MS = 1_000;

/** The next instant the schedule demands; `undefined` when the portfolio is over or a shadow. */
export function nextDueAt(state: PortfolioState, settings: Settings): Instant | undefined {
  if (isTerminal(state.status) || state.spec.mirrorOf !== undefined) return undefined;
  let next = INSTANT_MAX;
  for (const child of state.children.values()) {
    const at = childDueAt(child, settings);
    if (at !== undefined) next = earliest(next, at);
  }
  if (state.status === 'cancelling') return next;
  if (state.timeOverAt === undefined) next = earliest(next, endAt(state.spec));
  for (let leg = 0; leg < state.legs.length; leg += 1) {
    next = earliest(next, legDueAt(state, leg, settings));
  }
  return next;
}

function childDueAt(child: ChildOrder, settings: Settings): Instant | undefined {
  const settle = settleAt(child, settings);
  const retry = child.cancel?.retryAt;
  if (settle === undefined || retry === undefined) return settle ?? retry;
  return earliest(settle, retry);
}

function legDueAt(state: PortfolioState, leg: number, settings: Settings): Instant {
  const { current, nextSlice } = legState(state, leg);
  const plan = planOf(state, leg);
  const clocked = state.timeOverAt === undefined && !legSpec(state, leg).hedge;
  const due = clocked && nextSlice < plan.slices ? plan.dueAt(nextSlice) : INSTANT_MAX;
  if (current === undefined) return due;
  const rests = workingOf(state, leg).some((child) => child.cancel === undefined);
  if (isSweep({ state }, current)) return earliest(due, current.endsAt);
  if (!rests) return due;
  return earliest(due, guardAt({ context: { settings, quotes: () => undefined } }, current));
}

/**
 * The next instant worth looking at: a price poll or another attempt where one comes before `due`,
 * the schedule's own instant otherwise.
 */
export function nextWakeAt(
  state: PortfolioState,
  {
    now,
    due,
    settings,
  }: { readonly now: Instant; readonly due: Instant; readonly settings: Settings },
): Instant {
  if (state.status === 'cancelling') return due;
  let next = due;
  for (let leg = 0; leg < state.legs.length; leg += 1) {
    const poll = pollAt({ state, leg, now, settings });
    if (poll !== undefined) next = earliest(next, poll);
  }
  return next;
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
  const everyMs = repriceEveryMs(legSpec(state, leg).pricing);
  const own = workingOf(state, leg).filter((child) => child.slice === current.slice);
  if (own.length > 0) {
    const [child] = own;
    if (everyMs === undefined || child === undefined || child.state !== 'live') return undefined;
    return onGrid(child.pricedAt, everyMs, now);
  }
  const isOpen = isPositive(current.quantity) && current.quantity.gt(current.filled);
  if (!isOpen || current.attempts >= settings.attemptsMax) return undefined;
  const tried = current.triedAt ?? current.dueAt;
  const again = onGrid(tried, Math.max(settings.retryMs, everyMs ?? POLL_MS), now);
  return latest(again, later(now, 1));
}

/** The first multiple of `everyMs` after `from` that is later than `now`. */
const onGrid = (from: Instant, everyMs: number, now: Instant): Instant =>
  later(from, (Math.floor(Math.max(0, now - from) / everyMs) + 1) * everyMs);

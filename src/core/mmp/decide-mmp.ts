// Market-maker protection: (state, command) → events, or the reason for refusal. Pure: the instant is in the command.
// The rules are those documented by Deribit: a window is fixed, opened by its first trade and never extended;
// quantity counts gross, delta and vega net; the first limit reached trips the group.
import { absolute, isLess, plus, text, ZERO_MONEY, ZERO_QUANTITY } from '../../values/amounts.ts';
import { unreachable } from '../../values/assert.ts';
import { type Instant, later } from '../../values/instant.ts';
import { evolveMmp } from './evolve-mmp.ts';
import { ALL_INDEXES } from './index-names.ts';
import type { CountTrade, MmpCommand, MmpExposure } from './mmp-command.ts';
import {
  configFault,
  type MmpConfig,
  type MmpFault,
  type MmpKind,
  type MmpLimit,
  NAMED_GROUPS_MAX,
} from './mmp-config.ts';
import type { MmpEvent } from './mmp-event.ts';
import {
  covers,
  groupKey,
  groupOf,
  isFrozen,
  type MmpFreeze,
  type MmpGroup,
  type MmpPlace,
  type MmpState,
  type MmpWindow,
} from './mmp-state.ts';

export interface MmpDecision {
  readonly state: MmpState;
  readonly events: readonly MmpEvent[];
  /** The reason why nothing was done. */
  readonly fault?: MmpFault | undefined;
}

type Of<K extends MmpCommand['kind']> = Extract<MmpCommand, { kind: K }>;

export function decideMmp(kind: MmpKind, state: MmpState, command: MmpCommand): MmpDecision {
  switch (command.kind) {
    case 'configure':
      return configure(kind, state, command);
    case 'reset':
      return reset(kind, state, command);
    case 'count':
      return count(state, command);
    case 'venue_tripped':
      return venueTripped(state, command);
    default:
      return unreachable(command);
  }
}

const happened = (state: MmpState, events: readonly MmpEvent[]): MmpDecision => ({
  state: events.reduce(evolveMmp, state),
  events,
});

const refused = (state: MmpState, fault: MmpFault): MmpDecision => ({ state, events: [], fault });

function configure(kind: MmpKind, state: MmpState, command: Of<'configure'>): MmpDecision {
  const { config, now, by } = command;
  const fault =
    configFault(kind, config) ?? groupsFault(state, config) ?? freshFreezeFault(state, config, now);
  if (fault !== undefined) return refused(state, fault);
  const { index, group, intervalMs, frozenMs } = config;
  if (intervalMs === 0) {
    const isThere = groupOf(state, config) !== undefined;
    return happened(state, isThere ? [{ kind: 'removed', at: now, index, group, by }] : []);
  }
  const { quantityLimit, deltaLimit, vegaLimit, tradeCountLimit, maxQuoteQuantity } = config;
  const limits = {
    ...(quantityLimit && { quantityLimit: text(quantityLimit) }),
    ...(deltaLimit && { deltaLimit: text(deltaLimit) }),
    ...(vegaLimit && { vegaLimit: text(vegaLimit) }),
    ...(tradeCountLimit && { tradeCountLimit }),
    ...(maxQuoteQuantity && { maxQuoteQuantity: text(maxQuoteQuantity) }),
  };
  const terms = { index, group, intervalMs, frozenMs, ...limits, by };
  return happened(state, [{ kind: 'configured', at: now, ...terms }]);
}

/** A group name belongs to one index, and the number of groups is limited. */
function groupsFault(state: MmpState, { index, group }: MmpConfig): MmpFault | undefined {
  if (group === '') return undefined;
  const named = [...state.groups.values()].filter(({ config }) => config.group !== '');
  const tied = named.find(({ config }) => config.group === group && config.index !== index);
  if (tied !== undefined) {
    const reason = `belongs to ${tied.config.index}; accepted: another name, or that index`;
    return { code: OTHER_REJECT, param: 'mmpGroup', reason };
  }
  if (named.length < NAMED_GROUPS_MAX || groupOf(state, { index, group })) return undefined;
  const reason = `would exceed the limit on groups; accepted: at most ${NAMED_GROUPS_MAX} named groups`;
  return { code: OTHER_REJECT, param: 'mmpGroup', reason };
}

const OTHER_REJECT = 11030;

/** A freeze lasts at least this long, whatever requests its end: the trades that caused it are still being processed. */
const FREEZE_MS_MIN = 1_000;

/** Deribit names no code for it. */
function freshFreezeFault(state: MmpState, place: MmpPlace, now: Instant): MmpFault | undefined {
  const found = groupOf(state, place);
  if (found?.freeze === undefined || !isFrozen(found, now)) return undefined;
  const from = later(found.freeze.at, FREEZE_MS_MIN);
  if (now >= from) return undefined;
  const reason = `the freeze is younger than ${FREEZE_MS_MIN} ms; accepted: from ${from} on`;
  return { code: OTHER_REJECT, param: 'indexName', reason };
}

function reset(kind: MmpKind, state: MmpState, command: Of<'reset'>): MmpDecision {
  const { index, group, now, by } = command;
  if (kind === 'order' && index === ALL_INDEXES) {
    const reason = `${ALL_INDEXES} is accepted only with blockRfq true`;
    return refused(state, { code: -32602, param: 'indexName', reason });
  }
  const found = groupOf(state, command);
  if (found === undefined || (!found.window && !found.freeze)) return happened(state, []);
  const fault = freshFreezeFault(state, command, now);
  if (fault !== undefined) return refused(state, fault);
  return happened(state, [{ kind: 'reset', at: now, index, group, by }]);
}

function venueTripped(state: MmpState, { now, index, group }: Of<'venue_tripped'>): MmpDecision {
  const found = groupOf(state, { index, group });
  if (found === undefined || isFrozen(found, now)) return happened(state, []);
  return happened(state, [tripped(found, now)]);
}

/** A trade counts in its own group and in the group of all indexes. */
function count(state: MmpState, command: CountTrade): MmpDecision {
  let after = state;
  const events: MmpEvent[] = [];
  for (const group of state.groups.values()) {
    for (const event of countIn(group, command)) {
      events.push(event);
      after = evolveMmp(after, event);
      const limit = event.kind === 'counted' ? reached(after, event) : undefined;
      if (limit === undefined) continue;
      const trip = tripped(group, command.now, { limit, reachedAt: command.tradedAt });
      events.push(trip);
      after = evolveMmp(after, trip);
    }
  }
  return { state: after, events };
}

function countIn(group: MmpGroup, command: CountTrade): readonly MmpEvent[] {
  const { config, window, countsFrom } = group;
  const { now, tradeId, tradedAt } = command;
  const parts = command.parts.filter(({ index }) =>
    covers(config, { index, group: command.group }),
  );
  if (parts.length === 0) return [];
  const { freeze } = group;
  if (freeze !== undefined && isBeyond(freeze, tradedAt)) {
    const { index, group: name } = config;
    const { quantity } = summed(parts);
    return [{ kind: 'exceeded', at: now, index, group: name, tradeId, tradedAt, quantity }];
  }
  if (tradedAt < countsFrom) return [];
  const opens = window === undefined || tradedAt >= windowEnd(window, config);
  // A trade reported late counts in the current window, unless its own window has certainly ended.
  if (!opens && later(tradedAt, config.intervalMs) <= window.openedAt) return [];
  const { index, group: name } = config;
  return [
    { kind: 'counted', at: now, index, group: name, tradeId, tradedAt, opens, ...summed(parts) },
  ];
}

/** Whether a trade of then is one too many: its limit had been reached, and the freeze had not ended. */
const isBeyond = ({ reachedAt, until }: MmpFreeze, tradedAt: Instant): boolean =>
  tradedAt >= reachedAt && (until === undefined || tradedAt < until);

/** The first instant of the next window. */
const windowEnd = (window: MmpWindow, { intervalMs }: MmpConfig): Instant =>
  later(window.openedAt, intervalMs);

function summed(parts: readonly MmpExposure[]) {
  let [quantity, delta, vega] = [ZERO_QUANTITY, ZERO_QUANTITY, ZERO_MONEY];
  for (const part of parts) {
    quantity = plus(quantity, part.quantity);
    delta = plus(delta, part.delta);
    vega = plus(vega, part.vega);
  }
  return { quantity: text(quantity), delta: text(delta), vega: text(vega) };
}

/** The first limit that is reached or exceeded. */
function reached(state: MmpState, event: MmpEvent): MmpLimit | undefined {
  const group = state.groups.get(groupKey(event));
  if (group?.window === undefined) return undefined;
  const { window, config } = group;
  const { quantityLimit, deltaLimit, vegaLimit, tradeCountLimit } = config;
  if (quantityLimit && !isLess(window.quantity, quantityLimit)) return 'quantity';
  if (deltaLimit && !isLess(absolute(window.delta), deltaLimit)) return 'delta';
  if (vegaLimit && !isLess(absolute(window.vega), vegaLimit)) return 'vega';
  return tradeCountLimit && window.trades >= tradeCountLimit ? 'trades' : undefined;
}

interface ReachedLimit {
  readonly limit: MmpLimit;
  readonly reachedAt: Instant;
}

function tripped({ config }: MmpGroup, now: Instant, reached?: ReachedLimit): MmpEvent {
  const { index, group, frozenMs } = config;
  return {
    kind: 'tripped',
    at: now,
    index,
    group,
    ...reached,
    ...(frozenMs > 0 && { frozenUntil: later(now, frozenMs) }),
  };
}

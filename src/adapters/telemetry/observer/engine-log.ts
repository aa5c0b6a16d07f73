// Occurrences of the engine as log lines and metrics: slices and orders, this daemon and its machine, strategies. Turns,
// whose events have lines of their own, and failures are those of the observer itself.
import type { Logger } from 'pino';
import { isAtLeast, spaceText } from '../../../core/disk/disk-space.ts';
import type { Observation, Occurrences, Recorders } from '../../../ports/observer.ts';
import type { RiskOccurrences } from '../../../ports/risk-observer.ts';
import { text } from '../../../values/amounts.ts';
import { isoText } from '../../../values/instant.ts';
import { labelFields } from '../log/event-line.ts';
import { shownMs } from '../log/shown-ms.ts';
import type { BoundedNames } from '../metrics/bounded-names.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { PortfolioMarks } from './portfolio-marks.ts';

/** A slice later than this is logged as a warning; it is the objective that slices are measured against. */
const LATE_MS = 250;

const RESCUED_SHOWN_MAX = 20;

export interface EngineLog {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Names chosen by callers; those beyond a bound are counted together. */
  readonly names: BoundedNames;
  readonly marks: PortfolioMarks | undefined;
}

type EngineOccurrence = Exclude<
  keyof Occurrences,
  keyof RiskOccurrences | 'turn_committed' | 'failed'
>;

export function engineRecorders(parts: EngineLog): Recorders<EngineOccurrence> {
  return {
    ...orderRecorders(parts),
    ...venueRecorders(parts),
    ...daemonRecorders(parts),
    ...strategyRecorders(parts),
  };
}

const ANSWER_LEVELS = {
  ok: 'debug',
  done: 'debug',
  later: 'debug',
  final: 'info',
  unknown: 'warn',
} as const;

const DESK_LEVELS = { done: 'debug', refused: 'debug', unknown: 'warn', blocked: 'info' } as const;

function orderRecorders({
  log,
  metrics,
  names,
  marks,
}: EngineLog): Recorders<'slice_sent' | 'venue_answered' | 'desk_answered'> {
  /** The common fields of slice lines are formatted once. */
  const sentLog = log.child({ event: 'slice_sent', intent: 'place' });
  return {
    slice_sent: ({ portfolio, leg, slice, label, lateMs }) => {
      const lateSec = Math.max(0, lateMs) / 1_000;
      metrics.sliceLateness.observe(lateSec);
      marks?.sliceSent(portfolio, lateSec);
      const isLate = lateMs > LATE_MS;
      const line = { portfolio, leg, slice, label, lateMs: shownMs(lateMs) };
      sentLog[isLate ? 'warn' : 'info'](line, isLate ? 'slice sent late' : 'slice sent');
    },
    venue_answered: (answer) => {
      const { venue, method, elapsedMs, portfolio, label, detail } = answer;
      const labels = { venue, method, class: answer.class };
      metrics.venueRequest.observe(labels, elapsedMs / 1_000);
      const level = ANSWER_LEVELS[answer.class];
      if (!log.isLevelEnabled(level)) return;
      const place = label === undefined ? {} : labelFields(label);
      const about = { portfolio, ...place, intent: method, venue, class: answer.class };
      const shown = { ...about, elapsedMs: shownMs(elapsedMs), detail };
      log[level]({ event: 'venue_answered', ...shown }, 'venue answered');
    },
    desk_answered: (answer) => {
      const { method, outcome, control } = answer;
      metrics.deskRequests.inc({ method, outcome });
      if (control !== undefined) {
        metrics.deskBlocks.inc({ control });
        const known = names.of('control', control);
        metrics.controlRefusals.inc({ control: known, stage: 'order' });
      }
      const level = DESK_LEVELS[outcome];
      if (log.isLevelEnabled(level)) log[level](answer, 'order method answered');
    },
  };
}

function venueRecorders({
  log,
  metrics,
}: EngineLog): Recorders<'foreign_order' | 'position_liquidated'> {
  return {
    foreign_order: (order) => {
      metrics.foreignOrders.inc();
      log.error(order, 'an order at the venue carries our label and belongs to no portfolio');
    },
    position_liquidated: (trade) => {
      const line = { ...trade, quantity: text(trade.quantity), price: text(trade.price) };
      log.error(line, 'the venue liquidated a part of a position');
    },
  };
}

type DaemonOccurrence =
  | 'turn_conflicted'
  | 'sweeper_rescued'
  | 'shards_moved'
  | 'overload_changed'
  | 'disk_space_changed'
  | 'recovered';

function daemonRecorders({ log, metrics }: EngineLog): Recorders<DaemonOccurrence> {
  return {
    turn_conflicted: (conflict) => {
      metrics.turnConflicts.inc();
      log.warn(conflict, 'another process was faster; the turn is decided again');
    },
    sweeper_rescued: ({ event, portfolios, at }) => {
      metrics.sweeperRescues.inc(portfolios.length);
      const shown = portfolios.slice(0, RESCUED_SHOWN_MAX);
      log.warn(
        { event, at, count: portfolios.length, portfolios: shown },
        'the sweeper ran what the queue had not woken',
      );
    },
    shards_moved: ({ event, gained, lost, owned }) => {
      metrics.shardsOwned.set(owned);
      metrics.shardsMoved.inc({ outcome: 'gained' }, gained.length);
      metrics.shardsMoved.inc({ outcome: 'lost' }, lost.length);
      const counts = { gained: gained.length, lost: lost.length, owned };
      log.info({ event, ...counts }, `${owned} shards are owned here`);
    },
    overload_changed: (change) => {
      metrics.overloaded.set(change.isOverloaded ? 1 : 0);
      logOverload(log, change);
    },
    disk_space_changed: (change) => logDiskSpace(log, change),
    recovered: (recovery) => {
      metrics.recoverySeconds.set(recovery.elapsedMs / 1_000);
      metrics.recoveredPortfolios.set(recovery.portfolios);
      metrics.recoveredUnsettled.set(recovery.unsettled);
      log.info({ ...recovery, elapsedMs: shownMs(recovery.elapsedMs) }, 'recovered');
    },
  };
}

function strategyRecorders({
  log,
  metrics,
}: EngineLog): Recorders<'strategy_fired' | 'strategy_failed' | 'strategies_loaded'> {
  return {
    strategy_fired: ({ event, strategy, dueAt, portfolio }) => {
      metrics.strategyFires.inc();
      log.info({ event, strategy, portfolio, dueAt: isoText(dueAt) }, 'strategy fired');
    },
    strategy_failed: (failed) => {
      metrics.strategyFailures.inc();
      log.error(failed, 'strategy could not submit');
    },
    strategies_loaded: ({ event, names, faults }) => {
      const isClean = faults.length === 0;
      metrics.strategyLoads.inc({ result: isClean ? 'clean' : 'faulty' });
      metrics.strategies.set(names.length);
      metrics.strategyFaults.set(faults.length);
      if (isClean) metrics.strategyLoaded.setToCurrentTime();
      log.info({ event, names }, 'strategies loaded');
      for (const fault of faults) log.error({ event: 'strategy_fault', fault }, fault);
    },
  };
}

/** What each level of free space means for the daemon. */
const CONSEQUENCES = {
  ample: '',
  low: '',
  critical: '; the daemon is not ready',
  exhausted: '; the daemon is not ready, and new portfolios are refused',
} as const;

function logDiskSpace(log: Logger, change: Observation<'disk_space_changed'>): void {
  const { paths, space, before, level } = change;
  const isWorse = !isAtLeast(before, level);
  const severity = isWorse ? (level === 'low' ? 'warn' : 'error') : 'info';
  const what = `the disk of ${paths.join(', ')} has ${spaceText(space)}${CONSEQUENCES[level]}`;
  log[severity]({ event: 'disk_space', level, before, paths, ...space }, what);
}

function logOverload(log: Logger, change: Observation<'overload_changed'>): void {
  const { isOverloaded, lagMs, lateMs } = change;
  const fields = { lagMs: shownMs(lagMs), lateMs: shownMs(lateMs) };
  if (isOverloaded) {
    const what = 'overloaded: new portfolios are refused until slices are in time again';
    log.warn({ event: 'overload_began', ...fields }, what);
  } else log.info({ event: 'overload_ended', ...fields }, 'no longer overloaded');
}

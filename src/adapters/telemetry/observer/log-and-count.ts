// The observer of a live process: writes one log line and updates the metrics for each observation. Never
// throws and never waits; its own failures are counted and logged, and a repeated one is logged as an outage.
import type { Logger } from 'pino';
import type { Observer } from '../../../ports/observer.ts';
import type { RiskObserver } from '../../../ports/risk-observer.ts';
import { text } from '../../../values/amounts.ts';
import { isProgrammingError } from '../../../values/errors/programming-error.ts';
import { isoText } from '../../../values/instant.ts';
import { labelFields, lineFields, lineLevel, lineText } from '../log/event-line.ts';
import { FailureLog } from '../log/failure-log.ts';
import { logDiskSpace, logOverload } from '../log/machine-lines.ts';
import { shownMs } from '../log/shown-ms.ts';
import { BoundedNames } from '../metrics/bounded-names.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { SliceSpans } from '../traces/slice-spans.ts';
import type { Backlog } from './backlog.ts';
import { EventCounter } from './event-counter.ts';
import type { PortfolioMarks } from './portfolio-marks.ts';
import { ProgrammingErrors } from './programming-errors.ts';
import { riskLog } from './risk-log.ts';
import type { Slippage } from './slippage.ts';

/** A slice later than this is logged as a warning; it is the objective that slices are measured against. */
const LATE_MS = 250;

const RESCUED_SHOWN_MAX = 20;

/** Tracking of individual portfolios; absent if nobody inspects them one by one. */
export interface Followed {
  readonly slippage?: Slippage;
  readonly marks?: PortfolioMarks;
  /** Absent: nothing is traced. */
  readonly spans?: SliceSpans | undefined;
  /** Defers the observations of every slice; absent: they are processed immediately. */
  readonly backlog?: Backlog;
  /** Receives the same observations, afterwards; must not fail. */
  readonly also?: Pick<Observer, AlsoObserved> | undefined;
}

type AlsoObserved =
  | 'auditBreached'
  | 'diskSpaceChanged'
  | 'foreignOrder'
  | 'positionLiquidated'
  | 'mmpSet'
  | 'strategyFailed';

type Middles = readonly (number | undefined)[] | undefined;
type Told<M extends keyof Observer> = Parameters<Observer[M]>[0];

interface SeenTurn {
  readonly turn: Told<'turnCommitted'>;
  readonly middles: Middles;
}

export class LogAndCount implements Observer {
  readonly #log: Logger;
  readonly #failures: FailureLog;
  readonly #mistakes = new ProgrammingErrors();
  readonly #metrics: Metrics;
  readonly #events: EventCounter;
  readonly #names = new BoundedNames();
  readonly #marks: PortfolioMarks | undefined;
  readonly #spans: SliceSpans | undefined;
  readonly #slippage: Slippage | undefined;
  readonly #backlog: Backlog | undefined;
  readonly #also: Followed['also'];
  /** The common fields of slice lines are formatted once. */
  readonly #sentLog: Logger;
  readonly #turnLater = this.#safe((seen: SeenTurn) => this.#turnCommitted(seen));
  readonly #sentLater = this.#safe((sent: Told<'sliceSent'>) => this.#sliceSent(sent));
  readonly #answerLater = this.#safe((one: Told<'venueAnswered'>) => this.#venueAnswered(one));
  readonly controlRefused: RiskObserver['controlRefused'];
  readonly controlOverridden: RiskObserver['controlOverridden'];
  readonly switchSet: RiskObserver['switchSet'];
  readonly ordersSwept: RiskObserver['ordersSwept'];
  readonly mmpTraded: RiskObserver['mmpTraded'];
  readonly mmpSet: RiskObserver['mmpSet'];
  readonly mmpSwept: RiskObserver['mmpSwept'];
  readonly rfqAnswered: RiskObserver['rfqAnswered'];
  readonly rfqEnded: RiskObserver['rfqEnded'];
  readonly legsMeasured: RiskObserver['legsMeasured'];
  readonly partEnded: RiskObserver['partEnded'];
  readonly auditRan: RiskObserver['auditRan'];
  readonly tradeHandedOver: RiskObserver['tradeHandedOver'];
  readonly ledgerBehind: RiskObserver['ledgerBehind'];
  readonly auditBreached: RiskObserver['auditBreached'];

  constructor(log: Logger, metrics: Metrics, followed: Followed = {}) {
    this.#log = log;
    this.#failures = new FailureLog({ log });
    this.#sentLog = log.child({ event: 'slice_sent', intent: 'place' });
    this.#metrics = metrics;
    this.#events = new EventCounter(metrics, this.#names, followed.slippage);
    this.#marks = followed.marks;
    this.#spans = followed.spans;
    this.#slippage = followed.slippage;
    this.#backlog = followed.backlog;
    this.#also = followed.also;
    const safely = (observe: () => void): void => this.#safely(observe);
    const risk = riskLog({ log, metrics, names: this.#names, safely });
    this.controlRefused = risk.controlRefused;
    this.controlOverridden = risk.controlOverridden;
    this.switchSet = risk.switchSet;
    this.ordersSwept = risk.ordersSwept;
    this.mmpTraded = risk.mmpTraded;
    this.mmpSet = (set) => {
      risk.mmpSet(set);
      this.#also?.mmpSet(set);
    };
    this.mmpSwept = risk.mmpSwept;
    this.rfqAnswered = risk.rfqAnswered;
    this.rfqEnded = risk.rfqEnded;
    this.legsMeasured = risk.legsMeasured;
    this.partEnded = risk.partEnded;
    this.auditRan = risk.auditRan;
    this.tradeHandedOver = risk.tradeHandedOver;
    this.ledgerBehind = risk.ledgerBehind;
    this.auditBreached = (breach) => {
      risk.auditBreached(breach);
      this.#also?.auditBreached(breach);
    };
  }

  turnCommitted(turn: Told<'turnCommitted'>): void {
    try {
      this.#later(this.#turnLater, { turn, middles: this.#middles(turn) });
    } catch (error) {
      this.#failedToTell(error);
    }
  }

  #turnCommitted({ turn, middles }: SeenTurn): void {
    this.#metrics.turns.inc();
    this.#metrics.events.inc(turn.events.length);
    // The turn that creates a portfolio has no commit time.
    if (turn.commitMs > 0) this.#metrics.ledgerCommit.observe(turn.commitMs / 1_000);
    const isBrief = !this.#log.isLevelEnabled('debug');
    let begun = 0;
    for (const event of turn.events) {
      const middle = event.kind === 'slice_started' ? middles?.[begun++] : undefined;
      this.#events.count(event, turn.state, middle);
      this.#spans?.see(event, turn.state);
      if (event.kind === 'filled' || event.kind === 'cancelled') {
        this.#marks?.forget(turn.portfolio);
      }
      const level = lineLevel(event);
      if ((isBrief && level === 'debug') || !this.#log.isLevelEnabled(level)) continue;
      this.#log[level]({ portfolio: turn.portfolio, ...lineFields(event) }, lineText(event));
    }
  }

  /** The mid prices before the orders of the starting slices change the market. */
  #middles({ events, state }: Told<'turnCommitted'>): Middles {
    const slippage = this.#slippage;
    if (slippage === undefined) return undefined;
    let middles: (number | undefined)[] | undefined;
    for (const one of events) {
      if (one.kind !== 'slice_started') continue;
      middles ??= [];
      middles.push(slippage.middle(state, one.leg));
    }
    return middles;
  }

  turnConflicted(portfolio: Told<'turnConflicted'>): void {
    this.#safely(() => {
      this.#metrics.turnConflicts.inc();
      this.#log.warn(
        { event: 'turn_conflicted', portfolio },
        'another process was faster; the turn is decided again',
      );
    });
  }

  sliceSent(told: Told<'sliceSent'>): void {
    this.#later(this.#sentLater, told);
  }

  #sliceSent({ portfolio, leg, slice, label, lateMs }: Told<'sliceSent'>): void {
    const lateSec = Math.max(0, lateMs) / 1_000;
    this.#metrics.sliceLateness.observe(lateSec);
    this.#marks?.sliceSent(portfolio, lateSec);
    const isLate = lateMs > LATE_MS;
    const line = { portfolio, leg, slice, label, lateMs: shownMs(lateMs) };
    this.#sentLog[isLate ? 'warn' : 'info'](line, isLate ? 'slice sent late' : 'slice sent');
  }

  venueAnswered(answer: Told<'venueAnswered'>): void {
    this.#later(this.#answerLater, answer);
  }

  #venueAnswered(answer: Told<'venueAnswered'>): void {
    const { venue, method, elapsedMs, portfolio, label, detail } = answer;
    const labels = { venue, method, class: answer.class };
    this.#metrics.venueRequest.observe(labels, elapsedMs / 1_000);
    const level = ANSWER_LEVELS[answer.class];
    if (!this.#log.isLevelEnabled(level)) return;
    const place = label === undefined ? {} : labelFields(label);
    const about = { portfolio, ...place, intent: method, venue, class: answer.class };
    const shown = { ...about, elapsedMs: shownMs(elapsedMs), detail };
    this.#log[level]({ event: 'venue_answered', ...shown }, 'venue answered');
  }

  deskAnswered(answer: Told<'deskAnswered'>): void {
    this.#safely(() => {
      const { method, outcome, control } = answer;
      this.#metrics.deskRequests.inc({ method, outcome });
      if (control !== undefined) {
        this.#metrics.deskBlocks.inc({ control });
        const known = this.#names.of('control', control);
        this.#metrics.controlRefusals.inc({ control: known, stage: 'order' });
      }
      const level = DESK_LEVELS[outcome];
      if (!this.#log.isLevelEnabled(level)) return;
      this.#log[level]({ event: 'desk_answered', ...answer }, 'order method answered');
    });
  }

  sweeperRescued(rescued: Told<'sweeperRescued'>): void {
    this.#safely(() => {
      const { portfolios, at } = rescued;
      this.#metrics.sweeperRescues.inc(portfolios.length);
      this.#log.warn(
        {
          event: 'sweeper_rescued',
          at,
          count: portfolios.length,
          portfolios: portfolios.slice(0, RESCUED_SHOWN_MAX),
        },
        'the sweeper ran what the queue had not woken',
      );
    });
  }

  shardsMoved(moved: Told<'shardsMoved'>): void {
    this.#safely(() => {
      const { gained, lost, owned } = moved;
      this.#metrics.shardsOwned.set(owned);
      this.#metrics.shardsMoved.inc({ outcome: 'gained' }, gained.length);
      this.#metrics.shardsMoved.inc({ outcome: 'lost' }, lost.length);
      const counts = { gained: gained.length, lost: lost.length, owned };
      this.#log.info({ event: 'shards_moved', ...counts }, `${owned} shards are owned here`);
    });
  }

  overloadChanged(change: Told<'overloadChanged'>): void {
    this.#safely(() => {
      this.#metrics.overloaded.set(change.isOverloaded ? 1 : 0);
      logOverload(this.#log, change);
    });
  }

  diskSpaceChanged(change: Told<'diskSpaceChanged'>): void {
    this.#safely(() => logDiskSpace(this.#log, change));
    this.#also?.diskSpaceChanged(change);
  }

  recovered(recovery: Told<'recovered'>): void {
    this.#safely(() => {
      this.#metrics.recoverySeconds.set(recovery.elapsedMs / 1_000);
      this.#metrics.recoveredPortfolios.set(recovery.portfolios);
      this.#metrics.recoveredUnsettled.set(recovery.unsettled);
      const elapsedMs = shownMs(recovery.elapsedMs);
      this.#log.info({ event: 'recovered', ...recovery, elapsedMs }, 'recovered');
    });
  }

  foreignOrder(order: Told<'foreignOrder'>): void {
    this.#safely(() => {
      this.#metrics.foreignOrders.inc();
      this.#log.error(
        { event: 'foreign_order', ...order },
        'an order at the venue carries our label and belongs to no portfolio',
      );
    });
    this.#also?.foreignOrder(order);
  }

  positionLiquidated(trade: Told<'positionLiquidated'>): void {
    this.#safely(() => {
      const line = { ...trade, quantity: text(trade.quantity), price: text(trade.price) };
      this.#log.error(
        { event: 'position_liquidated', ...line },
        'the venue liquidated a part of a position',
      );
    });
    this.#also?.positionLiquidated(trade);
  }

  strategyFired(fired: Told<'strategyFired'>): void {
    this.#safely(() => {
      const { strategy, dueAt, portfolio } = fired;
      this.#metrics.strategyFires.inc();
      const line = { event: 'strategy_fired', strategy, portfolio, dueAt: isoText(dueAt) };
      this.#log.info(line, 'strategy fired');
    });
  }

  strategyFailed(failed: Told<'strategyFailed'>): void {
    this.#safely(() => {
      this.#metrics.strategyFailures.inc();
      this.#log.error({ event: 'strategy_failed', ...failed }, 'strategy could not submit');
    });
    this.#also?.strategyFailed(failed);
  }

  strategiesLoaded(loaded: Told<'strategiesLoaded'>): void {
    this.#safely(() => {
      const { names, faults } = loaded;
      const isClean = faults.length === 0;
      this.#metrics.strategyLoads.inc({ result: isClean ? 'clean' : 'faulty' });
      this.#metrics.strategies.set(names.length);
      this.#metrics.strategyFaults.set(faults.length);
      if (isClean) this.#metrics.strategyLoaded.setToCurrentTime();
      this.#log.info({ event: 'strategies_loaded', names }, 'strategies loaded');
      for (const fault of faults) this.#log.error({ event: 'strategy_fault', fault }, fault);
    });
  }

  failed(failure: Told<'failed'>): void {
    this.#safely(() => {
      const where = this.#place(failure.where);
      this.#metrics.failures.inc({ where });
      const isMistake = isProgrammingError(failure.error);
      if (isMistake) this.#mistaken(where, failure.error);
      this.#failures.report({
        ...failure,
        event: isMistake ? 'programming_error' : 'failed',
      });
    });
  }

  /** The mistakes of the program met lately, as reasons not to be ready. */
  programmingErrors(): readonly string[] {
    return this.#mistakes.reasons();
  }

  #mistaken(where: string, error: unknown): void {
    this.#metrics.programmingErrors.inc({ where });
    this.#mistakes.note(where, error);
  }

  /** Only the first word: what follows a space names something, which belongs only in the log. */
  #place(where: string): string {
    const [place = 'other'] = where.split(' ');
    return this.#names.of('where', place);
  }

  #later<T>(report: (told: T) => void, told: T): void {
    if (this.#backlog === undefined) report(told);
    else this.#backlog.later(report, told);
  }

  /** Wraps `report` once, so that no closure is allocated per observation. */
  #safe<T>(report: (told: T) => void): (told: T) => void {
    return (told) => {
      try {
        report(told);
      } catch (error) {
        this.#failedToTell(error);
      }
    };
  }

  /** An observer must not be able to fail what it observes. */
  #safely(observe: () => void): void {
    try {
      observe();
    } catch (error) {
      this.#failedToTell(error);
    }
  }

  #failedToTell(error: unknown): void {
    this.#metrics.failures.inc({ where: 'observer' });
    if (isProgrammingError(error)) this.#mistaken('observer', error);
    try {
      this.#log.error({ event: 'failed', where: 'observer', err: error }, 'failed: observer');
    } catch {
      // Unexamined: the log itself failed; only the count can still be reported.
      this.#metrics.logLinesDropped.inc();
    }
  }
}

const ANSWER_LEVELS = {
  ok: 'debug',
  done: 'debug',
  later: 'debug',
  final: 'info',
  unknown: 'warn',
} as const;

const DESK_LEVELS = { done: 'debug', refused: 'debug', unknown: 'warn', blocked: 'info' } as const;

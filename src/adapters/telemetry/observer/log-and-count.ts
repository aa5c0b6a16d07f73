// The observer of a live process: writes one log line and updates the metrics for each observation. Never
// throws and never waits; its own failures are counted and logged, and a repeated one is logged as an outage.
import type { Logger } from 'pino';
import { type Observation, type Observer, observing } from '../../../ports/observer.ts';
import { isProgrammingError } from '../../../values/errors/programming-error.ts';
import { lineFields, lineLevel, lineText } from '../log/event-line.ts';
import { FailureLog } from '../log/failure-log.ts';
import { BoundedNames } from '../metrics/bounded-names.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { SliceSpans } from '../traces/slice-spans.ts';
import type { Backlog } from './backlog.ts';
import { engineRecorders } from './engine-log.ts';
import { EventCounter } from './event-counter.ts';
import type { PortfolioMarks } from './portfolio-marks.ts';
import { ProgrammingErrors } from './programming-errors.ts';
import { riskRecorders } from './risk-log.ts';
import type { Slippage } from './slippage.ts';

/** Tracking of individual portfolios; absent if nobody inspects them one by one. */
export interface Followed {
  readonly slippage?: Slippage;
  readonly marks?: PortfolioMarks;
  /** Default: nothing is traced. */
  readonly spans?: SliceSpans | undefined;
  /** Defers the observations of every slice; absent: they are processed immediately. */
  readonly backlog?: Backlog;
  /** Receives the same observations, afterwards; must not fail. */
  readonly also?: Observer | undefined;
}

type Middles = readonly (number | undefined)[] | undefined;

interface SeenTurn {
  readonly turn: Observation<'turn_committed'>;
  readonly middles: Middles;
}

export class LogAndCount implements Observer {
  readonly #log: Logger;
  readonly #failures: FailureLog;
  readonly #mistakes = new ProgrammingErrors();
  readonly #metrics: Metrics;
  readonly #events: EventCounter;
  readonly #names = new BoundedNames();
  readonly #followed: Followed;
  readonly #recorders: Observer;
  readonly #turnLater = this.#safe((seen: SeenTurn) => this.#turnCommitted(seen));
  readonly #recordLater = this.#safe((seen: Observation<'slice_sent' | 'venue_answered'>) =>
    this.#recorders.observe(seen),
  );

  constructor(log: Logger, metrics: Metrics, followed: Followed = {}) {
    this.#log = log;
    this.#failures = new FailureLog({ log });
    this.#metrics = metrics;
    this.#events = new EventCounter(metrics, this.#names, followed.slippage);
    this.#followed = followed;
    const parts = { log, metrics, names: this.#names, marks: followed.marks };
    this.#recorders = observing({
      ...engineRecorders(parts),
      ...riskRecorders(parts),
      failed: (failure) => this.#failed(failure),
    });
  }

  observe(seen: Observation): void {
    try {
      switch (seen.event) {
        case 'turn_committed':
          this.#later(this.#turnLater, { turn: seen, middles: this.#middles(seen) });
          break;
        case 'slice_sent':
        case 'venue_answered':
          this.#later(this.#recordLater, seen);
          break;
        default:
          this.#recorders.observe(seen);
      }
    } catch (error) {
      // An observer must not be able to fail what it observes.
      this.#failedToRecord(error);
    }
    this.#followed.also?.observe(seen);
  }

  #turnCommitted({ turn, middles }: SeenTurn): void {
    const { spans, marks } = this.#followed;
    this.#metrics.turns.inc();
    this.#metrics.events.inc(turn.events.length);
    // The turn that creates a portfolio has no commit time.
    if (turn.commitMs > 0) this.#metrics.ledgerCommit.observe(turn.commitMs / 1_000);
    const isBrief = !this.#log.isLevelEnabled('debug');
    let begun = 0;
    for (const event of turn.events) {
      const middle = event.kind === 'slice_started' ? middles?.[begun++] : undefined;
      this.#events.count(event, turn.state, middle);
      spans?.see(event, turn.state);
      if (event.kind === 'filled' || event.kind === 'cancelled') {
        marks?.forget(turn.portfolio);
      }
      const level = lineLevel(event);
      if ((isBrief && level === 'debug') || !this.#log.isLevelEnabled(level)) continue;
      this.#log[level]({ portfolio: turn.portfolio, ...lineFields(event) }, lineText(event));
    }
  }

  /** The mid prices before the orders of the starting slices change the market. */
  #middles({ events, state }: Observation<'turn_committed'>): Middles {
    const { slippage } = this.#followed;
    if (slippage === undefined) return undefined;
    let middles: (number | undefined)[] | undefined;
    for (const one of events) {
      if (one.kind !== 'slice_started') continue;
      middles ??= [];
      middles.push(slippage.middle(state, one.leg));
    }
    return middles;
  }

  #failed(failure: Observation<'failed'>): void {
    const where = this.#place(failure.where);
    this.#metrics.failures.inc({ where });
    const isMistake = isProgrammingError(failure.error);
    if (isMistake) this.#mistaken(where, failure.error);
    this.#failures.report({ ...failure, event: isMistake ? 'programming_error' : 'failed' });
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

  #later<T>(report: (seen: T) => void, seen: T): void {
    const { backlog } = this.#followed;
    if (backlog === undefined) report(seen);
    else backlog.later(report, seen);
  }

  /** Wraps `report` once, so that no closure is allocated per observation. */
  #safe<T>(report: (seen: T) => void): (seen: T) => void {
    return (seen) => {
      try {
        report(seen);
      } catch (error) {
        this.#failedToRecord(error);
      }
    };
  }

  #failedToRecord(error: unknown): void {
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

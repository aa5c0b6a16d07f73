// I19, checked at every event: every active portfolio has a next evaluation time, and from healing on every unknown outcome
// is resolved, and every portfolio that is due or cancelled ends, each within a bound.
import type { ChildOrder } from '../../../src/core/order/child-order.ts';
import {
  isTerminal,
  type PortfolioState,
} from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { endAt, hasUnsettled } from '../../../src/core/portfolio/aggregate/positions.ts';
import type { Turn } from '../../../src/ports/ledger.ts';
import type { ChildLabel, PortfolioId } from '../../../src/values/ids.ts';
import { earliest, INSTANT_MAX, type Instant, later, latest } from '../../../src/values/instant.ts';
import type { Margins } from '../checks/bounds.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { PortfolioBook } from './portfolio-book.ts';

/** From an end, or from its cancel, until a portfolio is over at the latest. */
const OVER_WITHIN_MS = 20_000;
/** From a request's last deadline and both margins until its outcome is known, where it was not requested in vain for long. */
const KNOWN_WITHIN_MS = 10_000;
/** A daemon checks overdue work with back-off, but at least this often; proving absence takes two checks. */
const LOOK_REST_MS_MAX = 10_000;
/** Processes that stand still, commits that are slow, queries that time out. */
const SLACK_MS = 5_000;

export interface ProgressOracleOptions {
  readonly books: ReadonlyMap<PortfolioId, PortfolioBook>;
  readonly margins: Margins;
  /** A line may stay broken for so long after the last fault. */
  readonly lineMs: number;
  /** True time, which daemons are never further from than half of `skewMs`. */
  readonly now: () => Instant;
  readonly reportBreach: ReportBreach;
}

interface Deadline {
  readonly at: Instant;
  readonly what: string;
}

export class ProgressOracle {
  readonly #parts: ProgressOracleOptions;
  readonly #deadlines = new Map<PortfolioId, Deadline>();
  /** Time since which a portfolio has been cancelling. */
  readonly #cancelling = new Map<PortfolioId, Instant>();
  /** Since when nothing goes wrong any more. */
  #calmSince: Instant | undefined;
  /** The first of the deadlines, so that one comparison does at most events. */
  #first: Instant = INSTANT_MAX;

  constructor(parts: ProgressOracleOptions) {
    this.#parts = parts;
  }

  /** From now on nothing goes wrong any more. */
  calm(): void {
    this.#calmSince = this.#parts.now();
    for (const book of this.#parts.books.values()) this.#follow(book);
  }

  /** The turn is durable, and in its book. */
  written(book: PortfolioBook, { row }: Turn): void {
    const { reportBreach, now } = this.#parts;
    const { state, id } = book;
    if (!isTerminal(state.status) && row.nextDueAt === undefined) {
      reportBreach('I19', `${id} is ${state.status}, and nobody would look at it again`);
    }
    if (state.status === 'cancelling' && !this.#cancelling.has(id)) this.#cancelling.set(id, now());
    this.#follow(book);
  }

  /** To be called after every event, whatever it was. */
  judge(): void {
    const now = this.#parts.now();
    if (now <= this.#first) return;
    for (const [id, { at, what }] of this.#deadlines) {
      if (now > at) this.#parts.reportBreach('I19', `${id} ${what}`);
    }
  }

  #follow(book: PortfolioBook): void {
    const since = this.#calmSince;
    if (since === undefined) return;
    const deadline = this.#deadlineOf(book, since);
    if (deadline === undefined) this.#deadlines.delete(book.id);
    else this.#deadlines.set(book.id, deadline);
    this.#first = INSTANT_MAX;
    for (const { at } of this.#deadlines.values()) this.#first = earliest(this.#first, at);
  }

  #deadlineOf({ state, id }: PortfolioBook, since: Instant): Deadline | undefined {
    if (isTerminal(state.status) && !hasUnsettled(state)) return undefined;
    const ends = earliest(latestEnd(state), this.#cancelling.get(id) ?? INSTANT_MAX);
    const unknown = this.#firstUnknown(state);
    const known = unknown && this.#knownAt(unknown.at, since);
    const free = known ?? since;
    const over: Deadline = {
      at: ends === INSTANT_MAX ? INSTANT_MAX : later(latest(ends, free), OVER_WITHIN_MS),
      what: `is still ${state.status} ${OVER_WITHIN_MS} ms after its end`,
    };
    if (unknown === undefined || known === undefined || known >= over.at) return over;
    return { at: known, what: `does not know what became of ${unknown.label}` };
  }

  /** Pauses between checks grow with the time for which work has been overdue. */
  #knownAt(at: Instant, since: Instant): Instant {
    const { lineMs } = this.#parts;
    const restMs = Math.min(LOOK_REST_MS_MAX, Math.max(0, since - at) + lineMs);
    const withinMs = Math.max(KNOWN_WITHIN_MS, lineMs + 2 * restMs + SLACK_MS);
    return later(latest(at, since), withinMs);
  }

  /** The request that has to be known about first, and from when on it can be. */
  #firstUnknown(state: PortfolioState): { at: Instant; label: ChildLabel } | undefined {
    const { skewMs, readLagMs } = this.#parts.margins;
    let first: { at: Instant; label: ChildLabel } | undefined;
    for (const child of state.children.values()) {
      const deadline = unansweredUntil(child);
      if (deadline === undefined) continue;
      // The daemon that asks, and the venue, may each be half of the skew away.
      const at = later(deadline, 2 * (skewMs + readLagMs));
      if (first === undefined || at < first.at) first = { at, label: child.label };
    }
    return first;
  }
}

/** The deadline of the child's request without an answer. */
function unansweredUntil({ state, validUntil, edit, block }: ChildOrder): Instant | undefined {
  if (block) return undefined;
  if (edit !== undefined) return latest(validUntil, edit.validUntil);
  return state === 'sending' || state === 'unknown' ? validUntil : undefined;
}

/** When the end action is over at the latest. */
function latestEnd({ spec }: PortfolioState): Instant {
  const ends = endAt(spec);
  const { extendMs = 0, rfq } = spec.execution;
  return ends === INSTANT_MAX ? ends : later(ends, extendMs + (rfq?.waitMs ?? 0));
}

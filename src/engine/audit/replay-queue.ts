// The order in which portfolios are replayed. Each reason has its turn, so that none waits for another: a finding that
// may last, an end, a change, an earlier run, and the continuous replay of all active ones.
import type { StateChange } from '../../ports/observer.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { LATE_MS } from './audit-budget.ts';

export class ReplayQueue {
  /** Not ended; the one replayed longest ago first. */
  readonly #active = new Set<PortfolioId>();
  readonly #findings = new Set<PortfolioId>();
  /** Ended and not replayed since, with the instant of the end; the earliest first. */
  readonly #ended = new Map<PortfolioId, number>();
  /** Changed since their last replay; the earliest change first. */
  readonly #changed = new Set<PortfolioId>();
  /** From earlier runs and other processes. */
  readonly #history: Set<PortfolioId>;
  readonly #taken = new Set<PortfolioId>();
  #turn = 0;

  constructor(history: Iterable<PortfolioId>) {
    this.#history = new Set(history);
  }

  /** `nowMs` is on the monotonic clock. */
  changed({ before, after, resting, woken }: StateChange, nowMs: number): void {
    const gone = before?.id ?? woken?.portfolio;
    if (resting !== undefined) this.#active.add(resting.portfolio);
    else if (after !== undefined) {
      this.#active.add(after.id);
      this.#changed.add(after.id);
    } else if (gone !== undefined) {
      this.#active.delete(gone);
      this.#changed.delete(gone);
      this.#ended.set(gone, nowMs);
    }
  }

  /** What has been reported until now is as it was before the start: all of it has its turn among the active. */
  started(): void {
    this.#changed.clear();
  }

  get historySize(): number {
    return this.#history.size;
  }

  addHistory(portfolio: PortfolioId): void {
    if (!this.#active.has(portfolio) && !this.#ended.has(portfolio)) this.#history.add(portfolio);
  }

  /** Replays it again in the next round. */
  addFinding(portfolio: PortfolioId): void {
    this.#findings.add(portfolio);
  }

  /** How long the longest waiting ended portfolio has waited. */
  endedWaitMs(nowMs: number): number {
    for (const since of this.#ended.values()) return nowMs - since;
    return 0;
  }

  /** From now on each portfolio can be taken once more. */
  beginRound(): void {
    this.#taken.clear();
  }

  take(nowMs: number): PortfolioId | undefined {
    const isLate = this.endedWaitMs(nowMs) > LATE_MS;
    const next = (isLate ? firstOf(this.#ended) : undefined) ?? this.#next();
    if (next === undefined) return undefined;
    for (const queue of [this.#findings, this.#ended, this.#changed, this.#history]) {
      queue.delete(next);
    }
    if (this.#active.delete(next)) this.#active.add(next);
    this.#taken.add(next);
    return next;
  }

  #next(): PortfolioId | undefined {
    const queues = [this.#findings, this.#ended, this.#changed, this.#history, this.#active];
    for (let tries = 0; tries < queues.length; tries += 1) {
      const queue = queues[this.#turn % queues.length];
      this.#turn += 1;
      const first = queue && firstOf(queue);
      // What was taken is behind everything else.
      if (first !== undefined && !this.#taken.has(first)) return first;
    }
    return undefined;
  }
}

function firstOf(queue: { keys(): IterableIterator<PortfolioId> }): PortfolioId | undefined {
  for (const first of queue.keys()) return first;
  return undefined;
}

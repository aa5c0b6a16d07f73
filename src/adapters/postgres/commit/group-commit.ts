// Collects the calls that arrive while a transaction is in flight and commits them together. A call that
// finds all lanes free is sent immediately, and further lanes are only for backlogs: a transaction of one
// turn costs nearly as much as one of ten. A portfolio is never in two groups at a time, so its turns keep
// their order.
import type { StopTimer } from '../../../ports/clock.ts';
import {
  type CommitOutcome,
  checkCommit,
  LedgerFailure,
  type Turn,
} from '../../../ports/ledger.ts';

export type Settled = CommitOutcome | LedgerFailure;

/** Writes the calls in one transaction; returns an outcome for each, in order. Never rejects. */
export type WriteGroup = (calls: readonly (readonly Turn[])[]) => Promise<readonly Settled[]>;

interface Waiting {
  readonly turns: readonly Turn[];
  /** What must not be in flight twice: portfolios, and keys that create one. */
  readonly names: readonly string[];
  /** When it must be written, in milliseconds of `performance.now()`; absent: at once. */
  readonly by?: number | undefined;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (failure: LedgerFailure) => void;
}

export interface GroupLimits {
  /** Maximum number of turns in a group, unless one call has more. */
  readonly maxTurns: number;
  /** Number of waiting calls that opens one more lane alongside those in flight. */
  readonly crowd: number;
}

/** About two ordinary transactions. */
const PATIENCE_MS = 2;

/** Calls `then` once, after this many milliseconds. */
export type StartTimer = (delayMs: number, then: () => void) => StopTimer;

const systemTimer: StartTimer = (delayMs, then) => {
  const timer = setTimeout(then, delayMs);
  return () => clearTimeout(timer);
};

export class GroupCommit {
  readonly #limits: GroupLimits;
  readonly #startTimer: StartTimer;
  readonly #freeLanes: WriteGroup[];
  #waiting: Waiting[] = [];
  readonly #inFlight = new Set<string>();
  #scheduled = false;
  #closed = false;
  #groups = 0;
  #patience: StopTimer | undefined;
  #company: StopTimer | undefined;
  #companyBy = 0;
  #whenIdle: (() => void)[] = [];

  /** `lanes` run concurrently. */
  constructor(
    lanes: readonly WriteGroup[],
    limits: GroupLimits,
    startTimer: StartTimer = systemTimer,
  ) {
    this.#freeLanes = [...lanes];
    this.#limits = limits;
    this.#startTimer = startTimer;
  }

  commit(turns: readonly Turn[]): Promise<CommitOutcome> {
    checkCommit(turns);
    if (turns.length === 0) return Promise.resolve({ kind: 'committed' });
    if (this.#closed) return Promise.reject(new LedgerFailure('the ledger is closed', false));
    return new Promise((resolve, reject) => {
      const waitMs = Math.min(...turns.map(({ mayWaitMs = 0 }) => mayWaitMs));
      const by = waitMs > 0 ? performance.now() + waitMs : undefined;
      this.#waiting.push({ turns, names: namesOf(turns), by, resolve, reject });
      this.#scheduleFor(this.#waiting.slice(-1));
    });
  }

  /** Accepts no more calls; resolves when the accepted ones have their outcome. */
  close(): Promise<void> {
    this.#closed = true;
    if (this.#groups === 0 && this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  /** Runs after everything that is ready: callers answered together return together. */
  #schedule(): void {
    if (this.#scheduled || this.#freeLanes.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#dispatch();
    });
  }

  /** A deferrable call is written with the next urgent one, or when the first such call must be. */
  #scheduleFor(calls: readonly Waiting[]): void {
    const first = Math.min(...calls.map(({ by = Number.NEGATIVE_INFINITY }) => by));
    if (first === Number.NEGATIVE_INFINITY) return this.#schedule();
    if (this.#company !== undefined && this.#companyBy <= first) return;
    this.#company?.();
    this.#companyBy = first;
    this.#company = this.#startTimer(Math.max(0, first - performance.now()), () => {
      this.#company = undefined;
      this.#schedule();
    });
  }

  #dispatch(isPatient = true): void {
    this.#company?.();
    this.#company = undefined;
    while (this.#waiting.length > 0) {
      if (isPatient && !this.#mayLeave) return this.#wait();
      const lane = this.#freeLanes.pop();
      if (lane === undefined) return;
      const group = this.#takeGroup();
      if (group.length === 0) {
        this.#freeLanes.push(lane);
        return;
      }
      void this.#run(lane, group);
    }
  }

  /** A transaction that hangs delays the few calls behind it no longer than this. */
  #wait(): void {
    this.#patience ??= this.#startTimer(PATIENCE_MS, () => {
      this.#patience = undefined;
      this.#dispatch(false);
    });
  }

  get #mayLeave(): boolean {
    return this.#groups === 0 || this.#waiting.length >= this.#limits.crowd;
  }

  /** The longest-waiting calls that touch nothing in flight and nothing of a call left behind. */
  #takeGroup(): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    const leftNames = new Set<string>();
    let turns = 0;
    for (const call of this.#waiting) {
      const fits = taken.length === 0 || turns + call.turns.length <= this.#limits.maxTurns;
      const free = !call.names.some((name) => this.#inFlight.has(name) || leftNames.has(name));
      if (fits && free) {
        taken.push(call);
        turns += call.turns.length;
        for (const name of call.names) this.#inFlight.add(name);
      } else {
        left.push(call);
        for (const name of call.names) leftNames.add(name);
      }
    }
    this.#waiting = left;
    return taken;
  }

  async #run(write: WriteGroup, group: readonly Waiting[]): Promise<void> {
    this.#groups += 1;
    const answers = await write(group.map((call) => call.turns));
    this.#groups -= 1;
    this.#freeLanes.push(write);
    for (const [index, call] of group.entries()) {
      for (const name of call.names) this.#inFlight.delete(name);
      const answer = answers[index];
      if (answer === undefined) call.reject(new LedgerFailure('the write gave no answer', true));
      else if (answer instanceof LedgerFailure) call.reject(answer);
      else call.resolve(answer);
    }
    if (this.#waiting.length > 0) this.#scheduleFor(this.#waiting);
    else if (this.#groups === 0) for (const notify of this.#whenIdle.splice(0)) notify();
  }
}

const namesOf = (turns: readonly Turn[]): string[] =>
  turns.flatMap(({ portfolio, key }) =>
    key === undefined ? [portfolio] : [portfolio, `key ${key}`],
  );

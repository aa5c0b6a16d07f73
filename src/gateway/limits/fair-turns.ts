// Shares the event loop between execution and client requests. Requests wait in one lane per connection; each
// turn of the loop serves a few of them, round-robin over the lanes, and leaves the rest of the turn to
// execution. Requests of authenticated clients go first; the others have a small share of their own.

/** The scheduler's clock and event loop; tests provide their own. */
export interface Loop {
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** Calls `work` in the next turn of the event loop, after timers and sockets. */
  readonly nextTurn: (work: () => void) => void;
}

export const EVENT_LOOP: Loop = {
  nowMs: () => performance.now(),
  nextTurn: (work) => void setImmediate(work),
};

export interface FairTurnsOptions {
  readonly loop?: Loop;
  /** Whether orders are currently being decided or sent; requests then get the smaller budget. */
  readonly isExecuting?: () => boolean;
}

/** Milliseconds of one turn that requests may use. */
const BUDGET_MS = 4;
const BUDGET_WHILE_EXECUTING_MS = 1;
/** If other work took this long in a turn, execution is behind. */
const LATE_TURN_MS = 10;

export interface LaneOptions {
  readonly isKnown: () => boolean;
  /** False while no answer can be accepted, for example because the client is not reading. */
  readonly canWork: () => boolean;
}

/** The requests of one connection, in order of arrival. */
export class Lane {
  readonly #turns: FairTurns;
  readonly #parts: LaneOptions;
  readonly #work: (() => void)[] = [];
  #next = 0;
  /** Whether the lane is queued; maintained by {@link FairTurns}. */
  isListed = false;

  constructor(turns: FairTurns, parts: LaneOptions) {
    this.#turns = turns;
    this.#parts = parts;
  }

  get waiting(): number {
    return this.#work.length - this.#next;
  }

  get isKnown(): boolean {
    return this.#parts.isKnown();
  }

  get isReady(): boolean {
    return this.waiting > 0 && this.#parts.canWork();
  }

  /** Runs at once if this turn has time left and nothing is queued ahead; otherwise in a later turn. */
  push(work: () => void): void {
    if (this.waiting === 0 && this.#parts.canWork() && this.#turns.hasRoom(this)) {
      this.#turns.spend(work);
      return;
    }
    this.#work.push(work);
    this.wake();
  }

  /** Must be called when `canWork` may have become true. */
  wake(): void {
    if (this.isReady) this.#turns.list(this);
  }

  /** Drops the waiting work. */
  clear(): void {
    this.#work.length = 0;
    this.#next = 0;
  }

  /** Removes and returns the oldest work; requires {@link isReady}. */
  take(): () => void {
    const work = this.#work[this.#next] as () => void;
    this.#next += 1;
    if (this.#next === this.#work.length) this.clear();
    return work;
  }
}

export class FairTurns {
  readonly #loop: Loop;
  readonly #isExecuting: () => boolean;
  /** Lanes with work, in round-robin order. */
  #known: Lane[] = [];
  #strangers: Lane[] = [];
  #usedMs = 0;
  #isTurnOpen = false;
  #isLate = false;
  #askedAtMs = 0;

  constructor({ loop = EVENT_LOOP, isExecuting = () => false }: FairTurnsOptions = {}) {
    this.#loop = loop;
    this.#isExecuting = isExecuting;
  }

  lane(parts: LaneOptions): Lane {
    return new Lane(this, parts);
  }

  /** A lane of requests that have been received whole, whatever their connection, in the order in which they were. */
  received(): Lane {
    return this.lane({ isKnown: () => true, canWork: () => true });
  }

  /** Whether `lane` may run right now, ahead of the next turn. */
  hasRoom(lane: Lane): boolean {
    const ahead = lane.isKnown ? this.#known : this.#strangers;
    return ahead.length === 0 && this.#usedMs < this.#budgetMs(lane.isKnown);
  }

  /** Runs `work` now and charges its time to this turn, once where `work` spends some itself. */
  spend(work: () => void): void {
    this.#openTurn();
    const [usedMs, fromMs] = [this.#usedMs, this.#loop.nowMs()];
    try {
      work();
    } finally {
      this.#usedMs = usedMs + this.#loop.nowMs() - fromMs;
    }
  }

  /** Queues the lane for the coming turns. */
  list(lane: Lane): void {
    if (lane.isListed) return;
    lane.isListed = true;
    (lane.isKnown ? this.#known : this.#strangers).push(lane);
    this.#openTurn();
  }

  /** Unauthenticated clients may use half of a turn's request budget. */
  #budgetMs(isKnown: boolean): number {
    const isBehind = this.#isLate || this.#isExecuting();
    const budgetMs = isBehind ? BUDGET_WHILE_EXECUTING_MS : BUDGET_MS;
    return isKnown ? budgetMs : budgetMs / 2;
  }

  #openTurn(): void {
    if (this.#isTurnOpen) return;
    this.#isTurnOpen = true;
    this.#askedAtMs = this.#loop.nowMs();
    this.#loop.nextTurn(() => this.#turn());
  }

  #turn(): void {
    const gapMs = this.#loop.nowMs() - this.#askedAtMs;
    this.#isLate = gapMs - this.#usedMs > LATE_TURN_MS;
    this.#isTurnOpen = false;
    this.#usedMs = 0;
    this.#known = this.#round(this.#known, true);
    this.#strangers = this.#round(this.#strangers, false);
    if (this.#known.length + this.#strangers.length > 0) this.#openTurn();
  }

  /**
   * Serves one request per lane, round-robin, until the budget is used up, but at least one. Returns the lanes
   * with work left.
   */
  #round(lanes: Lane[], isKnown: boolean): Lane[] {
    // Lanes that get new work meanwhile are appended.
    const queue = lanes;
    let isFirst = true;
    for (let at = 0; at < queue.length; at += 1) {
      if (!isFirst && this.#usedMs >= this.#budgetMs(isKnown)) return queue.slice(at);
      const lane = queue[at] as Lane;
      if (lane.isReady) {
        isFirst = false;
        this.spend(lane.take());
      }
      if (lane.isReady) queue.push(lane);
      else lane.isListed = false;
    }
    return [];
  }
}

// Shares the event loop between what executes and what clients ask for. Requests wait in one lane per connection;
// each turn of the loop works a few of them, lane after lane, and leaves the rest of the turn to execution.
// Requests of known keys go before those of strangers, who keep a small share of their own.

/** How the scheduler learns of time and of the next turn; tests bring their own. */
export interface Loop {
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** Calls `work` in the next turn of the event loop, after timers and sockets had theirs. */
  readonly nextTurn: (work: () => void) => void;
}

export const EVENT_LOOP: Loop = {
  nowMs: () => performance.now(),
  nextTurn: (work) => void setImmediate(work),
};

export interface FairTurnsParts {
  readonly loop?: Loop;
  /** Whether orders are being decided or sent at this moment: then requests get the smaller budget. */
  readonly isExecuting?: () => boolean;
}

/** Milliseconds of one turn that requests may use. */
const BUDGET_MS = 4;
const BUDGET_WHILE_EXECUTING_MS = 1;
/** A turn that took others this long means that execution is behind. */
const LATE_TURN_MS = 10;

export interface LaneParts {
  readonly isKnown: () => boolean;
  /** False while an answer cannot be taken, for example because the client does not read. */
  readonly canWork: () => boolean;
}

/** Requests of one connection, in the order they came. */
export class Lane {
  readonly #turns: FairTurns;
  readonly #parts: LaneParts;
  readonly #work: (() => void)[] = [];
  #next = 0;
  /** Kept by {@link FairTurns}: stands in one of its rings. */
  isListed = false;

  constructor(turns: FairTurns, parts: LaneParts) {
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

  /** Works at once where this turn has time left and nothing is ahead; otherwise in a turn to come. */
  push(work: () => void): void {
    if (this.waiting === 0 && this.#parts.canWork() && this.#turns.hasRoom(this)) {
      this.#turns.spend(work);
      return;
    }
    this.#work.push(work);
    this.wake();
  }

  /** To be called when `canWork` may have become true. */
  wake(): void {
    if (this.isReady) this.#turns.list(this);
  }

  /** Drops what waits. */
  clear(): void {
    this.#work.length = 0;
    this.#next = 0;
  }

  /** Takes the oldest; {@link isReady} has to hold. */
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
  /** Lanes with work, in the order of their turn. */
  #known: Lane[] = [];
  #strangers: Lane[] = [];
  #usedMs = 0;
  #isTurnOpen = false;
  #isLate = false;
  #askedAtMs = 0;

  constructor({ loop = EVENT_LOOP, isExecuting = () => false }: FairTurnsParts = {}) {
    this.#loop = loop;
    this.#isExecuting = isExecuting;
  }

  lane(parts: LaneParts): Lane {
    return new Lane(this, parts);
  }

  /** Whether `lane` may work right now, ahead of the next turn. */
  hasRoom(lane: Lane): boolean {
    const ahead = lane.isKnown ? this.#known : this.#strangers;
    return ahead.length === 0 && this.#usedMs < this.#budgetMs(lane.isKnown);
  }

  /** Does `work` now and counts the time it took against this turn. */
  spend(work: () => void): void {
    this.#openTurn();
    const fromMs = this.#loop.nowMs();
    try {
      work();
    } finally {
      this.#usedMs += this.#loop.nowMs() - fromMs;
    }
  }

  /** Has the lane worked in the turns to come. */
  list(lane: Lane): void {
    if (lane.isListed) return;
    lane.isListed = true;
    (lane.isKnown ? this.#known : this.#strangers).push(lane);
    this.#openTurn();
  }

  /** Strangers may use half of what a turn has for requests. */
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

  /** One request of each lane in turn until the time is up, but at least one. Returns those with more to do. */
  #round(lanes: Lane[], isKnown: boolean): Lane[] {
    // What work brings up meanwhile goes behind the others.
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

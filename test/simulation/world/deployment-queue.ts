// One queue for all daemons of a deployment: a wake goes to any listening daemon, and to another
// if that one dies with it. It loses, delays and repeats wakes as planned.
import type { JobQueue, PassOn, QueueDepth, Wake } from '../../../src/ports/job-queue.ts';
import { later } from '../../../src/values/instant.ts';
import type { Rng } from '../../../src/values/rng.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import type { Life } from './life.ts';
import type { Trouble } from './trouble.ts';

type WakeListener = (wake: Wake) => Promise<void>;

interface Seat {
  readonly life: Life;
  readonly onWake: WakeListener;
  readonly passOn: PassOn | undefined;
  readonly offsetMs: () => number;
  /** Calls of the listener under way. */
  readonly running: Set<Promise<void>>;
}

export interface DeploymentQueueParts {
  readonly clock: VirtualClock;
  readonly trouble: Trouble;
  readonly draw: Rng;
  /** What a wake listener throws. */
  readonly onFault: (error: unknown) => void;
}

/** After this a wake whose daemon died with it is given to another. */
const STALLED_MS = 700;

export class DeploymentQueue {
  readonly #parts: DeploymentQueueParts;
  readonly #seats = new Set<Seat>();
  /** Requested and not come yet; a wipe empties it. */
  #asked = new Map<string, Wake>();
  /** Wakes that arrived while no daemon listened. */
  readonly #waiting: Wake[] = [];
  #failed = 0;

  constructor(parts: DeploymentQueueParts) {
    this.#parts = parts;
  }

  /** The queue as one process has it. */
  seat(life: Life, offsetMs: () => number): JobQueue {
    let own: Seat | undefined;
    let isClosed = false;
    return {
      schedule: (wake) => {
        if (isClosed) return Promise.reject(new Error('the queue is closed'));
        return this.#schedule(wake, offsetMs());
      },
      start: (onWake, passOn) => {
        if (isClosed) return Promise.reject(new Error('the queue is closed'));
        if (own !== undefined) return Promise.reject(new Error('the queue is started'));
        own = { life, onWake, passOn, offsetMs, running: new Set() };
        this.#seats.add(own);
        for (const wake of this.#waiting.splice(0)) this.#give(wake);
        return Promise.resolve();
      },
      hold: (wake) => {
        const seat = own;
        if (seat === undefined || isClosed) throw new Error('the queue takes no wakes');
        life.whenMoving(() => void this.#hold(seat, wake));
      },
      depth: () => Promise.resolve(this.#depth()),
      close: async () => {
        isClosed = true;
        if (own === undefined) return;
        this.#seats.delete(own);
        await Promise.all(own.running);
      },
    };
  }

  /** Everything it held is gone. */
  wipe(): void {
    this.#asked = new Map();
    this.#waiting.length = 0;
  }

  #schedule(wake: Wake, offsetMs: number): Promise<void> {
    const { trouble } = this.#parts;
    if (trouble.strikes('queue_refuses')) return Promise.reject(new Error('the queue is away'));
    const key = `${wake.portfolio}-${wake.dueAt}`;
    if (this.#asked.has(key)) return Promise.resolve();
    this.#asked.set(key, wake);
    if (trouble.strikes('queue_loses')) return Promise.resolve();
    const lateMs = trouble.spellMs('queue_late') ?? 0;
    const againMs = trouble.spellMs('queue_repeats');
    this.#come(key, wake, lateMs - offsetMs);
    if (againMs !== undefined) this.#come(key, wake, lateMs - offsetMs + againMs);
    return Promise.resolve();
  }

  #come(key: string, wake: Wake, byMs: number): void {
    const asked = this.#asked;
    this.#parts.clock.at(later(wake.dueAt, byMs), () => {
      if (asked !== this.#asked) return;
      asked.delete(key);
      this.#give(wake);
    });
  }

  #give(wake: Wake): void {
    const alive = [...this.#seats].filter(({ life }) => !life.isOver);
    const seat = alive[this.#parts.draw.below(Math.max(1, alive.length))];
    if (seat === undefined) {
      this.#waiting.push(wake);
      return;
    }
    seat.life.whenMoving(() => void this.#run(seat, wake));
  }

  async #run(seat: Seat, wake: Wake): Promise<void> {
    const { clock } = this.#parts;
    if ((await seat.passOn?.([wake])) === true) return;
    if (!this.#seats.has(seat)) return this.#give(wake);
    // Early on the clock of who is woken only if it says so: that one holds it.
    const earlyMs = wake.dueAt - later(clock.now(), seat.offsetMs());
    if (earlyMs > this.#aheadMs()) {
      clock.at(later(clock.now(), earlyMs), () => this.#give(wake));
      return;
    }
    let isDone = false;
    clock.at(later(clock.now(), STALLED_MS), () => {
      if (!isDone && seat.life.isOver) this.#give(wake);
    });
    await this.#call(seat, wake);
    isDone = true;
  }

  /** What another daemon passed on dies with the one that holds it. */
  async #hold(seat: Seat, wake: Wake): Promise<void> {
    const { clock } = this.#parts;
    if (!this.#seats.has(seat)) return;
    const earlyMs = wake.dueAt - later(clock.now(), seat.offsetMs());
    if (earlyMs > this.#aheadMs()) {
      clock.at(later(clock.now(), earlyMs), () => {
        seat.life.whenMoving(() => void this.#hold(seat, wake));
      });
      return;
    }
    await this.#call(seat, wake);
  }

  async #call({ onWake, running }: Seat, wake: Wake): Promise<void> {
    const call = onWake(wake).catch((error: unknown) => {
      this.#failed += 1;
      this.#parts.onFault(error);
    });
    running.add(call);
    await call;
    running.delete(call);
  }

  #aheadMs(): number {
    return this.#parts.trouble.spellMs('queue_early') ?? 0;
  }

  #depth(): QueueDepth {
    const active = [...this.#seats].reduce((sum, { running }) => sum + running.size, 0);
    const { length: waiting } = this.#waiting;
    return { waiting, delayed: this.#asked.size, active, failed: this.#failed };
  }
}

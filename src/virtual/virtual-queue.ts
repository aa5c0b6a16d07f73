// A JobQueue on any Clock, without Redis. It loses, delays and repeats wake-ups only on request.
import type { Clock, StopTimer } from '../ports/clock.ts';
import type { JobQueue, QueueDepth, Wake } from '../ports/job-queue.ts';
import type { Instant } from '../values/instant.ts';

export interface VirtualQueueOptions {
  /**
   * The instants at which a wake-up is delivered: none loses it, two repeat it, a later one delays it. Without this
   * function every wake-up is delivered once, at its due instant.
   */
  readonly disturb?: (wake: Wake) => readonly Instant[];
  /** Receives the exceptions of the wake listener; the queue continues. */
  readonly onFault: (error: unknown) => void;
}

type WakeListener = (wake: Wake) => Promise<void>;

const keyOf = (wake: Wake): string => `${wake.portfolio}-${wake.dueAt}`;

export class VirtualQueue implements JobQueue {
  readonly #clock: Clock;
  readonly #options: VirtualQueueOptions;
  readonly #pending = new Map<string, readonly StopTimer[]>();
  /** Wake-ups delivered before there was a listener. */
  readonly #waiting = new Map<string, Wake>();
  readonly #running = new Set<Promise<void>>();
  #listener: WakeListener | undefined;
  #failed = 0;
  #closed = false;

  constructor(clock: Clock, options: VirtualQueueOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  schedule(wake: Wake): Promise<void> {
    const key = keyOf(wake);
    if (this.#closed) return Promise.reject(new Error('the queue is closed'));
    if (this.#pending.has(key) || this.#waiting.has(key)) return Promise.resolve();
    const instants = this.#options.disturb?.(wake) ?? [wake.dueAt];
    if (instants.length === 0) return Promise.resolve();
    let left = instants.length;
    const come = (): void => {
      left -= 1;
      if (left === 0) this.#pending.delete(key);
      this.#wake(key, wake);
    };
    this.#pending.set(
      key,
      instants.map((at) => this.#clock.at(at, come)),
    );
    return Promise.resolve();
  }

  start(onWake: WakeListener): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the queue is closed'));
    if (this.#listener !== undefined) return Promise.reject(new Error('the queue is started'));
    this.#listener = onWake;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [key, wake] of waiting) this.#wake(key, wake);
    return Promise.resolve();
  }

  hold(wake: Wake): void {
    if (this.#closed || this.#listener === undefined) throw new Error('the queue takes no wakes');
    this.#clock.at(wake.dueAt, () => this.#wake(keyOf(wake), wake));
  }

  depth(): Promise<QueueDepth> {
    return Promise.resolve({
      waiting: this.#waiting.size,
      delayed: this.#pending.size,
      active: this.#running.size,
      failed: this.#failed,
    });
  }

  /** Drops all jobs, like a queue whose store was wiped. */
  wipe(): void {
    for (const stops of this.#pending.values()) {
      for (const stop of stops) stop();
    }
    this.#pending.clear();
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listener = undefined;
    this.wipe();
    await Promise.all(this.#running);
  }

  #wake(key: string, wake: Wake): void {
    if (this.#closed) return;
    if (this.#listener === undefined) {
      this.#waiting.set(key, wake);
      return;
    }
    const running: Promise<void> = this.#call(this.#listener, wake).finally(() => {
      this.#running.delete(running);
    });
    this.#running.add(running);
  }

  async #call(listener: WakeListener, wake: Wake): Promise<void> {
    try {
      await listener(wake);
    } catch (error) {
      this.#failed += 1;
      this.#options.onFault(error);
    }
  }
}

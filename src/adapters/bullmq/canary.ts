// Sends a canary job through the queue periodically to verify that jobs still come out. The worker's own
// status is not trusted: a wedged worker reports that it is running.
import type { Clock } from '../../ports/clock.ts';
import type { FaultReport } from './fault-report.ts';
import type { Producer } from './producer.ts';
import { CANARY_NAME, type WakeWorker } from './wake-worker.ts';

export interface CanaryOptions {
  /** Time between two canaries, and so the precision of every check here. */
  readonly everyMs: number;
  /** A canary not taken after this means that our own worker is wedged. */
  readonly silenceMsMax: number;
  readonly report: FaultReport;
}

/** An idle worker that took nothing for this many silences is rebuilt, even if others take canaries. */
const IDLE_SILENCES_MAX = 4;

export class Canary {
  readonly #clock: Clock;
  readonly #producer: Producer;
  readonly #worker: WakeWorker;
  readonly #options: CanaryOptions;
  readonly #instance = crypto.randomUUID().slice(0, 8);
  #timer: NodeJS.Timeout | undefined;
  #count = 0;
  /** The canary in flight, and when it was sent. */
  #sent: { readonly id: string; readonly atMs: number } | undefined;
  #seenAtMs: number | undefined;
  #looking = false;

  constructor(clock: Clock, producer: Producer, worker: WakeWorker, options: CanaryOptions) {
    this.#clock = clock;
    this.#producer = producer;
    this.#worker = worker;
    this.#options = options;
  }

  /** Milliseconds since a canary was last known to have come through; `undefined` before the first. */
  get ageMs(): number | undefined {
    return this.#seenAtMs === undefined ? undefined : this.#clock.monotonicMs() - this.#seenAtMs;
  }

  /** The first is sent one interval later: a start keeps this process busy, and would pass for a silent Redis. */
  start(): void {
    this.#timer = setInterval(() => void this.#tick(), this.#options.everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  seen(id: string): void {
    if (id !== this.#sent?.id) return;
    this.#sent = undefined;
    this.#seenAtMs = this.#clock.monotonicMs();
  }

  async #tick(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      await this.#check();
    } catch (error) {
      this.#options.report('canary', error);
    } finally {
      this.#looking = false;
    }
  }

  async #check(): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    const sent = this.#sent;
    if (sent !== undefined) {
      // Throws if Redis does not answer: an unreachable Redis is not a reason to rebuild the worker.
      const waits = await this.#producer.has(sent.id);
      if (!waits) this.seen(sent.id);
      else if (nowMs - sent.atMs < this.#options.silenceMsMax || this.#worker.full) return;
      else this.#renew(`no canary came through for ${Math.round(nowMs - sent.atMs)} ms`);
    }
    const idleMs = nowMs - this.#worker.tookAtMs;
    if (this.#worker.inHand === 0 && idleMs > this.#options.silenceMsMax * IDLE_SILENCES_MAX) {
      this.#renew(`the worker took nothing for ${Math.round(idleMs)} ms`);
    }
    await this.#send(nowMs);
  }

  #renew(why: string): void {
    this.#options.report('rebuild', new Error(`${why}; the worker is rebuilt`));
    this.#worker.rebuild();
  }

  async #send(nowMs: number): Promise<void> {
    this.#count += 1;
    const id = `canary-${this.#instance}-${this.#count}`;
    this.#sent = { id, atMs: nowMs };
    const opts = { jobId: id, removeOnComplete: true, removeOnFail: true };
    await this.#producer.addBulk([{ name: CANARY_NAME, data: {}, opts }]);
  }
}

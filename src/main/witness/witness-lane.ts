// Makes a head of the ledger every few minutes and at an orderly end, and brings every head to the witness, in order, until it has
// them. Nothing waits for it; what fails is reported and tried again with the next round.
import type { PostgresLedgerHeads } from '../../adapters/postgres/witness/ledger-heads.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { HeadWitness } from '../../ports/witness/head-witness.ts';
import { type Instant, later, MINUTE_MS } from '../../values/instant.ts';
import { type HeadMaking, makeHeads } from './make-heads.ts';

export interface NamedWitness {
  /** What deliveries are remembered under. */
  readonly name: string;
  readonly witness: HeadWitness;
}

export interface WitnessLaneOptions
  extends Pick<HeadMaking, 'reads' | 'ledgerId' | 'deployment' | 'key' | 'onHead'> {
  readonly heads: PostgresLedgerHeads;
  readonly witness: NamedWitness;
  readonly clock: Clock;
  readonly everyMinutes: number;
  readonly wait: (ms: number) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/** Work takes at most a twentieth of the time; a fifth once a head takes so long that heads would fall behind. */
const REST_TIMES = 19;
const REST_TIMES_BEHIND = 4;
const HEADS_AT_ONCE = 50;
const LAST_HEAD_MS = 700;
/** Together with the last head less than what the closing of a component may take. */
const LAST_DELIVERY_MS = 500;
/** Another daemon's head counts as this round's if it is as new as this share of the interval. */
const RECENT_SHARE = 0.5;
const BEHIND_SHARE = 0.5;

export class WitnessLane {
  readonly #parts: WitnessLaneOptions;
  readonly #heads = new InFlight();
  /** When the newest head was made that the witness has; before the first, when this began. */
  #newest: Instant;
  /** The delivery in flight; the next one begins after it. */
  #delivery: Promise<void> = Promise.resolve();
  #stopTimer: StopTimer = () => undefined;
  #endsAtMs: number | undefined;
  #isClosed = false;

  constructor(parts: WitnessLaneOptions) {
    this.#parts = parts;
    this.#newest = parts.clock.now();
  }

  /** The first round begins at once. */
  start(): void {
    void this.round().then(() => this.#again());
  }

  /** When the newest head was made that the witness has, in milliseconds since 1970. */
  get newestMs(): number {
    return this.#newest;
  }

  /** Makes a last head and brings it to the witness, if it answers within a short time. */
  async close(): Promise<void> {
    this.#stopTimer();
    this.#endsAtMs = this.#parts.clock.monotonicMs() + LAST_HEAD_MS;
    await this.#heads.idle();
    await this.#head();
    const { witness, heads, onFault } = this.#parts;
    let isLate = true;
    const brought = this.#bring().then(() => {
      isLate = false;
    });
    await this.#within(LAST_DELIVERY_MS, brought);
    this.#isClosed = true;
    if (isLate) {
      onFault(
        new Error(
          `witness ${witness.name}: no answer before the end; gets the last head after a start`,
        ),
      );
    }
    await heads.close();
  }

  /** Makes a head, unless a recent one is there, and delivers what is not delivered; never rejects. */
  async round(): Promise<void> {
    await this.#heads.track(this.#head());
    if (!this.#isEnding) await this.#bring();
  }

  async #head(): Promise<void> {
    try {
      if (this.#isEnding || !(await this.#isRecent())) await this.#make();
    } catch (error) {
      this.#parts.onFault(error);
    }
  }

  /** Delivers after what is in flight, so that the witness gets the heads one after another; never rejects. */
  #bring(): Promise<void> {
    const { witness, onFault } = this.#parts;
    this.#delivery = this.#delivery
      .then(() => (this.#isClosed ? undefined : this.#deliver(witness)))
      .catch((error: unknown) => {
        // It was reported as late, and the connection to the ledger is closed under it.
        if (this.#isClosed) return;
        const why = error instanceof Error ? error.message : String(error);
        onFault(new Error(`witness ${witness.name}: ${why}`, { cause: error }));
      });
    return this.#delivery;
  }

  /** Resolves when the work ends, or after the time. */
  async #within(limitMs: number, work: Promise<unknown>): Promise<void> {
    const { clock } = this.#parts;
    let stopTimer: StopTimer = () => undefined;
    const over = new Promise<void>((resolve) => {
      stopTimer = clock.at(later(clock.now(), limitMs), resolve);
    });
    await Promise.race([work, over]);
    stopTimer();
  }

  get #isEnding(): boolean {
    return this.#endsAtMs !== undefined;
  }

  #again(): void {
    if (this.#isEnding) return;
    const { clock, everyMinutes } = this.#parts;
    this.#stopTimer = clock.at(later(clock.now(), everyMinutes * MINUTE_MS), () => this.start());
  }

  async #isRecent(): Promise<boolean> {
    const { heads, clock, everyMinutes } = this.#parts;
    const newest = await heads.newest();
    const ageMs = clock.now() - (newest?.at ?? 0);
    return newest !== undefined && ageMs < everyMinutes * MINUTE_MS * RECENT_SHARE;
  }

  async #make(): Promise<void> {
    const { clock, everyMinutes, wait } = this.#parts;
    const behindMs = clock.monotonicMs() + everyMinutes * MINUTE_MS * BEHIND_SHARE;
    const restTimes = (): number =>
      clock.monotonicMs() > behindMs ? REST_TIMES_BEHIND : REST_TIMES;
    await makeHeads({
      ...this.#parts,
      now: () => clock.now(),
      rest: (elapsedMs) => (this.#isEnding ? Promise.resolve() : wait(elapsedMs * restTimes())),
      isLate: () => clock.monotonicMs() > (this.#endsAtMs ?? Number.POSITIVE_INFINITY),
    });
  }

  async #deliver({ name, witness }: NamedWitness): Promise<void> {
    const { heads } = this.#parts;
    let last = await heads.delivered(name);
    for (;;) {
      const some = await heads.after(last, HEADS_AT_ONCE);
      for (const head of some) {
        const kept = await witness.append(head);
        if (kept.kind === 'conflict') throw new Error(kept.why);
        if (kept.kind === 'behind') {
          last = kept.newest;
          break;
        }
        last = head.number;
        this.#newest = head.at;
        await heads.setDelivered(name, last);
      }
      if (some.length === 0) return;
    }
  }
}

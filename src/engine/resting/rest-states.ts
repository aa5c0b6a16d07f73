// Lets states leave memory, the least recently used first, while they take more than their share, and loads those that
// are due soon. A portfolio whose state has left is still owned: what is requested or reported about it loads it.
import { restsUntil, stateBytes } from '../../core/portfolio/snapshot/state-at-rest.ts';
import type { Settings } from '../../core/terms/settings.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Observer, StateChange } from '../../ports/observer.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';

export interface RestStatesOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly settings: Settings;
  readonly engine: Pick<Engine, 'advance' | 'letGo'> & {
    readonly turns: Pick<Engine['turns'], 'follow' | 'peek' | 'resting'>;
  };
  /** The estimated bytes of states beyond which some leave memory. */
  readonly bytesMax: number;
  /** A state is loaded this long before it is due. */
  readonly horizonMs: () => number;
}

const EVERY_MS_MAX = 1_000;
/** Loaded concurrently. */
const AT_ONCE = 32;
/** States looked at in one round: those at work may not leave. */
const LOOKED_AT_MAX = 5_000;
/** A state that is due sooner stays: it would be loaded again at once. */
const STAYS_HORIZONS = 2;

export class RestStates implements Lifetime {
  readonly #options: RestStatesOptions;
  readonly #rounds = new InFlight();
  #stopTimer: StopTimer | undefined;
  #isStopped = true;
  /** The least recently changed first. */
  readonly #bytes = new Map<PortfolioId, number>();
  #total = 0;

  constructor(options: RestStatesOptions) {
    this.#options = options;
    options.engine.turns.follow((change) => this.#changed(change));
  }

  start(): Promise<void> {
    this.#isStopped = false;
    this.#arm();
    return Promise.resolve();
  }

  /** Completes the round in progress. */
  drain(): Promise<void> {
    this.stop();
    return this.#rounds.idle();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer?.();
  }

  /** No round is needed while everything is in memory and within its share. */
  #arm(): void {
    const { clock, observer, engine, bytesMax, horizonMs } = this.#options;
    const isNeeded = engine.turns.resting.size > 0 || this.#total > bytesMax;
    if (this.#isStopped || this.#stopTimer !== undefined || !isNeeded) return;
    const everyMs = Math.min(EVERY_MS_MAX, horizonMs() / 4);
    this.#stopTimer = clock.at(later(clock.now(), everyMs), () => {
      this.#rounds
        .track(this.round())
        .catch((error: unknown) => observer.observe({ event: 'failed', where: 'rest', error }))
        .finally(() => {
          this.#stopTimer = undefined;
          this.#arm();
        });
    });
  }

  async round(): Promise<void> {
    const { clock, horizonMs } = this.#options;
    const now = clock.now();
    this.#letSomeGo(now);
    await this.#load(later(now, horizonMs()));
  }

  #changed({ before, after }: StateChange): void {
    const id = before?.id ?? after?.id;
    if (id !== undefined) {
      this.#total -= this.#bytes.get(id) ?? 0;
      this.#bytes.delete(id);
    }
    if (after !== undefined) {
      const bytes = stateBytes(after);
      this.#bytes.set(after.id, bytes);
      this.#total += bytes;
    }
    this.#arm();
  }

  #letSomeGo(now: Instant): void {
    const { engine, settings, bytesMax, horizonMs } = this.#options;
    const stays = later(now, horizonMs() * STAYS_HORIZONS);
    let lookedAt = 0;
    for (const portfolio of this.#bytes.keys()) {
      if (this.#total <= bytesMax || lookedAt >= LOOKED_AT_MAX) return;
      lookedAt += 1;
      const state = engine.turns.peek(portfolio);
      const dueAt = state && restsUntil(state, now, settings);
      if (state !== undefined && dueAt !== undefined && dueAt > stays) engine.letGo(state, dueAt);
    }
  }

  async #load(until: Instant): Promise<void> {
    const { engine } = this.#options;
    const due = engine.turns.resting.dueUntil(until);
    for (let i = 0; i < due.length; i += AT_ONCE) {
      await Promise.all(
        due.slice(i, i + AT_ONCE).map(({ portfolio }) => engine.advance(portfolio)),
      );
    }
  }
}

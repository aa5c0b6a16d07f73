// Writes snapshots of states behind the commit, and loads states from them. No turn waits for a snapshot, and one that
// cannot be written or read costs a longer load and nothing else.
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import {
  restoredState,
  SNAPSHOT_FORMAT,
  snapshotOf,
} from '../../core/portfolio/snapshot/state-snapshot.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Observer } from '../../ports/observer.ts';
import type { StateSnapshots, StoredState } from '../../ports/snapshots/state-snapshots.ts';
import type { PortfolioId } from '../../values/ids.ts';

export interface SnapshotKeeperOptions {
  readonly snapshots: StateSnapshots;
  readonly observer: Observer;
  /** A snapshot is written after this many events; default 256, which are some 40 slices. */
  readonly everyEvents?: number | undefined;
}

const EVERY_EVENTS = 256;
/** What a load may fold is less when a state leaves memory, because a load follows for sure. */
const LET_GO_SHARE = 4;
/** More in one call would delay other work while they are converted to text. */
const AT_ONCE = 16;

/** Neither: no snapshot fits the events after it. */
export interface LoadedState {
  readonly state?: PortfolioState | undefined;
  /** All of them, where there is no snapshot; none if the portfolio does not exist. */
  readonly events?: readonly PortfolioEvent[] | undefined;
}

export class SnapshotKeeper {
  readonly #options: SnapshotKeeperOptions;
  /** The versions of the latest snapshots of portfolios in memory. */
  readonly #versions = new Map<PortfolioId, number>();
  /** To be written; `undefined`: to be deleted. */
  readonly #waiting = new Map<PortfolioId, PortfolioState | undefined>();
  readonly inFlight = new InFlight();

  constructor(options: SnapshotKeeperOptions) {
    this.#options = options;
  }

  /** Rejects like the store. */
  async load(portfolio: PortfolioId): Promise<LoadedState> {
    const { snapshots } = this.#options;
    const stored = await snapshots.load(portfolio, SNAPSHOT_FORMAT);
    if (stored?.snapshot === undefined) return { events: stored?.events ?? [] };
    const state = this.#restored(portfolio, stored.snapshot, stored.events);
    if (state !== undefined) this.#versions.set(portfolio, stored.snapshot.version);
    return { state };
  }

  /** A durable turn has led to the state. */
  committed({ state }: { readonly state: PortfolioState }): void {
    const { everyEvents = EVERY_EVENTS } = this.#options;
    if (isTerminal(state.status)) this.#ended(state.id);
    else if (this.#newEvents(state) >= everyEvents) this.#write(state);
  }

  /** The state leaves memory. */
  letGo(state: PortfolioState): void {
    const { everyEvents = EVERY_EVENTS } = this.#options;
    if (this.#newEvents(state) * LET_GO_SHARE >= everyEvents) this.#write(state);
    this.#versions.delete(state.id);
  }

  /** Another process owns the portfolio. */
  released(portfolio: PortfolioId): void {
    this.#versions.delete(portfolio);
  }

  #newEvents({ id, version }: PortfolioState): number {
    return version - (this.#versions.get(id) ?? 0);
  }

  #restored(
    portfolio: PortfolioId,
    snapshot: NonNullable<StoredState['snapshot']>,
    events: StoredState['events'],
  ): PortfolioState | undefined {
    try {
      return restoredState(snapshot, events);
    } catch (error) {
      this.#options.observer.observe({ event: 'failed', where: 'snapshot', error, portfolio });
      return undefined;
    }
  }

  #ended(portfolio: PortfolioId): void {
    const hasOne = this.#versions.delete(portfolio) || this.#waiting.has(portfolio);
    if (hasOne) this.#add(portfolio, undefined);
  }

  #write(state: PortfolioState): void {
    this.#versions.set(state.id, state.version);
    this.#add(state.id, state);
  }

  #add(portfolio: PortfolioId, state: PortfolioState | undefined): void {
    this.#waiting.set(portfolio, state);
    if (this.inFlight.count === 0) void this.inFlight.track(this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    // The turns that are decided together are written together.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const some = [...this.#waiting].slice(0, AT_ONCE);
      for (const [portfolio] of some) this.#waiting.delete(portfolio);
      await this.#writeSome(some);
    }
  }

  async #writeSome(
    some: readonly (readonly [PortfolioId, PortfolioState | undefined])[],
  ): Promise<void> {
    const { snapshots, observer } = this.#options;
    const states = some.flatMap(([, state]) => state ?? []);
    const ended = some.flatMap(([portfolio, state]) => (state === undefined ? [portfolio] : []));
    try {
      if (states.length > 0) await snapshots.save(states.map(snapshotOf));
      if (ended.length > 0) await snapshots.delete(ended);
    } catch (error) {
      observer.observe({ event: 'failed', where: 'snapshot', error });
    }
  }
}

export type SnapshotKeeping = Pick<
  SnapshotKeeper,
  'load' | 'committed' | 'letGo' | 'released' | 'inFlight'
>;

/** Without snapshots: states are loaded from all their events. */
export const NO_SNAPSHOTS: SnapshotKeeping = {
  load: () => Promise.resolve({}),
  committed: () => undefined,
  letGo: () => undefined,
  released: () => undefined,
  inFlight: new InFlight(),
};

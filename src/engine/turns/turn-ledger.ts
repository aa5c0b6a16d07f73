// The ledger as used by turns: retries while it is unavailable, and never leaves an outcome open. If a commit gets
// no reply, the stored events are checked before anything is decided again.
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { Replay } from '../../core/portfolio/aggregate/replay.ts';
import { EventsArchived } from '../../ports/archive/archived-reads.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type CommitOutcome,
  type HeldLease,
  type Ledger,
  LedgerFailure,
  type StoredPortfolio,
  type Turn,
} from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import type { SnapshotKeeping } from '../snapshots/snapshot-keeper.ts';

export interface TurnLedgerOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly onLeaseLost: (lease: HeldLease) => void;
  readonly snapshots: Pick<SnapshotKeeping, 'load'>;
}

/**
 * `committed`: confirmed by the reply to this call. `found`: stored, but without a reply to us: another process may
 * have decided the very same turn at the same instant, so a process that only finds it must not send its orders.
 * `lost`: not stored: decide again on the stored state.
 */
export type TurnFate = 'committed' | 'found' | 'lost';

export interface StoredState {
  readonly state: PortfolioState;
  /** Where the whole history was read. */
  readonly replay?: Replay | undefined;
}

/** The delay between retries while the ledger is unavailable. */
const LEDGER_RETRY_MS = 500;

export class TurnLedger {
  readonly #options: TurnLedgerOptions;
  #stopped = false;

  constructor(options: TurnLedgerOptions) {
    this.#options = options;
  }

  /** Gives up all retries. */
  stop(): void {
    this.#stopped = true;
  }

  /** `undefined` if the portfolio does not exist, or the engine stops. */
  load(portfolio: PortfolioId): Promise<StoredPortfolio | undefined> {
    return this.#read(portfolio, () => this.#options.ledger.load(portfolio));
  }

  /** The stored state, from its latest snapshot if there is one that fits. */
  async state(portfolio: PortfolioId): Promise<StoredState | undefined> {
    const { snapshots } = this.#options;
    const loaded = await this.#read(portfolio, () => snapshots.load(portfolio));
    if (loaded?.state !== undefined) return { state: loaded.state };
    const events = loaded?.events ?? (await this.load(portfolio))?.events ?? [];
    const replay = new Replay(portfolio, events);
    return replay.state && { state: replay.state, replay };
  }

  async #read<T>(portfolio: PortfolioId, read: () => Promise<T>): Promise<T | undefined> {
    while (!this.#stopped) {
      try {
        return await read();
      } catch (error) {
        this.#report(error, portfolio);
        // It ended long ago, and waiting does not bring it back.
        if (error instanceof EventsArchived) return undefined;
        await this.rest();
      }
    }
    return undefined;
  }

  /** Commits one turn. While the ledger refuses, nothing is sent and nothing is lost. */
  async commit(turn: Turn): Promise<TurnFate> {
    const { ledger, observer } = this.#options;
    while (!this.#stopped) {
      let outcome: CommitOutcome;
      try {
        outcome = await ledger.commit([turn]);
      } catch (error) {
        const failure = this.#report(error, turn.portfolio);
        await this.rest();
        if (failure.maybe) return await this.#findOut(turn);
        continue;
      }
      if (outcome.kind === 'committed') return 'committed';
      if (outcome.kind === 'lease_lost') this.#options.onLeaseLost(outcome.lease);
      observer.observe({ event: 'turn_conflicted', portfolio: turn.portfolio });
      return 'lost';
    }
    return 'lost';
  }

  rest(): Promise<void> {
    const { clock } = this.#options;
    return new Promise((done) => clock.at(later(clock.now(), LEDGER_RETRY_MS), done));
  }

  async #findOut(turn: Turn): Promise<TurnFate> {
    const { portfolio, fromVersion, events } = turn;
    const stored = await this.load(portfolio);
    const there = stored?.events.slice(fromVersion, fromVersion + events.length) ?? [];
    const isThere = events.every((event, index) => isSame(event, there[index]));
    if (isThere && turn.summaryMayWait === true) await this.#storeRecord(turn);
    return isThere ? 'found' : 'lost';
  }

  /** The ledger knew nothing of the outcome, so its record may have been dropped. */
  async #storeRecord(turn: Turn): Promise<void> {
    const fromVersion = turn.fromVersion + turn.events.length;
    const record = {
      ...turn,
      fromVersion,
      events: [],
      fills: [],
      tells: 0,
      summaryMayWait: false,
      lease: undefined,
    };
    try {
      await this.#options.ledger.commit([record]);
    } catch (error) {
      this.#report(error, turn.portfolio);
    }
  }

  #report(error: unknown, portfolio: PortfolioId): LedgerFailure {
    if (!(error instanceof LedgerFailure)) throw error;
    this.#options.observer.observe({ event: 'failed', where: 'ledger', error, portfolio });
    return error;
  }
}

/** Compares field by field: a store may return fields in another order and omit `undefined` ones. */
function isSame(event: PortfolioEvent, stored: PortfolioEvent | undefined): boolean {
  if (stored === undefined) return false;
  const known = new Map(Object.entries(stored));
  return Object.entries(event).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(known.get(name)),
  );
}

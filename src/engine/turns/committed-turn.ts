// What a turn comes to once it is durable, and what turns need from the engine.
import type { DecisionInputs } from '../../core/portfolio/aggregate/decision-inputs.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { Intent } from '../../core/portfolio/aggregate/portfolio-intent.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { Decide } from '../../core/portfolio/decide.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HeldLease, Ledger, Turn } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { PortfolioId, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { SnapshotKeeping } from '../snapshots/snapshot-keeper.ts';

/** A durable turn. */
export interface CommittedTurn {
  readonly before: PortfolioState;
  readonly state: PortfolioState;
  readonly events: readonly PortfolioEvent[];
  readonly intents: readonly Intent[];
  /** The turn's ledger record; absent if nothing happened. */
  readonly stored: Turn | undefined;
}

/** Holds what the orders of a turn will need until they are sent. */
export interface TurnPromises {
  /** The turn is going to be committed. */
  decided(turn: Pick<CommittedTurn, 'state' | 'intents'>): void;
  /** The turn was not committed, or not by this process as far as it knows: it sends none of its orders. */
  undone(turn: Pick<CommittedTurn, 'state' | 'intents'>): void;
}

export interface TurnsOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly settings: Settings;
  readonly snapshots: SnapshotKeeping;
  /** Everything that decisions about the portfolio depend on, as of `now`. */
  readonly inputsOf: (state: PortfolioState, now: Instant) => DecisionInputs;
  /** Default: the decision of the core. */
  readonly decide?: Decide | undefined;
  /** Told of each turn before it is committed, and again if its orders are not going to be sent. */
  readonly promises: TurnPromises;
  readonly venueOf: (state: PortfolioState) => VenueName;
  /** The maximum number of ended portfolios in memory; default 200. */
  readonly retiredMax?: number | undefined;
  /** Called when recovery kept a decision from sending something, before the decision is committed. */
  readonly onDeferred: (state: PortfolioState) => void;
  /** False if another process owns the portfolio: it is not kept in memory. */
  readonly isOwned: (state: PortfolioState) => boolean;
  /** The lease under which this process owns the portfolio; `undefined`: turns are committed under none. */
  readonly leaseOf: (state: PortfolioState) => HeldLease | undefined;
  /** Called when another process has taken the shard since: the turn is decided again. */
  readonly onLeaseLost: (lease: HeldLease) => void;
  /** Called with a state read from the ledger; what it returns is awaited before anything is decided on the state. */
  readonly onLoaded: (state: PortfolioState) => Promise<void> | undefined;
  /** Called with a portfolio that is no longer kept in memory because another process owns it. */
  readonly onReleased: (portfolio: PortfolioId) => void;
  /** Called once per durable turn, in order per portfolio. */
  readonly onCommitted: (turn: CommittedTurn) => void;
  /** Also called after an evaluation without events: the next wake-up may have changed. */
  readonly onDecided: (state: PortfolioState) => void;
  /** Called on a broken invariant or any other bug: the portfolio is left unchanged and the daemon must stop. */
  readonly onBroken: (portfolio: PortfolioId, error: unknown) => void;
}

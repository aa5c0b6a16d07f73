// One method per occurrence worth a log line or a metric, so that wording and labels are defined in one place.
// Observing never fails and never waits.
import type { DiskSpace, SpaceLevel } from '../core/disk/disk-space.ts';
import type { AnswerClass } from '../core/order/venue-codes.ts';
import type { PortfolioEvent } from '../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../core/portfolio/aggregate/portfolio-state.ts';
import type { Price, Quantity } from '../values/amounts.ts';
import type {
  AccountId,
  ChildLabel,
  InstrumentName,
  PortfolioId,
  VenueName,
} from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Side } from '../values/instrument.ts';
import type { DeskOutcome, RiskObserver } from './risk-observer.ts';

export type VenueMethod = 'place' | 'edit' | 'cancel' | 'query';

/** The order methods that change something; queries are not reported. */
export type DeskMethod = 'enter' | 'edit' | 'cancel' | 'cancel_all';

export interface Observer extends RiskObserver {
  /** A turn is durable: its events, and the state after them. */
  turnCommitted(turn: {
    readonly portfolio: PortfolioId;
    readonly events: readonly PortfolioEvent[];
    readonly state: PortfolioState;
    /** From submission to the ledger to its confirmation. */
    readonly commitMs: number;
  }): void;
  /** Another process committed first; the turn is decided again. */
  turnConflicted(portfolio: PortfolioId): void;
  /** A slice's first child was handed to the venue, `lateMs` after it was due. */
  sliceSent(sent: {
    readonly portfolio: PortfolioId;
    readonly label: ChildLabel;
    readonly leg: number;
    readonly slice: number;
    readonly lateMs: number;
  }): void;
  venueAnswered(answer: {
    readonly venue: VenueName;
    readonly method: VenueMethod;
    readonly class: 'ok' | AnswerClass;
    readonly elapsedMs: number;
    readonly portfolio?: PortfolioId | undefined;
    readonly label?: ChildLabel | undefined;
    readonly detail?: string | undefined;
  }): void;
  /** An order method changed something at a venue, or failed to; `blocked` means that it was not sent. */
  deskAnswered(answer: {
    readonly venue: VenueName;
    readonly method: DeskMethod;
    readonly outcome: DeskOutcome;
    readonly account: AccountId;
    /** The control that blocked it; absent if the request itself was invalid. */
    readonly control?: string | undefined;
    readonly detail?: string | undefined;
  }): void;
  /** The index of what is due, or the overdue sweeper, found portfolios that the queue had not woken in time. */
  sweeperRescued(rescued: {
    readonly portfolios: readonly PortfolioId[];
    readonly at: Instant;
  }): void;
  /** Shards were taken or given up; `owned` is the number of shards that this daemon owns since. */
  shardsMoved(moved: {
    readonly gained: readonly number[];
    readonly lost: readonly number[];
    readonly owned: number;
  }): void;
  /** This process has more to do than it can, or no longer has. */
  overloadChanged(change: {
    readonly isOverloaded: boolean;
    /** How late its timers come. */
    readonly lagMs: number;
    /** How late slices are decided. */
    readonly lateMs: number;
  }): void;
  /** The disk of these folders crossed a bound. */
  diskSpaceChanged(change: {
    readonly paths: readonly string[];
    readonly space: DiskSpace;
    readonly before: SpaceLevel;
    readonly level: SpaceLevel;
  }): void;
  recovered(recovery: {
    readonly portfolios: number;
    readonly unsettled: number;
    readonly elapsedMs: number;
  }): void;
  /** An order at the venue carries a label of ours but belongs to no known portfolio. */
  foreignOrder(order: {
    readonly venue: VenueName;
    readonly label: string;
    readonly orderId: string;
  }): void;
  /** The venue closed a part of a position of ours, because the account's margin did not cover it. */
  positionLiquidated(trade: {
    readonly venue: VenueName;
    readonly account: AccountId;
    readonly instrument: InstrumentName;
    readonly side: Side;
    readonly quantity: Quantity;
    readonly price: Price;
    readonly tradeId: string;
  }): void;
  strategyFired(fired: {
    readonly strategy: string;
    readonly dueAt: Instant;
    readonly portfolio: PortfolioId;
  }): void;
  strategyFailed(failed: { readonly strategy: string; readonly why: string }): void;
  strategiesLoaded(loaded: {
    readonly names: readonly string[];
    readonly faults: readonly string[];
  }): void;
  /** A failure that is handled elsewhere: never swallowed, always counted. */
  failed(failure: {
    readonly where: string;
    readonly error: unknown;
    readonly portfolio?: PortfolioId | undefined;
  }): void;
}

/** An active portfolio of this process that is not in memory: nothing of it is open. */
export interface RestingPortfolio {
  readonly portfolio: PortfolioId;
  readonly account: AccountId;
  readonly status: 'pending' | 'active';
  /** One for each leg. */
  readonly instruments: readonly InstrumentName[];
}

/** What a portfolio in memory was and what it is now; absent where it is not in memory, or has ended. */
export interface StateChange {
  readonly before?: PortfolioState | undefined;
  readonly after?: PortfolioState | undefined;
  /** It rests from now on. */
  readonly resting?: RestingPortfolio | undefined;
  /** It has rested until now. */
  readonly woken?: RestingPortfolio | undefined;
}

/** Reports every such portfolio, and from then on each change, until the returned function is called. */
export type FollowStates = (listener: (change: StateChange) => void) => () => void;

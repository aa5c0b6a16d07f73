// One method per happening worth a log line or a metric, so that wording and labels have one home.
// Observing never fails and never waits.
import type { AnswerClass } from '../core/order/venue-codes.ts';
import type { PortfolioEvent } from '../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../core/portfolio/aggregate/portfolio-state.ts';
import type { AccountId, ChildLabel, PortfolioId, VenueName } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { DeskOutcome, RiskObserver } from './risk-observer.ts';

export type VenueMethod = 'place' | 'edit' | 'cancel' | 'query';

/** The order methods that change something; questions are not told of. */
export type DeskMethod = 'enter' | 'edit' | 'cancel' | 'cancel_all';

export interface Observer extends RiskObserver {
  /** A turn is durable: its events, and the state after them. */
  turnCommitted(turn: {
    readonly portfolio: PortfolioId;
    readonly events: readonly PortfolioEvent[];
    readonly state: PortfolioState;
    /** From handing to the ledger to its word. */
    readonly commitMs: number;
  }): void;
  /** Another process was faster; the turn is decided again. */
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
  /** An order method changed something at a venue, or did not: `blocked` before it was sent. */
  deskAnswered(answer: {
    readonly venue: VenueName;
    readonly method: DeskMethod;
    readonly outcome: DeskOutcome;
    readonly account: AccountId;
    /** What blocked it; absent where the request itself was at fault. */
    readonly control?: string | undefined;
    readonly detail?: string | undefined;
  }): void;
  /** The sweeper found portfolios the queue had not woken in time. */
  sweeperRescued(rescued: {
    readonly portfolios: readonly PortfolioId[];
    readonly at: Instant;
  }): void;
  recovered(recovery: {
    readonly portfolios: number;
    readonly unsettled: number;
    readonly elapsedMs: number;
  }): void;
  /** An own-looking order at the venue that no portfolio knows. */
  foreignOrder(order: {
    readonly venue: VenueName;
    readonly label: string;
    readonly orderId: string;
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
  /** Something failed that is handled elsewhere: never swallowed, always counted. */
  failed(failure: {
    readonly where: string;
    readonly error: unknown;
    readonly portfolio?: PortfolioId | undefined;
  }): void;
}

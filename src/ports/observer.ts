// Every occurrence worth a log line or a metric, by its name in the log, so that wording and labels are defined in one place.
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
import type { DeskOutcome, RiskOccurrences } from './risk-observer.ts';

export type VenueMethod = 'place' | 'edit' | 'cancel' | 'query';

/** The order methods that change something; queries are not reported. */
export type DeskMethod = 'enter' | 'edit' | 'cancel' | 'cancel_all';

export interface Occurrences extends RiskOccurrences {
  /** A turn is durable: its events, and the state after them. */
  readonly turn_committed: {
    readonly portfolio: PortfolioId;
    readonly events: readonly PortfolioEvent[];
    readonly state: PortfolioState;
    /** From submission to the ledger to its confirmation. */
    readonly commitMs: number;
  };
  /** Another process committed first; the turn is decided again. */
  readonly turn_conflicted: { readonly portfolio: PortfolioId };
  /** A slice's first child was handed to the venue, `lateMs` after it was due. */
  readonly slice_sent: {
    readonly portfolio: PortfolioId;
    readonly label: ChildLabel;
    readonly leg: number;
    readonly slice: number;
    readonly lateMs: number;
  };
  readonly venue_answered: {
    readonly venue: VenueName;
    readonly method: VenueMethod;
    readonly class: 'ok' | AnswerClass;
    readonly elapsedMs: number;
    readonly portfolio?: PortfolioId | undefined;
    readonly label?: ChildLabel | undefined;
    readonly detail?: string | undefined;
  };
  /** An order method changed something at a venue, or failed to; `blocked` means that it was not sent. */
  readonly desk_answered: {
    readonly venue: VenueName;
    readonly method: DeskMethod;
    readonly outcome: DeskOutcome;
    readonly account: AccountId;
    /** The control that blocked it; absent if the request itself was invalid. */
    readonly control?: string | undefined;
    readonly detail?: string | undefined;
  };
  /** The index of what is due, or the overdue sweeper, found portfolios that the queue had not woken in time. */
  readonly sweeper_rescued: {
    readonly portfolios: readonly PortfolioId[];
    readonly at: Instant;
  };
  /** Shards were taken or given up; `owned` is the number of shards that this daemon owns since. */
  readonly shards_moved: {
    readonly gained: readonly number[];
    readonly lost: readonly number[];
    readonly owned: number;
  };
  /** This process has more to do than it can, or no longer has. */
  readonly overload_changed: {
    readonly isOverloaded: boolean;
    /** How late its timers come. */
    readonly lagMs: number;
    /** How late slices are decided. */
    readonly lateMs: number;
  };
  /** The disk of these folders crossed a bound. */
  readonly disk_space_changed: {
    readonly paths: readonly string[];
    readonly space: DiskSpace;
    readonly before: SpaceLevel;
    readonly level: SpaceLevel;
  };
  readonly recovered: {
    readonly portfolios: number;
    readonly unsettled: number;
    readonly elapsedMs: number;
  };
  /** An order at the venue carries a label of ours but belongs to no known portfolio. */
  readonly foreign_order: {
    readonly venue: VenueName;
    readonly label: string;
    readonly orderId: string;
  };
  /** The venue closed a part of a position of ours, because the account's margin did not cover it. */
  readonly position_liquidated: {
    readonly venue: VenueName;
    readonly account: AccountId;
    readonly instrument: InstrumentName;
    readonly side: Side;
    readonly quantity: Quantity;
    readonly price: Price;
    readonly tradeId: string;
  };
  readonly strategy_fired: {
    readonly strategy: string;
    readonly dueAt: Instant;
    readonly portfolio: PortfolioId;
  };
  readonly strategy_failed: { readonly strategy: string; readonly why: string };
  readonly strategies_loaded: {
    readonly names: readonly string[];
    readonly faults: readonly string[];
  };
  /** A failure that is handled elsewhere: never swallowed, always counted. */
  readonly failed: {
    readonly where: string;
    readonly error: unknown;
    readonly portfolio?: PortfolioId | undefined;
  };
}

export type Occurrence = keyof Occurrences;

/** One occurrence, of any kind or of those named. */
export type Observation<E extends Occurrence = Occurrence> = {
  readonly [K in E]: { readonly event: K } & Occurrences[K];
}[E];

export interface Observer {
  observe(seen: Observation): void;
}

/** What is done about each kind of occurrence. */
export type Recorders<E extends Occurrence = Occurrence> = {
  readonly [K in E]: (seen: Observation<K>) => void;
};

/** An observer that records some kinds of occurrence itself, and leaves the others to `otherwise`. */
export function observing(recorders: Partial<Recorders>, otherwise?: Observer): Observer {
  return {
    observe: (seen) => {
      // The recorder of its kind takes no other: the compiler cannot relate the two.
      const recorder = recorders[seen.event] as ((seen: Observation) => void) | undefined;
      if (recorder === undefined) otherwise?.observe(seen);
      else recorder(seen);
    },
  };
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

// A portfolio as the fold of its events. It is not the stored form; it can always be rebuilt.
import type { Money, Price, Quantity } from '../../../values/amounts.ts';
import type { ChildLabel, PortfolioId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { LayeredMap } from '../../../values/layered-map.ts';
import type { ChildOrder } from '../../order/child-order.ts';
import type { Rebase } from '../../schedule/rebased-plan.ts';
import type { Tape } from '../../schedule/tape.ts';
import type { SkipReason } from '../../terms/reasons.ts';
import type { PortfolioSpec } from '../../terms/spec.ts';
import type { EndReason } from './portfolio-event.ts';
import type { RfqStory } from './residual-rfq-state.ts';

/**
 * `pending`    accepted, its first slice has not started
 * `active`     being executed
 * `cancelling` places nothing any more and cancels its resting orders
 * `filled`, `cancelled`  terminal; never changes again
 */
export type PortfolioStatus = 'pending' | 'active' | 'cancelling' | 'filled' | 'cancelled';

/** The status by which portfolios are listed: pending counts as active. */
export type ListedStatus = Exclude<PortfolioStatus, 'pending'>;

export const listedStatus = (status: PortfolioStatus): ListedStatus =>
  status === 'pending' ? 'active' : status;

/** The slice on which a leg is working. */
export interface CurrentSlice {
  readonly slice: number;
  readonly dueAt: Instant;
  readonly endsAt: Instant;
  readonly planned: Quantity;
  readonly quantity: Quantity;
  /** Fills of the slice's own children. */
  readonly filled: Quantity;
  readonly attempts: number;
  /** Attempts that filled whole, and were smaller than the slice wanted because of the cap of an order. Absent = none. */
  readonly capped?: number | undefined;
  /** When the latest attempt was decided; absent once it is one of `capped`, after which the next follows at once. */
  readonly triedAt?: Instant | undefined;
  /** Consecutive attempts refused for good, whatever the price. Absent = none. */
  readonly refusals?: number | undefined;
  /** Attempts up to this one were priced by terms that no longer apply. */
  readonly staleAttempts?: number | undefined;
  readonly waiting?: SkipReason | undefined;
  /** The mid when it was first priced; only if slippage is capped. */
  readonly arrival?: Price | undefined;
  /** It hedges what was executed before the portfolio was paused or cancelled. Absent = false. */
  readonly isCover?: boolean;
  /** What it left open when it was given up, as recorded. Absent = not yet. */
  readonly leftOpen?: Quantity;
}

/** Attempts that count against the bound on them. */
export const triesOf = ({ attempts, capped = 0 }: CurrentSlice): number => attempts - capped;

/** A refusal of the venue, or the reason why nothing was sent. */
export interface Refused {
  readonly code: number;
  readonly message: string;
  readonly at: Instant;
}

export interface LegState {
  /** Index of the next slice that has not been started or missed. */
  readonly nextSlice: number;
  /** Where its plan restarted, once it has been amended. */
  readonly rebase?: Rebase | undefined;
  readonly current?: CurrentSlice | undefined;
  readonly filled: Quantity;
  /** On a shadow: what the mirrored leg has filled, as far as reported. */
  readonly mirroredFrom?: Quantity | undefined;
  /** Numerator of the average: Σ price × quantity, or Σ quantity / price for contracts sized in USD. */
  readonly value: Money;
  /** Fees by currency. */
  readonly fees: ReadonlyMap<string, Money>;
  /** Slices started, including those of the end action. */
  readonly slicesBegun: number;
  /** Slices of the plan (BALANCE: parts) that sent at least one order; for a hedge leg, all slices that did. */
  readonly slicesPlaced: number;
  /** The slice (BALANCE: part) last counted in `slicesPlaced`; absent = none. */
  readonly lastPlaced?: number | undefined;
  /** Quantity given up with missed slices. Absent = nothing. */
  readonly skipped?: Quantity | undefined;
  /** Only if participation is capped. */
  readonly tape?: Tape | undefined;
  readonly rejectedInRow: number;
  /** The refusal of the latest child order, until one is accepted. */
  readonly refusal?: Refused | undefined;
  readonly reprices: number;
}

export interface Paused {
  readonly by: string;
  readonly at: Instant;
}

/** The current part of a BALANCE portfolio. */
export interface PartState {
  /** From 0. */
  readonly part: number;
  /**
   * `work`   each leg uses its own pricing
   * `chase`  the part had started when its time was up: the rest is executed at market
   * `sweep`  the total time is up: every remaining part is executed at market
   */
  readonly stage: 'work' | 'chase' | 'sweep';
  readonly startedAt: Instant;
  readonly stageAt: Instant;
  /** First fill of any leg in this part. */
  readonly begunAt?: Instant | undefined;
  /** When the wait for the part was last reported. */
  readonly lookedAt: Instant;
}

/** The settled children that the state still has (`settled-children.ts`). */
export interface SettledChildren {
  /** The latest, in the order in which they last changed. */
  readonly recent: ReadonlyMap<ChildLabel, ChildOrder>;
  /** Those before them; they leave together once `recent` is full. */
  readonly earlier: ReadonlyMap<ChildLabel, ChildOrder>;
  /** Legs of accepted Block RFQs, few of them: the trades of a block do not name a child. */
  readonly blocks: ReadonlyMap<ChildLabel, ChildOrder>;
}

/** Fills are copied in their order, so their number tells which are. */
export interface MirroredFills {
  readonly count: number;
  /** Trades copied by versions that did not number them, and by those after them in the same portfolio. */
  readonly trades?: LayeredMap<string, true> | undefined;
}

export interface PortfolioState {
  readonly id: PortfolioId;
  /** Number of events folded. */
  readonly version: number;
  readonly spec: PortfolioSpec;
  readonly instruments: ReadonlyMap<string, Instrument>;
  readonly status: PortfolioStatus;
  readonly reason?: EndReason | undefined;
  /** When the end of the time was recorded: resting orders are cancelled and the end action follows. */
  readonly timeOverAt?: Instant | undefined;
  /** The residual RFQ of the end action. */
  readonly rfq?: RfqStory | undefined;
  /** Who paused the portfolio, and when. */
  readonly paused?: Paused | undefined;
  /** When the portfolio was last resumed by request. Absent = never. */
  readonly resumedAt?: Instant | undefined;
  /** Orders refused by the venue since one was last accepted, or the portfolio was last paused or resumed. */
  readonly refusedInRow: number;
  readonly amendments: number;
  readonly submittedAt: Instant;
  readonly updatedAt: Instant;
  readonly lastEditedBy: string;
  readonly legs: readonly LegState[];
  /** BALANCE only; absent between two parts. */
  readonly part?: PartState | undefined;
  /** Number of parts that have ended. */
  readonly partsDone: number;
  /** What each leg had filled when the last part ended; absent before. */
  readonly partBase?: readonly Quantity[] | undefined;
  /** Children that can still change the totals; few at any time. */
  readonly children: ReadonlyMap<ChildLabel, ChildOrder>;
  /** The latest children that can no longer change: kept so that a late or repeated report can be matched. */
  readonly ended: SettledChildren;
  /** Number of fills booked. */
  readonly fills: number;
  /** On a shadow: which fills of the mirrored portfolio are copied. */
  readonly mirrored: MirroredFills;
  /** Set when the venue contradicted something that was taken as proven. */
  readonly broken: boolean;
}

export const isTerminal = (status: PortfolioStatus): boolean =>
  status === 'filled' || status === 'cancelled';

// A portfolio as the fold of its events. Nothing here is stored; everything can be rebuilt.
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
 * `pending`    accepted, its first slice has not begun
 * `active`     at work
 * `cancelling` places nothing any more, takes back what rests
 * `filled`, `cancelled`  over; never changes again
 */
export type PortfolioStatus = 'pending' | 'active' | 'cancelling' | 'filled' | 'cancelled';

/** A status as portfolios are listed by it: one that is pending counts as active. */
export type ListedStatus = Exclude<PortfolioStatus, 'pending'>;

export const listedStatus = (status: PortfolioStatus): ListedStatus =>
  status === 'pending' ? 'active' : status;

/** The slice a leg is working on. */
export interface CurrentSlice {
  readonly slice: number;
  readonly dueAt: Instant;
  readonly endsAt: Instant;
  readonly planned: Quantity;
  readonly quantity: Quantity;
  /** Fills of the slice's own children. */
  readonly filled: Quantity;
  readonly attempts: number;
  /** When the latest attempt was intended. */
  readonly triedAt?: Instant | undefined;
  /** Attempts refused for good in a row, whatever the price. Absent = none. */
  readonly refusals?: number | undefined;
  /** Attempts up to this one were priced by terms that hold no more. */
  readonly staleAttempts?: number | undefined;
  readonly waiting?: SkipReason | undefined;
  /** The middle of the market when it was first priced; only where slippage is capped. */
  readonly arrival?: Price | undefined;
}

/** A refusal of the venue, or why nothing left. */
export interface Refused {
  readonly code: number;
  readonly message: string;
  readonly at: Instant;
}

export interface LegState {
  /** Index of the next slice that has not been started or missed. */
  readonly nextSlice: number;
  /** Where its plan began anew, once it was amended. */
  readonly rebase?: Rebase | undefined;
  readonly current?: CurrentSlice | undefined;
  readonly filled: Quantity;
  /** On a shadow: what the mirrored leg has filled, as far as it was told. */
  readonly mirroredFrom?: Quantity | undefined;
  /** The average's other part: Σ price × quantity, or Σ quantity / price for contracts sized in USD. */
  readonly value: Money;
  /** Fees by currency. */
  readonly fees: ReadonlyMap<string, Money>;
  /** Slices that began, those of the end action included. */
  readonly slicesBegun: number;
  /** Slices of the plan (BALANCE: parts) that sent at least one order; of a hedge leg all slices that did. */
  readonly slicesPlaced: number;
  /** The slice (BALANCE: part) counted last in `slicesPlaced`; absent = none. */
  readonly lastPlaced?: number | undefined;
  /** Given up with slices that were missed. Absent = nothing. */
  readonly skipped?: Quantity | undefined;
  /** Only where participation is capped. */
  readonly tape?: Tape | undefined;
  readonly rejectedInRow: number;
  /** What the latest child order was refused with, until one is accepted. */
  readonly refusal?: Refused | undefined;
  readonly reprices: number;
}

export interface Paused {
  readonly by: string;
  readonly at: Instant;
}

/** The part a BALANCE portfolio is at. */
export interface PartState {
  /** From 0. */
  readonly part: number;
  /**
   * `work`   each leg by its own pricing
   * `chase`  its time was up when it had begun: the rest goes through the market
   * `sweep`  the time of the whole is over: every part left goes through the market
   */
  readonly stage: 'work' | 'chase' | 'sweep';
  readonly startedAt: Instant;
  readonly stageAt: Instant;
  /** First fill of any leg in this part. */
  readonly begunAt?: Instant | undefined;
  /** When it was last told that the part still waits. */
  readonly lookedAt: Instant;
}

export interface PortfolioState {
  readonly id: PortfolioId;
  /** Number of events folded. */
  readonly version: number;
  readonly spec: PortfolioSpec;
  readonly instruments: ReadonlyMap<string, Instrument>;
  readonly status: PortfolioStatus;
  readonly reason?: EndReason | undefined;
  /** When it was noticed that the time is over: what rests is taken back, the end action follows. */
  readonly timeOverAt?: Instant | undefined;
  /** The Block RFQ of the end action. */
  readonly rfq?: RfqStory | undefined;
  /** Who asked that nothing be placed, and when. */
  readonly paused?: Paused | undefined;
  readonly amendments: number;
  readonly submittedAt: Instant;
  readonly updatedAt: Instant;
  readonly lastEditedBy: string;
  readonly legs: readonly LegState[];
  /** BALANCE only; absent between two parts. */
  readonly part?: PartState | undefined;
  /** Parts that are over. */
  readonly partsDone: number;
  /** What each leg had filled when the last of them ended; absent before. */
  readonly partBase?: readonly Quantity[] | undefined;
  /** Children that can still change the totals; few at any time. */
  readonly children: ReadonlyMap<ChildLabel, ChildOrder>;
  /** Children that are settled: kept so that a late or repeated report finds its place. */
  readonly ended: LayeredMap<ChildLabel, ChildOrder>;
  /** Trades copied from the mirrored portfolio. */
  readonly mirrored: LayeredMap<string, true>;
  /** Set when the venue contradicted what had been taken as proven. */
  readonly broken: boolean;
}

export const isTerminal = (status: PortfolioStatus): boolean =>
  status === 'filled' || status === 'cancelled';

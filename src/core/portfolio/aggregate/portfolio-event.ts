// The events of a portfolio. Plain JSON (amounts as text), kept for ever and never edited: a changed meaning needs a
// new kind.

import type { ChildRecord } from '../../order/child-record.ts';
import type { TermsRecord } from '../../terms/amend-terms.ts';
import type { RepriceReason, SkipReason } from '../../terms/reasons.ts';
import type { InstrumentRecord, SpecRecord, TickRecord } from '../../terms/spec-record.ts';
import type { RfqEvent } from './residual-rfq-event.ts';

export interface ChildTerms {
  readonly label: string;
  readonly leg: number;
  readonly slice: number;
  readonly attempt: number;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly price: string;
  readonly timeInForce: string;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly validUntil: number;
  /** A leg of an accepted Block RFQ, not an order; absent = an order. */
  readonly block?: true;
}

export type EndReason =
  | 'filled'
  | 'user_request'
  | 'cancel_all'
  | 'time_limit'
  | 'expired'
  | 'reject'
  | 'risk'
  /** The residual is below the minimum order size. */
  | 'below_minimum';

/** Slices from `slice` on follow a new plan that starts at `from`, with `done` counted as filled. */
export interface ReplanRecord {
  readonly from: number;
  readonly slice: number;
  readonly done: string;
}

export interface At {
  /** Epoch milliseconds. */
  readonly at: number;
}

export type PortfolioEvent =
  | (At & {
      readonly kind: 'submitted';
      readonly spec: SpecRecord;
      readonly instruments: readonly InstrumentRecord[];
    })
  | (At & { readonly kind: 'started' })
  /** Slices `from` to `to` (inclusive) of a leg passed without being run. */
  | (At & {
      readonly kind: 'slices_missed';
      readonly leg: number;
      readonly from: number;
      readonly to: number;
      /** The quantity given up with them; absent = nothing, it is caught up. */
      readonly skipped?: string;
    })
  | (At & {
      readonly kind: 'slice_started';
      readonly leg: number;
      readonly slice: number;
      readonly dueAt: number;
      readonly endsAt: number;
      /** The planned size, and the requested size including catch-up. */
      readonly planned: string;
      readonly quantity: string;
      /** Volume traded according to the venue; only if participation is capped. */
      readonly traded?: string;
      /** A hedge of what was executed before the portfolio was paused or cancelled; absent = no. */
      readonly isCover?: true;
    })
  /** The mid when the slice was first priced; only if slippage is capped. */
  | (At & {
      readonly kind: 'slice_arrived';
      readonly leg: number;
      readonly slice: number;
      readonly price: string;
    })
  /** The slice cannot place now; recorded once per reason. */
  | (At & {
      readonly kind: 'slice_waiting';
      readonly leg: number;
      readonly slice: number;
      readonly reason: SkipReason;
      /** For `risk_limit` and `order_cap`: the control, its limit and the value checked. Absent in older events. */
      readonly why?: string;
    })
  | (At & {
      readonly kind: 'slice_ended';
      readonly leg: number;
      readonly slice: number;
      readonly filled: string;
      /** What returned to the pool. */
      readonly returned: string;
    })
  /** A part of a BALANCE portfolio begins; `targets` are the legs' totals after it. */
  | (At & {
      readonly kind: 'part_started';
      readonly part: number;
      readonly stage: 'work' | 'sweep';
      readonly targets: readonly string[];
    })
  /** The part is still not done and nothing has happened for a long time. */
  | (At & { readonly kind: 'part_waiting'; readonly part: number })
  /** From now on the missing quantity of the part is executed at market. */
  | (At & {
      readonly kind: 'part_chased';
      readonly part: number;
      readonly stage: 'chase' | 'sweep';
      readonly missing: readonly string[];
    })
  | (At & {
      readonly kind: 'part_ended';
      readonly part: number;
      readonly filled: readonly string[];
    })
  | (At & { readonly kind: 'child_intended' } & ChildTerms)
  | (At & {
      readonly kind: 'child_live';
      readonly label: string;
      readonly orderId: string;
      readonly price?: string;
    })
  | (At & {
      readonly kind: 'child_rejected';
      readonly label: string;
      readonly code: number;
      readonly message: string;
      readonly retry: boolean;
    })
  | (At & { readonly kind: 'child_unknown'; readonly label: string; readonly reason: string })
  /** One query after the deadline did not find it. */
  | (At & { readonly kind: 'child_absent'; readonly label: string })
  /** Two queries did not find it: it never reached the book. */
  | (At & { readonly kind: 'child_unsent'; readonly label: string })
  | (At & {
      readonly kind: 'child_closed';
      readonly label: string;
      readonly orderId: string;
      readonly state: 'filled' | 'cancelled';
      readonly filled: string;
      readonly reason: string;
    })
  | (At & {
      readonly kind: 'edit_intended';
      readonly label: string;
      readonly number: number;
      readonly price: string;
      readonly validUntil: number;
      /** Default `reference`. */
      readonly reason?: RepriceReason;
    })
  | (At & {
      readonly kind: 'edit_done';
      readonly label: string;
      readonly number: number;
      readonly price: string;
    })
  | (At & {
      readonly kind: 'edit_refused';
      readonly label: string;
      readonly number: number;
      readonly code: number;
      readonly message: string;
    })
  | (At & {
      readonly kind: 'edit_unknown';
      readonly label: string;
      readonly number: number;
      readonly reason: string;
    })
  | (At & {
      readonly kind: 'cancel_intended';
      readonly label: string;
      readonly reason: string;
      readonly retryAt: number;
    })
  | (At & {
      readonly kind: 'fill_booked';
      readonly label: string;
      readonly tradeId: string;
      readonly orderId: string;
      readonly quantity: string;
      readonly price: string;
      readonly fee: string;
      readonly feeCurrency: string;
      readonly liquidity: 'maker' | 'taker';
      readonly tradedAt: number;
    })
  /** A settled child that had left the state is in it again, because what follows is about it. */
  | (At & { readonly kind: 'child_recalled' } & ChildRecord)
  /** A fill of the mirrored portfolio, copied. */
  | (At & {
      readonly kind: 'fill_mirrored';
      readonly leg: number;
      /** Its number among the mirrored portfolio's fills, from 1. Absent in older events. */
      readonly number?: number;
      readonly tradeId: string;
      /** The mirror's share, which may be zero so far. */
      readonly quantity: string;
      /** The mirrored portfolio's fill; absent = the same. */
      readonly original?: string;
      readonly price: string;
      readonly liquidity: 'maker' | 'taker';
      readonly tradedAt: number;
    })
  /** A child declared unsent has appeared at the venue after all: the safety margins were too small. */
  | (At & { readonly kind: 'assumption_broken'; readonly label: string; readonly what: string })
  /** Places nothing until `resumed` and cancels resting orders. The schedule's clock keeps running. */
  | (At & { readonly kind: 'paused'; readonly by: string })
  | (At & { readonly kind: 'resumed'; readonly by: string })
  /** The terms have changed from now on. */
  | (At & {
      readonly kind: 'amended';
      readonly by: string;
      /** Number of the amendment, from 1. */
      readonly number: number;
      readonly before: TermsRecord;
      readonly after: TermsRecord;
      /** Per leg: where its plan restarts; null if it is the plan of the specification. */
      readonly replans: readonly (ReplanRecord | null)[];
      /** Legs whose resting children have a price that is no longer valid. */
      readonly repriced: readonly number[];
    })
  /** The venue has moved an instrument to another grid of prices: later orders go by it. */
  | (At & TickRecord & { readonly kind: 'ticks_changed'; readonly instrument: string })
  /** A hedge is given up, or its portfolio ends, and the fills of the other legs require `quantity` more of it. */
  | (At & { readonly kind: 'hedge_left_open'; readonly leg: number; readonly quantity: string })
  | (At & { readonly kind: 'time_over' })
  | (At & RfqEvent)
  | (At & { readonly kind: 'cancelling'; readonly reason: EndReason; readonly by: string })
  | (At & {
      readonly kind: 'cancelled';
      readonly reason: EndReason;
      readonly residual: readonly string[];
    })
  | (At & { readonly kind: 'filled' });

export type EventKind = PortfolioEvent['kind'];

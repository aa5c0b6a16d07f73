// A portfolio's residual RFQ as the fold of its events: at most one at any time, and none after it has ended.
import type { Price, Quantity } from '../../../values/amounts.ts';
import type { ChildLabel, RfqLabel } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { RfqOutcome, RfqSkip } from './residual-rfq-event.ts';

/** What is requested for one leg. */
export interface RfqPart {
  readonly leg: number;
  readonly quantity: Quantity;
  /** It is the RFQ's hedge, at this price. */
  readonly hedgePrice?: Price | undefined;
  /** Leg size per unit of the structure, once the venue has reported it; a hedge has none. */
  readonly ratio?: Quantity | undefined;
}

export interface RfqOffer {
  /** Price of the structure, for the buyer of its legs as listed. */
  readonly price: Price;
  readonly makers: number;
  readonly isWhole: boolean;
}

/** An accept whose outcome is not known yet. */
export interface PendingAccept {
  readonly number: number;
  readonly price: Price;
  readonly labels: readonly ChildLabel[];
  readonly validUntil: Instant;
  readonly state: 'sending' | 'unknown';
}

export interface ResidualRfqState {
  /** Number of RFQs requested, including this one; all but the last were refused. */
  readonly number: number;
  readonly label: RfqLabel;
  /**
   * `sending`  intent durable, no answer yet
   * `unknown`  no usable answer
   * `refused`  by the venue, to be sent again
   * `open`     the venue has it
   * `over`     nothing of it can trade any more
   */
  readonly stage: 'sending' | 'unknown' | 'refused' | 'open' | 'over';
  readonly parts: readonly RfqPart[];
  readonly intendedAt: Instant;
  readonly validUntil: Instant;
  readonly endsAt: Instant;
  readonly retryAt?: Instant | undefined;
  /** Time of the first query after the deadline that did not find it. */
  readonly absentSince?: Instant | undefined;
  readonly id?: string | undefined;
  /** Of the structure. */
  readonly quantity?: Quantity | undefined;
  readonly best?: RfqOffer | undefined;
  readonly accepts: number;
  readonly accept?: PendingAccept | undefined;
  /** Cancel requested; not sent again before `retryAt`. */
  readonly cancel?: { readonly reason: string; readonly retryAt: Instant } | undefined;
  readonly outcome?: RfqOutcome | undefined;
  /** The trade price of the structure. */
  readonly price?: Price | undefined;
}

/** The end action's RFQ: requested, or skipped. */
export type RfqStory =
  | (ResidualRfqState & { readonly overAt?: Instant | undefined })
  | { readonly stage: 'skipped'; readonly why: RfqSkip; readonly overAt: Instant };

interface Teller {
  readonly rfq?: RfqStory | undefined;
}

/** The RFQ that is at the venue or may be. */
export const openRfq = ({ rfq }: Teller): ResidualRfqState | undefined =>
  rfq === undefined || rfq.stage === 'skipped' || rfq.stage === 'over' ? undefined : rfq;

/** The RFQ that was requested, ended or not. */
export const requestedRfq = ({ rfq }: Teller): ResidualRfqState | undefined =>
  rfq === undefined || rfq.stage === 'skipped' ? undefined : rfq;

// The Block RFQ of a portfolio's end as the fold of its events: one at most at any time, and none after
// it is over.
import type { Price, Quantity } from '../../../values/amounts.ts';
import type { ChildLabel, RfqLabel } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { RfqOutcome, RfqSkip } from './residual-rfq-event.ts';

/** What is asked for of one leg. */
export interface RfqPart {
  readonly leg: number;
  readonly quantity: Quantity;
  /** It goes as the hedge, at this price. */
  readonly hedgePrice?: Price | undefined;
  /** Leg size per quantity of the structure, once the venue has told; a hedge has none. */
  readonly ratio?: Quantity | undefined;
}

export interface RfqOffer {
  /** Of the structure, for who buys its legs as they are listed. */
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
  /** How many were asked for, this one included; each but the last was refused. */
  readonly number: number;
  readonly label: RfqLabel;
  /**
   * `sending`  intent durable, no answer yet
   * `unknown`  no usable answer
   * `refused`  by the venue's own word, to be asked again
   * `open`     the venue has it
   * `over`     nothing of it can trade any more
   */
  readonly stage: 'sending' | 'unknown' | 'refused' | 'open' | 'over';
  readonly parts: readonly RfqPart[];
  readonly intendedAt: Instant;
  readonly validUntil: Instant;
  readonly endsAt: Instant;
  readonly retryAt?: Instant | undefined;
  /** First query after the deadline that did not find it. */
  readonly absentSince?: Instant | undefined;
  readonly id?: string | undefined;
  /** Of the structure. */
  readonly quantity?: Quantity | undefined;
  readonly best?: RfqOffer | undefined;
  readonly accepts: number;
  readonly accept?: PendingAccept | undefined;
  /** Taken back; not asked for again before `retryAt`. */
  readonly cancel?: { readonly reason: string; readonly retryAt: Instant } | undefined;
  readonly outcome?: RfqOutcome | undefined;
  /** What was paid for the structure. */
  readonly price?: Price | undefined;
}

/** The end action's RFQ: asked for, or passed over. */
export type RfqStory =
  | (ResidualRfqState & { readonly overAt?: Instant | undefined })
  | { readonly stage: 'skipped'; readonly why: RfqSkip; readonly overAt: Instant };

interface Teller {
  readonly rfq?: RfqStory | undefined;
}

/** The RFQ that is at the venue or may be. */
export const openRfq = ({ rfq }: Teller): ResidualRfqState | undefined =>
  rfq === undefined || rfq.stage === 'skipped' || rfq.stage === 'over' ? undefined : rfq;

/** The RFQ that was asked for, over or not. */
export const askedRfq = ({ rfq }: Teller): ResidualRfqState | undefined =>
  rfq === undefined || rfq.stage === 'skipped' ? undefined : rfq;

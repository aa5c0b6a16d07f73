// A maker's quote for a Block RFQ, as the exchange keeps it. Records are immutable; a change replaces the
// record.
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Side } from '../../values/instrument.ts';

export type RfqQuoteStatus = 'open' | 'filled' | 'cancelled' | 'expired';
export type ExecutionInstruction = 'any_part_of' | 'all_or_none';

/** Why the quote is no longer open. */
export type QuoteEndReason =
  | 'user_request'
  | 'rfq_filled'
  | 'rfq_expired'
  | 'rfq_cancelled'
  | 'rfq_failed'
  | 'quote_expired'
  | 'mmp_trigger'
  | 'not_enough_funds';

export interface RfqQuote {
  readonly id: string;
  /** The {@link Rfq.number} it is for. */
  readonly rfq: number;
  readonly maker: AccountId;
  readonly label: string;
  /** The maker's: buy is a bid for the structure as listed. */
  readonly side: Side;
  readonly units: number;
  readonly filledUnits: number;
  /** Of the structure, in its resolution. */
  readonly ticks: number;
  /** Of each leg, in its ticks; they add up to `ticks`. */
  readonly legTicks: readonly number[];
  readonly instruction: ExecutionInstruction;
  readonly status: RfqQuoteStatus;
  readonly reason?: QuoteEndReason | undefined;
  /** True after an edit. */
  readonly replaced: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly expiresAt?: Instant | undefined;
  readonly mmpGroup?: string | undefined;
  /** Time priority: the lower goes first. An edited quote goes to the end. */
  readonly rank: number;
}

export const unfilledUnits = (quote: RfqQuote): number => quote.units - quote.filledUnits;

// What can have happened to the Block RFQ by which a portfolio asks for its residual. Amounts as text; the
// legs of an accept are children, with events of their own.

/** Why the residual was not asked for. */
export type RfqSkip =
  | 'paused'
  | 'late'
  | 'quiet_window'
  | 'halted'
  | 'mmp_frozen'
  | 'unsettled'
  | 'no_reference';

/**
 * `traded`     accepted, every leg booked
 * `refused`    the venue's own word, for good
 * `unsent`     proven never to have reached it
 * `cancelled`, `expired`, `failed`  over there without a trade
 */
export type RfqOutcome = 'traded' | 'refused' | 'unsent' | 'cancelled' | 'expired' | 'failed';

export interface RfqLegAsked {
  readonly leg: number;
  readonly quantity: string;
  /** On the leg that goes as the hedge of the RFQ: the price it is fixed at. */
  readonly hedgePrice?: string | undefined;
}

export type RfqEvent =
  | { readonly kind: 'rfq_skipped'; readonly why: RfqSkip }
  | {
      readonly kind: 'rfq_intended';
      /** From 1. */
      readonly number: number;
      readonly rfqLabel: string;
      readonly legs: readonly RfqLegAsked[];
      readonly validUntil: number;
      /** When it is taken back at the latest. */
      readonly endsAt: number;
    }
  | {
      readonly kind: 'rfq_refused';
      readonly number: number;
      readonly code: number;
      readonly message: string;
      /** It may be asked again after this; absent = it is over. */
      readonly retryAt?: number | undefined;
    }
  | { readonly kind: 'rfq_unknown'; readonly number: number; readonly reason: string }
  /** One query after the deadline did not find it. */
  | { readonly kind: 'rfq_absent'; readonly number: number }
  | {
      readonly kind: 'rfq_opened';
      readonly number: number;
      readonly rfqId: string;
      /** Of the structure; a leg's is that times its ratio. */
      readonly quantity: string;
      readonly ratios: readonly { readonly leg: number; readonly ratio: string }[];
    }
  /** The best that is offered for the whole has changed; without a price there is nothing any more. */
  | {
      readonly kind: 'rfq_quoted';
      readonly number: number;
      readonly price?: string | undefined;
      readonly makers: number;
      /** One maker's for the whole. */
      readonly isWhole: boolean;
    }
  | {
      readonly kind: 'rfq_accept_intended';
      readonly number: number;
      /** From 1. */
      readonly accept: number;
      readonly price: string;
      /** The worst that would have been accepted at that moment; absent where somebody else accepted. */
      readonly limit?: string | undefined;
      /** One child for each leg that was asked for. */
      readonly labels: readonly string[];
      readonly validUntil: number;
    }
  | {
      readonly kind: 'rfq_accept_refused';
      readonly number: number;
      readonly accept: number;
      readonly code: number;
      readonly message: string;
    }
  | {
      readonly kind: 'rfq_accept_unknown';
      readonly number: number;
      readonly accept: number;
      readonly reason: string;
    }
  | {
      readonly kind: 'rfq_cancel_intended';
      readonly number: number;
      readonly reason: string;
      readonly retryAt: number;
    }
  | {
      readonly kind: 'rfq_over';
      readonly number: number;
      readonly outcome: RfqOutcome;
      /** What the structure was traded at. */
      readonly price?: string | undefined;
    };

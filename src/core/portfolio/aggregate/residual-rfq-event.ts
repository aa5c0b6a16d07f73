// The events of a portfolio's residual RFQ. Amounts as text; the legs of an accept are children, with events of their
// own.

/** Why no RFQ was sent for the residual. */
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
 * `refused`    by the venue, for good
 * `unsent`     proven never to have reached the venue
 * `cancelled`, `expired`, `failed`  ended at the venue without a trade
 */
export type RfqOutcome = 'traded' | 'refused' | 'unsent' | 'cancelled' | 'expired' | 'failed';

export interface RequestedRfqLeg {
  readonly leg: number;
  readonly quantity: string;
  /** On the leg that is the RFQ's hedge: its fixed price. */
  readonly hedgePrice?: string | undefined;
}

export type RfqEvent =
  | { readonly kind: 'rfq_skipped'; readonly why: RfqSkip }
  | {
      readonly kind: 'rfq_intended';
      /** From 1. */
      readonly number: number;
      readonly rfqLabel: string;
      readonly legs: readonly RequestedRfqLeg[];
      readonly validUntil: number;
      /** When it is cancelled at the latest. */
      readonly endsAt: number;
    }
  | {
      readonly kind: 'rfq_refused';
      readonly number: number;
      readonly code: number;
      readonly message: string;
      /** May be sent again after this; absent = it is final. */
      readonly retryAt?: number | undefined;
    }
  | { readonly kind: 'rfq_unknown'; readonly number: number; readonly reason: string }
  /** One query after the deadline did not find it. */
  | { readonly kind: 'rfq_absent'; readonly number: number }
  | {
      readonly kind: 'rfq_opened';
      readonly number: number;
      readonly rfqId: string;
      /** Of the structure; a leg's quantity is this times its ratio. */
      readonly quantity: string;
      readonly ratios: readonly { readonly leg: number; readonly ratio: string }[];
    }
  /** The best offer for the whole has changed; without a price there is none any more. */
  | {
      readonly kind: 'rfq_quoted';
      readonly number: number;
      readonly price?: string | undefined;
      readonly makers: number;
      /** Whether one maker offers the whole quantity. */
      readonly isWhole: boolean;
    }
  | {
      readonly kind: 'rfq_accept_intended';
      readonly number: number;
      /** From 1. */
      readonly accept: number;
      readonly price: string;
      /** The worst price acceptable at that moment; absent if the RFQ was accepted by someone else. */
      readonly limit?: string | undefined;
      /** One child for each requested leg. */
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
      /** The trade price of the structure. */
      readonly price?: string | undefined;
    };

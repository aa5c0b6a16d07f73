// The commands of a portfolio: requests and reports. Each command carries `now`.
import type { ChildLabel } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { VenueOrder, VenueTrade } from '../../order/venue-report.ts';
import type { AmendTerms, TermsRecord } from '../../terms/amend-terms.ts';
import type { TickRecord } from '../../terms/spec-record.ts';
import type { EndReason } from './portfolio-event.ts';
import type { RfqCommand } from './residual-rfq-report.ts';

export type PortfolioCommand =
  /** Do whatever is due at `now`. */
  | {
      readonly kind: 'advance';
      readonly now: Instant;
      /** The instant of a slice that is decided now although it is further ahead than usual; see `armedNow`. */
      readonly sliceAt?: Instant | undefined;
    }
  /** A venue's report about orders and trades that carry our labels. */
  | {
      readonly kind: 'record_report';
      readonly now: Instant;
      readonly orders: readonly VenueOrder[];
      readonly trades: readonly VenueTrade[];
      /** Number of the edit this answers, if it answers one. */
      readonly editNumber?: number | undefined;
      /** When the query started that this answers; absent for what the venue published, which may be older. */
      readonly askedAt?: Instant | undefined;
    }
  | {
      readonly kind: 'record_refusal';
      readonly now: Instant;
      readonly label: ChildLabel;
      readonly code: number;
      readonly message: string;
      readonly retry: boolean;
    }
  | {
      readonly kind: 'record_unknown';
      readonly now: Instant;
      readonly label: ChildLabel;
      readonly reason: string;
    }
  /** A query found no order with this label. */
  | {
      readonly kind: 'record_absent';
      readonly now: Instant;
      readonly label: ChildLabel;
      /** When the query started: it may not show anything that happened at the venue later. */
      readonly askedAt: Instant;
    }
  | {
      readonly kind: 'record_edit_refusal';
      readonly now: Instant;
      readonly label: ChildLabel;
      readonly number: number;
      readonly code: number;
      readonly message: string;
    }
  | {
      readonly kind: 'record_edit_unknown';
      readonly now: Instant;
      readonly label: ChildLabel;
      readonly number: number;
      readonly reason: string;
    }
  /** The venue lists an instrument with another grid of prices. No effect if it is known already. */
  | (TickRecord & {
      readonly kind: 'record_ticks';
      readonly now: Instant;
      readonly instrument: string;
    })
  | {
      readonly kind: 'cancel';
      readonly now: Instant;
      readonly reason: EndReason;
      readonly by: string;
    }
  /** No effect if it already is in that state, or if it has ended. */
  | {
      readonly kind: 'pause';
      readonly now: Instant;
      readonly by: string;
      /** When that happened for which it is paused: no effect if it was resumed since. Absent: now. */
      readonly about?: Instant | undefined;
    }
  | { readonly kind: 'resume'; readonly now: Instant; readonly by: string }
  /** Refused or applied, see `amend`. */
  | {
      readonly kind: 'amend';
      readonly now: Instant;
      readonly by: string;
      readonly terms: AmendTerms;
    }
  | RfqCommand
  /** Fills of the portfolio that this one mirrors; `over` when it ends, `amended` once it was amended. */
  | {
      readonly kind: 'mirror';
      readonly now: Instant;
      readonly fills: readonly MirroredFill[];
      readonly amended?: MirroredTerms | undefined;
      readonly over?: { readonly filled: boolean; readonly reason: EndReason } | undefined;
    };

/** The terms of the mirrored portfolio after its latest amendment. */
export interface MirroredTerms {
  readonly number: number;
  readonly by: string;
  readonly terms: TermsRecord;
}

export interface MirroredFill {
  /** Among the mirrored portfolio's fills, from 1. */
  readonly number: number;
  readonly leg: number;
  readonly tradeId: string;
  readonly quantity: string;
  readonly price: string;
  readonly liquidity: 'maker' | 'taker';
  readonly tradedAt: number;
}

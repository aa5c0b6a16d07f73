// What a venue reports about a Block RFQ of ours, in our terms, and the commands that pass it to the portfolio.
import type { Money, Price, Quantity, Ratio } from '../../../values/amounts.ts';
import type { Currency, InstrumentName, RfqLabel, TradeId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';
import type { RfqOffer } from './residual-rfq-state.ts';

export interface VenueRfq {
  readonly rfqId: string;
  readonly status: 'live' | 'filled' | 'cancelled' | 'expired' | 'failed';
  /** Of the structure. */
  readonly quantity: Quantity;
  readonly ratios: readonly { readonly instrument: InstrumentName; readonly ratio: Ratio }[];
  /** The price at which the whole quantity is currently available. */
  readonly offer?: RfqOffer | undefined;
}

/** One leg of a block trade, or its hedge; the side is ours. */
export interface VenueBlockRow {
  readonly tradeId: TradeId;
  /** Id of the block trade. */
  readonly blockId: string;
  /** Price of the structure. */
  readonly blockPrice: Price;
  readonly instrument: InstrumentName;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: Price;
  readonly fee: Money;
  readonly feeCurrency: Currency;
  readonly liquidity: 'maker' | 'taker';
  readonly at: Instant;
}

interface About {
  readonly now: Instant;
  readonly rfqLabel: RfqLabel;
}

export type RfqCommand =
  /** `trades` is complete; absent = not queried. */
  | (About & {
      readonly kind: 'record_rfq';
      readonly rfq: VenueRfq;
      readonly trades?: readonly VenueBlockRow[] | undefined;
    })
  /** It was not created and does not exist. */
  | (About & {
      readonly kind: 'record_rfq_refusal';
      readonly code: number;
      readonly message: string;
      readonly retry: boolean;
    })
  | (About & { readonly kind: 'record_rfq_unknown'; readonly reason: string })
  /** A query started at `askedAt` found none with this label. */
  | (About & { readonly kind: 'record_rfq_absent'; readonly askedAt: Instant })
  /** Nothing was traded by this accept. */
  | (About & {
      readonly kind: 'record_accept_refusal';
      readonly accept: number;
      readonly code: number;
      readonly message: string;
    })
  | (About & {
      readonly kind: 'record_accept_unknown';
      readonly accept: number;
      readonly reason: string;
    });

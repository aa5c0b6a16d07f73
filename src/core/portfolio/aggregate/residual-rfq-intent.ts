// External effects requested for a portfolio's residual RFQ, performed once the events are durable.
import type { Price, Quantity } from '../../../values/amounts.ts';
import type { InstrumentName, RfqLabel } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';

interface SizedSide {
  readonly instrument: InstrumentName;
  readonly quantity: Quantity;
  readonly side: Side;
}

export type RfqIntent =
  | {
      readonly kind: 'create_rfq';
      readonly rfqLabel: RfqLabel;
      readonly legs: readonly SizedSide[];
      readonly hedge?: (SizedSide & { readonly price: Price }) | undefined;
      readonly makers: readonly string[];
      readonly disclosed: boolean;
      /** Must not be sent from then on. */
      readonly validUntil: Instant;
    }
  | {
      readonly kind: 'accept_rfq';
      readonly rfqLabel: RfqLabel;
      readonly rfqId: string;
      readonly accept: number;
      /** Of the structure. */
      readonly quantity: Quantity;
      readonly price: Price;
      readonly validUntil: Instant;
    }
  | { readonly kind: 'cancel_rfq'; readonly rfqLabel: RfqLabel; readonly rfqId: string }
  /** Query the venue for its outcome. */
  | { readonly kind: 'ask_rfq'; readonly rfqLabel: RfqLabel; readonly rfqId?: string | undefined };

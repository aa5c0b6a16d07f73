// What the core wants done about the Block RFQ of a portfolio's end, once the events are durable.
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
      /** Not to be sent any more from then on. */
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
  /** Ask the venue what has become of it. */
  | { readonly kind: 'ask_rfq'; readonly rfqLabel: RfqLabel; readonly rfqId?: string | undefined };

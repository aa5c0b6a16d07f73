// External effects requested by the core. Performed only after the events of the same turn are durable; an intent can
// always be derived from the state again, and performing it twice has the effect of once.

import type { Price, Quantity } from '../../../values/amounts.ts';
import type { ChildLabel, InstrumentName, OrderId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';
import type { TimeInForce } from '../../../values/order-terms.ts';
import type { RfqIntent } from './residual-rfq-intent.ts';

export type OrderIntent =
  | {
      readonly kind: 'place';
      readonly label: ChildLabel;
      readonly instrument: InstrumentName;
      readonly side: Side;
      readonly quantity: Quantity;
      readonly price: Price;
      readonly timeInForce: TimeInForce;
      readonly postOnly: boolean;
      readonly reduceOnly: boolean;
      readonly validUntil: Instant;
      readonly leg: number;
      readonly slice: number;
      /** The slice is due then; it may have been decided ahead. Must not be sent earlier. */
      readonly notBefore: Instant;
      /**
       * When the slice was due; lateness is measured from here. Absent for a later attempt, and if an option delayed
       * it.
       */
      readonly dueAt?: Instant | undefined;
    }
  | {
      readonly kind: 'edit';
      readonly label: ChildLabel;
      readonly number: number;
      readonly instrument: InstrumentName;
      /** New total, including fills. */
      readonly quantity: Quantity;
      readonly price: Price;
      readonly postOnly: boolean;
      readonly reduceOnly: boolean;
      readonly validUntil: Instant;
    }
  | {
      readonly kind: 'cancel';
      readonly label: ChildLabel;
      readonly instrument: InstrumentName;
      readonly orderId?: OrderId | undefined;
    }
  /** Query the venue for the outcome of a child. */
  | {
      readonly kind: 'settle';
      readonly label: ChildLabel;
      readonly instrument: InstrumentName;
      /** A query started from then on is sufficient. Absent: only a query started from now on is. */
      readonly dueAt?: Instant | undefined;
    };

export type Intent = OrderIntent | RfqIntent;

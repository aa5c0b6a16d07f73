// What the core wants done outside. Performed only after the events of the same turn are durable; an
// intent can always be told again from the state, and doing it twice does it once.
import type { Price, Quantity } from '../../../values/amounts.ts';
import type { ChildLabel, InstrumentName, OrderId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';
import type { TimeInForce } from '../../terms/spec.ts';
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
      /** The slice is due then; it may have been decided ahead. Not sent sooner. */
      readonly notBefore: Instant;
      /** When the slice was due; lateness is measured from here. Absent for a later attempt, and where an option held it back. */
      readonly dueAt?: Instant | undefined;
    }
  | {
      readonly kind: 'edit';
      readonly label: ChildLabel;
      readonly number: number;
      readonly instrument: InstrumentName;
      /** New total, fills included. */
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
  /** Ask the venue what became of a child. */
  | {
      readonly kind: 'settle';
      readonly label: ChildLabel;
      readonly instrument: InstrumentName;
      /** What was asked from then on answers it. Absent: only what is asked from now on does. */
      readonly dueAt?: Instant | undefined;
    };

export type Intent = OrderIntent | RfqIntent;

// The venue as one life of a daemon reaches it: over a faulty connection, with every request reported to the witness as it
// is sent, and with no traffic once the process has ended.

import type { NewQuote, NewRfq, QuoteChange, RfqAccept } from '../../../src/ports/block-rfq.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type {
  CancelOrder,
  NewOrder,
  OpenOrdersFilter,
  OrderChange,
} from '../../../src/ports/trading-desk.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import type { Price, Quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { AccountId, InstrumentName, OrderId } from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';
import type { Side } from '../../../src/values/instrument.ts';
import type { TimeInForce } from '../../../src/values/order-terms.ts';
import { FaultyVenue } from '../../doubles/faults/faulty-venue.ts';
import { OWN_PREFIX } from './lagging-venue.ts';
import type { Life } from './life.ts';
import { frontOf, type Port, type Through } from './port-front.ts';
import type { Trouble } from './trouble.ts';
import { TroubledLine } from './troubled-line.ts';

/** A child as it is sent. */
export interface SentChild {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: Price;
  readonly label: string;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly mmp: boolean;
  readonly validUntil: Instant;
}

export type SentEdit = Pick<
  SentChild,
  | 'account'
  | 'instrument'
  | 'label'
  | 'quantity'
  | 'price'
  | 'postOnly'
  | 'reduceOnly'
  | 'validUntil'
>;

export interface SentCancel {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly label: string;
}

/** A request in the moment a daemon hands it to its venue. */
export type Requested =
  | { readonly method: 'place'; readonly request: SentChild }
  | { readonly method: 'edit'; readonly request: SentEdit }
  | { readonly method: 'cancel'; readonly request: SentCancel }
  /** For manual orders. */
  | { readonly method: 'enter'; readonly request: NewOrder }
  | { readonly method: 'change'; readonly request: OrderChange }
  | { readonly method: 'create_rfq'; readonly request: NewRfq }
  | { readonly method: 'accept'; readonly request: RfqAccept }
  | { readonly method: 'quote'; readonly request: NewQuote }
  | { readonly method: 'change_quote'; readonly request: QuoteChange };

export interface LifeVenueParts {
  readonly venue: Venue;
  /** True time. */
  readonly clock: Clock;
  readonly trouble: Trouble;
  readonly refusalCode: number;
  readonly life: Life;
  /** The label of an order at the exchange. */
  readonly labelOf: (orderId: OrderId) => string | undefined;
  readonly onRequest: (requested: Requested) => void;
  /** The process has been told what is open of the account. */
  readonly onListed: (account: AccountId) => void;
}

const CALLS = new Set([
  'place',
  'edit',
  'cancel',
  'cancelAll',
  'order',
  'ordersLabelled',
  'reconcile',
  'openOrders',
  'orderHistory',
  'trades',
  'positions',
  'summary',
  'subscribe',
]);
const RFQ_CALLS = new Set([
  'create',
  'rfqs',
  'cancelRfq',
  'cancelTrigger',
  'accept',
  'quote',
  'editQuote',
  'cancelQuote',
  'cancelQuotes',
  'quotes',
  'makers',
  'blockTrades',
  'listen',
]);

/** What leaves, by the name of its method. */
export const isOfChild = (
  requested: Requested,
): requested is Extract<Requested, { method: 'place' | 'edit' | 'cancel' }> =>
  requested.method === 'place' || requested.method === 'edit' || requested.method === 'cancel';

type Reading = (request: never, parts: LifeVenueParts) => Requested | undefined;

const isOwn = (label: string): boolean => label.startsWith(OWN_PREFIX);

/** The judges' view of a request to the venue; `undefined` for a manual cancel. */
const REQUESTED: Readonly<Record<string, Reading>> = {
  place: (request: NewOrder) =>
    isOwn(request.label)
      ? { method: 'place', request: sentChild(request) }
      : { method: 'enter', request },
  edit: (request: OrderChange) => {
    const { of } = request;
    return 'label' in of && isOwn(of.label)
      ? { method: 'edit', request: sentEdit(request, of) }
      : { method: 'change', request };
  },
  cancel: ({ account, of }: CancelOrder, { labelOf }) => {
    const label = 'label' in of ? of.label : (labelOf(of.orderId) ?? '');
    // A slice and the engine name the instrument; a person names only the order.
    const { instrument } = of;
    return instrument && { method: 'cancel', request: { account, instrument, label } };
  },
};

const RFQ_REQUESTED: Readonly<Record<string, Reading>> = {
  create: (request: NewRfq) => ({ method: 'create_rfq', request }),
  accept: (request: RfqAccept) => ({ method: 'accept', request }),
  quote: (request: NewQuote) => ({ method: 'quote', request }),
  editQuote: (request: QuoteChange) => ({ method: 'change_quote', request }),
};

const sentChild = ({ price, validUntil, ...rest }: NewOrder): SentChild => {
  const { type: _type, rejectPostOnly: _reject, ...request } = rest;
  const terms = {
    price: must(price, 'a child has a price'),
    validUntil: must(validUntil, 'a child has an end'),
  };
  return { ...request, ...terms };
};

const sentEdit = (
  { account, quantity, price, postOnly, reduceOnly, validUntil }: OrderChange,
  { label, instrument }: { readonly label: string; readonly instrument: InstrumentName },
): SentEdit => ({
  account,
  instrument,
  label,
  postOnly: postOnly === true,
  reduceOnly: reduceOnly === true,
  quantity: must(quantity, 'an edit of a child has a size'),
  price: must(price, 'an edit of a child has a price'),
  validUntil: must(validUntil, 'an edit of a child has an end'),
});

export function venueOfLife(parts: LifeVenueParts): Venue {
  const { venue, clock, trouble, refusalCode } = parts;
  const venueNow = (): Instant => venue.venueNow();
  const line = new TroubledLine({ clock, trouble, refusalCode, venueNow });
  const faulty = new FaultyVenue(venue, clock, line);
  const { rfqs } = faulty;
  return Object.defineProperties(frontOf<Venue>(faulty, CALLS, new Mortal(parts, REQUESTED)), {
    rfqs: { value: rfqs && frontOf(rfqs, RFQ_CALLS, new Mortal(parts, RFQ_REQUESTED)) },
  });
}

type Listener = (told: unknown) => void;

/** Between a life and a port of its venue. */
class Mortal implements Through {
  readonly #parts: LifeVenueParts;
  readonly #readings: Readonly<Record<string, Reading>>;

  constructor(parts: LifeVenueParts, readings: Readonly<Record<string, Reading>>) {
    this.#parts = parts;
    this.#readings = readings;
  }

  pass(name: string, port: Port, given: readonly unknown[]): unknown {
    const { life, onRequest } = this.#parts;
    if (name === 'subscribe' || name === 'listen') return this.#listens(name, port, given);
    const [request] = given;
    const requested = this.#readings[name]?.(request as never, this.#parts);
    if (requested !== undefined && !life.isOver) onRequest(requested);
    const answer = life.pass(name, port, given);
    return name === 'openOrders' ? this.#listed(answer, request as OpenOrdersFilter) : answer;
  }

  #listens(name: string, port: Port, [listener]: readonly unknown[]): unknown {
    const { life } = this.#parts;
    return port[name]?.((news: unknown) => life.whenMoving(() => (listener as Listener)(news)));
  }

  async #listed(asked: Promise<unknown>, filter: OpenOrdersFilter): Promise<unknown> {
    const answer = await asked;
    const { kind } = answer as Awaited<ReturnType<Venue['openOrders']>>;
    if (kind === 'done' && filter.labelPrefix !== undefined) this.#parts.onListed(filter.account);
    return answer;
  }
}

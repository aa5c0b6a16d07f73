// The venue as one life of a daemon reaches it: over a faulty connection, with every request reported to the witness as it
// is sent, and with no traffic once the process has ended.
import type { NewQuote, NewRfq, QuoteChange, RfqAccept } from '../../../src/ports/block-rfq.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { NewOrder, OrderChange } from '../../../src/ports/trading-desk.ts';
import type { EditRequest, OrderRequest, Venue } from '../../../src/ports/venue.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';
import { FaultyVenue } from '../../../src/virtual/faults/faulty-venue.ts';
import type { Life } from './life.ts';
import { frontOf, type Port, type Through } from './port-front.ts';
import type { Trouble } from './trouble.ts';
import { TroubledLine } from './troubled-line.ts';

/** A request in the moment a daemon hands it to its venue. */
export type Requested =
  | { readonly method: 'place'; readonly request: OrderRequest }
  | { readonly method: 'edit'; readonly request: EditRequest }
  | { readonly method: 'cancel'; readonly request: Parameters<Venue['cancel']>[0] }
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
  readonly onRequest: (requested: Requested) => void;
  /** The process has been told what is open of the account. */
  readonly onListed: (account: AccountId) => void;
}

const CALLS = new Set([
  ...['place', 'editByLabel', 'cancel', 'ordersByLabel', 'openOrders', 'subscribe'],
]);
const DESK_CALLS = new Set([
  ...['enter', 'edit', 'cancel', 'cancelAll', 'order', 'ordersLabelled', 'openOrdersOf'],
  ...['orderHistory', 'trades', 'positionsOf', 'summaryOf', 'listen'],
]);
const RFQ_CALLS = new Set([
  ...['create', 'rfqs', 'cancelRfq', 'cancelTrigger', 'accept', 'quote', 'editQuote'],
  ...['cancelQuote', 'cancelQuotes', 'quotes', 'makers', 'blockTrades', 'listen'],
]);

/** What leaves, by the name of its method. */
export const isOfChild = (
  requested: Requested,
): requested is Extract<Requested, { method: 'place' | 'edit' | 'cancel' }> =>
  requested.method === 'place' || requested.method === 'edit' || requested.method === 'cancel';

const TOLD: Readonly<Record<string, Requested['method']>> = {
  place: 'place',
  editByLabel: 'edit',
  cancel: 'cancel',
};
const DESK_TOLD: Readonly<Record<string, Requested['method']>> = { enter: 'enter', edit: 'change' };
const RFQ_TOLD: Readonly<Record<string, Requested['method']>> = {
  create: 'create_rfq',
  accept: 'accept',
  quote: 'quote',
  editQuote: 'change_quote',
};

export function venueOfLife(parts: LifeVenueParts): Venue {
  const { venue, clock, trouble, refusalCode } = parts;
  const venueNow = (): Instant => venue.venueNow();
  const line = new TroubledLine({ clock, trouble, refusalCode, venueNow });
  const faulty = new FaultyVenue(venue, clock, line);
  const { desk, rfqs } = faulty;
  return Object.defineProperties(frontOf<Venue>(faulty, CALLS, new Mortal(parts, TOLD)), {
    desk: { value: frontOf(desk, DESK_CALLS, new Mortal(parts, DESK_TOLD)) },
    rfqs: { value: rfqs && frontOf(rfqs, RFQ_CALLS, new Mortal(parts, RFQ_TOLD)) },
  });
}

type Listener = (told: unknown) => void;

/** Between a life and a port of its venue. */
class Mortal implements Through {
  readonly #parts: LifeVenueParts;
  readonly #told: Readonly<Record<string, Requested['method']>>;

  constructor(parts: LifeVenueParts, told: Readonly<Record<string, Requested['method']>>) {
    this.#parts = parts;
    this.#told = told;
  }

  pass(name: string, port: Port, given: readonly unknown[]): unknown {
    const { life, onRequest } = this.#parts;
    if (name === 'subscribe' || name === 'listen') return this.#listens(name, port, given);
    const method = this.#told[name];
    if (method !== undefined && !life.isOver) {
      onRequest({ method, request: given[0] } as Requested);
    }
    const answer = life.pass(name, port, given);
    return name === 'openOrders' ? this.#listed(answer, given[0] as AccountId) : answer;
  }

  #listens(name: string, port: Port, [listener]: readonly unknown[]): unknown {
    const { life } = this.#parts;
    return port[name]?.((news: unknown) => life.whenMoving(() => (listener as Listener)(news)));
  }

  async #listed(asked: Promise<unknown>, account: AccountId): Promise<unknown> {
    const answer = await asked;
    const { kind } = answer as Awaited<ReturnType<Venue['openOrders']>>;
    if (kind !== 'unknown') this.#parts.onListed(account);
    return answer;
  }
}

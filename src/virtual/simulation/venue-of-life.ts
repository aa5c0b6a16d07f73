// The venue as one life of a daemon reaches it: over a line with troubles, with every request told in the
// moment it leaves, and with nothing that gets through once the process is over.
import type { NewQuote, NewRfq, QuoteChange, RfqAccept } from '../../ports/block-rfq.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NewOrder, OrderChange } from '../../ports/trading-desk.ts';
import type { EditRequest, OrderRequest, Venue } from '../../ports/venue.ts';
import { must } from '../../values/assert.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { FaultyVenue } from '../faulty-venue.ts';
import type { Life } from './life.ts';
import type { Trouble } from './trouble.ts';
import { TroubledLine } from './troubled-line.ts';

/** A request in the moment a daemon hands it to its venue. */
export type Requested =
  | { readonly method: 'place'; readonly request: OrderRequest }
  | { readonly method: 'edit'; readonly request: EditRequest }
  | { readonly method: 'cancel'; readonly request: Parameters<Venue['cancel']>[0] }
  /** By hand. */
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

const CALLS = new Set(['place', 'editByLabel', 'cancel', 'ordersByLabel', 'openOrders']);
const DESK_CALLS = new Set([
  ...['enter', 'edit', 'cancel', 'cancelAll', 'order', 'ordersLabelled', 'openOrdersOf'],
  ...['orderHistory', 'trades', 'positionsOf', 'summaryOf'],
]);
const RFQ_CALLS = new Set([
  ...['create', 'rfqs', 'cancelRfq', 'cancelTrigger', 'accept', 'quote', 'editQuote'],
  ...['cancelQuote', 'cancelQuotes', 'quotes', 'makers', 'blockTrades'],
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
  const behind = mortal<Venue>(faulty, { parts, calls: CALLS, told: TOLD, listens: 'subscribe' });
  const asked = behind.openOrders.bind(behind);
  const openOrders: Venue['openOrders'] = async (account, prefix) => {
    const answer = await asked(account, prefix);
    if (answer.kind !== 'unknown') parts.onListed(account);
    return answer;
  };
  const orders = { calls: DESK_CALLS, told: DESK_TOLD, listens: 'listen' };
  const blocks = { calls: RFQ_CALLS, told: RFQ_TOLD, listens: 'listen' };
  return Object.defineProperties(behind, {
    openOrders: { value: openOrders },
    desk: { value: mortal(desk, { parts, ...orders }) },
    rfqs: { value: rfqs && mortal(rfqs, { parts, ...blocks }) },
  });
}

interface Mortality {
  readonly parts: LifeVenueParts;
  readonly calls: ReadonlySet<string>;
  readonly told: Readonly<Record<string, Requested['method']>>;
  /** The method that takes a listener. */
  readonly listens: string;
}

type Listener = (told: unknown) => void;
type Call = (...given: unknown[]) => unknown;

function mortal<T extends object>(port: T, { parts, calls, told, listens }: Mortality): T {
  const { life, onRequest } = parts;
  const behind = life.behind(port, calls);
  const own = behind as Record<string, Call>;
  for (const name in told) {
    const method = must(told[name], 'it is one of its names');
    const call = must(own[name], () => `no method ${name}`).bind(behind);
    own[name] = (request) => {
      if (!life.isOver) onRequest({ method, request } as Requested);
      return call(request);
    };
  }
  const listen = must(own[listens], () => `no method ${listens}`).bind(behind);
  own[listens] = (listener) =>
    listen((news: unknown) => life.whenMoving(() => (listener as Listener)(news)));
  return behind;
}

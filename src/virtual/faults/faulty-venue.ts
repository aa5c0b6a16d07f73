// Puts any venue behind a faulty connection. With an empty plan it behaves exactly like the venue itself.
import { answerClass } from '../../core/order/answer-class.ts';
import type { Cleared } from '../../ports/cleared.ts';
import type { Clock } from '../../ports/clock.ts';
import type { VenueDesk } from '../../ports/trading-desk.ts';
import type {
  Balance,
  CancelRequest,
  EditRequest,
  LabelAnswer,
  OpenOrdersAnswer,
  OrderAnswer,
  OrderRequest,
  Position,
  TradesAnswer,
  Venue,
  VenueNotice,
} from '../../ports/venue.ts';
import type { AccountId, InstrumentName, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import type { FaultPlan } from './fault-plan.ts';
import { faultyDesk } from './faulty-desk.ts';
import { FaultyLink, type Lost, type VenueLink } from './faulty-link.ts';
import { faultyRfqDesk } from './faulty-rfq-desk.ts';

type LabelQuery = Parameters<Venue['ordersByLabel']>[0];

export class FaultyVenue implements Venue {
  readonly name: VenueName;
  readonly features: Venue['features'];
  readonly desk: VenueDesk;
  readonly rfqs: Venue['rfqs'];
  readonly #venue: Venue;
  readonly #link: VenueLink;
  /** The accounts notified when the connection is restored. */
  readonly #accounts = new Set<AccountId>();
  /** The last quote of each instrument: the only ones available while disconnected. */
  readonly #quotes = new Map<InstrumentName, Quote>();

  /** Takes a plan of faults, or a connection with faults of its own. */
  constructor(venue: Venue, clock: Clock, faults: FaultPlan | VenueLink) {
    this.name = venue.name;
    this.features = venue.features;
    this.#venue = venue;
    this.#link = 'carry' in faults ? faults : new FaultyLink(clock, faults);
    this.desk = faultyDesk(venue.desk, this.#link);
    this.rfqs = venue.rfqs && faultyRfqDesk(venue.rfqs, this.#link);
  }

  instruments(): readonly Instrument[] {
    return this.#venue.instruments();
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#venue.instrument(name);
  }

  quote(name: InstrumentName): Quote | undefined {
    if (this.#link.isDown) return this.#quotes.get(name);
    const quote = this.#venue.quote(name);
    if (quote !== undefined) this.#quotes.set(name, quote);
    return quote;
  }

  watch(name: InstrumentName): () => void {
    return this.#venue.watch(name);
  }

  venueNow(): Instant {
    return this.#venue.venueNow();
  }

  place(order: Cleared<OrderRequest>): Promise<OrderAnswer> {
    return this.#request(order, () => this.#venue.place(order));
  }

  editByLabel(edit: Cleared<EditRequest>): Promise<OrderAnswer> {
    return this.#request(edit, () => this.#venue.editByLabel(edit));
  }

  cancel(cancel: CancelRequest): Promise<OrderAnswer> {
    return this.#request(cancel, () => this.#venue.cancel(cancel));
  }

  ordersByLabel(query: LabelQuery): Promise<LabelAnswer> {
    return this.#ask(query.account, () => this.#venue.ordersByLabel(query));
  }

  openOrders(account: AccountId, prefix: string): Promise<OpenOrdersAnswer> {
    return this.#ask(account, () => this.#venue.openOrders(account, prefix));
  }

  tradesSince(account: AccountId, from: Instant): Promise<TradesAnswer> {
    return this.#ask(account, () => this.#venue.tradesSince(account, from));
  }

  /** Rejects if the reply is lost. */
  positions(account: AccountId): Promise<readonly Position[]> {
    return this.#tell(account, () => this.#venue.positions(account));
  }

  /** Rejects if the reply is lost. */
  balances(account: AccountId): Promise<readonly Balance[]> {
    return this.#tell(account, () => this.#venue.balances(account));
  }

  subscribe(listener: (notice: VenueNotice) => void): () => void {
    const leave = this.#venue.subscribe((notice) => {
      this.#accounts.add(notice.account);
      this.#link.deliver(() => listener(notice));
    });
    const settle = this.#link.onReconnect(() => {
      for (const account of this.#accounts) listener({ kind: 'reconnected', account });
    });
    return () => {
      leave();
      settle();
    };
  }

  close(): Promise<void> {
    return this.#venue.close();
  }

  #request(
    { account, validUntil }: { readonly account: AccountId; readonly validUntil?: Instant },
    send: () => Promise<OrderAnswer>,
  ): Promise<OrderAnswer> {
    this.#accounts.add(account);
    return this.#link.carry(send, refusedAnswer, validUntil);
  }

  #ask<T>(account: AccountId, send: () => Promise<T>): Promise<T | Lost> {
    this.#accounts.add(account);
    return this.#link.carry(send);
  }

  async #tell<T>(account: AccountId, send: () => Promise<readonly T[]>): Promise<readonly T[]> {
    const told = await this.#ask(account, async () => ({ values: await send() }));
    if ('values' in told) return told.values;
    throw new Error(`no answer from ${this.name}: ${told.reason}`);
  }
}

function refusedAnswer(code: number): OrderAnswer {
  const message = `refused ${code}`;
  const known = answerClass(code);
  return known === 'unknown'
    ? { kind: 'unknown', reason: message }
    : { kind: 'refused', code, message, class: known };
}

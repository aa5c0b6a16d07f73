// The Block RFQ methods of one venue behind the same gate as orders: requests that may trade are checked and sent
// once, in the order of their account. Reads pass through, and cancels are not checked.

import { refusal, whyNot } from '../../core/order/answer-class.ts';
import { NO_LIMITS } from '../../core/risk/gate/control-limits.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type {
  Accepted,
  NewQuote,
  NewRfq,
  QuoteChange,
  RfqAccept,
  RfqDesk,
  VenueRfqDesk,
} from '../../ports/block-rfq.ts';
import type { Cleared } from '../../ports/cleared.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import type { RfqMethod } from '../../ports/risk-observer.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { Venue } from '../../ports/venue.ts';
import type { RfqQuoteRecord, RfqRecord } from '../../values/block-rfq-record.ts';
import type { AccountId, InstrumentName } from '../../values/ids.ts';
import type { Side } from '../../values/instrument.ts';
import { unlisted } from '../../values/unlisted.ts';
import type { SwitchesInForce } from '../kill-switch/trading-switches.ts';
import type { MmpProtecting } from '../mmp/mmp-guard.ts';
import type { Gate, Passage } from '../risk/gate.ts';
import {
  gateObjection,
  type Objection,
  overBudget,
  ownLabelObjection,
  switchObjection,
} from '../risk/gate-orders.ts';
import {
  blockObjection,
  blockOrders,
  type SizedLeg,
  type Structure,
  sizedLegs,
} from '../risk/gate-rfqs.ts';
import { QuoteLookup } from './look-up-quote.ts';
import { SendInOrder } from './send-in-order.ts';

export interface GatedRfqOptions {
  readonly venue: Venue;
  readonly rfqs: VenueRfqDesk;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly mmp: Pick<MmpProtecting, 'quoteObjection'>;
  readonly switches: Pick<SwitchesInForce, 'strictestFor'>;
  readonly gate: Gate;
}

/** The legs for the gate's check at the moment of sending, or an objection found already. */
type Prepared = Objection | { readonly legs: readonly SizedLeg[] };

interface Call {
  readonly method: RfqMethod;
  readonly account: AccountId;
  /** Set if known before the reply. */
  readonly rfq?: string | undefined;
}

interface Request<Q, T> extends Call {
  readonly request: Q;
  readonly prepared: MaybeSoon<Prepared>;
  readonly send: (request: Cleared<Q>) => Promise<Reply<T>>;
}

const NOT_LISTED = 10020;
/** Nothing was sent: the data needed for the checks could not be read. */
const NOT_READABLE: Objection = { reply: refusal(10040) };
const NOT_FOUND = 13020;

/** Only the venue's word that there is no such RFQ or quote means that; any other refusal leaves it unknown. */
const isUnread = (reply: Reply<unknown>): boolean =>
  reply.kind === 'unknown' || (reply.kind === 'refused' && reply.code !== NOT_FOUND);

/** A desk at which portfolios create RFQs too, under the labels that are theirs. */
export interface PortfolioRfqDesk extends RfqDesk {
  createForPortfolio(rfq: NewRfq): Promise<Reply<RfqRecord>>;
}

/** The gated RFQ desk of an account; `undefined` if it has none. */
export type RfqDesks = (account: AccountId) => PortfolioRfqDesk | undefined;

export const NO_RFQ_DESKS: RfqDesks = () => undefined;

export class GatedRfqDesk implements PortfolioRfqDesk {
  readonly #parts: GatedRfqOptions;
  readonly #quotes: QuoteLookup;
  readonly #inOrder = new SendInOrder();
  /** The number of requests let through; names their reservation while they are in flight. */
  #sentCount = 0;

  constructor(parts: GatedRfqOptions) {
    this.#parts = parts;
    this.#quotes = new QuoteLookup(parts);
  }

  /** Refuses labels that are reserved for portfolios, so that no portfolio adopts the RFQ of somebody else. */
  async create(rfq: NewRfq): Promise<Reply<RfqRecord>> {
    const objection = ownLabelObjection(this.#parts.settings, rfq.label ?? '', 'label');
    return objection === undefined ? await this.createForPortfolio(rfq) : objection.reply;
  }

  createForPortfolio(rfq: NewRfq): Promise<Reply<RfqRecord>> {
    const { rfqs } = this.#parts;
    const legs = [...rfq.legs, ...(rfq.hedge === undefined ? [] : [rfq.hedge])];
    return this.#sent({
      method: 'create',
      account: rfq.account,
      request: rfq,
      prepared:
        this.#notListed(rfq) ??
        this.#judged(legs.map(({ instrument, quantity }) => ({ instrument, quantity }))),
      send: (cleared) => rfqs.create(cleared),
    });
  }

  accept(accept: RfqAccept): Promise<Reply<Accepted>> {
    const { rfqs } = this.#parts;
    return this.#sent({
      method: 'trade',
      account: accept.account,
      rfq: accept.rfqId,
      request: accept,
      prepared: this.#prepareAccept(accept),
      send: (cleared) => rfqs.accept(cleared),
    });
  }

  quote(quote: NewQuote): Promise<Reply<RfqQuoteRecord>> {
    const { rfqs } = this.#parts;
    return this.#sent({
      method: 'quote',
      account: quote.account,
      rfq: quote.rfqId,
      request: quote,
      prepared: this.#prepareQuote(quote, quote.side),
      send: (cleared) => rfqs.quote(cleared),
    });
  }

  editQuote(change: QuoteChange): Promise<Reply<RfqQuoteRecord>> {
    const { rfqs } = this.#parts;
    return this.#sent({
      method: 'edit_quote',
      account: change.account,
      request: change,
      prepared: this.#prepareChange(change),
      send: (cleared) => rfqs.editQuote(cleared),
    });
  }

  cancelRfq(of: Parameters<RfqDesk['cancelRfq']>[0]) {
    const send = () => this.#parts.rfqs.cancelRfq(of);
    return this.#takenBack({ method: 'cancel', account: of.account, rfq: of.rfqId }, send);
  }

  cancelTrigger(of: Parameters<RfqDesk['cancelTrigger']>[0]) {
    const send = () => this.#parts.rfqs.cancelTrigger(of);
    return this.#takenBack({ method: 'cancel', account: of.account, rfq: of.rfqId }, send);
  }

  cancelQuote(of: Parameters<RfqDesk['cancelQuote']>[0]) {
    const send = () => this.#parts.rfqs.cancelQuote(of);
    return this.#takenBack({ method: 'cancel_quote', account: of.account }, send);
  }

  cancelQuotes(of: Parameters<RfqDesk['cancelQuotes']>[0]) {
    const send = () => this.#parts.rfqs.cancelQuotes(of);
    const { account, rfqId: rfq } = of;
    return this.#takenBack({ method: 'cancel_all_quotes', account, rfq }, send);
  }

  rfqs(filter: Parameters<RfqDesk['rfqs']>[0]) {
    return this.#parts.rfqs.rfqs(filter);
  }

  quotes(of: Parameters<RfqDesk['quotes']>[0]) {
    return this.#parts.rfqs.quotes(of);
  }

  makers(account: AccountId) {
    return this.#parts.rfqs.makers(account);
  }

  blockTrades(of: Parameters<RfqDesk['blockTrades']>[0]) {
    return this.#parts.rfqs.blockTrades(of);
  }

  tape(of: Parameters<RfqDesk['tape']>[0]) {
    return this.#parts.rfqs.tape(of);
  }

  aliasOf(account: AccountId): string | undefined {
    return this.#parts.rfqs.aliasOf(account);
  }

  listen(listener: Parameters<RfqDesk['listen']>[0]): () => void {
    return this.#parts.rfqs.listen(listener);
  }

  /** Uses the legs as given, or those of the RFQ: an accept alone has no sizes. */
  #prepareAccept({ account, rfqId, quantity, side, legs, hedge }: RfqAccept): MaybeSoon<Prepared> {
    if (!this.#isJudging) return { legs: [] };
    return this.#guarded(async () => {
      const known = legs === undefined ? await this.#termsOf(account, rfqId) : { legs, hedge };
      if (known === undefined) return NOT_READABLE;
      return await this.#judged(sizedLegs({ ...known, quantity }, { side, role: 'taker' }));
    });
  }

  /** A change does not state the side of the quote. */
  #prepareChange(change: QuoteChange): MaybeSoon<Prepared> {
    const { gate, rfqs } = this.#parts;
    if (gate.limits === NO_LIMITS) return this.#prepareQuote(change, 'buy');
    const { account, of } = change;
    return this.#guarded(async () => {
      const found = await rfqs.quotes({ account, ...of });
      if (isUnread(found)) return NOT_READABLE;
      // An unknown quote is refused by the venue itself.
      const [quote] = found.kind === 'done' ? found.value : [];
      return await this.#prepareQuote(change, quote?.side ?? 'buy');
    });
  }

  #prepareQuote(quote: NewQuote | QuoteChange, side: Side): MaybeSoon<Prepared> {
    const { mmp } = this.#parts;
    const { account, mmpGroup = '', legs } = quote;
    const sized = sizedLegs(quote, { side, role: 'maker' });
    return this.#guarded(async () => {
      const instruments = legs.map(({ instrument }) => instrument);
      return mmp.quoteObjection({ account, mmpGroup, instruments }) ?? (await this.#judged(sized));
    });
  }

  /** The first leg or hedge that the venue does not list. Without a listing the venue decides. */
  #notListed({ legs, hedge }: NewRfq): Objection | undefined {
    const { venue, clock } = this.#parts;
    const named = [
      ...legs.map(({ instrument }) => ({ param: 'legs', instrument })),
      ...(hedge === undefined ? [] : [{ param: 'hedge', instrument: hedge.instrument }]),
    ];
    const fault = named.find(({ instrument }) => venue.instrument(instrument) === undefined);
    const listed = venue.instruments();
    if (fault === undefined || listed === undefined) return undefined;
    const { param, instrument } = fault;
    const { reason } = unlisted(instrument, listed, clock.now());
    return { reply: refusal(NOT_LISTED, { param, reason }) };
  }

  get #isJudging(): boolean {
    const { settings, gate } = this.#parts;
    return settings.blockUsdMax !== undefined || gate.limits !== NO_LIMITS;
  }

  #judged(legs: readonly SizedLeg[]): MaybeSoon<Prepared> {
    const { venue, settings } = this.#parts;
    if (settings.blockUsdMax === undefined) return { legs };
    const quoteOf = (name: InstrumentName) => this.#quotes.of(name);
    return this.#guarded(
      async () => (await blockObjection(legs, { venue, settings, quoteOf })) ?? { legs },
    );
  }

  /** An unknown RFQ has no legs; the venue itself refuses it. */
  async #termsOf(
    account: AccountId,
    id: string,
  ): Promise<Pick<Structure, 'legs' | 'hedge'> | undefined> {
    const found = await this.#parts.rfqs.rfqs({ account, id, count: 1 });
    if (isUnread(found)) return undefined;
    return (found.kind === 'done' ? found.value.rfqs[0] : undefined) ?? { legs: [] };
  }

  async #guarded(prepare: () => Promise<Prepared>): Promise<Prepared> {
    try {
      return await prepare();
    } catch (error) {
      this.#parts.observer.observe({ event: 'failed', where: 'rfq.gate', error });
      return NOT_READABLE;
    }
  }

  /** The only place where requests that may become a block are sent: checked and sent in one moment. */
  async #sent<Q, T>({ request, prepared, send, ...call }: Request<Q, T>): Promise<Reply<T>> {
    const fromMs = this.#parts.clock.monotonicMs();
    let objection: Objection | undefined;
    const reply = await this.#inOrder.send(call.account, prepared, async (ready) => {
      const passage = this.#passed(call.account, request, ready);
      if ('reply' in passage) {
        objection = passage;
        return passage.reply;
      }
      const answer = await send(passage.request);
      // Trades are reported as trades, and a resting quote is not an order, so the reservation ends here.
      if (answer.kind !== 'unknown') passage.refused();
      return answer;
    });
    this.#report(call, { reply, objection, fromMs });
    return reply;
  }

  #passed<Q>(account: AccountId, request: Q, ready: Prepared): Objection | Through<Q> {
    if ('reply' in ready) return ready;
    const { switches, gate, venue } = this.#parts;
    // A block may enlarge a position on either side.
    const off = switchObjection(switches.strictestFor({ account }), { reduceOnly: false });
    if (off !== undefined) return off;
    const waitMs = gate.waitMs({ venue, account });
    if (waitMs > 0) return overBudget(waitMs);
    this.#sentCount += 1;
    const key = `block ${this.#sentCount}`;
    const known = (name: InstrumentName) => this.#quotes.known(name);
    const orders = blockOrders(ready.legs, { venue, account, key, known });
    const passage = gate.pass(request, { venue, account, stage: 'quote', orders });
    return passage.kind === 'blocked' ? gateObjection(passage.block) : passage;
  }

  async #takenBack<T>(call: Call, send: () => Promise<Reply<T>>): Promise<Reply<T>> {
    const { clock, gate, venue } = this.#parts;
    const { account } = call;
    const fromMs = clock.monotonicMs();
    const reply = await this.#inOrder.send(account, undefined, () => {
      gate.count({ venue, account });
      return send();
    });
    this.#report(call, { reply, objection: undefined, fromMs });
    return reply;
  }

  #report({ method, account, rfq }: Call, { reply, objection, fromMs }: Told): void {
    const { clock, observer, venue } = this.#parts;
    const control = objection?.control;
    const detail = reply.kind === 'done' ? undefined : whyNot(reply);
    observer.observe({
      event: 'rfq_answered',
      venue: venue.name,
      method,
      account,
      rfq,
      control,
      detail,
      outcome: objection === undefined ? reply.kind : 'blocked',
      elapsedMs: clock.monotonicMs() - fromMs,
    });
    if (control !== undefined) {
      observer.observe({ event: 'control_refused', control, stage: 'quote', account, why: detail });
    }
  }
}

interface Told {
  readonly reply: Reply<unknown>;
  readonly objection: Objection | undefined;
  readonly fromMs: number;
}

type Through<Q> = Extract<Passage<Q>, { readonly kind: 'cleared' }>;
type MaybeSoon<T> = T | Promise<T>;

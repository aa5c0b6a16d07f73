// One venue's Block RFQs behind the gate that orders pass too: what may trade is judged and sent once,
// in the order of its account; questions pass through, and taking back is not judged.
import type { Settings } from '../core/portfolio/settings.ts';
import type {
  Accepted,
  NewQuote,
  NewRfq,
  QuoteChange,
  RfqAccept,
  RfqDesk,
  RfqHedge,
  RfqLeg,
} from '../ports/block-rfq.ts';
import type { Clock } from '../ports/clock.ts';
import type { Observer } from '../ports/observer.ts';
import type { RfqMethod } from '../ports/risk-observer.ts';
import type { Reply } from '../ports/trading-desk.ts';
import type { Venue } from '../ports/venue.ts';
import type { AccountId, InstrumentName } from '../values/ids.ts';
import { type Objection, switchObjection } from './gate-orders.ts';
import { blockObjection, type SizedLeg, sizedLegs } from './gate-rfqs.ts';
import { QuoteLookup } from './look-up-quote.ts';
import { SendInOrder } from './send-in-order.ts';
import type { TradingSwitches } from './trading-switches.ts';

/** What stands against a quote of a market maker's group on these instruments, if anything. */
export type QuoteGuard = (quote: {
  readonly account: AccountId;
  /** Empty for the group without a name. */
  readonly mmpGroup: string;
  readonly instruments: readonly InstrumentName[];
}) => Objection | undefined | Promise<Objection | undefined>;

export interface GatedRfqParts {
  readonly venue: Venue;
  readonly rfqs: RfqDesk;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly observer: Observer;
  /** Absent: quotes have no protection. */
  readonly quoteGuard?: QuoteGuard | undefined;
  /** Absent: nothing is ever switched off. */
  readonly switches?: Pick<TradingSwitches, 'strictestFor'> | undefined;
}

type Verdict = Objection | undefined;

interface Request<T> {
  readonly method: RfqMethod;
  readonly account: AccountId;
  /** Where known before the answer. */
  readonly rfq?: string | undefined;
  readonly verdict?: Verdict | Promise<Verdict>;
  readonly send: () => Promise<Reply<T>>;
}

const TAKES_BACK: ReadonlySet<RfqMethod> = new Set(['cancel', 'cancel_quote', 'cancel_all_quotes']);

/** Nothing was sent: what it takes to judge could not be looked up. */
const NOT_READABLE: Objection = { reply: { kind: 'refused', code: 10040, message: 'retry' } };

export class GatedRfqDesk implements RfqDesk {
  readonly #parts: GatedRfqParts;
  readonly #quotes: QuoteLookup;
  readonly #inOrder = new SendInOrder();

  constructor(parts: GatedRfqParts) {
    this.#parts = parts;
    this.#quotes = new QuoteLookup(parts);
  }

  create(rfq: NewRfq) {
    const { rfqs } = this.#parts;
    const legs = [...rfq.legs, ...(rfq.hedge === undefined ? [] : [rfq.hedge])];
    return this.#sent({
      method: 'create',
      account: rfq.account,
      verdict: this.#judge(legs.map(({ instrument, quantity }) => ({ instrument, quantity }))),
      send: () => rfqs.create(rfq),
    });
  }

  accept(accept: RfqAccept): Promise<Reply<Accepted>> {
    const { rfqs } = this.#parts;
    return this.#sent({
      method: 'trade',
      account: accept.account,
      rfq: accept.rfqId,
      verdict: this.#judgeAccept(accept),
      send: () => rfqs.accept(accept),
    });
  }

  quote(quote: NewQuote) {
    const { rfqs } = this.#parts;
    return this.#sent({
      method: 'quote',
      account: quote.account,
      rfq: quote.rfqId,
      verdict: this.#judgeQuote(quote),
      send: () => rfqs.quote(quote),
    });
  }

  editQuote(change: QuoteChange) {
    const { rfqs } = this.#parts;
    return this.#sent({
      method: 'edit_quote',
      account: change.account,
      verdict: this.#judgeQuote(change),
      send: () => rfqs.editQuote(change),
    });
  }

  cancelRfq(of: Parameters<RfqDesk['cancelRfq']>[0]) {
    const send = () => this.#parts.rfqs.cancelRfq(of);
    return this.#sent({ method: 'cancel', account: of.account, rfq: of.rfqId, send });
  }

  cancelTrigger(of: Parameters<RfqDesk['cancelTrigger']>[0]) {
    const send = () => this.#parts.rfqs.cancelTrigger(of);
    return this.#sent({ method: 'cancel', account: of.account, rfq: of.rfqId, send });
  }

  cancelQuote(of: Parameters<RfqDesk['cancelQuote']>[0]) {
    const send = () => this.#parts.rfqs.cancelQuote(of);
    return this.#sent({ method: 'cancel_quote', account: of.account, send });
  }

  cancelQuotes(of: Parameters<RfqDesk['cancelQuotes']>[0]) {
    const send = () => this.#parts.rfqs.cancelQuotes(of);
    const { account, rfqId: rfq } = of;
    return this.#sent({ method: 'cancel_all_quotes', account, rfq, send });
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

  aliasOf(account: AccountId): string | undefined {
    return this.#parts.rfqs.aliasOf(account);
  }

  listen(listener: Parameters<RfqDesk['listen']>[0]): () => void {
    return this.#parts.rfqs.listen(listener);
  }

  /** The legs as they were given, or as the RFQ has them: an accept alone has no sizes. */
  #judgeAccept({ account, rfqId, quantity, legs, hedge }: RfqAccept): MaybeSoon<Verdict> {
    if (this.#parts.settings.blockUsdMax === undefined) return undefined;
    return this.#guarded(async () => {
      const known = legs === undefined ? await this.#termsOf(account, rfqId) : { legs, hedge };
      if (known === undefined) return NOT_READABLE;
      return await this.#judge(sizedLegs(quantity, known.legs, known.hedge));
    });
  }

  #judgeQuote(quote: NewQuote | QuoteChange): MaybeSoon<Verdict> {
    const { quoteGuard } = this.#parts;
    const { account, mmpGroup = '', quantity, legs, hedge } = quote;
    const sized = sizedLegs(quantity, legs, hedge);
    if (quoteGuard === undefined) return this.#judge(sized);
    return this.#guarded(async () => {
      const instruments = legs.map(({ instrument }) => instrument);
      return (await quoteGuard({ account, mmpGroup, instruments })) ?? (await this.#judge(sized));
    });
  }

  #judge(legs: readonly SizedLeg[]): MaybeSoon<Verdict> {
    const { venue, settings } = this.#parts;
    if (settings.blockUsdMax === undefined) return undefined;
    const quoteOf = (name: InstrumentName) => this.#quotes.of(name);
    return this.#guarded(() => blockObjection(legs, { venue, settings, quoteOf }));
  }

  /** An RFQ nobody knows has no legs; the venue says so itself. */
  async #termsOf(
    account: AccountId,
    id: string,
  ): Promise<
    { readonly legs: readonly RfqLeg[]; readonly hedge?: RfqHedge | undefined } | undefined
  > {
    const found = await this.#parts.rfqs.rfqs({ account, id, count: 1 });
    if (found.kind === 'unknown') return undefined;
    return (found.kind === 'done' ? found.value.rfqs[0] : undefined) ?? { legs: [] };
  }

  async #guarded(judge: () => Promise<Verdict>): Promise<Verdict> {
    try {
      return await judge();
    } catch (error) {
      this.#parts.observer.failed({ where: 'rfq.gate', error });
      return NOT_READABLE;
    }
  }

  /** A block may enlarge a position whichever side it is on. */
  #switchedOff(method: RfqMethod, account: AccountId): Objection | undefined {
    if (TAKES_BACK.has(method)) return undefined;
    return switchObjection(this.#parts.switches?.strictestFor({ account }), { reduceOnly: false });
  }

  async #sent<T>({ method, account, rfq, verdict, send }: Request<T>): Promise<Reply<T>> {
    const { clock, observer, venue } = this.#parts;
    const fromMs = clock.monotonicMs();
    let blocked: Objection | undefined;
    const reply = await this.#inOrder.send(account, verdict, (objection): Promise<Reply<T>> => {
      blocked = objection ?? this.#switchedOff(method, account);
      return blocked === undefined ? send() : Promise.resolve(blocked.reply);
    });
    const [control, detail] = [blocked?.control, detailOf(reply)];
    observer.rfqAnswered({
      ...{ venue: venue.name, method, account, rfq, control, detail },
      outcome: blocked === undefined ? reply.kind : 'blocked',
      elapsedMs: clock.monotonicMs() - fromMs,
    });
    if (control !== undefined) {
      observer.controlRefused({ control, stage: 'quote', account, why: detail });
    }
    return reply;
  }
}

type MaybeSoon<T> = T | Promise<T>;

function detailOf(reply: Reply<unknown>): string | undefined {
  if (reply.kind === 'unknown') return reply.reason;
  if (reply.kind === 'done') return undefined;
  const { code, message, details } = reply;
  return `${code} ${message}${details ? `: ${details.param} ${details.reason}` : ''}`;
}

// A taker and a maker of Block RFQs on the venue port: what they do not know they find out by look-ups, and everything that
// they are given is judged.
import type {
  NewQuote,
  NewRfq,
  RfqAccept,
  RfqNews,
  VenueRfqDesk,
} from '../../../src/ports/block-rfq.ts';
import type { Cleared } from '../../../src/ports/cleared.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Reply } from '../../../src/ports/trading-desk.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { price, quantity, steps } from '../../../src/values/amounts.ts';
import type { RfqRecord } from '../../../src/values/block-rfq-record.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { ReportBreach } from '../checks/breach.ts';
import { ACCOUNTS } from '../plan/simulated-accounts.ts';
import { INSTRUMENTS } from '../world/simulated-market.ts';
import type { Trouble } from '../world/trouble.ts';
import type { ActOf, WireAct } from './wire-acts.ts';
import type { WireJudge } from './wire-judge.ts';
import { priceAbove } from './wire-orders.ts';

export interface RfqTraderParts {
  readonly clock: Clock;
  readonly judge: WireJudge;
  readonly trouble: Trouble;
  readonly breach: ReportBreach;
  readonly note: (what: string, of: string, reply: Reply<unknown>, sentMs: number) => void;
}

type Outcome = 'sent' | 'made' | 'refused' | 'unknown' | 'absent';

/** A request as it was made. */
interface Asked {
  readonly label: string;
  readonly sentMs: number;
  outcome: Outcome;
}

interface AskedRfq extends Asked {
  readonly accepts: Asked[];
  /** The taker's id; absent until it is known. */
  id: string | undefined;
  /** What the taker has last seen it in. */
  seen: string | undefined;
}

const TAKER = ACCOUNTS[0] as AccountId;
const MAKER = ACCOUNTS[1] as AccountId;
/** The least the venue accepts as a block of perpetuals, in USD. */
const BLOCK = quantity('200000');
const AGAIN_MS = 500;
/** An RFQ that could not be sent is requested again, as another one. */
const TRIES_MAX = 4;
/** A request that has not reached the venue by then never does. */
const VOID_MS = 10_000;
const PER_PAGE = 20;

const isOver = (state: string | undefined): boolean =>
  state !== undefined && state !== 'open' && state !== 'created';

export class WireRfqTrader {
  readonly #parts: RfqTraderParts;
  readonly #rfqs: AskedRfq[] = [];
  readonly #quotes: Asked[] = [];
  #desk: VenueRfqDesk | undefined;
  #life = 0;

  constructor(parts: RfqTraderParts) {
    this.#parts = parts;
  }

  begin(venue: Venue): void {
    this.#life += 1;
    this.#desk = venue.rfqs;
    const life = this.#life;
    this.#desk?.listen((news) => {
      if (life === this.#life) this.#heard(news);
    });
    for (const rfq of this.#rfqs) {
      for (const one of [rfq, ...rfq.accepts]) if (one.outcome === 'sent') one.outcome = 'unknown';
      void this.#settle(rfq);
    }
    for (const quote of this.#quotes) if (quote.outcome === 'sent') quote.outcome = 'unknown';
  }

  end(): void {
    this.#life += 1;
    this.#desk = undefined;
  }

  act(act: WireAct): void {
    const desk = this.#desk;
    if (desk === undefined) return;
    if (act.kind === 'rfq_create') void this.#create(desk, act, TRIES_MAX);
    else if (act.kind === 'rfq_quote') void this.#quote(desk, act);
    else if (act.kind === 'rfq_accept') void this.#accept(desk, act);
    else if (act.kind === 'rfq_cancel') void this.#cancel(desk);
    else if (act.kind === 'quotes_cancel') void this.#cancelQuotes(desk);
  }

  /** What it does not know yet. */
  get open(): readonly string[] {
    return this.#rfqs.flatMap((rfq) =>
      [rfq, ...rfq.accepts]
        .filter(({ outcome }) => outcome === 'sent' || outcome === 'unknown')
        .map(({ label }) => `the outcome of ${label}`),
    );
  }

  /** What became of RFQs that have ended at the venue, and is not known here. */
  get missing(): readonly string[] {
    const { rfqs } = this.#parts.judge;
    return this.#rfqs.flatMap(({ label, seen }) => {
      const real = rfqs.labelled(label);
      if (real === undefined || !isOver(real.status) || seen === real.status) return [];
      return [`the RFQ ${label} is ${real.status}, and ${seen ?? 'not known'} here`];
    });
  }

  judgeEnd(): void {
    const { judge, breach } = this.#parts;
    for (const { label, outcome, accepts } of this.#rfqs) {
      const real = judge.rfqs.labelled(label);
      if ((outcome === 'refused' || outcome === 'absent') && real !== undefined) {
        breach('denied', `the RFQ ${label} is ${outcome}, and the exchange has it`);
      }
      if (outcome === 'made' && real === undefined) breach('invented', `the RFQ ${label} is none`);
      const traded = judge.rfqs.blocksOf(label).length > 0;
      const made = accepts.filter((one) => one.outcome === 'made');
      const isDenied = accepts.every(
        (one) => one.outcome === 'refused' || one.outcome === 'absent',
      );
      if (traded && isDenied) breach('denied', `no accept of ${label} was made, and it was traded`);
      if (!traded && made.some((one) => one.label.endsWith('now'))) {
        breach('invented', `an accept of ${label} was made, and it was not traded`);
      }
    }
    for (const { label, outcome } of this.#quotes) {
      if (outcome === 'refused' && judge.rfqs.quoteLabelled(label) !== undefined) {
        breach('denied', `the quote ${label} was refused, and the exchange has it`);
      }
    }
  }

  async #create(desk: VenueRfqDesk, act: ActOf<'rfq_create'>, tries: number): Promise<void> {
    const { side, blocks } = act;
    const label = `rfq${this.#rfqs.length}`;
    const of = { accepts: [], id: undefined, seen: undefined };
    const rfq: AskedRfq = { ...this.#asked(label), ...of };
    this.#rfqs.push(rfq);
    const { name: instrument } = INSTRUMENTS.perpetual;
    const request: NewRfq = {
      account: TAKER,
      legs: [{ instrument, quantity: steps(BLOCK, blocks), side }],
      makers: [],
      disclosed: true,
      label,
      allocations: [],
    };
    const [life, since] = [this.#life, this.#parts.judge.events];
    const reply = await desk.create(request as Cleared<NewRfq>);
    if (life !== this.#life) return;
    this.#answered('rfq', rfq, reply);
    if (reply.kind === 'done') this.#see(rfq, reply.value, since);
    if (reply.kind === 'refused' && reply.class === 'later' && tries > 1) {
      await this.#pass(AGAIN_MS);
      return life === this.#life ? await this.#create(desk, act, tries - 1) : undefined;
    }
    await this.#settle(rfq);
  }

  async #quote(desk: VenueRfqDesk, { side, awayTicks }: ActOf<'rfq_quote'>): Promise<void> {
    const { judge } = this.#parts;
    const [life, before] = [this.#life, judge.events];
    const filter = { account: MAKER, role: 'maker', status: 'open', count: PER_PAGE } as const;
    const open = await desk.rfqs(filter);
    if (life !== this.#life || open.kind !== 'done') return;
    for (const one of open.value.rfqs) judge.rfqs.checkRfq('the open RFQs', MAKER, one, before);
    const [rfq] = open.value.rfqs;
    if (rfq === undefined) return;
    const quote = this.#asked(`quote${this.#quotes.length}`);
    this.#quotes.push(quote);
    const request: NewQuote = {
      account: MAKER,
      rfqId: rfq.id,
      quantity: rfq.quantity,
      side,
      legs: rfq.legs.map((leg) => ({ ...leg, price: priceAbove('perpetual', awayTicks) })),
      executionInstruction: 'any_part_of',
      label: quote.label,
    };
    const since = judge.events;
    const reply = await desk.quote(request as Cleared<NewQuote>);
    if (life !== this.#life) return;
    this.#answered('quote', quote, reply);
    if (reply.kind === 'done') judge.rfqs.checkQuote('the answer', reply.value, since);
  }

  async #accept(desk: VenueRfqDesk, { side, waits }: ActOf<'rfq_accept'>): Promise<void> {
    const rfq = this.#rfqs.at(-1);
    const size = rfq && this.#parts.judge.rfqs.labelled(rfq.label);
    if (rfq?.id === undefined || size === undefined) return;
    const accept = this.#asked(`${rfq.label}-${rfq.accepts.length}-${waits ? 'waits' : 'now'}`);
    rfq.accepts.push(accept);
    const request: RfqAccept = {
      account: TAKER,
      rfqId: rfq.id,
      quantity: steps(size.unit, size.units),
      side,
      price: price(side === 'buy' ? '150000' : '50000'),
      timeInForce: waits ? 'good_til_cancelled' : 'fill_or_kill',
    };
    const [life, since] = [this.#life, this.#parts.judge.events];
    const reply = await desk.accept(request as Cleared<RfqAccept>);
    if (life !== this.#life) return;
    this.#answered('accept', accept, reply);
    if (reply.kind === 'done') {
      this.#see(rfq, reply.value.rfq, since);
      const { rfqs } = this.#parts.judge;
      for (const one of reply.value.blockTrades) rfqs.checkBlock('the answer', TAKER, one);
    }
    await this.#settle(rfq);
  }

  async #cancel(desk: VenueRfqDesk): Promise<void> {
    const rfq = this.#rfqs.at(-1);
    if (rfq?.id === undefined) return;
    const [life, since, sentMs] = [this.#life, this.#parts.judge.events, this.#nowMs];
    const reply = await desk.cancelRfq({ account: TAKER, rfqId: rfq.id });
    if (life !== this.#life) return;
    this.#parts.note('rfq cancel', rfq.label, reply, sentMs);
    if (reply.kind === 'done') this.#see(rfq, reply.value, since);
  }

  async #cancelQuotes(desk: VenueRfqDesk): Promise<void> {
    const [life, sentMs] = [this.#life, this.#nowMs];
    const reply = await desk.cancelQuotes({ account: MAKER });
    if (life === this.#life) this.#parts.note('quotes cancel', MAKER, reply, sentMs);
  }

  /** Looks an RFQ up until everything that was requested of it is known. */
  async #settle(rfq: AskedRfq): Promise<void> {
    const life = this.#life;
    const isOpen = (): boolean =>
      [rfq, ...rfq.accepts].some(({ outcome }) => outcome === 'unknown');
    while (isOpen() && life === this.#life && this.#desk !== undefined) {
      await this.#pass(AGAIN_MS);
      if (life !== this.#life) return;
      await this.#lookUp(this.#desk, rfq);
    }
  }

  async #lookUp(desk: VenueRfqDesk, rfq: AskedRfq): Promise<void> {
    const { judge } = this.#parts;
    const [life, since, askedMs] = [this.#life, judge.events, this.#nowMs];
    const of = rfq.id === undefined ? { label: rfq.label } : { id: rfq.id };
    const reply = await desk.rfqs({ account: TAKER, ...of, count: PER_PAGE });
    if (life !== this.#life) return;
    this.#parts.note('rfqs', rfq.label, reply, askedMs);
    if (reply.kind !== 'done') return;
    const [found] = reply.value.rfqs;
    const isVoid = ({ sentMs }: Asked): boolean => askedMs > sentMs + VOID_MS;
    if (found === undefined) {
      if (rfq.outcome === 'unknown' && isVoid(rfq)) rfq.outcome = 'absent';
      return;
    }
    if (rfq.outcome === 'unknown') rfq.outcome = 'made';
    this.#see(rfq, found, since);
    const blocks = isOver(found.status)
      ? await desk.blockTrades({ account: TAKER, rfqId: found.id, count: PER_PAGE })
      : undefined;
    if (life !== this.#life) return;
    if (blocks !== undefined && blocks.kind !== 'done') return;
    for (const one of blocks?.value.trades ?? []) judge.rfqs.checkBlock('the blocks', TAKER, one);
    const isTraded = (blocks?.value.trades.length ?? 0) > 0;
    for (const accept of rfq.accepts) {
      if (accept.outcome !== 'unknown') continue;
      // One that waits for a quote may be there without a sign of it.
      const mayWait = isVoid(accept) && accept.label.endsWith('waits');
      if (isTraded || mayWait) accept.outcome = 'made';
      else if (isOver(found.status) || isVoid(accept)) accept.outcome = 'absent';
    }
    if (isTraded !== judge.rfqs.blocksOf(rfq.label).length > 0 && isOver(found.status)) {
      this.#parts.breach('shown', `the blocks of ${rfq.label} are ${isTraded ? '' : 'not '}there`);
    }
  }

  #heard(news: RfqNews): void {
    const { judge, trouble } = this.#parts;
    trouble.note(`news ${news.kind}`);
    if (news.kind === 'rfq') {
      judge.rfqs.checkRfq('a notice', news.account, news.rfq, 0);
      const own = this.#rfqs.find(({ label }) => label === news.rfq.label);
      if (own !== undefined && news.account === TAKER) this.#see(own, news.rfq, 0);
    } else if (news.kind === 'quotes') {
      for (const one of news.quotes) judge.rfqs.checkQuote('a notice', one, 0);
    } else if (news.kind === 'block_trade') {
      judge.rfqs.checkBlock('a notice', news.account, news.trade);
    } else if (news.kind === 'reconnected') {
      for (const rfq of this.#rfqs) void this.#compare(rfq);
    }
  }

  /** Reads what the taker missed, until that is known. */
  async #compare(rfq: AskedRfq): Promise<void> {
    const life = this.#life;
    while (life === this.#life && this.#desk !== undefined && !isOver(rfq.seen)) {
      const [since, askedMs] = [this.#parts.judge.events, this.#nowMs];
      const reply = await this.#desk.rfqs({ account: TAKER, label: rfq.label, count: PER_PAGE });
      if (life !== this.#life) return;
      this.#parts.note('rfqs', rfq.label, reply, askedMs);
      if (reply.kind === 'done') {
        for (const found of reply.value.rfqs) this.#see(rfq, found, since);
        return;
      }
      await this.#pass(AGAIN_MS);
    }
  }

  #see(rfq: AskedRfq, shown: RfqRecord, since: number): void {
    this.#parts.judge.rfqs.checkRfq(`what is said of ${rfq.label}`, TAKER, shown, since);
    rfq.id ??= shown.id;
    if (!isOver(rfq.seen)) rfq.seen = shown.status;
  }

  #answered(what: string, of: Asked, reply: Reply<unknown>): void {
    this.#parts.note(what, of.label, reply, of.sentMs);
    of.outcome = reply.kind === 'done' ? 'made' : reply.kind;
  }

  #asked(label: string): Asked {
    return { label, sentMs: this.#nowMs, outcome: 'sent' };
  }

  get #nowMs(): number {
    return this.#parts.clock.monotonicMs();
  }

  #pass(forMs: number): Promise<void> {
    const { clock } = this.#parts;
    return new Promise((done) => clock.at(later(clock.now(), forMs), done));
  }
}

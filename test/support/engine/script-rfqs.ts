// Block RFQs under a test's control: what is offered, and which requests and replies are lost. Independent of the
// product's exchange, so that the two can contradict each other.
import { answerOfCode, type Refused, type Unknown } from '../../../src/core/order/answer-class.ts';
import type { PortfolioRfqDesk } from '../../../src/engine/order-entry/gated-rfq-desk.ts';
import type {
  Accepted,
  NewRfq,
  RfqAccept,
  RfqDesk,
  RfqNews,
} from '../../../src/ports/block-rfq.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Reply } from '../../../src/ports/trading-desk.ts';
import {
  isMore,
  minus,
  money,
  onStep,
  type Price,
  type Quantity,
  quantity,
  type Ratio,
  ZERO_QUANTITY,
} from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { BlockTrade, RfqRecord } from '../../../src/values/block-rfq-record.ts';
import { currency } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';

/** The fault of one request: it or its reply is lost, it arrives late without or with a reply, or it is refused. */
export type RfqMishap =
  | 'lose_request'
  | 'lose_reply'
  | { readonly lateMs: number }
  | { readonly slowMs: number }
  | { readonly code: number };

export interface Offer {
  readonly price: Price;
  /** The number of makers behind the offer. */
  readonly makers: number;
  readonly isWhole?: boolean;
}

interface Kept {
  record: RfqRecord;
  trades: readonly BlockTrade[];
}

const GRACE_MS = 5_000;
const LIFE_MS = 300_000;
const LOT = quantity('10');

const unknown = { kind: 'unknown', reason: 'no reply' } as const;
const refused = (code: number): Refused | Unknown => answerOfCode(code, `code ${code}`);
const notThere = (): Promise<Reply<never>> => Promise.resolve(refused(11050));

export class ScriptRfqs implements PortfolioRfqDesk {
  readonly kept: Kept[] = [];
  /** The makers' current offer for the whole. */
  offer: Offer | undefined;
  /** Faults for the next requests that change something, one each. */
  readonly mishaps: (RfqMishap | undefined)[] = [];
  /** Called for each such request once the list is used up. */
  mishap: (method: string) => RfqMishap | undefined = () => undefined;
  /** Queries get no reply. */
  isMute = false;
  /** The requests in order, including lost ones. */
  readonly asked: string[] = [];
  /** The maximum number of RFQs open at the same time. */
  openMost = 0;
  readonly #clock: Clock;
  readonly #listeners = new Set<(news: RfqNews) => void>();
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly create = (rfq: NewRfq): Promise<Reply<RfqRecord>> => this.createForPortfolio(rfq);

  readonly createForPortfolio = (rfq: NewRfq): Promise<Reply<RfqRecord>> =>
    this.#change('create', () => {
      const [first] = rfq.legs;
      const now = this.#clock.now();
      this.#count += 1;
      const size = must(first, 'a leg').quantity;
      const record: RfqRecord = {
        id: `r${this.#count}`,
        role: 'taker',
        status: 'open',
        currency: currency('BTC'),
        quantity: size,
        label: rfq.label,
        hedge: rfq.hedge,
        disclosed: rfq.disclosed,
        legs: rfq.legs.map(({ instrument, side, quantity: of }) => ({
          instrument,
          side,
          ratio: of.div(size) as Ratio,
        })),
        createdAt: now,
        expiresAt: later(now, LIFE_MS),
        lastUpdatedAt: now,
        makers: [],
        minTradeQuantity: LOT,
        bids: [],
        asks: [],
        allocations: [],
        triggers: [],
        fills: [],
      };
      const kept = { record, trades: [] };
      this.kept.push(kept);
      this.openMost = Math.max(this.openMost, this.open.length);
      this.#news(kept);
      return { kind: 'done', value: this.#shown(kept) };
    });

  readonly accept = (accept: RfqAccept): Promise<Reply<Accepted>> =>
    this.#change('accept', () => {
      const kept = this.#find(accept.rfqId);
      if (kept === undefined || kept.record.status !== 'open') return refused(10010);
      const { offer } = this;
      if (offer === undefined || !this.#isPastGrace(kept)) return refused(13907);
      if (isMore(offer.price, accept.price)) return refused(13907);
      this.trade(kept, offer);
      return { kind: 'done', value: { blockTrades: kept.trades, rfq: this.#shown(kept) } };
    });

  readonly quote = notThere;
  readonly editQuote = notThere;
  readonly cancelQuote = notThere;
  readonly cancelQuotes = notThere;
  readonly quotes = notThere;
  readonly makers = notThere;
  readonly cancelTrigger = notThere;
  readonly tape = notThere;

  cancelRfq({ rfqId }: { readonly rfqId: string }): Promise<Reply<RfqRecord>> {
    return this.#change('cancel', () => {
      const kept = this.#find(rfqId);
      if (kept === undefined || kept.record.status !== 'open') return refused(10010);
      this.#end(kept, 'cancelled');
      return { kind: 'done', value: this.#shown(kept) };
    });
  }

  rfqs({ id, label }: Parameters<RfqDesk['rfqs']>[0]): ReturnType<RfqDesk['rfqs']> {
    if (this.isMute) return Promise.resolve(unknown);
    const rfqs = this.kept
      .filter(({ record }) => id === undefined || record.id === id)
      .filter(({ record }) => label === undefined || record.label === label)
      .map((kept) => this.#shown(kept));
    return Promise.resolve({ kind: 'done', value: { rfqs } });
  }

  blockTrades({ rfqId }: Parameters<RfqDesk['blockTrades']>[0]) {
    const trades = this.#find(rfqId ?? '')?.trades ?? [];
    const reply: Awaited<ReturnType<RfqDesk['blockTrades']>> = { kind: 'done', value: { trades } };
    return Promise.resolve(this.isMute ? unknown : reply);
  }

  aliasOf(): undefined {
    return undefined;
  }

  listen(listener: (news: RfqNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get open(): readonly Kept[] {
    const now = this.#clock.now();
    return this.kept.filter(({ record }) => record.status === 'open' && now < record.expiresAt);
  }

  /** The quantity of an instrument traded over all RFQs. */
  filled(instrument: string): Quantity {
    return this.kept
      .flatMap(({ trades }) => trades.flatMap(({ rows }) => rows))
      .filter((row) => row.instrument === instrument)
      .reduce((sum, row) => sum.plus(row.quantity) as Quantity, ZERO_QUANTITY);
  }

  /** Notifies listeners of the current state of the RFQs. */
  notify(): void {
    for (const kept of this.kept) this.#news(kept);
  }

  /** Trades it whole over this many makers, each with its own block. */
  trade(kept: Kept, { price, makers }: Offer): void {
    const { record } = kept;
    const legs = [
      ...record.legs.map(({ ratio, ...leg }) => ({
        ...leg,
        isHedge: false,
        price,
        quantity: record.quantity.mul(ratio) as Quantity,
      })),
      ...(record.hedge === undefined ? [] : [{ ...record.hedge, isHedge: true }]),
    ];
    const at = this.#clock.now();
    kept.trades = Array.from({ length: makers }, (_, maker): BlockTrade => {
      const id = `BLOCK-${record.id}-${maker}`;
      return {
        id,
        rfqId: record.id,
        currency: record.currency,
        at,
        side: 'buy',
        price,
        quantity: record.quantity,
        rows: legs.map((leg, row) => ({
          tradeId: `${id}-${row}`,
          fee: money('0.0001'),
          feeCurrency: currency('BTC'),
          liquidity: 'taker',
          allocations: [],
          ...leg,
          quantity: shareOf(leg.quantity, maker, makers),
        })),
      };
    });
    this.#end(kept, 'filled');
  }

  #end(kept: Kept, status: RfqRecord['status']): void {
    kept.record = { ...kept.record, status };
    this.#news(kept);
  }

  #news(kept: Kept): void {
    const rfq = this.#shown(kept);
    const account = '10001' as Extract<RfqNews, { kind: 'rfq' }>['account'];
    for (const listener of this.#listeners) listener({ kind: 'rfq', account, rfq });
  }

  #isPastGrace = ({ record }: Kept): boolean =>
    this.#clock.now() >= later(record.createdAt, GRACE_MS);

  #shown(kept: Kept): RfqRecord {
    const { record } = kept;
    if (record.status === 'open' && this.#clock.now() >= record.expiresAt) {
      kept.record = { ...record, status: 'expired' };
    }
    const { offer } = this;
    if (record.status !== 'open' || offer === undefined || !this.#isPastGrace(kept))
      return kept.record;
    const { price, makers, isWhole = false } = offer;
    const executionInstruction = isWhole ? 'all_or_none' : 'any_part_of';
    const names = Array.from({ length: makers }, (_, maker) => `M${maker}`);
    const level = {
      price,
      quantity: record.quantity,
      makers: names,
      executionInstruction,
    } as const;
    return { ...kept.record, asks: [{ ...level, lastUpdatedAt: this.#clock.now() }] };
  }

  #find(id: string): Kept | undefined {
    return this.kept.find(({ record }) => record.id === id);
  }

  #change<T>(method: string, change: () => Reply<T>): Promise<Reply<T>> {
    return Promise.resolve(this.#changed(method, change));
  }

  #changed<T>(method: string, change: () => Reply<T>): Reply<T> | Promise<Reply<T>> {
    this.asked.push(method);
    const mishap = this.mishaps.length > 0 ? this.mishaps.shift() : this.mishap(method);
    if (mishap === undefined) return change();
    if (mishap === 'lose_request') return unknown;
    if (mishap === 'lose_reply') {
      change();
      return unknown;
    }
    if ('code' in mishap) return refused(mishap.code);
    if ('slowMs' in mishap) {
      const at = later(this.#clock.now(), mishap.slowMs);
      return new Promise((reply) => this.#clock.at(at, () => reply(change())));
    }
    this.#clock.at(later(this.#clock.now(), mishap.lateMs), () => void change());
    return unknown;
  }
}

/** In whole lots; the last one takes the remainder. */
function shareOf(of: Quantity, maker: number, makers: number): Quantity {
  const upTo = (count: number): Quantity =>
    count === makers ? of : onStep(of.mul(count).div(makers) as Quantity, LOT, 'down');
  return minus(upTo(maker + 1), upTo(maker));
}

// All Block RFQs the exchange keeps, with their quotes and trades, indexed by number, by each account's own
// id, and by liveness. Records are stored whole; storing one twice changes nothing.
import { must } from '../../values/assert.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { hash32 } from '../../values/rng.ts';
import type { BlockTrade } from './blocks/block-trade.ts';
import type { RfqQuote } from './maker-quote.ts';
import { isLive, type Rfq } from './rfq.ts';
import type { RfqEvent } from './rfq-event.ts';

export interface RfqCounters {
  readonly rfqs: number;
  readonly quotes: number;
  readonly trades: number;
  readonly rank: number;
}

/** Ids of one RFQ differ in their last digits only; twice the maximum number of participants. */
const ID_SPAN = 1_000;
export const SEATS_MAX = ID_SPAN / 2;
/** The maximum number of RFQs and of block trades. A choice of ours that bounds memory and snapshots. */
const REMEMBERED_MAX = 2_000;

interface Known {
  readonly rfq: Rfq;
  readonly quotes: Map<string, RfqQuote>;
}

export class RfqBook {
  /** Makers by account: users with an alias, and bots of the market. */
  readonly makers = new Map<AccountId, string>();
  /** Ascending by number, because they are created in that order. */
  readonly #known = new Map<number, Known>();
  readonly #live = new Set<number>();
  readonly #byId = new Map<string, { readonly rfq: number; readonly account: AccountId }>();
  readonly #quotes = new Map<string, number>();
  readonly #trades = new Map<number, BlockTrade>();
  readonly #byAccount = new Map<AccountId, Set<number>>();
  readonly #changed = new Map<string, (at: Instant) => RfqEvent>();
  #counters: RfqCounters = { rfqs: 0, quotes: 0, trades: 0, rank: 0 };
  #due: { readonly at: Instant | undefined } | undefined = { at: undefined };

  get counters(): RfqCounters {
    return this.#counters;
  }

  get hasLive(): boolean {
    return this.#live.size > 0;
  }

  resume(counters: RfqCounters): void {
    this.#count(counters);
  }

  put(rfq: Rfq): void {
    const { number } = rfq;
    const known = this.#known.get(number);
    this.#known.set(number, { rfq, quotes: known?.quotes ?? new Map() });
    if (isLive(rfq)) this.#live.add(number);
    else this.#live.delete(number);
    this.#due = undefined;
    this.#count({ rfqs: number });
    if (known !== undefined) return;
    this.#join(rfq.takerId, number, rfq.taker);
    for (const { id, account } of rfq.seats) this.#join(id, number, account);
  }

  putQuote(quote: RfqQuote): void {
    const known = this.#known.get(quote.rfq);
    if (known === undefined) return;
    known.quotes.set(quote.id, quote);
    this.#quotes.set(quote.id, quote.rfq);
    this.#due = undefined;
    this.#count({ quotes: Math.floor(Number(quote.id) / ID_SPAN), rank: quote.rank });
  }

  putTrade(trade: BlockTrade): void {
    this.#trades.set(trade.number, trade);
    this.#count({ trades: trade.number });
  }

  /** Stores the record and has it published when the command is complete. */
  change(rfq: Rfq): void {
    this.put(rfq);
    this.#changed.set(`r${rfq.number}`, (at) => ({
      kind: 'rfq_changed',
      at,
      rfq: this.get(rfq.number),
    }));
  }

  changeQuote(quote: RfqQuote): void {
    this.putQuote(quote);
    this.#changed.set(`q${quote.id}`, (at) => ({
      kind: 'rfq_quote_changed',
      at,
      quote: must(this.quote(quote.id), 'a changed quote is known'),
    }));
  }

  /** Each changed record once, in its current state. */
  takeChanges(at: Instant): RfqEvent[] {
    const events = [...this.#changed.values()].map((event) => event(at));
    this.#changed.clear();
    return events;
  }

  get(number: number): Rfq {
    return must(this.#known.get(number), () => `RFQ ${number} is known`).rfq;
  }

  /** By the account's own id; `undefined` for another account's id. */
  find(account: AccountId, id: string): Rfq | undefined {
    const named = this.#byId.get(id);
    return named?.account === account ? this.get(named.rfq) : undefined;
  }

  quote(id: string): RfqQuote | undefined {
    const rfq = this.#quotes.get(id);
    return rfq === undefined ? undefined : this.#known.get(rfq)?.quotes.get(id);
  }

  /** The quotes of one RFQ, in order of creation. */
  quotes(rfq: number): RfqQuote[] {
    return [...(this.#known.get(rfq)?.quotes.values() ?? [])];
  }

  openQuotes(rfq: number): RfqQuote[] {
    return this.quotes(rfq).filter(({ status }) => status === 'open');
  }

  /** In order of creation. */
  live(): Rfq[] {
    return [...this.#live].map((number) => this.get(number));
  }

  all(): Rfq[] {
    return [...this.#known.values()].map(({ rfq }) => rfq);
  }

  /** The RFQs the account takes part in, newest first. */
  of(account: AccountId): Rfq[] {
    const numbers = [...(this.#byAccount.get(account) ?? [])].reverse();
    return numbers.map((number) => this.get(number));
  }

  /** Oldest first. */
  trades(): IterableIterator<BlockTrade> {
    return this.#trades.values();
  }

  nextNumber(): number {
    return this.#counters.rfqs + 1;
  }

  nextTradeNumber(): number {
    return this.#counters.trades + 1;
  }

  nextQuote(): { readonly id: string; readonly rank: number } {
    const { quotes, rank } = this.#counters;
    return { id: scattered(quotes + 1, 'quote', new Set()), rank: rank + 1 };
  }

  nextRank(): number {
    return this.#counters.rank + 1;
  }

  /** The next end of a grace period, a quote or an RFQ; `undefined` if none is live. */
  dueAt(): Instant | undefined {
    this.#due ??= { at: this.#nextDue() };
    return this.#due.at;
  }

  /** Drops records that ended before `before`, and the oldest beyond the maximum. */
  forget(before: Instant): void {
    for (const [number, { rfq, quotes }] of this.#known) {
      const isKept = this.#known.size <= REMEMBERED_MAX && rfq.updatedAt >= before;
      if (isKept || isLive(rfq)) break;
      this.#known.delete(number);
      for (const id of quotes.keys()) this.#quotes.delete(id);
      this.#leave(rfq.takerId, number, rfq.taker);
      for (const { id, account } of rfq.seats) this.#leave(id, number, account);
    }
    for (const [number, { at }] of this.#trades) {
      if (this.#trades.size <= REMEMBERED_MAX && at >= before) break;
      this.#trades.delete(number);
    }
  }

  #nextDue(): Instant | undefined {
    const dues = this.live().flatMap((rfq) => [
      rfq.expiresAt,
      ...(rfq.status === 'created' ? [rfq.opensAt] : []),
      ...this.openQuotes(rfq.number).flatMap(({ expiresAt }) => expiresAt ?? []),
    ]);
    return dues.length === 0 ? undefined : (Math.min(...dues) as Instant);
  }

  #join(id: string, rfq: number, account: AccountId): void {
    this.#byId.set(id, { rfq, account });
    const known = this.#byAccount.get(account);
    if (known === undefined) this.#byAccount.set(account, new Set([rfq]));
    else known.add(rfq);
  }

  #leave(id: string, rfq: number, account: AccountId): void {
    this.#byId.delete(id);
    this.#byAccount.get(account)?.delete(rfq);
  }

  #count(seen: Partial<RfqCounters>): void {
    const { rfqs, quotes, trades, rank } = this.#counters;
    this.#counters = {
      rfqs: Math.max(rfqs, seen.rfqs ?? 0),
      quotes: Math.max(quotes, seen.quotes ?? 0),
      trades: Math.max(trades, seen.trades ?? 0),
      rank: Math.max(rank, seen.rank ?? 0),
    };
  }
}

/**
 * An id that grows with `number` and reveals nothing else: neither the number of participants nor the ids of
 * others. Never one of `taken`.
 */
export function scattered(number: number, of: string, taken: ReadonlySet<string>): string {
  for (let at = hash32(`${number}/${of}`); ; at += 1) {
    const id = String(number * ID_SPAN + (at % ID_SPAN));
    if (!taken.has(id)) return id;
  }
}

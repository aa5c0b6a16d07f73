// Read-only queries about Block RFQs: each account sees its own, by its own ids. Expiries since the last
// command are not applied here; send `advance_rfqs` first.
import type {
  BlockTrade as BlockTradeRecord,
  RfqQuoteRecord,
  RfqRecord,
  RfqStatus as RfqRecordStatus,
  RfqRole,
} from '../../../values/block-rfq-record.ts';
import type { AccountId, Currency, InstrumentName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import type { BlockTrade } from '../blocks/block-trade.ts';
import type { RfqQuote } from '../maker-quote.ts';
import { isLive, type Rfq } from '../rfq.ts';
import { shownQuote, shownTrade } from './quote-shown.ts';
import { shownRfq } from './rfq-shown.ts';

export interface RfqQuery {
  readonly account: AccountId;
  readonly role?: RfqRole | undefined;
  readonly id?: string | undefined;
  readonly label?: string | undefined;
  readonly currency?: Currency | undefined;
  /** `closed` matches every terminal state. */
  readonly status?: RfqRecordStatus | 'closed' | undefined;
  readonly count: number;
  /** Return ids strictly below it. */
  readonly continuation?: string | undefined;
}

/** Newest first; `continuation` is present if there are more. */
export interface RfqPage {
  readonly rfqs: readonly RfqRecord[];
  readonly continuation?: string | undefined;
}

export interface QuotesQuery {
  readonly account: AccountId;
  readonly rfqId?: string | undefined;
  readonly label?: string | undefined;
  readonly quoteId?: string | undefined;
}

export interface BlockTradesQuery {
  /** Default: trades of all accounts, without names. */
  readonly account?: AccountId | undefined;
  readonly currency?: Currency | undefined;
  /** Requires the account that the id belongs to. */
  readonly rfqId?: string | undefined;
  readonly count: number;
  /** A block trade id; returns those before it. */
  readonly continuation?: string | undefined;
}

export interface BlockTradesPage {
  readonly trades: readonly BlockTradeRecord[];
  readonly continuation?: string | undefined;
}

export class RfqReads {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  page(query: RfqQuery): RfqPage {
    const below = query.continuation === undefined ? undefined : Number(query.continuation);
    const found: RfqRecord[] = [];
    for (const rfq of this.#state.rfqs.of(query.account)) {
      const view = shownRfq(this.#state, rfq, query.account);
      if (!isMeant(view, query) || (below !== undefined && Number(view.id) >= below)) continue;
      if (found.length === query.count) return { rfqs: found, continuation: found.at(-1)?.id };
      found.push(view);
    }
    return { rfqs: found };
  }

  /** `undefined` if the account has no RFQ with this id. */
  rfq(account: AccountId, id: string): RfqRecord | undefined {
    const rfq = this.#state.rfqs.find(account, id);
    return rfq && shownRfq(this.#state, rfq, account);
  }

  /** The RFQ as its taker and each of its makers see it, for publication. */
  shownToAll({ number }: Pick<Rfq, 'number'>): readonly (readonly [AccountId, RfqRecord])[] {
    const rfq = this.#state.rfqs.get(number);
    const accounts = [rfq.taker, ...rfq.seats.map(({ account }) => account)];
    return accounts.map((account) => [account, shownRfq(this.#state, rfq, account)]);
  }

  shownQuote(quote: RfqQuote): RfqQuoteRecord {
    return shownQuote(this.#state.rfqs.get(quote.rfq), quote);
  }

  /** For one of its sides, or the public view without an account. */
  shownTrade(trade: BlockTrade, account?: AccountId): BlockTradeRecord {
    return shownTrade(trade, account);
  }

  /** The account's quotes: open ones, unless requested by id. Conditions combine. */
  quotes({ account, rfqId, label, quoteId }: QuotesQuery): readonly RfqQuoteRecord[] {
    const { rfqs } = this.#state;
    const isMeantQuote = (quote: RfqQuote): boolean =>
      quote.maker === account &&
      (label === undefined || quote.label === label) &&
      (rfqId === undefined || rfqs.find(account, rfqId)?.number === quote.rfq);
    const named = quoteId === undefined ? undefined : rfqs.quote(quoteId);
    const candidates =
      quoteId === undefined
        ? rfqs.live().flatMap(({ number }) => rfqs.openQuotes(number))
        : named === undefined
          ? []
          : [named];
    return candidates.filter(isMeantQuote).map((quote) => this.shownQuote(quote));
  }

  /** Aliases the account can address. */
  makers(account: AccountId): readonly string[] {
    const { makers } = this.#state.rfqs;
    return [...makers].flatMap(([maker, alias]) => (maker === account ? [] : [alias])).sort();
  }

  aliasOf(account: AccountId): string | undefined {
    return this.#state.rfqs.makers.get(account);
  }

  /** Newest first. */
  blockTrades(query: BlockTradesQuery): BlockTradesPage {
    const { account, count, continuation } = query;
    const below = continuation === undefined ? undefined : Number(continuation.split('-').at(-1));
    const found: BlockTrade[] = [];
    for (const trade of [...this.#state.rfqs.trades()].reverse()) {
      if (!isMeantTrade(trade, query) || (below !== undefined && trade.number >= below)) continue;
      if (found.length === count) break;
      found.push(trade);
    }
    const [oldest] = this.#state.rfqs.trades();
    const last = found.at(-1);
    const hasMore = found.length === count && last !== undefined && last.number !== oldest?.number;
    const trades = found.map((trade) => shownTrade(trade, account));
    return hasMore ? { trades, continuation: last.id } : { trades };
  }

  /** The time of the next expiry; `undefined` if no RFQ is live. */
  dueAt(): Instant | undefined {
    return this.#state.rfqs.dueAt();
  }

  /** The instruments that live RFQs would trade. */
  booksInUse(): ReadonlySet<InstrumentName> {
    const names = new Set<InstrumentName>();
    if (!this.#state.rfqs.hasLive) return names;
    for (const { legs, hedge } of this.#state.rfqs.live()) {
      for (const { instrument } of legs) names.add(instrument);
      if (hedge !== undefined) names.add(hedge.instrument);
    }
    return names;
  }

  /** Oldest first. */
  live(): readonly Rfq[] {
    return this.#state.rfqs.hasLive ? this.#state.rfqs.live() : [];
  }

  /** Open quotes of one maker in one RFQ. */
  ownQuotes(rfq: Rfq, maker: AccountId): readonly RfqQuote[] {
    return this.#state.rfqs.openQuotes(rfq.number).filter((quote) => quote.maker === maker);
  }
}

const isMeant = (view: RfqRecord, { role, id, label, currency, status }: RfqQuery): boolean =>
  (role === undefined || view.role === role) &&
  (id === undefined || view.id === id) &&
  (label === undefined || view.label === label) &&
  (currency === undefined || view.currency === currency) &&
  (status === undefined ||
    view.status === status ||
    // During the grace period it is open to everyone but its taker.
    (status === 'open' && view.status === 'created') ||
    (status === 'closed' && !isLive({ status: view.status as Rfq['status'] })));

const isMeantTrade = (trade: BlockTrade, query: BlockTradesQuery): boolean => {
  const { account, currency, rfqId } = query;
  const isOwn = account === undefined || trade.taker === account || trade.maker === account;
  const own = account === trade.maker ? trade.makerRfqId : trade.takerRfqId;
  return (
    isOwn &&
    (currency === undefined || trade.currency === currency) &&
    (rfqId === undefined || (account !== undefined && own === rfqId))
  );
};

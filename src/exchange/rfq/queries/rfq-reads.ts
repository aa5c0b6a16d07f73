// What can be asked about Block RFQs without changing anything: each account sees its own, by its own ids.
// What the clock has ended since the last command is still shown as it was; `advance_rfqs` goes first.
import type { AccountId, Currency, InstrumentName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import type { BlockTrade } from '../blocks/block-trade.ts';
import type { RfqQuote } from '../maker-quote.ts';
import { isLive, type Rfq } from '../rfq.ts';
import { shownQuote, shownTrade } from './quote-shown.ts';
import { shownRfq } from './rfq-shown.ts';
import type { BlockTradeView, RfqQuoteView, RfqRole, RfqView, ShownRfqStatus } from './rfq-view.ts';

export interface RfqQuery {
  readonly account: AccountId;
  readonly role?: RfqRole | undefined;
  readonly id?: string | undefined;
  readonly label?: string | undefined;
  readonly currency?: Currency | undefined;
  /** `closed` stands for every state that is over. */
  readonly status?: ShownRfqStatus | 'closed' | undefined;
  readonly count: number;
  /** Ids strictly below it. */
  readonly continuation?: string | undefined;
}

/** The newest first; `continuation` where there are more. */
export interface RfqPage {
  readonly rfqs: readonly RfqView[];
  readonly continuation?: string | undefined;
}

export interface QuotesQuery {
  readonly account: AccountId;
  readonly rfqId?: string | undefined;
  readonly label?: string | undefined;
  readonly quoteId?: string | undefined;
}

export interface BlockTradesQuery {
  /** Absent: those of everybody, without names. */
  readonly account?: AccountId | undefined;
  readonly currency?: Currency | undefined;
  /** Needs the account whose id it is. */
  readonly rfqId?: string | undefined;
  readonly count: number;
  /** A block trade id; those before it. */
  readonly continuation?: string | undefined;
}

export interface BlockTradesPage {
  readonly trades: readonly BlockTradeView[];
  readonly continuation?: string | undefined;
}

export class RfqReads {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  page(query: RfqQuery): RfqPage {
    const below = query.continuation === undefined ? undefined : Number(query.continuation);
    const found: RfqView[] = [];
    for (const rfq of this.#state.rfqs.of(query.account)) {
      const view = shownRfq(this.#state, rfq, query.account);
      if (!isMeant(view, query) || (below !== undefined && Number(view.id) >= below)) continue;
      if (found.length === query.count) return { rfqs: found, continuation: found.at(-1)?.id };
      found.push(view);
    }
    return { rfqs: found };
  }

  /** `undefined` for an id that is none of the account's. */
  rfq(account: AccountId, id: string): RfqView | undefined {
    const rfq = this.#state.rfqs.find(account, id);
    return rfq && shownRfq(this.#state, rfq, account);
  }

  /** As its taker and each of its makers see it: for telling them. */
  shownToAll({ number }: Pick<Rfq, 'number'>): readonly (readonly [AccountId, RfqView])[] {
    const rfq = this.#state.rfqs.get(number);
    const accounts = [rfq.taker, ...rfq.seats.map(({ account }) => account)];
    return accounts.map((account) => [account, shownRfq(this.#state, rfq, account)]);
  }

  shownQuote(quote: RfqQuote): RfqQuoteView {
    return shownQuote(this.#state.rfqs.get(quote.rfq), quote);
  }

  /** To one of its sides, or without an account to everybody. */
  shownTrade(trade: BlockTrade, account?: AccountId): BlockTradeView {
    return shownTrade(trade, account);
  }

  /** Own ones; open ones unless asked for by id. Conditions combine. */
  quotes({ account, rfqId, label, quoteId }: QuotesQuery): readonly RfqQuoteView[] {
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

  /** Aliases the account can ask. */
  makers(account: AccountId): readonly string[] {
    const { makers } = this.#state.rfqs;
    return [...makers].flatMap(([maker, alias]) => (maker === account ? [] : [alias])).sort();
  }

  aliasOf(account: AccountId): string | undefined {
    return this.#state.rfqs.makers.get(account);
  }

  /** The newest first. */
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

  /** When the clock ends something next; `undefined` while no RFQ is live. */
  dueAt(): Instant | undefined {
    return this.#state.rfqs.dueAt();
  }

  /** What live RFQs would trade in. */
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

const isMeant = (view: RfqView, { role, id, label, currency, status }: RfqQuery): boolean =>
  (role === undefined || view.role === role) &&
  (id === undefined || view.id === id) &&
  (label === undefined || view.label === label) &&
  (currency === undefined || view.currency === currency) &&
  (status === undefined ||
    view.status === status ||
    // In the grace it is open to all but its taker.
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

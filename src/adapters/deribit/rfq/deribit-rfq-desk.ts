// Block RFQs of Deribit. Requests that change something are sent once; without an answer the outcome is unknown and is
// looked up: RFQs by label, block trades by RFQ.
//
// Decided where the documents are silent: an id that is not found is an empty list; quotes have no protection group at the
// venue, so that a group is cancelled quote by quote.

import { type Refused, refusal } from '../../../core/order/answer-class.ts';
import type {
  Accepted,
  NewQuote,
  NewRfq,
  QuoteChange,
  RfqAccept,
  RfqDesk,
  RfqFilter,
  RfqNews,
} from '../../../ports/block-rfq.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { RfqContext } from '../../../ports/deribit-wire/block-rfq-rows.ts';
import { idJson } from '../../../ports/deribit-wire/json-number.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { Reply, TradingDesk } from '../../../ports/trading-desk.ts';
import type {
  BlockTrade,
  RfqQuoteRecord,
  RfqRecord,
  RfqStatus,
} from '../../../values/block-rfq-record.ts';
import type { AccountId, Currency } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { TermsOf } from '../../../values/instrument.ts';
import { LatestMap } from '../../../values/latest-map.ts';
import type { OrderReader } from '../orders/order-reader.ts';
import { mapped, type Params, type SendRequest } from '../outcome.ts';
import type { Questions, ReadResult } from '../session/questions.ts';
import { RfqChannels, type RfqGreeting } from './block-rfq-channels.ts';
import {
  acceptParams,
  idIf,
  newQuoteParams,
  newRfqParams,
  quoteChangeParams,
  quoteNameParams,
  unsendableRfq,
} from './block-rfq-params.ts';
import { BlockTradeReads } from './block-trade-reads.ts';
import { type BlockContext, ownBlockTrades } from './own-block-trades.ts';
import { type AcceptAnswer, countIn, RfqAnswers, type RfqsPage, textsIn } from './rfq-answers.ts';
import { RfqNewsDesk } from './rfq-news-desk.ts';
import { structureCurrency } from './structure-currency.ts';

export interface DeribitRfqOptions {
  readonly questions: Questions;
  readonly reader: OrderReader;
  readonly termsOf: TermsOf;
  /** The account's trades of any age. */
  readonly trades: TradingDesk['trades'];
  /** Every currency in which something settles. */
  readonly currencies: () => readonly Currency[] | undefined;
  /** The venue's number of the account; `undefined` if it did not say. */
  readonly userIdOf: (account: AccountId) => string | undefined;
  readonly venueNow: () => Instant;
  readonly clock: Clock;
  readonly tally: WireTally;
  readonly onFault: (error: unknown) => void;
}

const FORBIDDEN = 13021;
const NOT_FOUND = 13020;
/** At once; the venue's own limit is 1 000. */
const RFQS_PER_PAGE = 100;
/** A look-up by label goes no further back. */
const PAGES_MAX = 10;

export class DeribitRfqDesk implements RfqDesk {
  readonly #parts: DeribitRfqOptions;
  readonly #answers: RfqAnswers;
  readonly #channels: RfqChannels;
  readonly #blocks: BlockTradeReads;
  readonly #groups = new QuoteGroups();
  readonly #news: RfqNewsDesk;

  constructor(parts: DeribitRfqOptions) {
    const { reader, termsOf, tally, trades, clock, onFault } = parts;
    this.#parts = parts;
    const currencyOf = structureCurrency(termsOf);
    this.#channels = new RfqChannels(parts);
    this.#answers = new RfqAnswers(reader, currencyOf, this.#contextOf);
    this.#blocks = new BlockTradeReads({ trades, currencyOf, contextOf: this.#blockContextOf });
    this.#news = new RfqNewsDesk({
      answers: this.#answers,
      clock,
      tally,
      onFault,
      withGroup: this.#withGroup,
      tradesOf: (account, rfq) => this.#blocks.of(account, rfq),
    });
  }

  /** For each login of an account, before it is used. */
  greet(greeting: RfqGreeting): Promise<void> {
    return this.#channels.greet(greeting);
  }

  /** For each connection of the markets, before it is used. */
  greetMarket(request: SendRequest): Promise<void> {
    return this.#channels.greetMarket(request);
  }

  /** False for a channel of another subject. */
  receive(account: AccountId | undefined, channel: string, data: unknown): boolean {
    return this.#news.receive(account, channel, data);
  }

  close(): void {
    this.#news.close();
  }

  notify(news: RfqNews): void {
    this.#news.notify(news);
  }

  listen(listener: (news: RfqNews) => void): () => void {
    return this.#news.listen(listener);
  }

  aliasOf(account: AccountId): string | undefined {
    return this.#channels.aliasOf(account);
  }

  create(rfq: NewRfq): Promise<Reply<RfqRecord>> {
    const { account } = rfq;
    const held = unsendableRfq({ legs: rfq.legs, hedge: rfq.hedge });
    return held === undefined
      ? this.#request(account, 'create_block_rfq', newRfqParams(rfq), this.#answers.rfq(account))
      : Promise.resolve(held);
  }

  async accept(accept: RfqAccept): Promise<Reply<Accepted>> {
    const { account, rfqId, quantity, price, hedge } = accept;
    const held = unsendableRfq({ quantity, price, hedge });
    if (held !== undefined) return held;
    // The venue wants the whole structure.
    const structure = await this.#structureOf(accept);
    if (structure.kind !== 'done') return structure;
    const params = acceptParams(accept, structure.value);
    const read = this.#answers.accepted(account);
    const answer = await this.#request(account, 'accept_block_rfq', params, read);
    if (answer.kind !== 'done') return answer;
    const after = await this.#rfqOf(account, rfqId);
    return after.kind === 'done'
      ? { kind: 'done', value: this.#accepted(accept, answer.value, after.value) }
      : { kind: 'unknown', reason: `the RFQ ${rfqId} cannot be read after its accept` };
  }

  quote(quote: NewQuote): Promise<Reply<RfqQuoteRecord>> {
    const params = newQuoteParams(quote);
    return this.#quoted(quote, 'add_block_rfq_quote', params);
  }

  editQuote(change: QuoteChange): Promise<Reply<RfqQuoteRecord>> {
    return this.#quoted(change, 'edit_block_rfq_quote', quoteChangeParams(change));
  }

  cancelRfq({ account, rfqId }: Parameters<RfqDesk['cancelRfq']>[0]) {
    const params = { block_rfq_id: idJson(rfqId) };
    return this.#request(account, 'cancel_block_rfq', params, this.#answers.rfq(account));
  }

  /** The wire has no side: the accept that waits is cancelled. Examples of the answer lack the sides of the legs. */
  async cancelTrigger({ account, rfqId }: Parameters<RfqDesk['cancelTrigger']>[0]) {
    const params = { block_rfq_id: idJson(rfqId) };
    const read = this.#answers.rfqIfWhole(account);
    const reply = await this.#request(account, 'cancel_block_rfq_trigger', params, read);
    if (reply.kind !== 'done') return reply;
    const { value: rfq } = reply;
    return rfq === undefined ? await this.#rfqOf(account, rfqId) : { ...reply, value: rfq };
  }

  async cancelQuote({ account, of }: Parameters<RfqDesk['cancelQuote']>[0]) {
    const params = quoteNameParams(of);
    const { quote } = this.#answers;
    return mapped(
      await this.#request(account, 'cancel_block_rfq_quote', params, quote),
      this.#withGroup,
    );
  }

  /** The wire cannot state the reason: the venue treats it as requested by the maker. */
  async cancelQuotes(of: Parameters<RfqDesk['cancelQuotes']>[0]): Promise<Reply<number>> {
    const { account, rfqId, mmpGroup } = of;
    if (mmpGroup !== undefined) return await this.#cancelGroup(of, mmpGroup);
    const params = { block_rfq_id: idIf(rfqId) };
    return await this.#request(account, 'cancel_all_block_rfq_quotes', params, countIn);
  }

  async quotes(of: Parameters<RfqDesk['quotes']>[0]): Promise<Reply<readonly RfqQuoteRecord[]>> {
    const { account, rfqId, label, quoteId } = of;
    const ids = { block_rfq_id: idIf(rfqId), block_rfq_quote_id: idIf(quoteId) };
    const { quotes } = this.#answers;
    const reply = await this.#request(account, 'get_block_rfq_quotes', { ...ids, label }, quotes);
    const isNone = reply.kind === 'refused' && reply.code === NOT_FOUND;
    if (isNone && (rfqId ?? quoteId) !== undefined) return { kind: 'done', value: [] };
    return mapped(reply, (found) => found.map(this.#withGroup));
  }

  /** The wire has no labels: pages are read until enough carry it. */
  async rfqs(filter: RfqFilter): Promise<Reply<RfqsPage>> {
    if (filter.label === undefined) return await this.#page(filter);
    const found: RfqRecord[] = [];
    let { continuation } = filter;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const reply = await this.#page({ ...filter, count: RFQS_PER_PAGE, continuation });
      if (reply.kind !== 'done') return reply;
      found.push(...reply.value.rfqs.filter(({ label }) => label === filter.label));
      ({ continuation } = reply.value);
      if (found.length >= filter.count || continuation === undefined) break;
    }
    const rfqs = found.slice(0, filter.count);
    const isCut = found.length > rfqs.length;
    return { kind: 'done', value: { rfqs, continuation: isCut ? rfqs.at(-1)?.id : continuation } };
  }

  makers(account: AccountId) {
    return this.#request(account, 'get_block_rfq_makers', {}, textsIn);
  }

  /** All of an RFQ are on one page, which may so have more than `count`. */
  async blockTrades(of: Parameters<RfqDesk['blockTrades']>[0]) {
    const { account, currency, rfqId: id, count, continuation } = of;
    const filter = { account, currency, id, count, continuation };
    const page = await this.#page({ ...filter, status: id === undefined ? 'filled' : undefined });
    if (page.kind !== 'done') return page;
    const trades: BlockTrade[] = [];
    for (const rfq of page.value.rfqs) {
      const reply = await this.#blocks.of(account, rfq);
      if (reply.kind !== 'done') return reply;
      trades.push(...reply.value.trades);
    }
    return { kind: 'done' as const, value: { trades, continuation: page.value.continuation } };
  }

  async tape(of: Parameters<RfqDesk['tape']>[0]): Promise<Reply<readonly BlockTrade[]>> {
    const { currency = 'any', count } = of;
    if (count <= 0) return { kind: 'done', value: [] };
    const reply = await this.#parts.questions.ofMarket({
      method: 'public/get_block_rfq_trades',
      params: { currency, count },
      read: this.#answers.tape,
    });
    return mapped(reply, (trades) => trades.toSorted((a, b) => a.at - b.at).slice(-count));
  }

  readonly #contextOf = (account: AccountId): RfqContext => ({
    currencyOf: structureCurrency(this.#parts.termsOf),
    alias: this.#channels.aliasOf(account),
    venueNow: this.#parts.venueNow(),
  });

  readonly #blockContextOf = (account: AccountId): BlockContext => ({
    alias: this.#channels.aliasOf(account),
    groupOf: (quoteId) => this.#groups.of(quoteId),
  });

  readonly #withGroup = (quote: RfqQuoteRecord): RfqQuoteRecord => {
    const mmpGroup = this.#groups.of(quote.id);
    return mmpGroup === undefined ? quote : { ...quote, mmpGroup };
  };

  async #page(filter: RfqFilter): Promise<Reply<RfqsPage>> {
    const { account, id, currency, status, count, continuation, role } = filter;
    const params = {
      currency: currency ?? 'any',
      count,
      continuation: idIf(continuation),
      role,
      block_rfq_id: idIf(id),
      state: status && STATE_WORDS[status],
    };
    const reply = await this.#request(
      account,
      'get_block_rfqs',
      params,
      this.#answers.rfqs(account),
    );
    const isNone = reply.kind === 'refused' && reply.code === NOT_FOUND && id !== undefined;
    if (isNone) return { kind: 'done', value: { rfqs: [] } };
    return mapped(reply, ({ rfqs, continuation: next }) => ({
      rfqs: rfqs.filter((rfq) => status === undefined || isAmong(rfq, status)),
      continuation: next,
    }));
  }

  /** The RFQ as the venue has it now. */
  async #rfqOf(account: AccountId, id: string): Promise<Reply<RfqRecord>> {
    const page = await this.#page({ account, id, count: 1 });
    if (page.kind !== 'done') return page;
    const [rfq] = page.value.rfqs;
    return rfq === undefined ? NO_SUCH_RFQ : { kind: 'done', value: rfq };
  }

  async #structureOf({ account, rfqId, legs, hedge }: RfqAccept) {
    if (legs !== undefined && hedge !== undefined) {
      return { kind: 'done', value: { legs, hedge } } as const;
    }
    const known = this.#news.structureOf(account, rfqId);
    return known === undefined
      ? await this.#rfqOf(account, rfqId)
      : ({ kind: 'done', value: known } as const);
  }

  #accepted({ account }: RfqAccept, answer: AcceptAnswer, rfq: RfqRecord): Accepted {
    const { trigger, trades } = answer;
    const blockTrades = ownBlockTrades(rfq, trades, this.#blockContextOf(account));
    const isOpen = rfq.status === 'open' || rfq.status === 'created';
    return trades.length > 0 && isOpen
      ? // An accept trades the whole of an RFQ, which a query beside it may not see yet.
        { blockTrades, rfq: { ...rfq, status: 'filled', bids: [], asks: [] } }
      : { blockTrades, trigger: trades.length > 0 ? undefined : trigger, rfq };
  }

  async #quoted(quote: Omit<QuoteChange, 'of'>, name: string, params: Params) {
    const held = unsendableRfq(quote);
    if (held !== undefined) return held;
    const reply = await this.#request(quote.account, name, params, this.#answers.quote);
    if (reply.kind === 'done') this.#groups.note(reply.value.id, quote.mmpGroup);
    return mapped(reply, this.#withGroup);
  }

  async #cancelGroup(
    { account, rfqId }: Parameters<RfqDesk['cancelQuotes']>[0],
    group: string,
  ): Promise<Reply<number>> {
    const open = await this.quotes({ account, rfqId });
    if (open.kind !== 'done') return open;
    const meant = open.value.filter(({ id }) => this.#groups.mayBeOf(id, group));
    const cancels = meant.map(({ id }) => this.cancelQuote({ account, of: { quoteId: id } }));
    const replies = await Promise.all(cancels);
    for (const reply of replies) if (reply.kind === 'unknown') return reply;
    return { kind: 'done', value: replies.filter(({ kind }) => kind === 'done').length };
  }

  #request<T>(
    account: AccountId,
    name: string,
    params: Params,
    read: ReadResult<T>,
  ): Promise<Reply<T>> {
    if (this.#channels.isStranger(account)) return Promise.resolve(NO_SCOPE);
    return this.#parts.questions.ofAccount(account, { method: `private/${name}`, params, read });
  }
}

/** Whether an RFQ that the venue listed for a status is meant: for two of them it lists others too. */
const isAmong = (rfq: RfqRecord, status: RfqStatus): boolean =>
  rfq.status === status || (status !== 'created' && status !== 'failed');

/** What the venue has no word for is among those of another word. */
const STATE_WORDS: Readonly<Record<RfqStatus, string>> = {
  created: 'open',
  open: 'open',
  filled: 'filled',
  traded: 'traded',
  cancelled: 'cancelled',
  expired: 'expired',
  closed: 'closed',
  failed: 'closed',
};

const NO_SUCH_RFQ: Refused = refusal(NOT_FOUND, {
  param: 'blockRfqId',
  reason: 'is none of this account',
});
const NO_SCOPE: Refused = refusal(FORBIDDEN, {
  param: '',
  reason: 'the key of the account lacks block_rfq:read_write',
});

const KEPT_MAX = 10_000;

/**
 * The protection group of each quote made here: the wire of Block RFQs has none. The latest are remembered; of a quote
 * made elsewhere, or before a restart, the group is not known.
 */
class QuoteGroups {
  readonly #groups = new LatestMap<string, string>(KEPT_MAX);

  note(quoteId: string, group = ''): void {
    this.#groups.set(quoteId, group);
  }

  of(quoteId: string): string | undefined {
    return this.#groups.get(quoteId) || undefined;
  }

  /** Protection must not leave a quote because nobody remembers its group. */
  mayBeOf(quoteId: string, group: string): boolean {
    return (this.#groups.get(quoteId) ?? group) === group;
  }
}

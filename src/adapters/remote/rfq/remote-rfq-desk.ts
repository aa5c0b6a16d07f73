// Block RFQs of a remote venue. Requests that change something are sent once; without an answer the outcome
// is unknown and can be queried: RFQs by label, block trades by RFQ.

import { z } from 'zod';
import type {
  Accepted,
  NewQuote,
  NewRfq,
  QuoteChange,
  RfqAccept,
  RfqDesk,
  RfqNews,
} from '../../../ports/block-rfq.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { BlockTrade, RfqQuoteRecord, RfqRecord } from '../../../values/block-rfq-record.ts';
import { FanOut } from '../../../values/fan-out.ts';
import type { AccountId } from '../../../values/ids.ts';
import { mapped, type Questions } from '../connection/questions.ts';
import type { Params } from '../outcome.ts';
import {
  acceptParams,
  nameParams,
  newQuoteParams,
  newRfqParams,
  quoteChangeParams,
} from './remote-rfq-params.ts';
import { type RfqCurrency, tapeTrade, withCurrency } from './rfq-currency.ts';
import { blockTradeIn, quoteIn, rfqIn, type TapeTrade, triggerIn } from './rfq-wire.ts';

export interface RemoteRfqOptions {
  readonly questions: Questions;
  readonly currencyOf: RfqCurrency;
  /** As the venue reported it in the handshake. */
  readonly aliasOf: (account: AccountId) => string | undefined;
  /** Subscribes to the public tape until the returned function is called. */
  readonly listenTape: (receive: (trade: TapeTrade) => void) => () => void;
  readonly onFault: (error: unknown) => void;
}

const TAPE_MAX = 100;

const next = z
  .string()
  .nullable()
  .transform((token) => token ?? undefined);
const rfqsIn = z.object({ continuation: next, blockRfqs: z.array(rfqIn) });
const quotesIn = z.object({ results: z.array(quoteIn) });
const tradesIn = z.object({ continuation: next, trades: z.array(blockTradeIn) });
const makersIn = z.object({ results: z.array(z.string()) });
const countIn = z.int().min(0);
const acceptedIn = z.object({
  blockTrades: z.array(blockTradeIn),
  tradeTrigger: triggerIn.nullable(),
  blockRfq: rfqIn,
});

/** The method of a request, `block/rfqs/<name>`, with its params. */
interface Asked {
  readonly name: string;
  readonly params: Params;
}

export class RemoteRfqDesk implements RfqDesk {
  readonly #parts: RemoteRfqOptions;
  readonly #news: FanOut<RfqNews>;
  #leaveTape: (() => void) | undefined;
  /** The latest public trades by id, oldest first. */
  readonly #tape = new Map<string, BlockTrade>();

  constructor(parts: RemoteRfqOptions) {
    this.#parts = parts;
    this.#news = new FanOut(parts.onFault);
  }

  create(rfq: NewRfq): Promise<Reply<RfqRecord>> {
    return this.#rfq(rfq.account, { name: 'create_rfq', params: newRfqParams(rfq) });
  }

  async rfqs(filter: Parameters<RfqDesk['rfqs']>[0]) {
    const { account, id: blockRfqId, currency = 'any', ...same } = filter;
    const reply = await this.#ask(
      account,
      { name: 'get_rfqs', params: { ...same, currency, blockRfqId } },
      rfqsIn,
    );
    return mapped(reply, ({ blockRfqs, continuation }) => ({
      rfqs: blockRfqs.map(this.#withCurrency),
      continuation,
    }));
  }

  cancelRfq({ account, rfqId: blockRfqId }: Parameters<RfqDesk['cancelRfq']>[0]) {
    return this.#rfq(account, { name: 'cancel_rfq', params: { blockRfqId } });
  }

  cancelTrigger({ account, rfqId: blockRfqId, side }: Parameters<RfqDesk['cancelTrigger']>[0]) {
    return this.#rfq(account, { name: 'cancel_trigger', params: { blockRfqId, side } });
  }

  async accept(accept: RfqAccept): Promise<Reply<Accepted>> {
    const asked = { name: 'trade', params: acceptParams(accept) };
    const reply = await this.#ask(accept.account, asked, acceptedIn);
    return mapped(reply, ({ blockTrades, tradeTrigger, blockRfq }) => ({
      blockTrades: blockTrades.map(this.#tradeWithCurrency),
      trigger: tradeTrigger ?? undefined,
      rfq: this.#withCurrency(blockRfq),
    }));
  }

  quote(quote: NewQuote): Promise<Reply<RfqQuoteRecord>> {
    return this.#quote(quote.account, { name: 'create_quote', params: newQuoteParams(quote) });
  }

  editQuote(change: QuoteChange): Promise<Reply<RfqQuoteRecord>> {
    return this.#quote(change.account, { name: 'edit_quote', params: quoteChangeParams(change) });
  }

  cancelQuote({ account, of }: Parameters<RfqDesk['cancelQuote']>[0]) {
    return this.#quote(account, { name: 'cancel_quote', params: nameParams(of) });
  }

  /** The wire cannot state the reason: the venue treats it as requested by the maker. */
  cancelQuotes({
    account,
    rfqId: blockRfqId,
    mmpGroup,
  }: Parameters<RfqDesk['cancelQuotes']>[0]): Promise<Reply<number>> {
    const params = { blockRfqId, mmpGroup };
    return this.#ask(account, { name: 'cancel_all_quotes', params }, countIn);
  }

  async quotes(of: Parameters<RfqDesk['quotes']>[0]) {
    const { account, rfqId: blockRfqId, label, quoteId } = of;
    const asked = { name: 'get_quotes', params: { blockRfqId, label, quoteId } };
    const reply = await this.#ask(account, asked, quotesIn);
    return mapped(reply, ({ results }) => results.map(this.#quoteWithCurrency));
  }

  async makers(account: AccountId) {
    const reply = await this.#ask(account, { name: 'get_makers', params: {} }, makersIn);
    return mapped(reply, ({ results }) => results);
  }

  async blockTrades(of: Parameters<RfqDesk['blockTrades']>[0]) {
    const { account, rfqId: blockRfqId, currency = 'any', count, continuation } = of;
    const params = { blockRfqId, currency, count, continuation };
    const reply = await this.#ask(account, { name: 'get_trades', params }, tradesIn);
    return mapped(reply, (page) => ({
      trades: page.trades.map(this.#tradeWithCurrency),
      continuation: page.continuation,
    }));
  }

  aliasOf(account: AccountId): string | undefined {
    return this.#parts.aliasOf(account);
  }

  /** As far as received: the venue starts its tape with the latest trades. */
  tape({ currency, count }: Parameters<RfqDesk['tape']>[0]) {
    const meant = [...this.#tape.values()].filter(
      (trade) => currency === undefined || trade.currency === currency,
    );
    return Promise.resolve({ kind: 'done', value: count > 0 ? meant.slice(-count) : [] } as const);
  }

  listen(listener: (news: RfqNews) => void): () => void {
    const leave = this.#news.add(listener);
    this.#leaveTape ??= this.#parts.listenTape((trade) => this.#hearTape(trade));
    return () => {
      leave();
      if (this.#news.isHeard) return;
      this.#leaveTape?.();
      this.#leaveTape = undefined;
    };
  }

  /** Trades are repeated after every interruption, and passed on once. */
  #hearTape(heard: TapeTrade): void {
    const { currency, trade } = tapeTrade(heard, this.#parts.currencyOf);
    if (this.#tape.has(trade.id)) return;
    this.#tape.set(trade.id, trade);
    for (const oldest of this.#tape.keys()) {
      if (this.#tape.size > TAPE_MAX) this.#tape.delete(oldest);
      else break;
    }
    this.tell({ kind: 'tape', currency, trade });
  }

  tell(news: RfqNews): void {
    if (this.#news.isHeard) this.#news.send([news]);
  }

  readonly #withCurrency = (rfq: z.output<typeof rfqIn>): RfqRecord =>
    withCurrency(rfq, this.#parts.currencyOf);
  readonly #quoteWithCurrency = (quote: z.output<typeof quoteIn>): RfqQuoteRecord =>
    withCurrency(quote, this.#parts.currencyOf);
  readonly #tradeWithCurrency = (trade: z.output<typeof blockTradeIn>): BlockTrade => ({
    ...trade,
    currency: this.#parts.currencyOf(trade.rows),
  });

  async #rfq(account: AccountId, asked: Asked): Promise<Reply<RfqRecord>> {
    return mapped(await this.#ask(account, asked, rfqIn), this.#withCurrency);
  }

  async #quote(account: AccountId, asked: Asked): Promise<Reply<RfqQuoteRecord>> {
    return mapped(await this.#ask(account, asked, quoteIn), this.#quoteWithCurrency);
  }

  #ask<S extends z.ZodType>(
    account: AccountId,
    { name, params }: Asked,
    result: S,
  ): Promise<Reply<z.output<S>>> {
    const method = `block/rfqs/${name}`;
    return this.#parts.questions.ofAccount(account, { method, params, result });
  }
}

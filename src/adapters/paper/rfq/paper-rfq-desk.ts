// Block RFQs of the paper exchange. Requests share the queue of all others: each is answered after its events
// are written, and listeners are notified after the answer.

import type { AnswerOf, CountReply, RefusedAnswer } from '../../../exchange/exchange-command.ts';
import type {
  AcceptRfqCommand,
  CreateRfqCommand,
  EditRfqQuoteCommand,
  QuoteRfqCommand,
  RfqAcceptedAnswer,
  RfqAnswer,
  RfqQuoteAnswer,
  RfqUserCommand,
} from '../../../exchange/rfq/rfq-command.ts';
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
import type { RfqQuoteRecord, RfqRecord } from '../../../values/block-rfq-record.ts';
import { FanOut } from '../../../values/fan-out.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { AttachedAccounts } from '../attached-accounts.ts';
import { continuationFault } from '../continuation.ts';
import type { MarketDeskOptions } from '../market/paper-market-desk.ts';
import { done, refusedReply } from '../order-shapes.ts';
import { RfqNewsroom } from './rfq-news.ts';

interface Of {
  readonly account: AccountId;
}

export class PaperRfqDesk implements RfqDesk {
  readonly #parts: MarketDeskOptions;
  readonly #accounts: AttachedAccounts;
  readonly #news: FanOut<RfqNews>;

  constructor(parts: MarketDeskOptions, accounts: AttachedAccounts) {
    this.#parts = parts;
    this.#accounts = accounts;
    this.#news = new FanOut(parts.onFault);
    const newsroom = new RfqNewsroom(parts.exchange);
    parts.line.subscribe(({ events }) => {
      if (!this.#news.isHeard) return;
      const news = newsroom.of(events);
      this.#news.send(
        news.filter((one) => !('account' in one) || accounts.isAttached(one.account)),
      );
    });
  }

  create(rfq: NewRfq): Promise<Reply<RfqRecord>> {
    return this.#act(rfq, (now: Instant) => createCommand(rfq, now), rfqReply);
  }

  rfqs(filter: Parameters<RfqDesk['rfqs']>[0]) {
    return this.#read(filter, () => {
      const fault = continuationFault('rfqs', filter.continuation);
      if (fault !== undefined) return fault;
      const { rfqs, continuation } = this.#parts.exchange.rfqs.page(filter);
      return done({ rfqs, continuation });
    });
  }

  cancelRfq(of: Parameters<RfqDesk['cancelRfq']>[0]) {
    return this.#act(of, (now: Instant) => ({ ...of, kind: 'cancel_rfq', now }), rfqReply);
  }

  cancelTrigger(of: Parameters<RfqDesk['cancelTrigger']>[0]) {
    return this.#act(of, (now: Instant) => ({ ...of, kind: 'cancel_rfq_trigger', now }), rfqReply);
  }

  accept(accept: RfqAccept): Promise<Reply<Accepted>> {
    return this.#act(accept, (now: Instant) => acceptCommand(accept, now), acceptedReply);
  }

  quote(quote: NewQuote): Promise<Reply<RfqQuoteRecord>> {
    return this.#act(quote, (now: Instant) => quoteCommand(quote, now), quoteReply);
  }

  editQuote(change: QuoteChange): Promise<Reply<RfqQuoteRecord>> {
    return this.#act(change, (now: Instant) => editCommand(change, now), quoteReply);
  }

  cancelQuote(of: Parameters<RfqDesk['cancelQuote']>[0]) {
    return this.#act(of, (now: Instant) => ({ ...of, kind: 'cancel_rfq_quote', now }), quoteReply);
  }

  cancelQuotes(of: Parameters<RfqDesk['cancelQuotes']>[0]): Promise<Reply<number>> {
    return this.#act(of, (now: Instant) => ({ ...of, kind: 'cancel_rfq_quotes', now }), countReply);
  }

  quotes(of: Parameters<RfqDesk['quotes']>[0]) {
    return this.#read(of, () => done(this.#parts.exchange.rfqs.quotes(of)));
  }

  makers(account: AccountId) {
    return this.#read({ account }, () => done(this.#parts.exchange.rfqs.makers(account)));
  }

  blockTrades(of: Parameters<RfqDesk['blockTrades']>[0]) {
    return this.#read(of, () => {
      const fault = continuationFault('blocks', of.continuation);
      if (fault !== undefined) return fault;
      const { trades, continuation } = this.#parts.exchange.rfqs.blockTrades(of);
      return done({ trades, continuation });
    });
  }

  tape(of: Parameters<RfqDesk['tape']>[0]) {
    return this.#read({}, () => {
      const { trades } = this.#parts.exchange.rfqs.blockTrades(of);
      return done(trades.map((trade) => ({ ...trade, rfqId: '' })).reverse());
    });
  }

  aliasOf(account: AccountId): string | undefined {
    return this.#parts.exchange.rfqs.aliasOf(account);
  }

  listen(listener: (news: RfqNews) => void): () => void {
    return this.#news.add(listener);
  }

  #act<C extends RfqUserCommand, T>(
    { account }: Of,
    command: (now: Instant) => C,
    reply: (answer: AnswerOf<C>) => Reply<T>,
  ): Promise<Reply<T>> {
    const { paper } = this.#parts;
    return this.#request(account, (now) => reply(paper.request(command(now))));
  }

  #read<T>({ account }: { readonly account?: AccountId }, read: () => Reply<T>): Promise<Reply<T>> {
    return this.#request(account, (now) => {
      this.#parts.paper.settle(now);
      return read();
    });
  }

  /** The tape belongs to no account. */
  #request<T>(account: AccountId | undefined, act: (now: Instant) => Reply<T>): Promise<Reply<T>> {
    const refused = account && this.#accounts.refusalOf(account);
    return refused === undefined ? this.#parts.line.request(act) : Promise.resolve(refused);
  }
}

function rfqReply(answer: RfqAnswer | RefusedAnswer): Reply<RfqRecord> {
  return answer.kind === 'refused' ? refusedReply(answer) : done(answer.rfq);
}

function quoteReply(answer: RfqQuoteAnswer | RefusedAnswer): Reply<RfqQuoteRecord> {
  return answer.kind === 'refused' ? refusedReply(answer) : done(answer.quote);
}

function countReply(answer: CountReply): Reply<number> {
  return answer.kind === 'refused' ? refusedReply(answer) : done(answer.count);
}

function acceptedReply(answer: RfqAcceptedAnswer | RefusedAnswer): Reply<Accepted> {
  if (answer.kind === 'refused') return refusedReply(answer);
  const { blockTrades, trigger, rfq } = answer;
  return done({ blockTrades, trigger, rfq });
}

// Requests of the port as commands of the exchange.

const createCommand = (rfq: NewRfq, now: Instant): CreateRfqCommand => ({
  ...rfq,
  kind: 'create_rfq',
  now,
  label: rfq.label ?? '',
});

const acceptCommand = (accept: RfqAccept, now: Instant): AcceptRfqCommand => ({
  ...accept,
  kind: 'accept_rfq',
  now,
});

const quoteCommand = (quote: NewQuote, now: Instant): QuoteRfqCommand => ({
  ...quote,
  kind: 'quote_rfq',
  now,
  label: quote.label ?? '',
});

const editCommand = (change: QuoteChange, now: Instant): EditRfqQuoteCommand => ({
  ...change,
  kind: 'edit_rfq_quote',
  now,
});

// What Deribit publishes about Block RFQs, as news of the port. A filled RFQ says nothing of ids and fees: its block trades
// are read, and read again while the venue's list of trades lags behind. A message that cannot be read changes nothing by
// itself: listeners compare with the venue instead, as after a break.
import type { RfqNews } from '../../../ports/block-rfq.ts';
import type { Clock } from '../../../ports/clock.ts';
import { Fields, MalformedMessage } from '../../../ports/deribit-wire/message-fields.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { RfqQuoteRecord, RfqRecord } from '../../../values/block-rfq-record.ts';
import { FanOut } from '../../../values/fan-out.ts';
import type { AccountId } from '../../../values/ids.ts';
import { later, SECOND_MS } from '../../../values/instant.ts';
import { LatestMap } from '../../../values/latest-map.ts';
import { SparseComparisons } from '../sparse-comparisons.ts';
import { type RfqSubject, subjectOf } from './block-rfq-channels.ts';
import type { RfqBlocks } from './block-trade-reads.ts';
import type { RfqAnswers } from './rfq-answers.ts';

export interface RfqNewsDeskOptions {
  readonly answers: RfqAnswers;
  readonly withGroup: (quote: RfqQuoteRecord) => RfqQuoteRecord;
  readonly tradesOf: (account: AccountId, rfq: RfqRecord) => Promise<Reply<RfqBlocks>>;
  readonly clock: Clock;
  readonly tally: WireTally;
  readonly onFault: (error: unknown) => void;
}

/** Between two looks at the trades of a filled RFQ. */
const LOOK_AGAIN_MS = [SECOND_MS, 2 * SECOND_MS, 4 * SECOND_MS, 8 * SECOND_MS];
const KEPT_MAX = 1_000;

export class RfqNewsDesk {
  readonly #parts: RfqNewsDeskOptions;
  readonly #news: FanOut<RfqNews>;
  /** The latest that were published, by account and id. */
  readonly #seen = new LatestMap<string, RfqRecord>(KEPT_MAX);
  readonly #tape = new LatestMap<string, true>(KEPT_MAX);
  readonly #comparisons: SparseComparisons<'news'>;

  constructor(parts: RfqNewsDeskOptions) {
    this.#parts = parts;
    this.#news = new FanOut(parts.onFault);
    this.#comparisons = new SparseComparisons(parts.clock, () =>
      this.notify({ kind: 'reconnected' }),
    );
  }

  listen(listener: (news: RfqNews) => void): () => void {
    return this.#news.add(listener);
  }

  notify(news: RfqNews): void {
    this.#news.send([news]);
  }

  close(): void {
    this.#comparisons.close();
  }

  /** Its legs and hedge, which never change. */
  structureOf(account: AccountId, rfqId: string): RfqRecord | undefined {
    return this.#seen.get(`${account} ${rfqId}`);
  }

  receive(account: AccountId | undefined, channel: string, data: unknown): boolean {
    const subject = subjectOf(channel);
    if (subject === undefined) return false;
    try {
      this.#publish(subject, account, data, `a message of ${channel}`);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.#parts.onFault(error);
      this.#comparisons.lost('news');
    }
    return true;
  }

  #publish(subject: RfqSubject, account: AccountId | undefined, data: unknown, what: string): void {
    const { answers, tally, withGroup } = this.#parts;
    if (subject === 'tape') return this.#publishTape(new Fields(what, data, tally));
    if (account === undefined) return;
    if (subject === 'quotes') {
      const quotes = answers.quotes(data, what, tally).map(withGroup);
      if (quotes.length > 0) this.notify({ kind: 'quotes', account, quotes });
      return;
    }
    const rfq = answers.rfq(account, subject)(data, what, tally);
    const before = this.#seen.get(`${account} ${rfq.id}`);
    this.#seen.set(`${account} ${rfq.id}`, rfq);
    this.notify({ kind: 'rfq', account, rfq });
    if (rfq.status === 'filled' && before?.status !== 'filled') void this.#report(account, rfq);
  }

  /** Every login repeats none of them, but the same trade may come by several channels. */
  #publishTape(of: Fields): void {
    const trade = this.#parts.answers.tapeTrade(of);
    if (this.#tape.has(trade.id)) return;
    this.#tape.set(trade.id, true);
    this.notify({ kind: 'tape', currency: trade.currency, trade });
  }

  async #report(account: AccountId, rfq: RfqRecord, looks = 0): Promise<void> {
    if (!this.#news.isHeard) return;
    const { tradesOf, clock, onFault } = this.#parts;
    const reply = await tradesOf(account, rfq);
    if (reply.kind === 'done' && reply.value.areAll) {
      const { trades } = reply.value;
      this.#news.send(trades.map((trade) => ({ kind: 'block_trade', account, trade })));
      return;
    }
    const waitMs = LOOK_AGAIN_MS[looks];
    if (waitMs !== undefined) {
      clock.at(later(clock.now(), waitMs), () => void this.#report(account, rfq, looks + 1));
      return;
    }
    onFault(new Error(`the block trades of RFQ ${rfq.id} of ${account} are not listed`));
    this.#comparisons.lost('news');
  }
}

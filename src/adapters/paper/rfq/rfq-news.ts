// Publishes the Block RFQ changes of one step of the exchange to the accounts concerned. A maker is notified
// of an RFQ only if its own view changed: not when others quote or the taker places a waiting accept.

import type { Exchange } from '../../../exchange/exchange.ts';
import type { AccountEvent } from '../../../exchange/exchange-event.ts';
import type { RfqEvent } from '../../../exchange/rfq/rfq-event.ts';
import type { RfqNews } from '../../../ports/block-rfq.ts';
import type { RfqQuoteRecord, RfqRecord } from '../../../values/block-rfq-record.ts';
import type { AccountId } from '../../../values/ids.ts';

/** The number of ended RFQs that are remembered, so that no end is published twice. */
const REMEMBERED_MAX = 10_000;

export class RfqNewsroom {
  readonly #exchange: Exchange;
  /** The last status published to each maker, by the maker's id of the RFQ. */
  readonly #publishedToMakers = new Map<string, RfqRecord['status']>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** In reading order: quotes, trades, then the RFQs in their current state. */
  of(events: readonly AccountEvent[]): readonly RfqNews[] {
    const own = events.filter(isOfRfqs);
    if (own.length === 0) return [];
    return [...this.#quotes(own), ...this.#trades(own), ...this.#rfqs(own)];
  }

  #quotes(events: readonly RfqEvent[]): readonly RfqNews[] {
    const byMaker = new Map<AccountId, RfqQuoteRecord[]>();
    for (const event of events) {
      if (event.kind !== 'rfq_quote_changed') continue;
      const { maker } = event.quote;
      const quotes = byMaker.get(maker) ?? [];
      quotes.push(this.#exchange.rfqs.shownQuote(event.quote));
      byMaker.set(maker, quotes);
    }
    return [...byMaker].map(([account, quotes]) => ({ kind: 'quotes', account, quotes }));
  }

  #trades(events: readonly RfqEvent[]): readonly RfqNews[] {
    const { rfqs } = this.#exchange;
    return events.flatMap((event): readonly RfqNews[] => {
      if (event.kind !== 'block_traded') return [];
      const { trade } = event;
      const tradeFor = (account?: AccountId) => rfqs.shownTrade(trade, account);
      return [
        ...[trade.taker, trade.maker].map(
          (account): RfqNews => ({ kind: 'block_trade', account, trade: tradeFor(account) }),
        ),
        { kind: 'tape', currency: trade.currency, trade: { ...tradeFor(), rfqId: '' } },
      ];
    });
  }

  /** A quote changes what its taker sees after the grace period. */
  #rfqs(events: readonly RfqEvent[]): readonly RfqNews[] {
    const changed = new Map<number, boolean>();
    for (const event of events) {
      if (event.kind === 'rfq_changed') changed.set(event.rfq.number, true);
      else if (event.kind === 'rfq_quote_changed') {
        changed.set(event.quote.rfq, changed.get(event.quote.rfq) ?? false);
      }
    }
    return [...changed].flatMap(([number, isItself]) => this.#noticesOf(number, isItself));
  }

  #noticesOf(number: number, isItself: boolean): readonly RfqNews[] {
    return this.#exchange.rfqs.shownToAll({ number }).flatMap(([account, view]) => {
      const isNews =
        view.role === 'taker'
          ? isItself || view.status !== 'created'
          : isItself && this.#isNewsForMaker(view);
      return isNews ? [{ kind: 'rfq', account, rfq: view } as const] : [];
    });
  }

  #isNewsForMaker({ id, status }: RfqRecord): boolean {
    if (this.#publishedToMakers.get(id) === status) return false;
    this.#publishedToMakers.set(id, status);
    for (const oldest of this.#publishedToMakers.keys()) {
      if (this.#publishedToMakers.size > REMEMBERED_MAX) this.#publishedToMakers.delete(oldest);
      else break;
    }
    return true;
  }
}

const isOfRfqs = (event: AccountEvent): event is AccountEvent & RfqEvent =>
  event.kind === 'rfq_changed' ||
  event.kind === 'rfq_quote_changed' ||
  event.kind === 'block_traded';

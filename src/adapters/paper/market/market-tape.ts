// Collects the changes of subscribed markets while the exchange works, for a single delivery: every trade,
// and each instrument whose book or reference changed, once.

import type { Exchange } from '../../../exchange/exchange.ts';
import type { ExchangeEvent, Print } from '../../../exchange/exchange-event.ts';
import type { MarketNews, PublicTrade } from '../../../ports/market-reads.ts';
import { must } from '../../../values/assert.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import { CountedNames } from './counted-names.ts';

export class MarketTape {
  readonly #exchange: Exchange;
  readonly #followed = new CountedNames();
  readonly #moved = new Set<InstrumentName>();
  #trades: PublicTrade[] = [];

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  follow(name: InstrumentName): () => void {
    return this.#followed.add(name);
  }

  noteMoved(name: InstrumentName): void {
    if (this.#followed.has(name)) this.#moved.add(name);
  }

  noteAllMoved(): void {
    for (const name of this.#followed.names()) this.#moved.add(name);
  }

  note(events: readonly ExchangeEvent[]): void {
    if (this.#followed.size === 0) return;
    for (const event of events) {
      if (event.kind === 'order_changed') this.noteMoved(event.order.instrument);
      else if (event.kind === 'print') this.#notePrint(event);
    }
  }

  /** The changes since the last call: trades in their order, then the changed instruments. */
  take(): readonly MarketNews[] {
    if (this.#moved.size === 0 && this.#trades.length === 0) return NOTHING;
    const trades = this.#trades.map((trade): MarketNews => ({ kind: 'trade', trade }));
    const moved = [...this.#moved].map(
      (instrument): MarketNews => ({ kind: 'market', instrument }),
    );
    this.#trades = [];
    this.#moved.clear();
    return [...trades, ...moved];
  }

  #notePrint(print: Print): void {
    if (!this.#followed.has(print.instrument)) return;
    this.#moved.add(print.instrument);
    this.#trades.push(publicTrade(this.#exchange, print));
  }
}

const NOTHING: readonly MarketNews[] = [];

/** Called right after the trade, so that mark price and index are those of that moment. */
function publicTrade(exchange: Exchange, print: Print): PublicTrade {
  const { instrument, tradeId, tradeSeq, side, tickDirection, at } = print;
  const grid = must(exchange.grid(instrument), () => `${instrument} trades and has a grid`);
  const reference = exchange.reference(instrument);
  return {
    tradeId,
    tradeSeq,
    instrument,
    side,
    price: grid.priceOf(print.priceTicks),
    quantity: grid.quantityOf(print.lots),
    tickDirection,
    mark: reference?.mark,
    index: reference?.index,
    iv: reference?.markIv,
    at,
  };
}

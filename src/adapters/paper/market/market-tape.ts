// Collects the changes of subscribed markets while the exchange works, for a single delivery: every trade,
// and each instrument whose book or reference changed, once. Every trade is remembered, subscribed to or not. Watchers of a
// market are called at each of its changes, before the next one.

import type { Exchange } from '../../../exchange/exchange.ts';
import type { ExchangeEvent, Print } from '../../../exchange/exchange-event.ts';
import type { TapeEntry, TapeMemory } from '../../../exchange/tape/tape-memory.ts';
import type { PublicTrade } from '../../../ports/market-history.ts';
import type { MarketNews } from '../../../ports/market-reads.ts';
import type { QuoteChanged } from '../../../ports/venue.ts';
import { must } from '../../../values/assert.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import { CountedNames } from './counted-names.ts';

export class MarketTape {
  readonly #exchange: Exchange;
  readonly #memory: TapeMemory;
  readonly #followed = new CountedNames();
  readonly #moved = new Set<InstrumentName>();
  readonly #watchers = new Map<InstrumentName, Set<QuoteChanged>>();
  /** Watched markets that moved since the watchers were called. */
  readonly #stirred = new Set<InstrumentName>();
  #trades: PublicTrade[] = [];

  constructor(exchange: Exchange, memory: TapeMemory) {
    this.#exchange = exchange;
    this.#memory = memory;
  }

  follow(name: InstrumentName): () => void {
    return this.#followed.add(name);
  }

  /** Calls `onChange`, which must not throw, at each change of the market until the returned function is called. */
  watch(name: InstrumentName, onChange: QuoteChanged): () => void {
    const watchers = this.#watchers.get(name) ?? new Set();
    this.#watchers.set(name, watchers);
    watchers.add(onChange);
    return () => {
      watchers.delete(onChange);
      if (watchers.size === 0) this.#watchers.delete(name);
    };
  }

  /** Whether anybody has to see each of its changes. */
  isFollowed(name: InstrumentName): boolean {
    return this.#followed.has(name) || this.#watchers.has(name);
  }

  noteMoved(name: InstrumentName): void {
    if (this.#followed.has(name)) this.#moved.add(name);
    if (this.#watchers.has(name)) this.#stirred.add(name);
  }

  noteAllMoved(): void {
    for (const name of this.#followed.names()) this.#moved.add(name);
    for (const name of this.#watchers.keys()) this.#stirred.add(name);
  }

  /** Calls the watchers of what moved since they were called, with the time of the exchange. */
  callWatchers(): void {
    if (this.#stirred.size === 0) return;
    const names = [...this.#stirred];
    this.#stirred.clear();
    const at = this.#exchange.now;
    for (const name of names) {
      for (const onChange of this.#watchers.get(name) ?? []) onChange(at);
    }
  }

  note(events: readonly ExchangeEvent[]): void {
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

  /** Right after the trade, so that mark price and index are those of that moment. */
  #notePrint(print: Print): void {
    const entry = tapeEntry(this.#exchange, print);
    this.#memory.note(entry);
    this.noteMoved(print.instrument);
    if (!this.#followed.has(print.instrument)) return;
    this.#trades.push(publicTrade(this.#exchange, entry));
  }
}

const NOTHING: readonly MarketNews[] = [];

function tapeEntry(exchange: Exchange, print: Print): TapeEntry {
  const { mark, index, markIv: iv } = exchange.reference(print.instrument) ?? {};
  const legs = print.legs?.map((leg) => tapeEntry(exchange, leg));
  return { print, mark, index, iv, ...(legs && ofCombo(exchange, print, { index, legs })) };
}

/** The index divides the amounts of a combo in USD, because its price may be near zero. */
export const ofCombo = (
  exchange: Exchange,
  { instrument }: Pick<Print, 'instrument'>,
  { index, legs }: Pick<TapeEntry, 'index' | 'legs'>,
): Pick<TapeEntry, 'indexTicks' | 'legs'> => ({
  indexTicks: index && exchange.grid(instrument)?.exactTicks(index),
  legs,
});

export function publicTrade(
  exchange: Exchange,
  { print, legs, indexTicks: _, ...known }: TapeEntry,
): PublicTrade {
  const { instrument, tradeId, tradeSeq, side, tickDirection, at, ofCombo } = print;
  const grid = must(exchange.grid(instrument), () => `${instrument} trades and has a grid`);
  return {
    tradeId,
    tradeSeq,
    instrument,
    side,
    price: ofCombo?.price ?? grid.priceOf(print.priceTicks),
    quantity: grid.quantityOf(print.lots),
    tickDirection,
    ...(print.liquidation && { liquidation: print.liquidation }),
    ...known,
    ...(ofCombo && { comboId: ofCombo.id, comboTradeId: ofCombo.tradeId }),
    ...(legs && {
      comboId: instrument,
      comboTradeId: tradeId,
      legs: legs.map((leg) => publicTrade(exchange, leg)),
    }),
    at,
  };
}

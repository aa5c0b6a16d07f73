// What a market was at one hour or over a span, from its tape where a book was in use and computed where not. Each call
// does a bounded piece of work.

import { Grid } from '../../../exchange/book/grid.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import { type PastTrade, SLOT_MS } from '../../../exchange/market/past/past-market.ts';
import { type Bar, barOf, joined } from '../../../exchange/tape/bars.ts';
import type { InstrumentTape, TapeEntry, TapeMemory } from '../../../exchange/tape/tape-memory.ts';
import type { PublicTrade } from '../../../ports/market-history.ts';
import { modelPrice } from '../../../values/amounts.ts';
import { type TradeId, tradeId } from '../../../values/ids.ts';
import { HOUR_MS, type Instant, instant, MINUTE_MS } from '../../../values/instant.ts';
import { type Instrument, isCombo } from '../../../values/instrument.ts';
import { publicTrade } from './market-tape.ts';
import type { PastHours } from './past-hours.ts';

interface MarketPastParts {
  readonly exchange: Exchange;
  readonly memory: TapeMemory;
  /** Absent if the source of the market computes nothing. */
  readonly hours: PastHours | undefined;
}

/** A span in epoch milliseconds, the last excluded. */
export interface MsSpan {
  readonly from: number;
  readonly until: number;
}

export const hourOf = (at: number): number => Math.floor(at / HOUR_MS);

const MINUTES = HOUR_MS / MINUTE_MS;

export class MarketPast {
  readonly #parts: MarketPastParts;

  constructor(parts: MarketPastParts) {
    this.#parts = parts;
  }

  /** The trades of a span, which is within one hour unless `isPassing`, oldest first. */
  trades(instrument: Instrument, span: MsSpan, isPassing: boolean): readonly PublicTrade[] {
    const { exchange, memory } = this.#parts;
    const hours = this.#hoursOf(instrument);
    const { from, until } = span;
    const entries = memory.of(instrument.name)?.entries ?? [];
    const first = firstAt(entries, from);
    const last = firstAt(entries, until);
    const made = entries.slice(first, last).map((entry) => publicTrade(exchange, entry));
    const slots = { from: Math.floor(from / SLOT_MS), until: Math.ceil(until / SLOT_MS) };
    const drawn = isPassing
      ? hours?.passing(instrument, slots)
      : hours?.trades(instrument, hourOf(from));
    const computed = this.#unused(instrument, drawn ?? [], span);
    if (computed.length === 0) return made;
    const grid = new Grid(instrument);
    const shown = computed.map((trade) => {
      const before = entries[firstAt(entries, trade.at) - 1];
      return drawnTrade(instrument, { trade, grid, seq: before?.print.tradeSeq ?? 0 });
    });
    return made.length === 0 ? shown : [...made, ...shown].sort((a, b) => a.at - b.at);
  }

  /** When a trade of these instruments was; `undefined` of one that was made and is no longer retained. */
  timeOf(id: TradeId, instruments: readonly Instrument[]): Instant | undefined {
    const computed = computedTradeOf(id);
    if (computed === undefined) {
      const made = instruments.flatMap((one) => this.#tape(one)?.entries ?? []);
      return made.find(({ print }) => print.tradeId === id)?.print.at;
    }
    const from = computed.slot * SLOT_MS;
    const instrument = instruments.find(({ name }) => name === computed.instrument);
    const trades = instrument && this.trades(instrument, { from, until: from + SLOT_MS }, true);
    return trades?.find((trade) => trade.tradeId === id)?.at ?? instant(from);
  }

  /** Trades that were made and are retained, oldest first: those with numbers and ids of their own. */
  made(instrument: Instrument): readonly PublicTrade[] {
    const entries = this.#parts.memory.of(instrument.name)?.entries ?? [];
    return entries.map((entry) => publicTrade(this.#parts.exchange, entry));
  }

  /** Adds the trades of an hour to the bars of their periods, by number since the epoch. */
  addBars(bars: Map<number, Bar>, instrument: Instrument, of: HourOfBars): void {
    const { hour, everyMs } = of;
    const { from, until } = within(hour, of);
    const add = (bar: Bar): void => {
      const period = Math.floor(bar.firstAt / everyMs);
      const known = bars.get(period);
      bars.set(period, known === undefined ? bar : joined(known, bar));
    };
    const minutes = this.#tape(instrument)?.bars;
    for (let minute = hour * MINUTES; minute < (hour + 1) * MINUTES; minute += 1) {
      const bar = minutes?.get(minute);
      if (bar !== undefined && bar.firstAt >= from && bar.firstAt < until) add(bar);
    }
    const drawn = this.#hoursOf(instrument)?.trades(instrument, hour) ?? [];
    for (const trade of this.#unused(instrument, drawn, { from, until })) add(barOf(trade));
  }

  /** Nothing is computed of combos: nobody but users trades them. */
  #hoursOf(instrument: Instrument): PastHours | undefined {
    return isCombo(instrument) ? undefined : this.#parts.hours;
  }

  #tape({ name }: Instrument): InstrumentTape | undefined {
    return this.#parts.memory.of(name);
  }

  /** Those of the span, in slots in which the book was not in use. */
  #unused(
    instrument: Instrument,
    trades: readonly PastTrade[],
    { from, until }: MsSpan,
  ): readonly PastTrade[] {
    if (trades.length === 0) return trades;
    const used = this.#tape(instrument)?.inUse;
    return trades.filter(({ at, slot }) => {
      if (at < from || at >= until) return false;
      return used === undefined || !used.meets(slot * SLOT_MS, (slot + 1) * SLOT_MS);
    });
  }
}

interface HourOfBars extends MsSpan {
  readonly hour: number;
  readonly everyMs: number;
}

const within = (hour: number, { from, until }: MsSpan): MsSpan => ({
  from: Math.max(from, hour * HOUR_MS),
  until: Math.min(until, (hour + 1) * HOUR_MS),
});

/** The place of the first trade at or after `at`. */
function firstAt(entries: readonly TapeEntry[], at: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.print.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The instrument and the slot that the id of a computed trade names. */
export function computedTradeOf(
  id: TradeId,
): { readonly instrument: string; readonly slot: number } | undefined {
  const [instrument, slot] = id.split('@');
  if (instrument === undefined || slot === undefined) return undefined;
  return { instrument, slot: Number(slot) };
}

/** A computed trade: its id names its slot, and its number is that of the trade before it. */
function drawnTrade(
  { name }: Instrument,
  { trade, grid, seq }: { readonly trade: PastTrade; readonly grid: Grid; readonly seq: number },
): PublicTrade {
  const { slot, at, side, ticks, lots, mark, index, iv } = trade;
  return {
    tradeId: tradeId(`${name}@${slot}`),
    tradeSeq: seq,
    instrument: name,
    side,
    price: grid.priceOf(ticks),
    quantity: grid.quantityOf(lots),
    tickDirection: 0,
    mark: modelPrice(mark),
    index: modelPrice(index),
    iv,
    at,
  };
}

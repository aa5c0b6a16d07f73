// The public tape as far as it is retained: the last trades of each instrument, one bar per minute of all of them, and
// the times in which a book was in use. Bounded: see the constants.
import type { Price } from '../../values/amounts.ts';
import type { InstrumentName } from '../../values/ids.ts';
import { DAY_MS, type Instant, instant, MINUTE_MS } from '../../values/instant.ts';
import type { Print } from '../exchange-event.ts';
import { type Bar, barOf, withTrade } from './bars.ts';
import { UseSpans } from './use-spans.ts';

/** A trade with what was known of the market right after it. */
export interface TapeEntry {
  readonly print: Print;
  readonly mark?: Price | undefined;
  readonly index?: Price | undefined;
  readonly iv?: number | undefined;
  /** Only of a combo: the index in ticks of the combo, and its legs. */
  readonly indexTicks?: number | undefined;
  readonly legs?: readonly TapeEntry[] | undefined;
}

export interface InstrumentTape {
  /** Retained trades, oldest first. */
  readonly entries: readonly TapeEntry[];
  /** By minute since the epoch. */
  readonly bars: ReadonlyMap<number, Bar>;
  readonly inUse: UseSpans;
}

/** How far back bars are kept, and how far a past market is computed. */
export const HISTORY_MS = 31 * DAY_MS;
/** Trades per instrument, and of all instruments together: beyond that the oldest are dropped. */
const TRADES_MAX = 10_000;
const ALL_TRADES_MAX = 200_000;

class Kept implements InstrumentTape {
  entries: TapeEntry[] = [];
  readonly bars = new Map<number, Bar>();
  readonly inUse = new UseSpans();
}

export class TapeMemory {
  readonly #kept = new Map<InstrumentName, Kept>();
  #count = 0;

  of(name: InstrumentName): InstrumentTape | undefined {
    return this.#kept.get(name);
  }

  note(entry: TapeEntry): void {
    const { print } = entry;
    const kept = this.#of(print.instrument);
    kept.entries.push(entry);
    this.#count += 1;
    // A leg of a combo is not traded in its own book, and its price may be off that book's grid.
    if (print.ofCombo === undefined) addToBars(kept.bars, entry);
    if (kept.entries.length > 2 * TRADES_MAX) this.#drop(kept, TRADES_MAX);
    if (this.#count > ALL_TRADES_MAX) this.#dropLargest();
  }

  opened(name: InstrumentName, at: Instant): void {
    this.#of(name).inUse.open(at);
  }

  closed(name: InstrumentName, at: Instant): void {
    this.#of(name).inUse.close(at);
  }

  /** Drops what is too old, and all of an instrument that nobody knows any more. */
  forget(now: Instant, isKnown: (name: InstrumentName) => boolean): void {
    const before = instant(now - HISTORY_MS);
    const oldest = Math.floor(before / MINUTE_MS);
    for (const [name, kept] of this.#kept) {
      if (!isKnown(name)) {
        this.#count -= kept.entries.length;
        this.#kept.delete(name);
        continue;
      }
      for (const minute of kept.bars.keys()) if (minute < oldest) kept.bars.delete(minute);
      kept.inUse.forget(before);
    }
  }

  #of(name: InstrumentName): Kept {
    const known = this.#kept.get(name) ?? new Kept();
    this.#kept.set(name, known);
    return known;
  }

  #drop(kept: Kept, keepMax: number): void {
    this.#count -= Math.max(0, kept.entries.length - keepMax);
    kept.entries = kept.entries.slice(-keepMax);
  }

  #dropLargest(): void {
    let largest = new Kept();
    for (const kept of this.#kept.values()) {
      if (kept.entries.length > largest.entries.length) largest = kept;
    }
    this.#drop(largest, Math.ceil(largest.entries.length / 2));
  }
}

function addToBars(bars: Map<number, Bar>, { print, indexTicks: perTicks }: TapeEntry): void {
  const { at, priceTicks: ticks, lots } = print;
  const minute = Math.floor(at / MINUTE_MS);
  const bar = bars.get(minute);
  const trade = { at, ticks, lots, perTicks };
  bars.set(minute, bar === undefined ? barOf(trade) : withTrade(bar, trade));
}

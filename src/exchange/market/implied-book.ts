// The book of a combo that follows from the recorded books of its legs: what buying or selling it would take of them, level by
// level, at prices that add up. A function of the rows of the legs alone.
import { steps, stepsIn, text } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import type { Instant } from '../../values/instant.ts';
import { opposite, type Side } from '../../values/instrument.ts';
import type { RecordedBook, RecordedLevel } from '../../values/recorded-event.ts';
import { Grid } from '../book/grid.ts';
import type { QuoteLevel } from '../exchange-command.ts';
import { RecordedGrid } from './recorded-grid.ts';
import { RecordedLevels } from './recorded-levels.ts';
import type { RecordedInstrument } from './recorded-symbol.ts';

/** Levels of each side that are shown. */
const LEVELS_MAX = 25;

interface Leg {
  /** Units of it in one unit of the combo, negative if it is sold. */
  readonly ratio: number;
  /** Of its ticks and lots in those of the combo; the latter is what one lot of the combo takes. */
  readonly tickTicks: number;
  readonly lots: number;
  readonly levels: RecordedLevels;
  sides: Readonly<Record<Side, readonly QuoteLevel[]>>;
  rowAt: Instant | undefined;
}

export class ImpliedBook {
  readonly symbol: string;
  readonly #combo: RecordedInstrument;
  readonly #legs: ReadonlyMap<string, Leg>;
  readonly #holeMs: number;
  readonly #lowestTicks: number;
  #isSilent = true;

  /**
   * `legs` are those of the combo, whose tick divides theirs and whose lot is a multiple of each of theirs. A leg without a row
   * for longer than `holeMs` has no prices.
   */
  constructor(combo: RecordedInstrument, legs: readonly RecordedInstrument[], holeMs: number) {
    const { name, legs: parts = [] } = combo.instrument;
    this.symbol = name;
    this.#combo = combo;
    this.#holeMs = holeMs;
    this.#lowestTicks = new Grid(combo.instrument).lowestTicks;
    const known = new Map(legs.map((each) => [each.instrument.name, each]));
    this.#legs = new Map(
      parts.map(({ instrument, ratio }) => [
        instrument as string,
        legOf(combo, must(known.get(instrument), `${instrument} is recorded`), ratio),
      ]),
    );
  }

  /** Takes a row of a leg; true if it is one. */
  take({ symbol, at, bids, asks }: RecordedBook): boolean {
    const leg = this.#legs.get(symbol);
    if (leg === undefined) return false;
    leg.rowAt = at;
    leg.sides = { buy: leg.levels.of(bids, 'buy'), sell: leg.levels.of(asks, 'sell') };
    return true;
  }

  /**
   * The row of the combo after rows of its legs, the last of which is `last`; empty when a leg has become silent, and
   * `undefined` while one is.
   */
  row({ at, atUs }: Pick<RecordedBook, 'at' | 'atUs'>): RecordedBook | undefined {
    const isHeard = ({ rowAt }: Leg): boolean => rowAt !== undefined && at - rowAt <= this.#holeMs;
    const wasSilent = this.#isSilent;
    this.#isSilent = ![...this.#legs.values()].every(isHeard);
    if (this.#isSilent && wasSilent) return undefined;
    const sides = this.#isSilent
      ? { bids: [], asks: [] }
      : { bids: this.#side('buy'), asks: this.#side('sell') };
    return { kind: 'book', symbol: this.symbol, at, atUs, ...sides };
  }

  /** Who sells the combo to its bids sells what it buys to the bids of those legs, and buys what it sells from offers. */
  #side(side: Side): readonly RecordedLevel[] {
    const { tickSize, amountStep } = this.#combo.instrument;
    return this.#levels(side).map(({ priceTicks, lots }) => ({
      price: text(steps(tickSize, priceTicks)),
      amount: text(steps(amountStep, lots)),
    }));
  }

  /** In ticks and lots of the combo, best first: no two of them have a lot of a leg in common. */
  #levels(side: Side): readonly QuoteLevel[] {
    const taken = [...this.#legs.values()].map((leg) => new TakenSide(leg, side));
    const found: QuoteLevel[] = [];
    while (found.length < LEVELS_MAX) {
      const lots = Math.min(...taken.map((leg) => leg.lots));
      if (lots === 0) break;
      const priceTicks = taken.reduce((sum, leg) => sum + leg.ticks, 0);
      for (const leg of taken) leg.take(lots);
      if (priceTicks >= this.#lowestTicks) found.push({ priceTicks, lots });
    }
    return found;
  }
}

/** One side of a leg while it is taken, in lots of the combo. */
class TakenSide {
  readonly #leg: Leg;
  readonly #levels: readonly QuoteLevel[];
  #at = 0;
  #taken = 0;

  constructor(leg: Leg, side: Side) {
    this.#leg = leg;
    this.#levels = leg.sides[leg.ratio > 0 ? side : opposite(side)];
  }

  /** Whole lots of the combo at the next price that has one; 0 if there is none. A lot is taken at one price. */
  get lots(): number {
    for (; this.#at < this.#levels.length; this.#at += 1) {
      const { lots } = this.#levels[this.#at] as QuoteLevel;
      const left = Math.floor(lots / this.#leg.lots) - this.#taken;
      if (left > 0) return left;
      this.#taken = 0;
    }
    return 0;
  }

  /** What one unit of the combo takes of it at that price, in ticks of the combo. */
  get ticks(): number {
    const { ratio, tickTicks } = this.#leg;
    return ratio * tickTicks * must(this.#levels[this.#at], 'a level').priceTicks;
  }

  take(lots: number): void {
    this.#taken += lots;
  }
}

function legOf(combo: RecordedInstrument, leg: RecordedInstrument, ratio: number): Leg {
  const { tickSize, amountStep } = leg.instrument;
  const grid = new RecordedGrid(tickSize, leg.recordedStep);
  return {
    ratio,
    tickTicks: stepsIn(tickSize, combo.instrument.tickSize),
    lots: Math.abs(ratio) * stepsIn(combo.instrument.amountStep, amountStep),
    levels: new RecordedLevels(grid, leg.assumedLots),
    sides: { buy: [], sell: [] },
    rowAt: undefined,
  };
}

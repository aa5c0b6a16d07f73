// One side of a recorded book in ticks and lots, from text or from columns.
import type { Side } from '../../values/instrument.ts';
import { ABSENT, type BlockColumns } from '../../values/recorded/recorded-block.ts';
import type { RecordedLevel } from '../../values/recorded-event.ts';
import type { QuoteLevel } from '../exchange-command.ts';
import type { RecordedGrid } from './recorded-grid.ts';

type Columns = Pick<BlockColumns, 'numbers' | 'places'>;
/** Positions among the numbers of a block; the end is not included. */
type Range = readonly [from: number, to: number];

export class RecordedLevels {
  readonly #grid: RecordedGrid;
  readonly #assumedLots: number;
  readonly #lowestTicks: number;
  #hasSizes = true;

  /** `assumedLots` stand at a price without a size. Prices below `lowestTicks`, one unless given, are none. */
  constructor(grid: RecordedGrid, assumedLots: number, lowestTicks = 1) {
    this.#grid = grid;
    this.#assumedLots = assumedLots;
    this.#lowestTicks = lowestTicks;
  }

  /** False if a price since `begin` had no size. */
  get hasSizes(): boolean {
    return this.#hasSizes;
  }

  /** To be called before the sides of a row. */
  begin(): void {
    this.#hasSizes = true;
  }

  of(levels: readonly RecordedLevel[], side: Side): readonly QuoteLevel[] {
    const shown: QuoteLevel[] = [];
    for (const { price: at, amount } of levels) {
      const priceTicks = this.#grid.restingTicks(at, side);
      if (amount === undefined) this.#hasSizes = false;
      const lots = amount === undefined ? this.#assumedLots : this.#grid.lots(amount);
      this.#add(shown, priceTicks, lots);
    }
    return shown;
  }

  within({ numbers, places }: Columns, [from, to]: Range, side: Side): readonly QuoteLevel[] {
    const shown: QuoteLevel[] = [];
    for (let at = from; at < to; at += 2) {
      const priceTicks = this.#grid.restingTicksOf(numbers[at] ?? 0, places[at] ?? 0, side);
      const amountPlaces = places[at + 1] ?? ABSENT;
      if (amountPlaces === ABSENT) this.#hasSizes = false;
      this.#add(shown, priceTicks, this.#lotsOf(numbers[at + 1] ?? 0, amountPlaces));
    }
    return shown;
  }

  /** The best price of `within` in ticks, not of a combo; `NaN` if there is none. */
  bestWithin({ numbers, places }: Columns, [from, to]: Range, side: Side): number {
    for (let at = from; at < to; at += 2) {
      const ticks = this.#grid.restingTicksOf(numbers[at] ?? 0, places[at] ?? 0, side);
      if (ticks > 0 && this.#lotsOf(numbers[at + 1] ?? 0, places[at + 1] ?? 0) > 0) return ticks;
    }
    return Number.NaN;
  }

  #lotsOf(number: number, places: number): number {
    return places === ABSENT ? this.#assumedLots : this.#grid.lotsOf(number, places);
  }

  #add(shown: QuoteLevel[], priceTicks: number, lots: number): void {
    if (lots <= 0 || priceTicks < this.#lowestTicks) return;
    const last = shown.at(-1);
    // Prices finer than the grid can fall on the same tick: they form one level.
    if (last?.priceTicks === priceTicks) {
      shown[shown.length - 1] = { priceTicks, lots: last.lots + lots };
    } else shown.push({ priceTicks, lots });
  }
}

// The integer grid of one instrument: prices are whole numbers of its smallest tick, amounts whole numbers of
// its lot. Conversions are exact both ways; the larger ticks of the upper price range are a validity rule, and
// so are the lowest and the highest price: only a combo may have a price of zero or below.
import {
  isMultiple,
  isZero,
  type Price,
  type Quantity,
  steps,
  stepsIn,
} from '../../values/amounts.ts';
import { type Instrument, lowestTicksOf } from '../../values/instrument.ts';

/** Far above any market, and small enough for sums to stay exact. */
const TICKS_MAX = 1_000_000_000_000;
/** Of a combo, so that the prices of its legs stay within what is fitted to its price. */
const COMBO_TICKS_MAX = 100_000_000;

interface TickRange {
  /** `step` applies above this price (exclusive). */
  readonly aboveTicks: number;
  /** In smallest ticks. */
  readonly step: number;
}

export class Grid {
  readonly tick: Price;
  readonly lot: Quantity;
  readonly minLots: number;
  /** The prices that an order may have. */
  readonly lowestTicks: number;
  readonly highestTicks: number;
  readonly #ranges: readonly TickRange[];
  /** Whether every tick is a valid price. */
  readonly #isUniform: boolean;

  constructor(instrument: Instrument) {
    this.tick = instrument.tickSize;
    this.lot = instrument.amountStep;
    this.minLots = Math.max(1, Math.ceil(instrument.minAmount.div(this.lot).toNumber()));
    this.#ranges = instrument.tickSteps.map(({ above, tickSize }) => ({
      aboveTicks: stepsIn(above, this.tick),
      step: stepsIn(tickSize, this.tick),
    }));
    this.#isUniform = this.#ranges.length === 0;
    this.highestTicks = instrument.legs === undefined ? TICKS_MAX : COMBO_TICKS_MAX;
    this.lowestTicks = lowestTicksOf(instrument) ?? -this.highestTicks;
  }

  /** `undefined` if `price` is not a multiple of the smallest tick. */
  ticksOf(price: Price): number | undefined {
    return isMultiple(price, this.tick) ? stepsIn(price, this.tick) : undefined;
  }

  /** Whether zero ticks and fewer are prices; on other grids zero stands for an order without a limit. */
  get isSigned(): boolean {
    return this.lowestTicks <= 0;
  }

  /** Whether an order at `ticks` has a limit. */
  hasPrice(ticks: number): boolean {
    return ticks > 0 || this.isSigned;
  }

  /** In smallest ticks; fractional for a price between two ticks. */
  exactTicks(price: Price): number {
    return price.div(this.tick).toNumber();
  }

  /** `undefined` if `amount` is not a multiple of the lot. */
  lotsOf(amount: Quantity): number | undefined {
    return isZero(amount)
      ? 0
      : isMultiple(amount, this.lot)
        ? stepsIn(amount, this.lot)
        : undefined;
  }

  priceOf(ticks: number): Price {
    return steps(this.tick, ticks);
  }

  quantityOf(lots: number): Quantity {
    return steps(this.lot, lots);
  }

  /** The tick size that applies at `ticks`, in smallest ticks. */
  stepAt(ticks: number): number {
    let step = 1;
    for (const range of this.#ranges) if (ticks > range.aboveTicks) step = range.step;
    return step;
  }

  isValid(ticks: number): boolean {
    return this.#isUniform || ticks % this.stepAt(ticks) === 0;
  }

  /** The highest valid price at or below `ticks`. */
  floor(ticks: number): number {
    if (this.#isUniform) return ticks;
    const step = this.stepAt(ticks);
    const floored = ticks - (ticks % step);
    // Rounding down by a large step can land in the finer range below, where the price just under
    // the boundary is nearer; the boundary itself is always valid there.
    let boundary = 0;
    for (const range of this.#ranges) if (ticks > range.aboveTicks) boundary = range.aboveTicks;
    return Math.max(floored, Math.min(boundary, ticks));
  }

  /** The nearest valid price above zero; ties go to the lower one. */
  nearest(exactTicks: number): number {
    const below = this.floor(Math.floor(exactTicks));
    const above = this.ceil(Math.max(1, Math.ceil(exactTicks)));
    return below > 0 && exactTicks - below <= above - exactTicks ? below : above;
  }

  /** The lowest valid price at or above `ticks`. */
  ceil(ticks: number): number {
    if (this.#isUniform) return ticks;
    const step = this.stepAt(ticks);
    return Math.ceil(ticks / step) * step;
  }
}

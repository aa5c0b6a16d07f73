// Converts the decimals of a recording to ticks and lots, exactly and without creating a decimal per field: from their text, or
// from a whole number and its decimal places.
import { type Price, type Quantity, text } from '../../values/amounts.ts';

/** `text` as a whole number of 10^-places; further from zero by one half if digits remained. */
function scaled(digits: string, places: number): number {
  const dot = digits.indexOf('.');
  if (dot < 0) return Number(digits) * 10 ** places;
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end -= 1;
  const kept = Math.min(end, dot + 1 + places);
  const whole = Number(digits.slice(0, dot) + digits.slice(dot + 1, kept));
  const value = whole * 10 ** (places - (kept - dot - 1));
  if (end <= kept) return value;
  return digits.startsWith('-') ? value - 0.5 : value + 0.5;
}

const placesOf = (digits: string): number => {
  const dot = digits.indexOf('.');
  return dot < 0 ? 0 : digits.length - dot - 1;
};

const POWERS = Array.from({ length: 23 }, (_, power) => 10 ** power);

/** Counts multiples of one step. Exact while value / step stays below 2^52. */
class StepCounter {
  readonly #places: number;
  readonly #step: number;

  constructor(step: string) {
    this.#places = placesOf(step);
    this.#step = scaled(step, this.#places);
  }

  /** Fractional for a value between two steps. */
  count(digits: string): number {
    return scaled(digits, this.#places) / this.#step;
  }

  /** The same of `number` × 10^-places. */
  countOf(number: number, places: number): number {
    const more = this.#places - places;
    if (more >= 0) return (number * (POWERS[more] ?? 10 ** more)) / this.#step;
    const unit = POWERS[-more] ?? 10 ** -more;
    const rest = number % unit;
    const whole = (number - rest) / unit;
    return (rest === 0 ? whole : whole + 0.5 * Math.sign(rest)) / this.#step;
  }
}

/** Down for a bid, up for an offer; zero is never negative. */
const resting = (ticks: number, side: 'buy' | 'sell'): number =>
  (side === 'buy' ? Math.floor(ticks) : Math.ceil(ticks)) + 0;

export class RecordedGrid {
  readonly #ticks: StepCounter;
  readonly #lots: StepCounter;

  /** `amountStep` is in the unit of the recording. */
  constructor(tick: Price, amountStep: Quantity) {
    this.#ticks = new StepCounter(text(tick));
    this.#lots = new StepCounter(text(amountStep));
  }

  /** A resting price between two ticks is rounded away from the opposite side. */
  restingTicks(price: string, side: 'buy' | 'sell'): number {
    return resting(this.#ticks.count(price), side);
  }

  /** The price of a recorded taker, never rounded in favour of resting orders. */
  tradedTicks(price: string, taker: 'buy' | 'sell'): number {
    return resting(this.#ticks.count(price), taker);
  }

  /** Whole lots, rounded down. */
  lots(amount: string): number {
    return Math.floor(this.#lots.count(amount));
  }

  /** {@link restingTicks} of `number` × 10^-places. */
  restingTicksOf(number: number, places: number, side: 'buy' | 'sell'): number {
    return resting(this.#ticks.countOf(number, places), side);
  }

  /** {@link tradedTicks} of `number` × 10^-places. */
  tradedTicksOf(number: number, places: number, taker: 'buy' | 'sell'): number {
    return this.restingTicksOf(number, places, taker);
  }

  /** {@link lots} of `number` × 10^-places. */
  lotsOf(number: number, places: number): number {
    return Math.floor(this.#lots.countOf(number, places));
  }
}

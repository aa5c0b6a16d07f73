// The hours of a computed past that were requested lately, so that a chart is computed once. Bounded by the number of
// trades and of funding hours.
import {
  type PastMarket,
  type PastTrade,
  SLOTS_PER_HOUR,
  type Slots,
} from '../../../exchange/market/past/past-market.ts';
import type { Instrument } from '../../../values/instrument.ts';

/** A month of a busy market. */
const TRADES_MAX = 200_000;
/** Keys of hours without a trade are bounded too. */
const HOURS_MAX = 50_000;
const FUNDING_MAX = 10_000;

export class PastHours {
  readonly #past: PastMarket;
  readonly #trades = new Map<string, readonly PastTrade[]>();
  readonly #funding = new Map<string, number>();
  #count = 0;

  constructor(past: PastMarket) {
    this.#past = past;
  }

  /** Oldest first. */
  trades(instrument: Instrument, hour: number): readonly PastTrade[] {
    const key = keyOf(instrument, hour);
    const known = this.#trades.get(key);
    const trades = known ?? this.#past.trades(instrument, slotsOf(hour));
    if (known === undefined) this.#count += trades.length;
    this.#trades.delete(key);
    this.#trades.set(key, trades);
    for (const [oldest, its] of this.#trades) {
      if (this.#count <= TRADES_MAX && this.#trades.size <= HOURS_MAX) break;
      this.#trades.delete(oldest);
      this.#count -= its.length;
    }
    return trades;
  }

  /** Some slots of many instruments, which are not kept. */
  passing(instrument: Instrument, slots: Slots): readonly PastTrade[] {
    return this.#past.trades(instrument, slots);
  }

  /** The mean rate per eight hours; `undefined` except for perpetuals. */
  funding(instrument: Instrument, hour: number): number | undefined {
    const key = keyOf(instrument, hour);
    const known = this.#funding.get(key);
    if (known !== undefined) return known;
    const rate = this.#past.funding(instrument, hour);
    if (rate === undefined) return undefined;
    this.#funding.set(key, rate);
    for (const oldest of this.#funding.keys()) {
      if (this.#funding.size <= FUNDING_MAX) break;
      this.#funding.delete(oldest);
    }
    return rate;
  }
}

const slotsOf = (hour: number): Slots => ({
  from: hour * SLOTS_PER_HOUR,
  until: (hour + 1) * SLOTS_PER_HOUR,
});

const keyOf = ({ name }: Instrument, hour: number): string => `${name}/${hour}`;

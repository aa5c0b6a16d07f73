// The history of an index: its deliveries, its volatility index, and how much it has moved.
import type { PastMarket } from '../../../exchange/market/past/past-market.ts';
import type {
  Deliveries,
  DeliveryQuery,
  RealisedVolatility,
  VolatilityBar,
} from '../../../ports/market-history.ts';
import { type Price, toNumber } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import { DAY_MS, HOUR_MS, type Instant, instant } from '../../../values/instant.ts';
import { pointsOf } from './history-spans.ts';
import { hourOf, type MsSpan } from './market-past.ts';

export interface IndexHistoryParts {
  readonly past: PastMarket;
  readonly now: () => Instant;
  /** To be awaited between pieces of work. */
  readonly breathe: () => Promise<void>;
}

const BARS_MAX = 1_000;
const DELIVERY_HOUR = 8;
const DELIVERY_DAYS = 365;
const SAMPLES_PER_BAR = 12;
const REALISED_HOURS = 15 * 24;
const REALISED_ROWS = 16 * 24;

export class IndexHistory {
  readonly #parts: IndexHistoryParts;
  readonly #deliveries = new Map<string, Price>();

  constructor(parts: IndexHistoryParts) {
    this.#parts = parts;
  }

  async deliveries(coin: string, { offset, count }: DeliveryQuery): Promise<Deliveries> {
    const { past, now: clock, breathe } = this.#parts;
    const now = clock();
    const today = Math.floor((now - DELIVERY_HOUR * HOUR_MS) / DAY_MS);
    const prices: { at: Instant; price: Price }[] = [];
    for (let row = offset; row < Math.min(DELIVERY_DAYS, offset + count); row += 1) {
      const at = instant((today - row) * DAY_MS + DELIVERY_HOUR * HOUR_MS);
      const key = `${coin}/${at}`;
      let price = this.#deliveries.get(key);
      if (price === undefined) {
        await breathe();
        price = must(past.delivery(coin, at), () => `${coin} has an index`);
        this.#deliveries.set(key, price);
      }
      prices.push({ at, price });
    }
    return { total: DELIVERY_DAYS, prices };
  }

  /** At whole multiples of `everyMs`. */
  async volatility(coin: string, span: MsSpan, everyMs: number): Promise<readonly VolatilityBar[]> {
    const { past, now: clock, breathe } = this.#parts;
    const now = clock();
    const bars: VolatilityBar[] = [];
    for (const at of pointsOf(span, everyMs, BARS_MAX)) {
      await breathe();
      const values: number[] = [];
      for (let sample = 0; sample <= SAMPLES_PER_BAR; sample += 1) {
        const point = instant(at + Math.floor((sample * everyMs) / SAMPLES_PER_BAR));
        if (point <= now) values.push(past.volatility(coin, point) ?? 0);
      }
      const [open = 0, close = 0] = [values[0], values.at(-1)];
      bars.push({ at, open, close, high: Math.max(...values), low: Math.min(...values) });
    }
    return bars;
  }

  /** By hour, of the moves of the index from hour to hour. */
  async realised(coin: string): Promise<readonly RealisedVolatility[]> {
    const { past, now: clock, breathe } = this.#parts;
    const now = hourOf(clock());
    const logs: number[] = [];
    for (let hour = now - REALISED_ROWS - REALISED_HOURS; hour <= now; hour += 1) {
      await breathe();
      const level = past.index(coin, instant(hour * HOUR_MS));
      logs.push(Math.log(toNumber(must(level, () => `${coin} has an index`))));
    }
    const squares = logs.slice(1).map((log, at) => (log - (logs[at] ?? log)) ** 2);
    const rows: RealisedVolatility[] = [];
    let sum = squares.slice(0, REALISED_HOURS).reduce((total, square) => total + square, 0);
    for (let row = REALISED_HOURS; row < squares.length; row += 1) {
      sum += (squares[row] ?? 0) - (squares[row - REALISED_HOURS] ?? 0);
      const yearly = Math.sqrt((sum / REALISED_HOURS) * 24 * 365);
      const at = instant((now - squares.length + row + 1) * HOUR_MS);
      rows.push({ at, percent: Math.round(yearly * 1e6) / 1e4 });
    }
    return rows;
  }
}

// The trading statistics of one instrument over the last 24 hours, in buckets of five minutes: adding a trade
// changes one bucket, reading adds up at most 289. Kept in memory only, because the public tape is not
// journaled.
import type { Instant } from '../../../values/instant.ts';
import { DAY_MS, MINUTE_MS } from '../../../values/instant.ts';

const BUCKET_MS = 5 * MINUTE_MS;

interface Bucket {
  /** Buckets since the epoch. */
  readonly number: number;
  lots: number;
  /** Σ |ticks| × lots. */
  turnover: number;
  highTicks: number;
  lowTicks: number;
  readonly firstTicks: number;
  lastTicks: number;
}

/** In ticks and lots. The last three fields are absent if nothing traded. */
export interface DayTotals {
  readonly lots: number;
  readonly turnover: number;
  readonly highTicks?: number | undefined;
  readonly lowTicks?: number | undefined;
  /**
   * Last price relative to that of a day ago, or to the first known one: 0.01 means one percent up. Absent if
   * that price was zero or below, as that of a combo may be.
   */
  readonly change?: number | undefined;
}

export class DayStats {
  /** Oldest first. */
  #buckets: Bucket[] = [];
  /** All lots ever added. */
  #lots = 0;
  /** Σ ticks × lots of them, which outgrows the integers of a number. */
  #value = 0n;
  /** The last price of the newest dropped bucket: the reference for the day's change. */
  #ticksBefore: number | undefined;

  add({ ticks, lots, at }: { ticks: number; lots: number; at: Instant }): void {
    this.#lots += lots;
    this.#value += BigInt(ticks) * BigInt(lots);
    const number = Math.floor(at / BUCKET_MS);
    const last = this.#buckets.at(-1);
    if (last?.number === number) {
      last.lots += lots;
      last.turnover += Math.abs(ticks) * lots;
      last.highTicks = Math.max(last.highTicks, ticks);
      last.lowTicks = Math.min(last.lowTicks, ticks);
      last.lastTicks = ticks;
      return;
    }
    this.#drop(at);
    const turnover = Math.abs(ticks) * lots;
    const prices = { highTicks: ticks, lowTicks: ticks, firstTicks: ticks, lastTicks: ticks };
    this.#buckets.push({ number, lots, turnover, ...prices });
  }

  /** All lots traded since counting began. */
  get allLots(): number {
    return this.#lots;
  }

  /** Σ ticks × lots of them, signed as the prices of combos are. */
  get allValue(): bigint {
    return this.#value;
  }

  read(now: Instant): DayTotals {
    this.#drop(now);
    const [first] = this.#buckets;
    const last = this.#buckets.at(-1);
    if (first === undefined || last === undefined) return { lots: 0, turnover: 0 };
    let [lots, turnover] = [0, 0];
    let [highTicks, lowTicks] = [first.highTicks, first.lowTicks];
    for (const bucket of this.#buckets) {
      lots += bucket.lots;
      turnover += bucket.turnover;
      highTicks = Math.max(highTicks, bucket.highTicks);
      lowTicks = Math.min(lowTicks, bucket.lowTicks);
    }
    const before = this.#ticksBefore ?? first.firstTicks;
    const change = before > 0 ? last.lastTicks / before - 1 : undefined;
    return { lots, turnover, highTicks, lowTicks, change };
  }

  /** Drops buckets that ended a day or more ago. */
  #drop(now: Instant): void {
    const oldest = Math.floor((now - DAY_MS) / BUCKET_MS);
    const kept = this.#buckets.findIndex(({ number }) => number >= oldest);
    const dropped = kept === -1 ? this.#buckets.length : kept;
    if (dropped === 0) return;
    this.#ticksBefore = this.#buckets[dropped - 1]?.lastTicks;
    this.#buckets = this.#buckets.slice(dropped);
  }
}

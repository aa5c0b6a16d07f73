// What had traded in each instrument at each moment, by the exchange's own count: so much at least every decision
// about a participation limit could know of.
import { type Quantity, toNumber } from '../../../src/values/amounts.ts';
import type { InstrumentName } from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';

export interface TapeRecordOptions {
  readonly names: readonly InstrumentName[];
  readonly traded: (name: InstrumentName) => Quantity;
  /** True time. */
  readonly now: () => Instant;
  /** What a decision knows is at most this old, by the clock that it names its instant by. */
  readonly slackMs: number;
}

interface Sample {
  readonly at: number;
  readonly count: number;
}

export class TapeRecord {
  readonly #parts: TapeRecordOptions;
  readonly #samples = new Map<InstrumentName, Sample[]>();

  constructor(parts: TapeRecordOptions) {
    this.#parts = parts;
    for (const name of parts.names) this.#samples.set(name, [{ at: 0, count: 0 }]);
  }

  /** To be called after every event, whatever it was. */
  note(): void {
    for (const [name, samples] of this.#samples) {
      const count = this.count(name);
      if (count === samples.at(-1)?.count) continue;
      samples.push({ at: this.#parts.now(), count });
    }
  }

  /** At this moment. */
  count(name: InstrumentName): number {
    return toNumber(this.#parts.traded(name));
  }

  /** What something decided at `at` knew of at least. */
  knownAt(name: InstrumentName, at: number): number {
    const from = at - this.#parts.slackMs;
    return this.#of(name).findLast((sample) => sample.at <= from)?.count ?? 0;
  }

  /** True time since which so much had traded; later than any where it has not. */
  reachedAt(name: InstrumentName, count: number): number {
    return this.#of(name).find((sample) => sample.count >= count)?.at ?? Number.POSITIVE_INFINITY;
  }

  #of(name: InstrumentName): readonly Sample[] {
    return this.#samples.get(name) ?? [];
  }
}

// The combos of the exchange, by name and by their legs: the same legs are one combo, from either side and for every
// account.
import type { InstrumentName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { ComboLeg, Instrument } from '../../values/instrument.ts';

/** `inactive`: it is known, but takes no orders. */
export type ComboState = 'active' | 'inactive';

export interface ComboRecord {
  /** Numbered from 1 in order of creation. */
  readonly number: number;
  readonly instrument: Instrument;
  readonly state: ComboState;
  readonly createdAt: Instant;
  /** When it got into its state. */
  readonly changedAt: Instant;
  /** A leg has expired: it stays inactive. */
  readonly isEnded: boolean;
}

export class ComboRegistry {
  readonly #byName = new Map<InstrumentName, ComboRecord>();
  readonly #byLegs = new Map<string, InstrumentName>();
  #last = 0;
  /** Increases with every change. */
  version = 0;

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  nextNumber(): number {
    return this.#last + 1;
  }

  put(record: ComboRecord): void {
    const { instrument, number } = record;
    this.version += 1;
    this.#last = Math.max(this.#last, number);
    this.#byName.set(instrument.name, record);
    this.#byLegs.set(keyOf(instrument.legs ?? []), instrument.name);
  }

  get(name: InstrumentName): ComboRecord | undefined {
    return this.#byName.get(name);
  }

  /** The combo with exactly these legs, seen from the same side. */
  find(legs: readonly ComboLeg[]): ComboRecord | undefined {
    const name = this.#byLegs.get(keyOf(legs));
    return name === undefined ? undefined : this.#byName.get(name);
  }

  /** In order of creation. */
  all(): IterableIterator<ComboRecord> {
    return this.#byName.values();
  }

  /** Those that trade the instrument. */
  withLeg(name: InstrumentName): ComboRecord[] {
    return [...this.all()].filter(({ instrument: { legs = [] } }) =>
      legs.some((leg) => leg.instrument === name),
    );
  }

  forget(name: InstrumentName): void {
    const record = this.#byName.get(name);
    if (record === undefined) return;
    this.version += 1;
    this.#byName.delete(name);
    this.#byLegs.delete(keyOf(record.instrument.legs ?? []));
  }
}

const keyOf = (legs: readonly ComboLeg[]): string =>
  legs
    .map(({ instrument, ratio }) => `${ratio} ${instrument}`)
    .sort()
    .join(' ');

// A static market: no quotes, and reference prices set by the test, so that each trade price is known in
// advance.
import type { MarketCommand, SetReferenceCommand } from '../../../src/exchange/exchange-command.ts';
import type { MarketSource } from '../../../src/exchange/market/market-source.ts';
import { type Price, price, ratio } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { InstrumentName } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';

export interface Worth {
  readonly index: string;
  readonly mark: string;
  readonly min: string;
  readonly max: string;
  /** Options. */
  readonly underlying?: string;
  readonly markIv?: number;
  /** Perpetuals: per eight hours. */
  readonly funding?: string;
}

const STEP_MS = 500;

export class StillMarket implements MarketSource {
  #instruments: readonly Instrument[];
  readonly #worth: Map<string, Worth>;
  readonly #started = new Set<InstrumentName>();

  constructor(instruments: readonly Instrument[], worth: Readonly<Record<string, Worth>>) {
    this.#instruments = instruments;
    this.#worth = new Map(Object.entries(worth));
  }

  /** In trading at once. */
  list(instrument: Instrument, worth: Worth): void {
    this.#instruments = [...this.#instruments, instrument];
    this.#worth.set(instrument.name, worth);
  }

  /** Applies from the next step on. */
  move(instrument: Instrument, to: Partial<Worth>): void {
    this.#worth.set(instrument.name, { ...this.#of(instrument.name), ...to });
  }

  instruments(): readonly Instrument[] {
    return this.#instruments;
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#instruments.find((one) => one.name === name);
  }

  start(name: InstrumentName, now: Instant): readonly MarketCommand[] {
    this.#started.add(name);
    const instrument = must(this.instrument(name), 'only what is listed starts');
    return [{ kind: 'list_instrument', now, instrument }, this.reference(name, now)];
  }

  step(now: Instant): readonly MarketCommand[] {
    return [...this.#started].map((name) => this.reference(name, now));
  }

  stop(name: InstrumentName): readonly MarketCommand[] {
    this.#started.delete(name);
    return [];
  }

  reference(name: InstrumentName, now: Instant): SetReferenceCommand {
    const { index, mark, min, max, underlying, markIv, funding } = this.#of(name);
    return {
      kind: 'set_reference',
      now,
      instrument: name,
      index: price(index),
      mark: price(mark),
      minPrice: price(min),
      maxPrice: price(max),
      ...(underlying !== undefined && { underlying: price(underlying) }),
      ...(markIv !== undefined && { markIv }),
      ...(funding !== undefined && { currentFunding: ratio(funding) }),
    };
  }

  nextStepAt(now: Instant): Instant {
    return later(now, STEP_MS);
  }

  deliveryPrice(instrument: Instrument): Price {
    return price(this.#of(instrument.name).index);
  }

  #of(name: string): Worth {
    return must(this.#worth.get(name), `${name} is worth something`);
  }
}

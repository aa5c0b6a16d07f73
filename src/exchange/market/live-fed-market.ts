// A market that happens elsewhere: its rows are fed as they arrive, its instruments are listed there. Books without a row
// for longer than `holeMs` are withdrawn, as in a recording.
import { type Price, price } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import { type InstrumentName, instrumentName } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import { type Instrument, isCombo } from '../../values/instrument.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';
import type { MarketCommand, SetReferenceCommand } from '../exchange-command.ts';
import type { MarketSource } from './market-source.ts';
import { RecordedMarket } from './recorded-market.ts';

export interface LiveFedSettings {
  /** In trading there at `now`: the same array until it changes. */
  readonly listed: (now: Instant) => readonly Instrument[];
  /** The longest silence for which the latest book is still shown. */
  readonly holeMs: number;
  /** Called when the rows of an instrument are needed, perhaps not for the first time. */
  readonly onStart: (name: InstrumentName) => void;
  readonly onStop: (name: InstrumentName) => void;
}

/** Rows arrive at any time: how often they are taken. */
const TAKE_MS = 50;

export class LiveFedMarket implements MarketSource {
  readonly #settings: LiveFedSettings;
  readonly #rows: RecordedMarket;
  /** The latest of each price index. */
  readonly #indexes = new Map<string, string>();
  #all: readonly Instrument[] = [];
  #singles: ReadonlyMap<InstrumentName, Instrument> = new Map();
  #list: readonly Instrument[] = [];
  #startedCount = 0;

  constructor(settings: LiveFedSettings) {
    this.#settings = settings;
    this.#rows = new RecordedMarket({ instruments: [], holeMs: settings.holeMs });
  }

  /** Rows of started instruments, in the order of their arrival. */
  feed(rows: readonly RecordedEvent[]): void {
    this.#rows.feed(rows);
    for (const row of rows) {
      if (row.kind !== 'ticker' || row.index === undefined) continue;
      const indexName = this.#singles.get(instrumentName(row.symbol))?.indexName;
      if (indexName !== undefined) this.noteIndex(indexName, row.index);
    }
  }

  /** The price of an index, for instruments that expire before they have rows. */
  noteIndex(name: string, digits: string): void {
    this.#indexes.set(name, digits);
  }

  /** Combos are those of the paper exchange itself. */
  instruments(now: Instant): readonly Instrument[] {
    const all = this.#settings.listed(now);
    if (all !== this.#all) {
      this.#all = all;
      this.#list = all.filter((one) => !isCombo(one));
      this.#singles = new Map(this.#list.map((one) => [one.name, one]));
    }
    return this.#list;
  }

  instrument(name: InstrumentName, now: Instant): Instrument | undefined {
    this.instruments(now);
    return this.#singles.get(name);
  }

  start(name: InstrumentName, now: Instant): readonly MarketCommand[] {
    const instrument = must(this.instrument(name, now), `${name} is not listed`);
    this.#rows.add({ instrument, recordedStep: instrument.amountStep, assumedLots: 1 });
    this.#startedCount += 1;
    const commands = this.#rows.start(name, now);
    this.#settings.onStart(name);
    return commands;
  }

  step(now: Instant): readonly MarketCommand[] {
    return this.#rows.step(now);
  }

  stop(name: InstrumentName, now: Instant): readonly MarketCommand[] {
    const commands = this.#rows.stop(name, now);
    if (commands.length === 0) return commands;
    this.#startedCount -= 1;
    this.#settings.onStop(name);
    return commands;
  }

  reference(name: InstrumentName, now: Instant): SetReferenceCommand | undefined {
    return this.#rows.reference(name, now);
  }

  nextStepAt(now: Instant): Instant | undefined {
    return this.#startedCount === 0 ? undefined : later(now, TAKE_MS);
  }

  /** The index as it was last published: the venue's own average over the last half hour is not known here. */
  deliveryPrice({ name, indexName }: Instrument): Price {
    const index = this.#indexes.get(indexName);
    return price(must(index, `${name} expires and the index ${indexName} is not known`));
  }
}

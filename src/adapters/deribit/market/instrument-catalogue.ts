// The venue's instruments, listed and recently expired: read as lists on every new connection, every hour and shortly
// after the daily settlement, when most expire and are listed; kept true in between by the channels of new instruments
// and of states. One that cannot be read is left out and counted. When a list is not answered, the last stays in force.
//
// To be measured (docs/deribit.md): the list without a kind has combos too; one whose legs `public/get_combos` does not
// name is left out.

import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Clock, StopTimer } from '../../../ports/clock.ts';
import {
  Fields,
  fieldsOfEach,
  MalformedMessage,
} from '../../../ports/deribit-wire/message-fields.ts';
import { bookStateIn } from '../../../ports/deribit-wire/ticker-rows.ts';
import { comboLegsIn } from '../../../ports/deribit-wire/wire-combo-rows.ts';
import { instrumentIn } from '../../../ports/deribit-wire/wire-instrument-rows.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import { type Currency, type InstrumentName, instrumentName } from '../../../values/ids.ts';
import {
  earliest,
  HOUR_MS,
  INSTANT_MAX,
  type Instant,
  later,
  MINUTE_MS,
  nextDailyUtc,
  SECOND_MS,
} from '../../../values/instant.ts';
import type { ComboLeg, Instrument } from '../../../values/instrument.ts';
import { cutText } from '../../../values/text/text-length.ts';
import { resultOf, type SendRequest } from '../outcome.ts';
import type { PublicChannels } from './public-channels.ts';

export interface InstrumentCatalogueOptions {
  readonly clock: Clock;
  readonly subscriptions: PublicChannels;
  readonly tally: WireTally;
  readonly onFault: (error: unknown) => void;
}

type ByName = Map<InstrumentName, Instrument>;

interface ReadList {
  readonly active: ByName;
  readonly inactive: ByName;
  /** Of those left out. */
  readonly faults: string[];
}

const STATES = 'instrument.state.any.any';
const CREATIONS = 'instrument.creation.any.any';
const SETTLEMENT_HOUR = 8;
const AFTER_SETTLEMENT_MS = 3 * MINUTE_MS;
const RETRY_MS = MINUTE_MS;
/** Instruments read without a pause. */
const PIECE = 200;
/** A line that breaks often does not read the lists each time: they are megabytes. */
const RECENT_MS = MINUTE_MS;
/** From news of an unknown instrument to the reload: others follow. */
const GATHER_MS = 5 * SECOND_MS;

export class InstrumentCatalogue {
  readonly #parts: InstrumentCatalogueOptions;
  #listed: ByName = new Map();
  #expired: ByName = new Map();
  #legs: ReadonlyMap<string, readonly ComboLeg[]> = new Map();
  /** What is in trading, until the next one expires. */
  #trading: { readonly until: Instant; readonly list: readonly Instrument[] } | undefined;
  #request: SendRequest | undefined;
  #reload: { readonly at: Instant; readonly stop: StopTimer } | undefined;
  #leaves: readonly (() => void)[] = [];
  #leftOut = 0;
  /** Counts what was learned between the lists. */
  #version = 0;
  #loadedAt: Instant | undefined;
  /** Instruments whose terms are being read after a refusal. */
  readonly #readingAgain = new Set<InstrumentName>();

  constructor(parts: InstrumentCatalogueOptions) {
    this.#parts = parts;
  }

  /** Every currency in which something it lists settles; `undefined` until the venue has listed anything. */
  currencies(): readonly Currency[] | undefined {
    const all = [...this.#listed.values(), ...this.#expired.values()];
    return all.length === 0 ? undefined : [...new Set(all.map(({ settlement }) => settlement))];
  }

  /** In trading at `now`; empty until the venue has listed anything. */
  listed(now: Instant): readonly Instrument[] {
    if (this.#trading === undefined || now >= this.#trading.until) {
      const list = [...this.#listed.values()].filter((one) => isTrading(one, now));
      const until = list.reduce((at, one) => earliest(at, one.expiresAt ?? at), INSTANT_MAX);
      this.#trading = { list, until };
    }
    return this.#trading.list;
  }

  expired(now: Instant): readonly Instrument[] {
    const over = [...this.#listed.values()].filter((one) => !isTrading(one, now));
    return [...this.#expired.values(), ...over.filter(({ name }) => !this.#expired.has(name))];
  }

  /** Listed or recently expired. */
  known(name: InstrumentName): Instrument | undefined {
    return this.#listed.get(name) ?? this.#expired.get(name);
  }

  /** In trading at `now`. */
  trading(name: InstrumentName, now: Instant): Instrument | undefined {
    const found = this.#listed.get(name);
    return found !== undefined && isTrading(found, now) ? found : undefined;
  }

  /** A combo that a list does not have yet; it is listed if it is active. @throws MalformedMessage */
  learnCombo(of: Fields, legs: readonly ComboLeg[]): Instrument {
    const known = this.#unchanged(instrumentIn(of, () => legs));
    this.#legs = new Map([...this.#legs, [known.name, legs]]);
    if (isActive(of)) this.#listed.set(known.name, known);
    this.#changed();
    return known;
  }

  /** On a new connection: the lists, unless they were read a moment ago; then they are read again soon. */
  async greet(request: SendRequest): Promise<void> {
    const now = this.#parts.clock.now();
    if (this.#loadedAt === undefined || now - this.#loadedAt > RECENT_MS) await this.load(request);
    else this.#reloadSoon();
  }

  /** After the venue refused an order for what we know of its instrument. Without a name the lists are read. */
  async readAgain(name: InstrumentName | undefined): Promise<void> {
    if (name === undefined) return this.#reloadSoon();
    const request = this.#request;
    if (request === undefined || this.#readingAgain.has(name)) return;
    this.#readingAgain.add(name);
    try {
      const method = 'public/get_instrument';
      const value = resultOf(await request(method, { instrument_name: name }), method);
      const read: ReadList = { active: new Map(), inactive: new Map(), faults: [] };
      this.#readOne(value, read);
      const found = read.active.get(name);
      if (found === undefined) return this.#reloadSoon();
      this.#listed.set(name, found);
      this.#changed();
    } catch (error) {
      this.#parts.onFault(error);
    } finally {
      this.#readingAgain.delete(name);
    }
  }

  /** Rejects if the lists are not answered. */
  async load(request: SendRequest): Promise<void> {
    const version = this.#version;
    this.#legs = await this.#loadLegs(request);
    const listed = await this.#read(await list(request, false));
    const expired = await this.#read(await list(request, true));
    this.#listed = listed.active;
    this.#expired = new Map([...listed.inactive, ...expired.inactive, ...expired.active]);
    this.#trading = undefined;
    this.#loadedAt = this.#parts.clock.now();
    this.#reportLeftOut(listed.faults);
    // What was learned meanwhile may be newer than the lists.
    if (version !== this.#version) this.#reloadSoon();
  }

  /** Keeps the lists up to date from now on. */
  follow(request: SendRequest): void {
    this.stop();
    this.#request = request;
    const { subscriptions } = this.#parts;
    this.#leaves = [
      subscriptions.listen(STATES, (data) => this.#receive(() => this.#changeState(data))),
      subscriptions.listen(CREATIONS, (data) => this.#receive(() => this.#create(data))),
    ];
    this.#scheduleNext();
  }

  stop(): void {
    this.#reload?.stop();
    this.#reload = undefined;
    this.#request = undefined;
    for (const leave of this.#leaves) leave();
    this.#leaves = [];
  }

  #scheduleNext(): void {
    const now = this.#parts.clock.now();
    const settlement = nextDailyUtc(later(now, -AFTER_SETTLEMENT_MS), SETTLEMENT_HOUR);
    this.#reloadAt(earliest(later(now, HOUR_MS), later(settlement, AFTER_SETTLEMENT_MS)));
  }

  /** The earlier one counts. */
  #reloadAt(at: Instant): void {
    if (this.#request === undefined) return;
    if (this.#reload !== undefined && this.#reload.at <= at) return;
    this.#reload?.stop();
    const stop = this.#parts.clock.at(at, () => void this.#reloadNow());
    this.#reload = { at, stop };
  }

  async #reloadNow(): Promise<void> {
    const request = this.#request;
    this.#reload = undefined;
    if (request === undefined) return;
    try {
      await this.load(request);
      this.#scheduleNext();
    } catch (error) {
      this.#parts.onFault(error);
      this.#reloadAt(later(this.#parts.clock.now(), RETRY_MS));
    }
  }

  /** Without it the combos known before stay known. */
  async #loadLegs(request: SendRequest): Promise<ReadonlyMap<string, readonly ComboLeg[]>> {
    const { tally, onFault } = this.#parts;
    const outcome = await request('public/get_combos', { currency: 'any' });
    const legs = new Map<string, readonly ComboLeg[]>();
    try {
      const combos = fieldsOfEach('combos', resultOf(outcome, 'public/get_combos'), tally);
      for (const combo of combos) {
        const read = comboLegsIn(combo);
        if (read !== undefined) legs.set(combo.text('id'), read);
      }
    } catch (error) {
      onFault(error);
      return this.#legs;
    }
    return legs;
  }

  /** In pieces, so that nothing else waits long for it. */
  async #read(list: readonly unknown[]): Promise<ReadList> {
    const read: ReadList = { active: new Map(), inactive: new Map(), faults: [] };
    for (let from = 0; from < list.length; from += PIECE) {
      if (from > 0) await nextLoop();
      for (const one of list.slice(from, from + PIECE)) this.#readOne(one, read);
    }
    return read;
  }

  #readOne(one: unknown, { active, inactive, faults }: ReadList): void {
    const { tally } = this.#parts;
    try {
      const of = new Fields('an instrument', one, tally);
      const instrument = this.#unchanged(instrumentIn(of, (combo) => this.#legs.get(combo)));
      (isActive(of) ? active : inactive).set(instrument.name, instrument);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      tally.count(`left out: ${error.message}`);
      faults.push(`${shownName(one)}: ${error.message}`);
    }
  }

  /** Again when their number changes. */
  #reportLeftOut(faults: readonly string[]): void {
    const { length } = faults;
    if (length > 0 && length !== this.#leftOut) {
      this.#parts.onFault(new Error(`${length} instruments are left out; first ${faults[0]}`));
    }
    this.#leftOut = length;
  }

  /** An instrument that did not change stays the same object. */
  #unchanged(next: Instrument): Instrument {
    const before = this.known(next.name);
    return before !== undefined && JSON.stringify(before) === JSON.stringify(next) ? before : next;
  }

  #create(data: unknown): void {
    const of = new Fields('a new instrument', data, this.#parts.tally);
    if (!isActive(of)) return;
    const name = of.text('instrument_name');
    // Its legs come with the list.
    if (/combo/.test(of.textIf('kind') ?? '') && !this.#legs.has(name)) return this.#reloadSoon();
    const instrument = instrumentIn(of, (combo) => this.#legs.get(combo));
    this.#listed.set(instrument.name, instrument);
    this.#changed();
  }

  /** Trading in an instrument ends with its state; a pause does not end it. */
  #changeState(data: unknown): void {
    const of = new Fields('a state of an instrument', data, this.#parts.tally);
    const name = instrumentName(of.text('instrument_name'));
    const state = bookStateIn(of);
    const listed = this.#listed.get(name);
    if (listed === undefined) {
      if (state === 'open') this.#reloadSoon();
    } else if (state === 'closed' && of.textIf('state') !== 'created') {
      this.#listed.delete(name);
      this.#expired.set(name, listed);
      this.#changed();
    }
  }

  #changed(): void {
    this.#version += 1;
    this.#trading = undefined;
  }

  #reloadSoon(): void {
    this.#reloadAt(later(this.#parts.clock.now(), GATHER_MS));
  }

  #receive(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.#parts.onFault(error);
    }
  }
}

async function list(request: SendRequest, expired: boolean): Promise<readonly unknown[]> {
  const method = 'public/get_instruments';
  const value = resultOf(await request(method, { currency: 'any', expired }), method);
  if (Array.isArray(value)) return value;
  throw new MalformedMessage(`the answer to ${method} is not a list`);
}

const isActive = (of: Fields): boolean => of.flag('is_active', true);

const shownName = (one: unknown): string =>
  cutText(String((one as { readonly instrument_name?: unknown } | null)?.instrument_name), 64);

const isTrading = ({ expiresAt }: Instrument, now: Instant): boolean =>
  expiresAt === undefined || expiresAt > now;

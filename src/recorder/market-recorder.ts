// Records the market of a venue into a store: follows the chosen instruments, queries what has changed, and commits every
// few seconds. Every time in which the venue could not be followed becomes a gap of the recording.

import { InFlight } from '../lifetime/in-flight.ts';
import type { Lifetime } from '../lifetime/lifetime.ts';
import { Semaphore } from '../lifetime/semaphore.ts';
import type { Clock, StopTimer } from '../ports/clock.ts';
import type { RecordingStore } from '../ports/recording/recording-store.ts';
import type { Venue } from '../ports/venue.ts';
import { isProgrammingError } from '../values/errors/programming-error.ts';
import { type InstrumentName, instrumentName } from '../values/ids.ts';
import { later } from '../values/instant.ts';
import type { Instrument } from '../values/instrument.ts';
import { COMBOS_FILE, COMBOS_HEADER, comboLines } from './combo-rows.ts';
import type { InstrumentPatterns } from './instrument-patterns.ts';
import { INSTRUMENTS_FILE, INSTRUMENTS_HEADER, instrumentLine } from './instrument-rows.ts';
import { KNOWN_TRADES_MAX } from './known-trades.ts';
import { RecordedInstrument } from './recorded-instrument.ts';
import { applies, type RecordedKind } from './recorded-kinds.ts';
import { type OpenGap, type RecordingCounts, RecordingLog } from './recording-log.ts';

export interface MarketRecorderOptions {
  readonly venue: Pick<Venue, 'name' | 'market' | 'trouble' | 'subscribe'>;
  readonly clock: Clock;
  readonly store: RecordingStore;
  /** As in the files and their names: lower-case letters, digits and dashes. */
  readonly exchange: string;
  readonly instruments: InstrumentPatterns;
  /** As many as the venue lets one connection follow. Default 2000. */
  readonly instrumentsMax?: number | undefined;
  readonly kinds: readonly RecordedKind[];
  /** Each kind was requested by name: one that no instrument has is worth a notice. */
  readonly areKindsNamed?: boolean | undefined;
  /** Shortest time between two snapshots of a book. */
  readonly everyMs: number;
  /** Shortest time between two tickers of an instrument. */
  readonly tickerEveryMs: number;
  /** How often everything gathered is written. Default 5 s. */
  readonly commitMs?: number | undefined;
  /** Characters that may wait to be written. */
  readonly pendingMax?: number | undefined;
  /** Something a person should know, such as an instrument that was listed. */
  readonly onNotice: (text: string) => void;
  /** The store can no longer be written; nothing more is recorded. */
  readonly onFatal: (error: unknown) => void;
}

export interface RecorderCounts extends RecordingCounts {
  readonly instruments: number;
  /** Trades that were published twice and recorded once. */
  readonly doubles: number;
}

/** No instrument can be recorded as requested. */
export class NothingToRecord extends Error {
  override readonly name = 'NothingToRecord';
}

const TICK_MS = 50;
const COMMIT_MS = 5_000;
/** Committed earlier once this many characters are gathered. */
const GATHERED_MAX = 4 * 1024 * 1024;
const LISTING_MS = 60_000;
const INSTRUMENTS_MAX = 2_000;
const QUERIES_MAX = 64;
/** Names of other characters have no place in a file name. */
const NAMEABLE = /^[\w.-]{1,80}$/;

export class MarketRecorder implements Lifetime {
  readonly #options: MarketRecorderOptions;
  readonly #log: RecordingLog;
  readonly #followed = new Map<InstrumentName, RecordedInstrument>();
  readonly #queries = new Semaphore(QUERIES_MAX);
  readonly #working = new InFlight();
  #doubles = 0;
  /** Microseconds: when the venue last published or answered something. */
  #signUs = 0;
  #outage: OpenGap | undefined;
  #isProbing = false;
  #isCommitting = false;
  #isFollowing = false;
  #nextCommitMs = 0;
  #nextListingMs = 0;
  #stopTimer: StopTimer | undefined;
  #unsubscribe: () => void = () => undefined;
  #isEnded = false;

  /** @throws OtherRecording if the store has the recording of another venue. */
  constructor(options: MarketRecorderOptions) {
    this.#options = options;
    const { store, clock, exchange, venue, kinds, everyMs, tickerEveryMs, pendingMax } = options;
    const instruments = options.instruments.texts;
    const session = { instruments, kinds, everyMs, tickerEveryMs };
    this.#log = new RecordingLog({
      store,
      clock,
      exchange,
      venue: venue.name,
      session,
      pendingMax,
    });
  }

  get counts(): RecorderCounts {
    return { ...this.#log.counts, instruments: this.#followed.size, doubles: this.#doubles };
  }

  /** Rejects with NothingToRecord, or if the store cannot be written. */
  async start(): Promise<void> {
    const { venue, clock } = this.#options;
    this.#requireChosen();
    await this.#log.start();
    this.#signUs = this.#log.nowUs();
    this.#unsubscribe = venue.subscribe((notice) => {
      if (notice.kind === 'reconnected') this.#openOutage('the connection was replaced');
    });
    await this.#followChosen();
    // A folder that cannot be written is reported at once.
    await this.#log.commit('recording');
    const nowMs = clock.monotonicMs();
    this.#nextCommitMs = nowMs + this.#commitMs;
    this.#nextListingMs = nowMs + LISTING_MS;
    this.#tick();
  }

  /** Writes what was gathered; what the venue has not answered yet is not waited for. */
  async drain(): Promise<void> {
    if (this.#isEnded) return;
    // What the venue has not published since it became unreachable is missing already.
    this.#checkVenue();
    this.stop();
    await this.#working.idle();
    await this.#commit('stopped');
  }

  stop(): void {
    this.#isEnded = true;
    this.#stopTimer?.();
    this.#unsubscribe();
    for (const instrument of this.#followed.values()) instrument.end();
  }

  get #instrumentsMax(): number {
    return this.#options.instrumentsMax ?? INSTRUMENTS_MAX;
  }

  get #commitMs(): number {
    return this.#options.commitMs ?? COMMIT_MS;
  }

  #tick(): void {
    const { clock } = this.#options;
    if (this.#isEnded) return;
    const nowMs = clock.monotonicMs();
    this.#checkVenue();
    if (this.#outage === undefined) this.#query(nowMs);
    if (nowMs >= this.#nextListingMs && !this.#isFollowing) {
      this.#nextListingMs = nowMs + LISTING_MS;
      this.#track(this.#followChosen());
    }
    if (nowMs >= this.#nextCommitMs || this.#log.gathered > GATHERED_MAX) {
      this.#nextCommitMs = nowMs + this.#commitMs;
      this.#track(this.#commit('recording'));
    }
    this.#stopTimer = clock.at(later(clock.now(), TICK_MS), () => this.#tick());
  }

  #query(nowMs: number): void {
    for (const instrument of this.#followed.values()) {
      instrument.checkSilence(nowMs);
      for (const query of instrument.takeDue(nowMs)) void this.#queries.run(query);
    }
  }

  #checkVenue(): void {
    const trouble = this.#options.venue.trouble?.();
    if (trouble !== undefined) this.#openOutage(trouble);
    else if (this.#outage !== undefined && !this.#isProbing) void this.#probe();
  }

  #openOutage(reason: string): void {
    if (this.#outage !== undefined || this.#isEnded) return;
    const { onNotice, clock } = this.#options;
    onNotice(`nothing is recorded: ${reason}`);
    let fromUs = this.#signUs;
    for (const instrument of this.#followed.values()) {
      fromUs = Math.min(fromUs, instrument.suspend(clock.monotonicMs()));
    }
    this.#outage = this.#log.openGap({ fromUs, reason: 'disconnected', detail: reason });
  }

  /** The outage is over when the venue answers a query. */
  async #probe(): Promise<void> {
    const { venue, clock, onNotice } = this.#options;
    const [name = instrumentName('')] = this.#followed.keys();
    this.#isProbing = true;
    try {
      await venue.market.book(name, 1);
      if (this.#isEnded || venue.trouble?.() !== undefined) return;
      this.#outage?.close();
      this.#outage = undefined;
      onNotice('the venue is recorded again');
      for (const instrument of this.#followed.values()) instrument.resume(clock.monotonicMs());
    } catch (error) {
      if (isProgrammingError(error)) return this.#broken(error);
      onNotice(`the venue does not answer: ${(error as Error).message}`);
    } finally {
      this.#isProbing = false;
    }
  }

  /** Instruments of the patterns that can be recorded, and the legs of combos: a combo is replayed with their marks and terms. */
  #chosen(): readonly Instrument[] {
    const { venue, instruments, kinds } = this.#options;
    const listed = venue.market.listed({ expired: false });
    const named = listed.filter(({ name }) => instruments.matches(name));
    const wanted = new Set([
      ...named.map(({ name }) => name),
      ...named.flatMap(({ legs = [] }) => legs.map(({ instrument }) => instrument)),
    ]);
    return listed
      .filter(({ name }) => wanted.has(name) && NAMEABLE.test(name))
      .filter((one) => kinds.some((kind) => applies(kind, one)));
  }

  #requireChosen(): void {
    const { instruments, kinds, onNotice } = this.#options;
    const chosen = this.#chosen();
    const names = chosen.map(({ name }) => name);
    if (chosen.length > this.#instrumentsMax) {
      throw new NothingToRecord(
        `${chosen.length} instruments are chosen; accepted: at most ${this.#instrumentsMax} of this venue`,
      );
    }
    if (chosen.length === 0) {
      throw new NothingToRecord(
        `no listed instrument has ${kinds.join(', ')} and is one of ${instruments.texts.join(', ')}`,
      );
    }
    for (const text of instruments.unmatched(names)) onNotice(`${text}: no such instrument yet`);
    if (this.#options.areKindsNamed !== true) return;
    const idle = kinds.filter((kind) => !chosen.some((one) => applies(kind, one)));
    for (const kind of idle) onNotice(`${kind}: none of the instruments has it`);
  }

  /** Follows what has been listed and leaves what no longer is. */
  async #followChosen(): Promise<void> {
    this.#isFollowing = true;
    try {
      const chosen = this.#chosen();
      const names = new Set(chosen.map(({ name }) => name));
      for (const [name, instrument] of this.#followed) {
        if (names.has(name)) continue;
        instrument.end();
        this.#followed.delete(name);
      }
      for (const instrument of chosen) {
        if (!this.#followed.has(instrument.name)) await this.#follow(instrument);
      }
    } finally {
      this.#isFollowing = false;
    }
  }

  async #follow(instrument: Instrument): Promise<void> {
    const { onNotice, exchange } = this.#options;
    const { name } = instrument;
    if (this.#followed.size >= this.#instrumentsMax) {
      onNotice(`${name} is not recorded: ${this.#instrumentsMax} instruments are`);
      return;
    }
    const isTaped = this.#options.kinds.includes('trades');
    const lastTrades = isTaped ? await this.#log.lastLines('trades', name, KNOWN_TRADES_MAX) : [];
    if (this.#isEnded) return;
    this.#log.list(INSTRUMENTS_FILE, INSTRUMENTS_HEADER, instrumentLine(exchange, instrument));
    for (const line of comboLines(exchange, instrument)) {
      this.#log.list(COMBOS_FILE, COMBOS_HEADER, line);
    }
    const recorded = new RecordedInstrument({
      ...this.#options,
      instrument,
      lastTrades,
      market: this.#options.venue.market,
      log: this.#log,
      onSign: () => {
        this.#signUs = this.#log.nowUs();
      },
      onDouble: () => {
        this.#doubles += 1;
      },
      onUnanswered: (error) => {
        if (isProgrammingError(error)) this.#broken(error);
        else onNotice(`${name}: ${(error as Error).message}`);
      },
    });
    this.#followed.set(name, recorded);
  }

  async #commit(state: 'recording' | 'stopped'): Promise<void> {
    if (this.#isCommitting) return;
    this.#isCommitting = true;
    try {
      await this.#log.commit(state);
    } finally {
      this.#isCommitting = false;
    }
  }

  /** Work that the drain waits for, and whose failure ends the recording. */
  #track(work: Promise<void>): void {
    this.#working.track(work).catch((error: unknown) => this.#broken(error));
  }

  #broken(error: unknown): void {
    this.stop();
    this.#options.onFatal(error);
  }
}

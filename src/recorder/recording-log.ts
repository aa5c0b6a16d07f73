// The rows of a recording on their way to the store: stamped as they arrive, gathered by file and day, and committed
// together with the gaps. What cannot be kept in memory is counted and becomes a gap.
import type { Clock } from '../ports/clock.ts';
import type { RecordingStore } from '../ports/recording/recording-store.ts';
import type { Instant } from '../values/instant.ts';
import { HOUR_MS, instant, isoText } from '../values/instant.ts';
import { COMBOS_FILE } from './combo-rows.ts';
import { GAPS_FILE, GAPS_HEADER, type Gap, type GapReason, gapLines } from './gap-rows.ts';
import { INSTRUMENTS_FILE } from './instrument-rows.ts';
import { fileNameOf, headerOf, type RecordedKind } from './recorded-kinds.ts';
import { type Row, rowLine } from './recorded-rows.ts';
import {
  OtherRecording,
  type RecordingNote,
  type RecordingSession,
  readNote,
  SESSIONS_MAX,
} from './recording-note.ts';

export interface RecordingLogOptions {
  readonly store: RecordingStore;
  readonly clock: Clock;
  /** As in the files and their names. */
  readonly exchange: string;
  readonly venue: string;
  readonly session: Omit<RecordingSession, 'from'>;
  /** Characters that may wait to be written. */
  readonly pendingMax?: number | undefined;
}

/** What was recorded since the start, for people and programs. */
export interface RecordingCounts {
  readonly rows: Readonly<Partial<Record<RecordedKind, number>>>;
  readonly bytes: number;
  readonly gaps: number;
  readonly openGaps: number;
  /** Rows that could not be kept. */
  readonly lost: number;
}

/** A gap that is not over. */
export interface OpenGap {
  /** Writes it, with the detail given or the one it was opened with. */
  close(detail?: string): void;
  /** Another gap covers it. */
  dismiss(): void;
}

const PENDING_MAX = 32 * 1024 * 1024;
/** Files of terms, whose lines are written once. */
const TERMS_FILES = [INSTRUMENTS_FILE, COMBOS_FILE];
const TERMS_FILE_LINES = 100_000;

/** The UTC day of a time in microseconds, `2026-11-23`. */
export const dayOf = (us: number): string => isoText(instant(Math.floor(us / 1_000))).slice(0, 10);

interface Losing {
  readonly gap: OpenGap;
  readonly reason: GapReason;
  rows: number;
}

export class RecordingLog {
  readonly #options: RecordingLogOptions;
  readonly #before: RecordingNote | undefined;
  readonly #sessions: readonly RecordingSession[];
  readonly #stamps: ArrivalStamps;
  readonly #openGaps = new Set<Gap>();
  readonly #pendingMax: number;
  #texts = new Map<string, { readonly header: string; text: string }>();
  /** Characters gathered, and characters being written. */
  #gathered = 0;
  #writing = 0;
  #losing: Losing | undefined;
  readonly #rows: Partial<Record<RecordedKind, number>> = {};
  #gaps = 0;
  #lost = 0;
  readonly #listed = new Set<string>();

  /** @throws OtherRecording if the store has the recording of another venue. */
  constructor(options: RecordingLogOptions) {
    this.#options = options;
    const { store, clock, exchange, venue, session } = options;
    this.#pendingMax = options.pendingMax ?? PENDING_MAX;
    this.#before = store.note === undefined ? undefined : readNote(store.note);
    const before = this.#before;
    if (before !== undefined && (before.venue !== venue || before.exchange !== exchange)) {
      throw new OtherRecording(
        `has a recording of venue ${before.venue} as ${before.exchange}, not of ${venue} as ${exchange}; accepted: another folder`,
      );
    }
    this.#stamps = new ArrivalStamps(before?.recordedUntil);
    const sessions = [...(before?.sessions ?? []), { from: isoText(clock.now()), ...session }];
    this.#sessions = sessions.slice(-SESSIONS_MAX);
  }

  /** Writes the gaps since the session before, or since the day began. To be called once, before any row. */
  async start(): Promise<void> {
    const { store } = this.#options;
    const nowUs = this.nowUs();
    const before = this.#before;
    if (before === undefined) {
      const midnight = Date.parse(`${dayOf(nowUs)}T00:00:00Z`) * 1_000;
      this.#write({ fromUs: midnight, reason: 'not_started', detail: 'the first start' }, nowUs);
    } else {
      for (const gap of before.openGaps) this.#write(gap, nowUs);
      const isKilled = before.state === 'recording';
      const detail = isKilled ? 'ended without a last commit' : 'ended in order';
      const reason = isKilled ? 'killed' : 'stopped';
      this.#write({ fromUs: before.recordedUntil, reason, detail }, nowUs);
    }
    for (const file of TERMS_FILES) {
      for (const line of await store.lastLines(file, TERMS_FILE_LINES)) this.#listed.add(line);
    }
  }

  get counts(): RecordingCounts {
    return {
      rows: this.#rows,
      bytes: this.#options.store.bytes,
      gaps: this.#gaps,
      openGaps: this.#openGaps.size,
      lost: this.#lost,
    };
  }

  /** Characters that wait to be written. */
  get gathered(): number {
    return this.#gathered;
  }

  /** Never before a row that was stamped. */
  nowUs(): number {
    return Math.max(this.#options.clock.now() * 1_000, this.#stamps.lastUs);
  }

  /** The last recorded lines of today and of yesterday, oldest first. */
  async lastLines(kind: RecordedKind, symbol: string, count: number): Promise<readonly string[]> {
    const { store, exchange } = this.#options;
    const nowUs = this.nowUs();
    const days = [dayOf(nowUs - 24 * HOUR_MS * 1_000), dayOf(nowUs)];
    const lines: string[] = [];
    for (const day of days) {
      const found = await store.lastLines(fileNameOf(exchange, kind, { day, symbol }), count);
      lines.push(...found.filter((line) => line !== headerOf(kind)));
    }
    return lines.slice(-count);
  }

  /** A row that arrived now. */
  add(kind: RecordedKind, row: Row): void {
    const { exchange, clock } = this.#options;
    if (this.#isFull) return this.#lose('overrun');
    const us = this.#stamps.next(clock.now());
    if (us === undefined) return this.#lose('clock');
    this.#endLosing();
    const file = fileNameOf(exchange, kind, { day: dayOf(us), symbol: row.symbol });
    this.#append(file, headerOf(kind), rowLine(exchange, row, us));
    this.#rows[kind] = (this.#rows[kind] ?? 0) + 1;
  }

  /** A line about an instrument, such as its terms: written where it is new. */
  list(file: string, header: string, line: string): void {
    if (this.#listed.has(line)) return;
    this.#listed.add(line);
    // A file that another version began has other columns: this header stands before the lines that it describes.
    if (!this.#listed.has(header)) {
      this.#listed.add(header);
      if (this.#options.store.files.has(file)) this.#append(file, header, header);
    }
    this.#append(file, header, line);
  }

  /** A gap that is over. */
  gap(gap: Gap): void {
    this.#write(gap, this.nowUs());
  }

  openGap(gap: Gap): OpenGap {
    this.#openGaps.add(gap);
    return {
      close: (detail = gap.detail) => {
        if (this.#openGaps.delete(gap)) this.gap({ ...gap, detail });
      },
      dismiss: () => {
        this.#openGaps.delete(gap);
      },
    };
  }

  /** Rejects with what the store rejects with; rows continue to be gathered meanwhile. */
  async commit(state: RecordingNote['state']): Promise<void> {
    const { store } = this.#options;
    if (state === 'stopped') this.#endLosing();
    const untilUs = this.nowUs();
    const { files } = store;
    const texts = new Map<string, string>();
    for (const [file, { header, text }] of this.#texts) {
      texts.set(file, files.has(file) ? text : `${header}\n${text}`);
    }
    this.#texts = new Map();
    this.#writing = this.#gathered;
    this.#gathered = 0;
    const today = dayOf(untilUs);
    const done = [...files, ...texts.keys()].filter((file) => isOfDayBefore(file, today));
    try {
      await store.commit({ texts, note: this.#note(state, untilUs), done });
    } finally {
      this.#writing = 0;
    }
  }

  #note(state: RecordingNote['state'], recordedUntil: number): RecordingNote {
    const { venue, exchange } = this.#options;
    const rows: Partial<Record<RecordedKind, number>> = { ...this.#before?.rows };
    for (const [kind, count] of Object.entries(this.#rows) as [RecordedKind, number][]) {
      rows[kind] = (rows[kind] ?? 0) + count;
    }
    const sessions = this.#sessions;
    const openGaps = [...this.#openGaps];
    return { format: 1, venue, exchange, state, recordedUntil, openGaps, rows, sessions };
  }

  get #isFull(): boolean {
    const pending = this.#gathered + this.#writing;
    // Once full, it fills again only when half of it is free: otherwise every other row would be a gap.
    const isFull = this.#losing?.reason === 'overrun';
    return pending >= (isFull ? this.#pendingMax / 2 : this.#pendingMax);
  }

  #lose(reason: 'overrun' | 'clock'): void {
    this.#lost += 1;
    if (this.#losing?.reason !== reason) {
      this.#endLosing();
      const gap = this.openGap({ fromUs: this.#stamps.lastUs, reason, detail: 'not over' });
      this.#losing = { gap, reason, rows: 0 };
    }
    this.#losing.rows += 1;
  }

  #endLosing(): void {
    if (this.#losing === undefined) return;
    const { gap, rows } = this.#losing;
    this.#losing = undefined;
    gap.close(`${rows} rows lost`);
  }

  #write(gap: Gap, toUs: number): void {
    this.#gaps += 1;
    for (const line of gapLines(this.#options.exchange, gap, toUs)) {
      this.#append(GAPS_FILE, GAPS_HEADER, line);
    }
  }

  #append(file: string, header: string, line: string): void {
    const gathered = this.#texts.get(file) ?? { header, text: '' };
    gathered.text += `${line}\n`;
    this.#texts.set(file, gathered);
    this.#gathered += line.length + 1;
  }
}

const DAY_IN_NAME = /_(\d{4}-\d{2}-\d{2})_/;

function isOfDayBefore(file: string, today: string): boolean {
  const day = DAY_IN_NAME.exec(file)?.[1];
  return day !== undefined && day < today;
}

const US_PER_MS = 1_000;
/** Rows of a burst may be stamped this far ahead of the clock. */
const AHEAD_US_MAX = 1_000_000;

/**
 * When rows arrived, in microseconds that rise with every row: rows of one millisecond keep the order in which they
 * arrived, across all files. A clock that is set back gives no stamps until it has caught up.
 */
class ArrivalStamps {
  #lastUs: number;

  /** Stamps are above `lastUs`. */
  constructor(lastUs = 0) {
    this.#lastUs = lastUs;
  }

  /** The latest stamp. */
  get lastUs(): number {
    return this.#lastUs;
  }

  /** Microseconds since the epoch; `undefined` while the clock is behind the rows already stamped. */
  next(now: Instant): number | undefined {
    const nowUs = now * US_PER_MS;
    if (nowUs > this.#lastUs) this.#lastUs = nowUs;
    else if (this.#lastUs - nowUs < AHEAD_US_MAX) this.#lastUs += 1;
    else return undefined;
    return this.#lastUs;
  }
}

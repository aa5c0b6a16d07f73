// The write-ahead journal of users' accounts: events are written before they are published. It is rewritten
// as a snapshot on opening, and in the background whenever it has grown by `rotateBytes`.
import type { AccountEvent } from '../../../exchange/exchange-event.ts';
import type { Instant } from '../../../values/instant.ts';
import type { JournalStore } from './journal-store.ts';
import {
  commandLine,
  headPieces,
  type JournalContent,
  readJournal,
  segmentLine,
} from './journal-text.ts';

/**
 * When an answer may be given: with `write` once the operating system has its events, which survives the end
 * of the process; with `fsync` once they are on disk, which survives a power cut.
 */
export type JournalSync = 'write' | 'fsync';

export interface PaperJournalOptions {
  readonly store: JournalStore;
  /** Default `write`. */
  readonly sync?: JournalSync | undefined;
  /** Default 128 MiB. */
  readonly rotateBytes?: number | undefined;
}

export interface PaperJournalParts extends PaperJournalOptions {
  /** Receives the error of a snapshot that could not be written. Nothing is lost; the journal keeps growing. */
  readonly onFault: (error: unknown) => void;
}

const ROTATE_BYTES = 128 * 1024 * 1024;

export class PaperJournal {
  readonly #store: JournalStore;
  readonly #sync: JournalSync;
  readonly #rotateBytes: number;
  #bornAt: Instant | undefined;
  #size = 0;
  /** The highest segment number used so far. */
  #lastSegment = 0;
  /** Events since the first start. */
  #written = 0;
  #isRotating = false;
  #isClosed = false;
  readonly #onFault: (error: unknown) => void;

  constructor(parts: PaperJournalParts) {
    const { store, sync = 'write', rotateBytes = ROTATE_BYTES, onFault } = parts;
    this.#onFault = onFault;
    this.#store = store;
    this.#sync = sync;
    this.#rotateBytes = rotateBytes;
  }

  /** The content written by earlier processes; `undefined` at the first start. Throws `JournalDamaged`. */
  read(): JournalContent | undefined {
    const content = readJournal(this.#store.read());
    this.#bornAt = content?.head.bornAt;
    this.#lastSegment = content?.lastSegment ?? 0;
    this.#written = content?.written ?? 0;
    return content;
  }

  /** Replaces all lines by one snapshot, as the exchange wrote it. */
  restart(savedAt: Instant, snapshot: Iterable<string>): void {
    this.#store.replace([...this.#head(savedAt, this.#lastSegment + 1, snapshot)].join(''));
    this.#size = 0;
  }

  /**
   * Continues in a new segment at once, and writes the current snapshot in place of everything before it,
   * piece by piece, while events are appended.
   */
  rotate(savedAt: Instant, snapshot: Iterable<string>): void {
    this.#lastSegment += 1;
    this.#store.continueIn(this.#lastSegment);
    this.#store.append(segmentLine(this.#written));
    this.#size = 0;
    void this.#writeBase(this.#lastSegment, this.#head(savedAt, this.#lastSegment, snapshot));
  }

  async #writeBase(segment: number, pieces: Iterable<string>): Promise<void> {
    this.#isRotating = true;
    try {
      await this.#store.replaceBefore(segment, pieces);
    } catch (error) {
      // The existing files stay complete, so closing the store during the write is not a fault.
      if (!this.#isClosed) this.#onFault(error);
    } finally {
      this.#isRotating = false;
    }
  }

  #head(savedAt: Instant, segment: number, snapshot: Iterable<string>): Iterable<string> {
    this.#bornAt ??= savedAt;
    const of = { kind: 'snapshot', bornAt: this.#bornAt, savedAt } as const;
    return headPieces({ ...of, segment, written: this.#written }, snapshot);
  }

  /**
   * Appends the events of one command, or of several that belong together. Throws if nothing can be written any more. The events must
   * not be published before they are {@link durable}.
   */
  append(events: readonly AccountEvent[]): void {
    const text = commandLine(events);
    if (text === '') return;
    this.#store.append(text);
    this.#size += text.length;
    this.#written += events.length;
  }

  get isFull(): boolean {
    return this.#size >= this.#rotateBytes && !this.#isRotating;
  }

  /** The promise an answer has to wait for; `undefined` if there is nothing to wait for. */
  durable(): Promise<void> | undefined {
    return this.#sync === 'fsync' ? this.#store.sync() : this.#store.written();
  }

  close(): void {
    this.#isClosed = true;
    this.#store.close();
  }
}

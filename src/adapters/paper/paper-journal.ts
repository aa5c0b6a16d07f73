// What the paper exchange does to users' accounts, written before it is told. Starts over from a
// snapshot when it was opened and whenever it has grown by `rotateBytes`.
import type { AccountEvent } from '../../exchange/event.ts';
import type { Instant } from '../../values/instant.ts';
import type { JournalStore } from './journal-store.ts';
import { eventLine, headLine, type JournalContent, readJournal } from './journal-text.ts';

/**
 * When an answer may be given: `write` once its events are with the operating system, which survives
 * the end of the process; `fsync` once they are on the disk, which survives a power cut.
 */
export type JournalSync = 'write' | 'fsync';

export interface PaperJournalOptions {
  readonly store: JournalStore;
  /** Default `write`. */
  readonly sync?: JournalSync | undefined;
  /** Default 128 MiB. */
  readonly rotateBytes?: number | undefined;
}

const ROTATE_BYTES = 128 * 1024 * 1024;

export class PaperJournal {
  readonly #store: JournalStore;
  readonly #sync: JournalSync;
  readonly #rotateBytes: number;
  #bornAt: Instant | undefined;
  #size = 0;

  constructor({ store, sync = 'write', rotateBytes = ROTATE_BYTES }: PaperJournalOptions) {
    this.#store = store;
    this.#sync = sync;
    this.#rotateBytes = rotateBytes;
  }

  /** What earlier processes left; `undefined` at the very first start. Throws `JournalDamaged`. */
  read(): JournalContent | undefined {
    const content = readJournal(this.#store.read());
    this.#bornAt = content?.head.bornAt;
    return content;
  }

  /** Replaces all lines by one snapshot, given as the exchange wrote it. */
  restart(savedAt: Instant, snapshot: string): void {
    const bornAt = this.#bornAt ?? savedAt;
    this.#store.replace(headLine({ kind: 'snapshot', bornAt, savedAt }, snapshot));
    this.#bornAt = bornAt;
    this.#size = 0;
  }

  /** Throws when the lines could not be written: then nothing may be told of the events. */
  append(events: readonly AccountEvent[]): void {
    let text = '';
    for (const event of events) text += eventLine(event);
    if (text === '') return;
    this.#store.append(text);
    this.#size += text.length;
  }

  get isFull(): boolean {
    return this.#size >= this.#rotateBytes;
  }

  /** What an answer has to wait for; `undefined` when writing was enough. */
  durable(): Promise<void> | undefined {
    return this.#sync === 'fsync' ? this.#store.sync() : undefined;
  }

  close(): void {
    this.#store.close();
  }
}

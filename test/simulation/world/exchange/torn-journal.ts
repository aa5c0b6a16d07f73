// The journal of the simulated exchange, in memory. A process that dies while it writes leaves a part of its last record there: of
// one command that was not answered.
import type {
  JournalPart,
  JournalStore,
} from '../../../../src/adapters/paper/journal/journal-store.ts';
import { sealed } from '../../../../src/adapters/paper/journal/journal-text.ts';

/** Why a request of that moment, and those until the next start, have no answer. */
const DIED = 'the exchange died while it wrote';

/** Whether the cause of a failure is that the exchange is away. */
export const isOfDeath = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(DIED);

/** The end of the process, in the middle of a write. */
export class TornWrite extends Error {
  override readonly name = 'TornWrite';
}

export interface TornJournalParts {
  /** The last record is there as a whole, or is not; before the process continues, or ends. */
  readonly onWritten: (isWhole: boolean) => void;
  readonly onDeath: () => void;
}

export class TornJournal implements JournalStore {
  readonly #parts: TornJournalParts;
  #text = '';
  #keeps: number | undefined;
  #isDead = false;

  constructor(parts: TornJournalParts) {
    this.#parts = parts;
  }

  /** The process dies in its next write, of which this share of the bytes is kept; 1 is all of them, and no answer. */
  doom(keeps: number | undefined): void {
    this.#keeps = keeps;
  }

  /** The next process begins. */
  read(): readonly JournalPart[] {
    this.#isDead = false;
    return this.#text === '' ? [] : [{ segment: undefined, text: this.#text }];
  }

  append(lines: string): void {
    if (this.#isDead) throw new TornWrite(DIED);
    const bytes = sealed(lines);
    const keeps = this.#keeps;
    const kept = keeps === undefined ? bytes.length : Math.floor(keeps * bytes.length);
    this.#text += bytes.toString('utf8', 0, kept);
    this.#parts.onWritten(kept === bytes.length);
    if (keeps === undefined) return;
    this.#keeps = undefined;
    this.#isDead = true;
    this.#parts.onDeath();
    throw new TornWrite(DIED);
  }

  written(): undefined {
    return undefined;
  }

  replace(text: string): void {
    this.#text = text;
  }

  /** No run writes as much as begins a segment. */
  continueIn(segment: number): void {
    throw new Error(`segment ${segment} begins, which no run needs`);
  }

  replaceBefore(): Promise<void> {
    return Promise.reject(new Error('a journal without segments replaces none'));
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  /** What was written stays. */
  close(): void {
    this.#keeps = undefined;
  }
}

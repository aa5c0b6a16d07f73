// A store of recordings in memory, which a test can break and copy as a killed process would leave it.
import {
  type RecordingCommit,
  type RecordingStore,
  RecordingUnwritable,
} from '../../../src/ports/recording/recording-store.ts';

export class MemoryRecordingStore implements RecordingStore {
  /** Every file that was ever written, done or not. */
  readonly texts: Map<string, string>;
  #open: Set<string>;
  #note: unknown;
  #bytes = 0;
  isBroken = false;
  /** Each commit waits for this. */
  gate: Promise<void> = Promise.resolve();

  constructor(before?: MemoryRecordingStore) {
    this.texts = new Map(before?.texts);
    this.#open = new Set(before?.files);
    this.#note = before?.note;
  }

  get note(): unknown {
    return this.#note;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get files(): ReadonlySet<string> {
    return this.#open;
  }

  lastLines(file: string, count: number): Promise<readonly string[]> {
    return Promise.resolve(this.#open.has(file) ? this.lines(file).slice(-count) : []);
  }

  async commit({ texts, note, done = [] }: RecordingCommit): Promise<void> {
    await this.gate;
    if (this.isBroken) throw new RecordingUnwritable('the store is broken');
    for (const [file, text] of texts) {
      this.texts.set(file, (this.texts.get(file) ?? '') + text);
      this.#bytes += text.length;
    }
    const open = new Set([...this.#open, ...texts.keys()]);
    for (const file of done) open.delete(file);
    this.#open = open;
    // As a store outside the process would: nothing of it changes with the caller's objects.
    this.#note = JSON.parse(JSON.stringify(note));
  }

  /** The lines of a file, its header included. */
  lines(file: string): readonly string[] {
    return (this.texts.get(file) ?? '').split('\n').filter((line) => line !== '');
  }

  /** The columns of a file's rows by name. */
  rows(file: string): readonly Readonly<Record<string, string>>[] {
    const [header = '', ...lines] = this.lines(file);
    const names = header.split(',');
    return lines.map((line) =>
      Object.fromEntries(line.split(',').map((field, at) => [names[at] ?? '', field])),
    );
  }
}

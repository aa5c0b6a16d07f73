// A column of texts as numbers: each distinct text is stored once, and rows hold its number. Substrings are
// searched in many texts at once, joined by a character that no text in a database can contain.
import type { Selection } from './row-selection.ts';

const FIRST_CAPACITY = 1_024;
const JOINED = 4_096;
/** Testing texts one by one takes this many times as long. */
const FEW = 8;
const BETWEEN = '\u0000';

interface Joined {
  readonly text: string;
  /** Where each text starts. */
  readonly starts: Uint32Array;
}

export interface TextColumnOptions {
  /** Also supports case-insensitive substring search. */
  readonly isFolded?: boolean;
}

export class TextColumn {
  readonly #values: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #joined: Joined[] = [];
  readonly #folded: Joined[] = [];
  readonly #isFolded: boolean;
  #codes = new Uint32Array(FIRST_CAPACITY);
  #count = 0;
  /** By number: how many rows have the text. */
  #rowsOf = new Uint32Array(FIRST_CAPACITY);
  /** Result of the latest search; allocated once, because a search may cover hundreds of thousands of texts. */
  #found = new Uint8Array(0);

  constructor({ isFolded = false }: TextColumnOptions = {}) {
    this.#isFolded = isFolded;
  }

  push(value: string): void {
    if (this.#count === this.#codes.length) {
      const wider = new Uint32Array(this.#count * 2);
      wider.set(this.#codes);
      this.#codes = wider;
    }
    const code = this.#numbers.get(value) ?? this.#add(value);
    this.#codes[this.#count] = code;
    this.#rowsOf[code] = (this.#rowsOf[code] ?? 0) + 1;
    this.#count += 1;
  }

  /** The number of each row's text. */
  get codes(): Uint32Array {
    return this.#codes;
  }

  /** By the number of a text: 1 if the condition holds. */
  matches(holds: (value: string) => boolean): Uint8Array {
    const matches = new Uint8Array(this.#values.length);
    for (let code = 0; code < matches.length; code += 1) {
      if (holds(this.#values[code] ?? '')) matches[code] = 1;
    }
    return matches;
  }

  /** Number of rows whose text matches. */
  rowsWith(matches: Uint8Array): number {
    let rows = 0;
    for (let code = 0; code < matches.length; code += 1) {
      if (matches[code] === 1) rows += this.#rowsOf[code] ?? 0;
    }
    return rows;
  }

  /**
   * By the number of a text of the given rows: 1 if it contains `part`, which is not empty. Invalid after the
   * next search.
   */
  containing(part: string, rows: Selection): Uint8Array {
    const holds = (value: string): boolean => value.includes(part);
    return this.#fewOf(rows, holds) ?? this.#search(this.#joined, part, holds);
  }

  /** The same, case-insensitive; `part` is in lower case. */
  containingFolded(part: string, rows: Selection): Uint8Array {
    const holds = (value: string): boolean => value.toLowerCase().includes(part);
    return this.#fewOf(rows, holds) ?? this.#search(this.#folded, part, holds);
  }

  #add(value: string): number {
    const code = this.#values.push(value) - 1;
    if (code === this.#rowsOf.length) {
      const wider = new Uint32Array(code * 2);
      wider.set(this.#rowsOf);
      this.#rowsOf = wider;
    }
    this.#numbers.set(value, code);
    if (this.#values.length % JOINED === 0) {
      const latest = this.#values.slice(-JOINED);
      this.#joined.push(joined(latest));
      if (this.#isFolded) this.#folded.push(joined(latest.map((one) => one.toLowerCase())));
    }
    return code;
  }

  #cleared(): Uint8Array {
    if (this.#found.length < this.#values.length) this.#found = new Uint8Array(this.#rowsOf.length);
    return this.#found.subarray(0, this.#values.length).fill(0);
  }

  /** Tests only the texts of the given rows, if the rows are few. */
  #fewOf(rows: Selection, holds: (value: string) => boolean): Uint8Array | undefined {
    if (rows.count * FEW > this.#values.length) return undefined;
    const matches = this.#cleared();
    for (let index = 0; index < rows.count; index += 1) {
      const code = this.#codes[rows.row(index)] ?? 0;
      if (matches[code] === 0 && holds(this.#values[code] ?? '')) matches[code] = 1;
    }
    return matches;
  }

  #search(chunks: readonly Joined[], part: string, holds: (value: string) => boolean): Uint8Array {
    const matches = this.#cleared();
    for (const [index, chunk] of chunks.entries()) mark(matches, index * JOINED, chunk, part);
    for (let code = chunks.length * JOINED; code < matches.length; code += 1) {
      if (holds(this.#values[code] ?? '')) matches[code] = 1;
    }
    return matches;
  }
}

function joined(values: readonly string[]): Joined {
  const starts = new Uint32Array(values.length);
  let at = 0;
  for (const [index, value] of values.entries()) {
    starts[index] = at;
    at += value.length + BETWEEN.length;
  }
  return { text: values.join(BETWEEN), starts };
}

function mark(matches: Uint8Array, first: number, { text, starts }: Joined, part: string): void {
  let one = 0;
  let found = text.indexOf(part);
  while (found >= 0) {
    while (one + 1 < starts.length && (starts[one + 1] ?? 0) <= found) one += 1;
    matches[first + one] = 1;
    one += 1;
    if (one >= starts.length) return;
    found = text.indexOf(part, starts[one]);
  }
}

// What pages ask of portfolios that are over, as columns in memory: each condition is one pass over
// numbers, each text is looked at once however many rows have it. Rows are only ever added.
import type { PageQuery } from '../../ports/ledger.ts';
import { TextColumn } from './text-column.ts';

export interface IndexedRow {
  /** Rises from row to row. */
  readonly place: number;
  readonly id: number;
  readonly account: string;
  readonly type: string;
  readonly status: number;
  readonly strategy: string | null;
  readonly note: string;
  readonly uid: string;
  readonly lastEditedUid: string;
  /** Names, a separator before and after each. */
  readonly instruments: string;
  readonly kinds: string;
  readonly coin: string;
  readonly submittedAt: number;
  readonly updatedAt: number;
  readonly hasFills: boolean;
}

/** Before and after each name in `instruments` and `kinds`; in none of them. */
export const NAME_SEPARATOR = '\u001f';
/** Of a list without a name. */
const EMPTY_LENGTH = 2;

const FIRST_CAPACITY = 1_024;

export class PageColumns {
  #count = 0;
  #places = new Float64Array(FIRST_CAPACITY);
  #ids = new Float64Array(FIRST_CAPACITY);
  #submittedAt = new Float64Array(FIRST_CAPACITY);
  #updatedAt = new Float64Array(FIRST_CAPACITY);
  #status = new Uint8Array(FIRST_CAPACITY);
  #fills = new Uint8Array(FIRST_CAPACITY);
  readonly #account = new TextColumn();
  readonly #type = new TextColumn();
  readonly #strategy = new TextColumn();
  readonly #note = new TextColumn();
  readonly #uid = new TextColumn();
  readonly #lastEditedUid = new TextColumn();
  readonly #instruments = new TextColumn({ isFolded: true });
  readonly #kinds = new TextColumn();
  readonly #coin = new TextColumn();

  get count(): number {
    return this.#count;
  }

  /** By row. */
  get ids(): Float64Array {
    return this.#ids;
  }

  /** What pages are sorted by, by row. */
  keys(by: PageQuery['orderBy']): Float64Array {
    return by === 'submittedAt' ? this.#submittedAt : this.#updatedAt;
  }

  add(row: IndexedRow): void {
    if (this.#count === this.#places.length) this.#grow();
    const at = this.#count;
    this.#places[at] = row.place;
    this.#ids[at] = row.id;
    this.#submittedAt[at] = row.submittedAt;
    this.#updatedAt[at] = row.updatedAt;
    this.#status[at] = row.status;
    this.#fills[at] = row.hasFills ? 1 : 0;
    this.#account.push(row.account);
    this.#type.push(row.type);
    this.#strategy.push(row.strategy ?? '');
    this.#note.push(row.note);
    this.#uid.push(row.uid);
    this.#lastEditedUid.push(row.lastEditedUid);
    this.#instruments.push(row.instruments);
    this.#kinds.push(row.kinds);
    this.#coin.push(row.coin);
    this.#count += 1;
  }

  /** One byte a row: 1 where every condition of the query holds. */
  hits(query: PageQuery, holes: readonly number[]): Uint8Array {
    const hits = new Uint8Array(this.#count).fill(1);
    // What costs least comes first: rows that are out are not looked at again.
    this.#keepNumbers(hits, query);
    this.#keepTexts(hits, query);
    for (const place of holes) {
      const row = this.#rowAt(place);
      if (row !== undefined) hits[row] = 0;
    }
    return hits;
  }

  #keepTexts(hits: Uint8Array, query: PageQuery): void {
    const { account, accounts, portfolioType, strategy, uids, lastEditedUids } = query;
    const { kinds, coinOrSymbol, instrument, note } = query;
    keep(hits, this.#account, account, (value, wanted) => value === wanted);
    keep(hits, this.#account, accounts, isAmong);
    keep(hits, this.#type, portfolioType, (value, wanted) => value === wanted);
    keep(hits, this.#strategy, strategy, (value, wanted) => value === wanted);
    keep(hits, this.#uid, uids, isAmong);
    keep(hits, this.#lastEditedUid, lastEditedUids, isAmong);
    keep(hits, this.#kinds, kinds, (value, wanted) =>
      wanted.some((kind) => value.includes(named(kind))),
    );
    if (instrument !== undefined) {
      clear(hits, this.#instruments, this.#instruments.containing(named(instrument), hits));
    }
    if (coinOrSymbol !== undefined) this.#keepCoinOrSymbol(hits, coinOrSymbol.toLowerCase());
    if (note !== undefined && note !== '')
      clear(hits, this.#note, this.#note.containing(note, hits));
  }

  /** The coin exactly, or part of an instrument's name; either will do. */
  #keepCoinOrSymbol(hits: Uint8Array, wanted: string): void {
    const coins = this.#coin.matches((value) => value.toLowerCase() === wanted);
    const instruments = this.#instruments;
    const names =
      wanted === '' || wanted.includes(NAME_SEPARATOR)
        ? instruments.matches((value) => wanted === '' && value.length > EMPTY_LENGTH)
        : instruments.containingFolded(wanted, hits);
    const coinCodes = this.#coin.codes;
    const nameCodes = instruments.codes;
    for (let row = 0; row < hits.length; row += 1) {
      if (hits[row] === 0 || coins[coinCodes[row] ?? 0] === 1) continue;
      if (names[nameCodes[row] ?? 0] === 0) hits[row] = 0;
    }
  }

  #keepNumbers(hits: Uint8Array, query: PageQuery): void {
    const { statuses, submittedFrom, submittedTo, hideFullyUnfilled } = query;
    const count = hits.length;
    if (statuses !== undefined) {
      const status = this.#status;
      const isWanted = [0, 1, 2, 3, 4].map((one) => (statuses as readonly number[]).includes(one));
      for (let row = 0; row < count; row += 1) if (!isWanted[status[row] ?? 0]) hits[row] = 0;
    }
    if (submittedFrom !== undefined || submittedTo !== undefined) {
      const at = this.#submittedAt;
      const from = submittedFrom ?? Number.NEGATIVE_INFINITY;
      const to = submittedTo ?? Number.POSITIVE_INFINITY;
      for (let row = 0; row < count; row += 1) {
        const one = at[row] ?? 0;
        if (one < from || one > to) hits[row] = 0;
      }
    }
    if (hideFullyUnfilled !== true) return;
    const fills = this.#fills;
    for (let row = 0; row < count; row += 1) if (fills[row] === 0) hits[row] = 0;
  }

  #rowAt(place: number): number | undefined {
    let low = 0;
    let high = this.#count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#places[middle] ?? 0;
      if (found === place) return middle;
      if (found < place) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  #grow(): void {
    const capacity = this.#places.length * 2;
    this.#places = wider(this.#places, capacity);
    this.#ids = wider(this.#ids, capacity);
    this.#submittedAt = wider(this.#submittedAt, capacity);
    this.#updatedAt = wider(this.#updatedAt, capacity);
    const status = new Uint8Array(capacity);
    status.set(this.#status);
    this.#status = status;
    const fills = new Uint8Array(capacity);
    fills.set(this.#fills);
    this.#fills = fills;
  }
}

const isAmong = (value: string, wanted: readonly string[]): boolean => wanted.includes(value);

function wider(values: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(capacity);
  copy.set(values);
  return copy;
}

/** Clears the hits whose text does not hold; a condition that is not asked for always does. */
function keep<T>(
  hits: Uint8Array,
  column: TextColumn,
  wanted: T | undefined,
  holds: (value: string, wanted: T) => boolean,
): void {
  if (wanted === undefined) return;
  clear(
    hits,
    column,
    column.matches((value) => holds(value, wanted)),
  );
}

const named = (name: string): string => `${NAME_SEPARATOR}${name}${NAME_SEPARATOR}`;

function clear(hits: Uint8Array, { codes }: TextColumn, matches: Uint8Array): void {
  for (let row = 0; row < hits.length; row += 1) {
    if (hits[row] === 1 && matches[codes[row] ?? 0] === 0) hits[row] = 0;
  }
}

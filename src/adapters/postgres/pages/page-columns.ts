// The searchable fields of ended portfolios as columns in memory: each condition is one pass over numbers,
// and each distinct text is tested once however many rows have it. Rows are only ever added.
import type { PageQuery } from '../../../ports/ledger.ts';
import { storedStatus } from '../status-column.ts';
import { Selection } from './row-selection.ts';
import { TextColumn } from './text-column.ts';

export interface IndexedRow {
  /** Increases from row to row. */
  readonly place: number;
  readonly id: number;
  readonly account: string;
  readonly type: string;
  readonly status: number;
  readonly strategy: string | null;
  readonly note: string;
  readonly uid: string;
  readonly lastEditedUid: string;
  /** Names, with a separator before and after each. */
  readonly instruments: string;
  readonly kinds: string;
  readonly coin: string;
  readonly submittedAt: number;
  readonly updatedAt: number;
  readonly hasFills: boolean;
}

/** Before and after each name in `instruments` and `kinds`; contained in none of them. */
export const NAME_SEPARATOR = '\u001f';
/** Length of a list without a name. */
const EMPTY_LENGTH = 2;

const FIRST_CAPACITY = 1_024;

/** Rows that match a query, valid until the next query. */
export interface Hits {
  /** By row: 1 if every condition holds. */
  readonly marks: Uint8Array;
  readonly total: number;
}

export class PageColumns {
  readonly #selection = new Selection();
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

  /** Sort keys of pages, by row. */
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

  /**
   * `holes` are places that were given up. `among` are rows outside which none matches, such as those of the query's
   * range of time; absent: all.
   */
  hits(query: PageQuery, holes: readonly number[], among?: Uint32Array): Hits {
    const rows = this.#selection;
    if (among === undefined) rows.begin(this.#count, this.#places.length);
    else rows.beginWith(among, this.#places.length);
    // The cheapest and most selective conditions come first: excluded rows are not tested again.
    for (const { codes, matches } of this.#exact(query)) rows.keep(codes, matches);
    this.#keepNumbers(rows, query);
    this.#keepParts(rows, query);
    const marks = rows.marked();
    let total = rows.count;
    for (const place of holes) {
      const row = this.#rowAt(place);
      if (row === undefined) continue;
      total -= marks[row] ?? 0;
      marks[row] = 0;
    }
    return { marks, total };
  }

  /** Conditions on whole texts, the most selective first. */
  #exact(query: PageQuery): readonly Exact[] {
    const { account, accounts, portfolioType, strategy, uids, lastEditedUids, kinds } = query;
    return [
      exact(this.#account, account, isSame),
      exact(this.#account, accounts, isAmong),
      exact(this.#type, portfolioType, isSame),
      exact(this.#strategy, strategy, isSame),
      exact(this.#uid, uids, isAmong),
      exact(this.#lastEditedUid, lastEditedUids, isAmong),
      exact(this.#kinds, kinds, (value, wanted) =>
        wanted.some((kind) => value.includes(named(kind))),
      ),
    ]
      .flat()
      .sort((a, b) => a.rows - b.rows);
  }

  /** Conditions on substrings. */
  #keepParts(rows: Selection, { coinOrSymbol, instrument, note }: PageQuery): void {
    const instruments = this.#instruments;
    if (instrument !== undefined) {
      rows.keep(instruments.codes, instruments.containing(named(instrument), rows));
    }
    if (coinOrSymbol !== undefined) this.#keepCoinOrSymbol(rows, coinOrSymbol.toLowerCase());
    if (note !== undefined && note !== '') {
      rows.keep(this.#note.codes, this.#note.containing(note, rows));
    }
  }

  /** The coin exactly, or a substring of an instrument's name. */
  #keepCoinOrSymbol(rows: Selection, wanted: string): void {
    const coins = this.#coin.matches((value) => value.toLowerCase() === wanted);
    const instruments = this.#instruments;
    const names =
      wanted === '' || wanted.includes(NAME_SEPARATOR)
        ? instruments.matches((value) => wanted === '' && value.length > EMPTY_LENGTH)
        : instruments.containingFolded(wanted, rows);
    rows.keepEither(
      { codes: this.#coin.codes, matches: coins },
      { codes: instruments.codes, matches: names },
    );
  }

  #keepNumbers(rows: Selection, query: PageQuery): void {
    const { statuses, submittedFrom, submittedTo, updatedAfter, hideFullyUnfilled } = query;
    if (submittedFrom !== undefined || submittedTo !== undefined) {
      rows.keepWithin(this.#submittedAt, {
        from: submittedFrom ?? Number.NEGATIVE_INFINITY,
        to: submittedTo ?? Number.POSITIVE_INFINITY,
      });
    }
    if (updatedAfter !== undefined) {
      // Instants are whole milliseconds.
      rows.keepWithin(this.#updatedAt, { from: updatedAfter + 1, to: Number.POSITIVE_INFINITY });
    }
    if (statuses !== undefined) {
      const wanted: readonly number[] = statuses.map(storedStatus);
      const isWanted = [0, 1, 2, 3, 4].map((status) => (wanted.includes(status) ? 1 : 0));
      rows.keep(this.#status, Uint8Array.from(isWanted));
    }
    if (hideFullyUnfilled === true) rows.keep(this.#fills, Uint8Array.of(0, 1));
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

const isSame = (value: string, wanted: string): boolean => value === wanted;

const isAmong = (value: string, wanted: readonly string[]): boolean => wanted.includes(value);

function wider(values: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(capacity);
  copy.set(values);
  return copy;
}

interface Exact {
  readonly codes: Uint32Array;
  readonly matches: Uint8Array;
  /** Number of rows that match. */
  readonly rows: number;
}

/** `undefined` if the query has no such condition. */
function exact<T>(
  column: TextColumn,
  wanted: T | undefined,
  holds: (value: string, wanted: T) => boolean,
): readonly Exact[] {
  if (wanted === undefined) return [];
  const matches = column.matches((value) => holds(value, wanted));
  return [{ codes: column.codes, matches, rows: column.rowsWith(matches) }];
}

const named = (name: string): string => `${NAME_SEPARATOR}${name}${NAME_SEPARATOR}`;

// Keeps the rows of the columns in the sort orders of pages, and merges a page from them and from rows
// outside the columns. By key, then by id.
import type { PageQuery } from '../../../ports/ledger.ts';
import type { Hits, PageColumns } from './page-columns.ts';

type OrderBy = PageQuery['orderBy'];

/** A row outside the columns. */
export interface Loose {
  readonly id: number;
  readonly key: number;
}

/** Rows in the order of a time are far apart in the columns: fewer than one in this many are worth it. */
const FEW = 4;

export class PageOrders {
  readonly #columns: PageColumns;
  readonly #sorted: Record<OrderBy, Uint32Array> = {
    submittedAt: new Uint32Array(0),
    updatedAt: new Uint32Array(0),
  };

  constructor(columns: PageColumns) {
    this.#columns = columns;
  }

  /** Merges in the rows that were added to the columns. */
  extend(): void {
    for (const by of ['submittedAt', 'updatedAt'] as const) {
      const old = this.#sorted[by];
      if (old.length === this.#columns.count) continue;
      const compare = this.#comparing(by);
      const added = Uint32Array.from(
        { length: this.#columns.count - old.length },
        (_, index) => old.length + index,
      ).sort(compare);
      this.#sorted[by] = merged(old, added, compare);
    }
  }

  /**
   * The rows in the narrower of the query's ranges of time, so that the columns need not be scanned for them; `undefined`
   * if they are many. Valid until the rows are extended.
   */
  within({ submittedFrom, submittedTo, updatedAfter }: PageQuery): Uint32Array | undefined {
    const ranges = [
      this.#range('submittedAt', submittedFrom, submittedTo),
      // Instants are whole milliseconds.
      this.#range('updatedAt', updatedAfter === undefined ? undefined : updatedAfter + 1),
    ];
    const narrower = ranges.reduce((one, other) => (other.length < one.length ? other : one));
    return narrower.length * FEW < this.#columns.count ? narrower : undefined;
  }

  /** Returns the ids of the page, in order. `loose` rows may be in any order. */
  page({ marks, total }: Hits, loose: readonly Loose[], query: PageQuery): number[] {
    const { orderBy, descending, offset, limit } = query;
    const way = descending ? -1 : 1;
    const beside = loose.toSorted((a, b) => way * (a.key - b.key || a.id - b.id));
    const sorted = this.#sorted[orderBy];
    const keys = this.#columns.keys(orderBy);
    const { ids } = this.#columns;
    const found: number[] = [];
    let at = descending ? sorted.length - 1 : 0;
    let next = 0;
    // Once every hit was seen, the rest of the order is not searched for more.
    let left = total;
    for (let seen = 0; seen < offset + limit; seen += 1) {
      while (left > 0 && marks[sorted[at] ?? 0] === 0) at += way;
      const row = left > 0 ? sorted[at] : undefined;
      const one = beside[next];
      if (row === undefined && one === undefined) break;
      const id = row === undefined ? 0 : (ids[row] ?? 0);
      const behind =
        row === undefined || one === undefined ? 0 : (keys[row] ?? 0) - one.key || id - one.id;
      const isLoose = row === undefined || way * behind > 0;
      if (seen >= offset) found.push(isLoose && one !== undefined ? one.id : id);
      if (isLoose) next += 1;
      else {
        at += way;
        left -= 1;
      }
    }
    return found;
  }

  /** The sorted rows whose time is within the bounds, both inclusive. */
  #range(by: OrderBy, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): Uint32Array {
    const sorted = this.#sorted[by];
    const keys = this.#columns.keys(by);
    const first = firstWhere(sorted, (row) => (keys[row] ?? 0) >= from);
    const end = firstWhere(sorted, (row) => (keys[row] ?? 0) > to);
    return sorted.subarray(first, Math.max(first, end));
  }

  #comparing(by: OrderBy): (a: number, b: number) => number {
    const keys = this.#columns.keys(by);
    const { ids } = this.#columns;
    return (a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || (ids[a] ?? 0) - (ids[b] ?? 0);
  }
}

/** The first index at which `holds`, which once true stays true; the length if nowhere. */
function firstWhere(sorted: Uint32Array, holds: (row: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(sorted[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function merged(
  old: Uint32Array,
  added: Uint32Array,
  compare: (a: number, b: number) => number,
): Uint32Array {
  if (old.length === 0) return added;
  const all = new Uint32Array(old.length + added.length);
  let from = old.length - 1;
  let late = added.length - 1;
  for (let to = all.length - 1; to >= 0; to -= 1) {
    const row = added[late];
    if (row === undefined || late < 0) {
      // Nothing is left to merge: the rest is already in place.
      all.set(old.subarray(0, from + 1));
      break;
    }
    const before = old[from];
    const isOld = from >= 0 && before !== undefined && compare(before, row) > 0;
    all[to] = isOld ? before : row;
    if (isOld) from -= 1;
    else late -= 1;
  }
  return all;
}

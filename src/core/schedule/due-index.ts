// Portfolios in the order in which they are due, in about 30 bytes each: a heap with four branches in typed arrays, and
// a table that finds a portfolio's place in it. It needs nothing of a portfolio but what is put in.
import { assert, must } from '../../values/assert.ts';
import { type PortfolioId, portfolioId } from '../../values/ids.ts';
import { type Instant, instant } from '../../values/instant.ts';

export interface DueEntry {
  readonly portfolio: PortfolioId;
  readonly shard: number;
  readonly dueAt: Instant;
  /** The leg and the slice of it that are due, if it is a slice; both count from 0. */
  readonly leg?: number | undefined;
  readonly slice?: number | undefined;
}

const BRANCHES = 4;
const CAPACITY_MIN = 16;
const GROWTH = 1.25;
/** Beyond this share of used places the table is doubled. */
const LOAD_MAX = 0.8;
const TWO_32 = 2 ** 32;
/** Leg and slice share 32 bits; 0 stands for neither. */
const SLICE_BITS = 24;
const LEG_MAX = 254;
const SLICE_MAX = 2 ** SLICE_BITS - 1;
const SHARD_MAX = 255;

export class DueIndex {
  #size = 0;
  // Places of the heap: the entry at place k is due no later than those at 4k + 1 to 4k + 4.
  #ids = new Float64Array(CAPACITY_MIN);
  #dues = new Float64Array(CAPACITY_MIN);
  #whats = new Uint32Array(CAPACITY_MIN);
  #shards = new Uint8Array(CAPACITY_MIN);
  /** By hash of the id, with linear probing: the place in the heap plus 1, or 0. */
  #table = new Int32Array(2 * CAPACITY_MIN);

  get size(): number {
    return this.#size;
  }

  /** What the entries take in memory. */
  get bytes(): number {
    const arrays = [this.#ids, this.#dues, this.#whats, this.#shards, this.#table];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** When the first entry is due; `undefined` if there is none. */
  get nextDueAt(): Instant | undefined {
    return this.#size === 0 ? undefined : this.#dueAt(0);
  }

  /** Adds the portfolio, or moves it if it is there. */
  put({ portfolio, shard, dueAt, leg, slice }: DueEntry): void {
    const id = Number(portfolio);
    assert(shard >= 0 && shard <= SHARD_MAX, `a shard is at most ${SHARD_MAX}, got ${shard}`);
    const what = whatOf(leg, slice);
    let at = this.#find(id);
    if (at === -1) {
      at = this.#size;
      if (at === this.#ids.length) this.#grow();
      this.#size += 1;
      this.#ids[at] = id;
      this.#claim(id, at);
    }
    this.#dues[at] = dueAt;
    this.#whats[at] = what;
    this.#shards[at] = shard;
    this.#sink(this.#rise(at));
  }

  get(portfolio: PortfolioId): DueEntry | undefined {
    const at = this.#find(Number(portfolio));
    return at === -1 ? undefined : this.#entry(at);
  }

  /** When the portfolio is due; `undefined` if it is not there. */
  dueAt(portfolio: PortfolioId): Instant | undefined {
    const at = this.#find(Number(portfolio));
    return at === -1 ? undefined : this.#dueAt(at);
  }

  /** Returns false if the portfolio is not there. */
  remove(portfolio: PortfolioId): boolean {
    const at = this.#find(Number(portfolio));
    if (at === -1) return false;
    this.#removeAt(at);
    return true;
  }

  /** Removes and returns the first entry if it is due at or before `until`. */
  takeDue(until: number): DueEntry | undefined {
    if (this.#size === 0 || this.#due(0) > until) return undefined;
    const entry = this.#entry(0);
    this.#removeAt(0);
    return entry;
  }

  /** The entries due at or before `until`, in order; they stay. Those due later are not looked at. */
  dueUntil(until: Instant): readonly DueEntry[] {
    const places: number[] = [];
    const open = this.#size > 0 ? [0] : [];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.#due(at) > until) continue;
      places.push(at);
      const end = Math.min(BRANCHES * at + BRANCHES, this.#size - 1);
      for (let child = BRANCHES * at + 1; child <= end; child += 1) open.push(child);
    }
    places.sort((one, other) => (this.#isBefore(one, other) ? -1 : 1));
    return places.map((at) => this.#entry(at));
  }

  /** Removes all portfolios of the shard; returns their number. */
  removeShard(shard: number): number {
    const before = this.#size;
    let kept = 0;
    for (let at = 0; at < before; at += 1) {
      if (this.#shards[at] === shard) continue;
      this.#copy(at, kept);
      kept += 1;
    }
    this.#size = kept;
    if (kept < before) this.#order();
    return before - kept;
  }

  /** All entries, in no order, without removing any. */
  *entries(): IterableIterator<DueEntry> {
    for (let at = 0; at < this.#size; at += 1) yield this.#entry(at);
  }

  clear(): void {
    this.#size = 0;
    this.#table.fill(0);
  }

  #entry(at: number): DueEntry {
    const what = this.#whats[at] ?? 0;
    return {
      portfolio: portfolioId(String(this.#id(at))),
      shard: this.#shards[at] ?? 0,
      dueAt: this.#dueAt(at),
      ...(what > 0 && { leg: (what >>> SLICE_BITS) - 1, slice: what & SLICE_MAX }),
    };
  }

  #dueAt(at: number): Instant {
    return instant(this.#due(at));
  }

  #due(at: number): number {
    return must(this.#dues[at], 'a place of the heap');
  }

  #id(at: number): number {
    return must(this.#ids[at], 'a place of the heap');
  }

  #isBefore(one: number, other: number): boolean {
    const by = this.#due(one) - this.#due(other);
    return by === 0 ? this.#id(one) < this.#id(other) : by < 0;
  }

  #removeAt(at: number): void {
    this.#release(this.#id(at));
    this.#size -= 1;
    if (at === this.#size) return;
    this.#move(this.#size, at);
    this.#sink(this.#rise(at));
  }

  #rise(from: number): number {
    let at = from;
    while (at > 0) {
      const above = Math.floor((at - 1) / BRANCHES);
      if (!this.#isBefore(at, above)) break;
      this.#swap(at, above);
      at = above;
    }
    return at;
  }

  #sink(from: number): void {
    let at = from;
    for (;;) {
      let first = at;
      const end = Math.min(BRANCHES * at + BRANCHES, this.#size - 1);
      for (let child = BRANCHES * at + 1; child <= end; child += 1) {
        if (this.#isBefore(child, first)) first = child;
      }
      if (first === at) return;
      this.#swap(at, first);
      at = first;
    }
  }

  #swap(one: number, other: number): void {
    const [ids, dues, whats, shards] = [this.#ids, this.#dues, this.#whats, this.#shards];
    const [id, due, what, shard] = [this.#id(one), dues[one], whats[one], shards[one]];
    const slot = this.#slot(id);
    this.#table[this.#slot(this.#id(other))] = one + 1;
    this.#table[slot] = other + 1;
    this.#copy(other, one);
    ids[other] = id;
    dues[other] = due ?? 0;
    whats[other] = what ?? 0;
    shards[other] = shard ?? 0;
  }

  #move(from: number, to: number): void {
    this.#table[this.#slot(this.#id(from))] = to + 1;
    this.#copy(from, to);
  }

  #copy(from: number, to: number): void {
    this.#ids[to] = this.#ids[from] ?? 0;
    this.#dues[to] = this.#dues[from] ?? 0;
    this.#whats[to] = this.#whats[from] ?? 0;
    this.#shards[to] = this.#shards[from] ?? 0;
  }

  #grow(): void {
    const capacity = Math.ceil(this.#ids.length * GROWTH);
    const grown = <A extends Float64Array | Uint32Array | Uint8Array>(to: A, from: A): A => {
      to.set(from);
      return to;
    };
    this.#ids = grown(new Float64Array(capacity), this.#ids);
    this.#dues = grown(new Float64Array(capacity), this.#dues);
    this.#whats = grown(new Uint32Array(capacity), this.#whats);
    this.#shards = grown(new Uint8Array(capacity), this.#shards);
    if (capacity <= this.#table.length * LOAD_MAX) return;
    this.#table = new Int32Array(2 * this.#table.length);
    this.#fillTable();
  }

  /** Restores heap and table after places were overwritten. */
  #order(): void {
    this.#fillTable();
    for (let at = Math.floor((this.#size - 2) / BRANCHES); at >= 0; at -= 1) this.#sink(at);
  }

  #fillTable(): void {
    this.#table.fill(0);
    for (let at = 0; at < this.#size; at += 1) this.#claim(this.#id(at), at);
  }

  /** The portfolio's place in the heap, or -1. */
  #find(id: number): number {
    return (this.#table[this.#slot(id)] ?? 0) - 1;
  }

  #claim(id: number, at: number): void {
    this.#table[this.#slot(id)] = at + 1;
  }

  /** Frees the id's slot, and moves up those behind it that would not be found any more. */
  #release(id: number): void {
    const mask = this.#table.length - 1;
    let free = this.#slot(id);
    for (let next = (free + 1) & mask; ; next = (next + 1) & mask) {
      const place = this.#table[next] ?? 0;
      if (place === 0) break;
      const home = hash(this.#id(place - 1)) & mask;
      if (((next - home) & mask) < ((next - free) & mask)) continue;
      this.#table[free] = place;
      free = next;
    }
    this.#table[free] = 0;
  }

  /** The slot of the id, or the free one where it belongs. */
  #slot(id: number): number {
    const mask = this.#table.length - 1;
    for (let slot = hash(id) & mask; ; slot = (slot + 1) & mask) {
      const place = this.#table[slot] ?? 0;
      if (place === 0 || this.#ids[place - 1] === id) return slot;
    }
  }
}

function hash(id: number): number {
  const low = Math.imul(id | 0, 0x9e3779b1);
  const mixed = Math.imul(low ^ (id / TWO_32), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** What does not fit is left out: it is only shown. */
function whatOf(leg = -1, slice = -1): number {
  const isShown = leg >= 0 && leg <= LEG_MAX && slice >= 0 && slice <= SLICE_MAX;
  return isShown ? (leg + 1) * 2 ** SLICE_BITS + slice : 0;
}

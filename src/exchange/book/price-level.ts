// The queue of one price: first in, first out, as an intrusive linked list, so that joining, leaving and
// shrinking take constant time at any length.

/** An entry of a queue. Owners are compared by identity. */
export class Resting {
  readonly owner: object;
  /** The lots that the book shows; all remaining lots if nothing is hidden. */
  lots: number;
  /** Lots that are not shown; they trade with an order that takes all the shown lots. */
  hiddenLots = 0;
  /** How many hidden lots are shown when the shown ones are used up; above zero if any are hidden. */
  refreshLots = 0;
  level: PriceLevel | undefined = undefined;
  next: Resting | undefined = undefined;
  previous: Resting | undefined = undefined;

  constructor(owner: object, lots: number) {
    this.owner = owner;
    this.lots = lots;
  }
}

export class PriceLevel {
  readonly ticks: number;
  /** Total lots shown by the queue. */
  lots = 0;
  hiddenLots = 0;
  count = 0;
  /** The entry that executes first. */
  head: Resting | undefined = undefined;
  tail: Resting | undefined = undefined;

  constructor(ticks: number) {
    this.ticks = ticks;
  }

  /** Inserts behind `before`, or at the front of the queue if it is absent. */
  insertAfter(before: Resting | undefined, entry: Resting): void {
    const next = before === undefined ? this.head : before.next;
    entry.level = this;
    entry.previous = before;
    entry.next = next;
    if (before === undefined) this.head = entry;
    else before.next = entry;
    if (next === undefined) this.tail = entry;
    else next.previous = entry;
    this.lots += entry.lots;
    this.hiddenLots += entry.hiddenLots;
    this.count += 1;
  }

  /** Reduces the shown lots; the entry keeps its place, even with none left. */
  shrink(entry: Resting, lots: number): void {
    entry.lots -= lots;
    this.lots -= lots;
  }

  /** Reduces the hidden lots. */
  shrinkHidden(entry: Resting, lots: number): void {
    entry.hiddenLots -= lots;
    this.hiddenLots -= lots;
  }

  /** Shows the next part of the hidden lots at the end of the queue; called when nothing is shown. */
  refill(entry: Resting): void {
    this.leave(entry);
    entry.lots = Math.min(entry.refreshLots, entry.hiddenLots);
    entry.hiddenLots -= entry.lots;
    this.insertAfter(this.tail, entry);
  }

  leave(entry: Resting): void {
    const { previous, next } = entry;
    if (previous === undefined) this.head = next;
    else previous.next = next;
    if (next === undefined) this.tail = previous;
    else next.previous = previous;
    entry.level = undefined;
    entry.next = undefined;
    entry.previous = undefined;
    this.lots -= entry.lots;
    this.hiddenLots -= entry.hiddenLots;
    this.count -= 1;
  }
}

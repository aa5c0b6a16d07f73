// The queue of one price: first in, first out, as an intrusive linked list, so that joining, leaving
// and shrinking cost the same whatever the length.

/** Anything that can stand in a queue. The owner is compared by identity. */
export class Resting {
  readonly owner: object;
  /** What the book shows of it; all that is left to trade where nothing is hidden. */
  lots: number;
  /** What stands behind the shown lots, unseen: it trades with who takes all that is shown. */
  hiddenLots = 0;
  /** How much of the hidden lots is shown anew once nothing is; above zero where any are hidden. */
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
  /** What the queue shows, in all. */
  lots = 0;
  hiddenLots = 0;
  count = 0;
  /** Executes first. */
  head: Resting | undefined = undefined;
  tail: Resting | undefined = undefined;

  constructor(ticks: number) {
    this.ticks = ticks;
  }

  /** Behind `before`, or in front of everybody without it. */
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

  /** Takes off shown lots; the entry keeps its place, with none left too. */
  shrink(entry: Resting, lots: number): void {
    entry.lots -= lots;
    this.lots -= lots;
  }

  /** Takes off hidden lots. */
  shrinkHidden(entry: Resting, lots: number): void {
    entry.hiddenLots -= lots;
    this.hiddenLots -= lots;
  }

  /** Shows the next part of what is hidden, at the end of the queue: nothing else is shown by then. */
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

// The queue of one price: first in, first out, as an intrusive linked list, so that joining, leaving
// and shrinking cost the same whatever the length.

/** Anything that can stand in a queue. The owner is compared by identity. */
export class Resting {
  readonly owner: object;
  /** What is left to trade, in lots. */
  lots: number;
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
  /** Sum over the queue. */
  lots = 0;
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
    this.count += 1;
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
    this.count -= 1;
  }
}

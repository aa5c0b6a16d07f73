// The oracle of the book alone: one flat list in chronological order, searched from end to end for
// everything. Of an order with a hidden part, `shown` is the visible quantity.

export type Side = 'buy' | 'sell';

export interface NaiveEntry {
  readonly id: number;
  readonly owner: number;
  readonly side: Side;
  readonly ticks: number;
  readonly refresh: number;
  left: number;
  shown: number;
}

export interface NaiveFill {
  readonly maker: number;
  readonly lots: number;
  readonly ticks: number;
  readonly isHidden: boolean;
}

export interface NaiveTaker {
  readonly side: Side;
  readonly ticks: number;
  readonly lots: number;
}

export class NaiveQueue {
  entries: NaiveEntry[] = [];

  rest(entry: NaiveEntry): void {
    this.entries.push(entry);
  }

  remove(id: number): void {
    this.entries = this.entries.filter((entry) => entry.id !== id);
  }

  reduce(id: number, lots: number): void {
    for (const entry of this.entries) {
      if (entry.id !== id) continue;
      entry.left -= lots;
      entry.shown = Math.min(entry.shown, entry.left);
    }
    this.entries = this.entries.filter(({ left }) => left > 0);
  }

  /** The entries a taker would trade with, in the order of execution. */
  counterparts({ side, ticks }: Pick<NaiveTaker, 'side' | 'ticks'>): NaiveEntry[] {
    const sign = side === 'buy' ? 1 : -1;
    const reachable = this.entries.filter((e) => e.side !== side && sign * (ticks - e.ticks) >= 0);
    return reachable.toSorted((a, b) => sign * (a.ticks - b.ticks));
  }

  match(taker: NaiveTaker): NaiveFill[] {
    const fills: NaiveFill[] = [];
    let open = taker.lots;
    const trade = (maker: NaiveEntry, upTo: number, isHidden: boolean): void => {
      const lots = Math.min(open, upTo);
      if (lots === 0) return;
      maker.left -= lots;
      if (!isHidden) maker.shown -= lots;
      open -= lots;
      fills.push({ maker: maker.id, lots, ticks: maker.ticks, isHidden });
    };
    for (const maker of this.counterparts(taker)) {
      trade(maker, maker.shown, false);
      trade(maker, maker.left - maker.shown, true);
      if (maker.shown > 0) continue;
      this.remove(maker.id);
      maker.shown = Math.min(maker.refresh, maker.left);
      if (maker.left > 0) this.entries.push(maker);
    }
    return fills;
  }

  fillable(taker: NaiveTaker): number {
    const all = this.counterparts(taker).reduce((sum, { left }) => sum + left, 0);
    return Math.min(all, taker.lots);
  }

  meets(taker: NaiveTaker, owner: number): boolean {
    let open = taker.lots;
    for (const maker of this.counterparts(taker)) {
      if (open <= 0) return false;
      if (maker.owner === owner) return true;
      open -= maker.left;
    }
    return false;
  }

  /** Best first: the shown and hidden quantities of a level, and its queue. */
  side(side: Side): unknown[] {
    const sign = side === 'buy' ? -1 : 1;
    const own = this.entries.filter((e) => e.side === side);
    const prices = [...new Set(own.map(({ ticks }) => ticks))].sort((a, b) => sign * (a - b));
    return prices.map((ticks) => {
      const queue = own.filter((e) => e.ticks === ticks);
      const shown = queue.reduce((sum, e) => sum + e.shown, 0);
      const hidden = queue.reduce((sum, e) => sum + e.left - e.shown, 0);
      return [ticks, shown, hidden, queue.map((e) => [e.id, e.shown, e.left - e.shown])];
    });
  }
}

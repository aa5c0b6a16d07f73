// Block RFQs implemented as plainly as possible, to compare the exchange with: lists, no indexes, whole
// prices as offsets of the first leg, and the best price found by trying all of them.
import type { Side } from '../../../src/values/instrument.ts';

export const GRACE_MS = 5_000;
export const LIFE_MS = 300_000;

export interface NaiveQuote {
  readonly id: string;
  readonly maker: string;
  readonly side: Side;
  offset: number;
  units: number;
  isWhole: boolean;
  seq: number;
  expiresAt: number;
  status: 'open' | 'filled' | 'cancelled' | 'expired';
  filled: number;
}

export interface Fills {
  readonly offset: number;
  readonly by: ReadonlyMap<NaiveQuote, number>;
}

type Limit = { readonly offset: number } | undefined;

export class NaiveRfq {
  readonly createdAt: number;
  readonly units: number;
  readonly minUnits: number;
  readonly seats: readonly string[];
  readonly quotes: NaiveQuote[] = [];
  status: 'created' | 'open' | 'filled' | 'cancelled' | 'expired' = 'created';
  fills: (Fills & { readonly side: Side }) | undefined = undefined;
  readonly waiting: Record<Side, Limit> = { buy: undefined, sell: undefined };

  constructor(of: {
    readonly createdAt: number;
    readonly units: number;
    readonly minUnits: number;
    readonly seats: readonly string[];
  }) {
    this.createdAt = of.createdAt;
    this.units = of.units;
    this.minUnits = of.minUnits;
    this.seats = of.seats;
  }

  get isLive(): boolean {
    return this.status === 'created' || this.status === 'open';
  }

  open(): NaiveQuote[] {
    return this.quotes.filter(({ status }) => status === 'open');
  }

  advance(now: number): void {
    if (!this.isLive) return;
    const endsAt = this.createdAt + LIFE_MS;
    for (const quote of this.open()) {
      if (quote.expiresAt <= Math.min(now, endsAt)) quote.status = 'expired';
    }
    if (now >= endsAt) this.end('expired');
    else if (now >= this.createdAt + GRACE_MS) this.status = 'open';
  }

  end(status: 'filled' | 'cancelled' | 'expired'): void {
    this.status = status;
    for (const quote of this.open()) quote.status = 'cancelled';
    this.waiting.buy = undefined;
    this.waiting.sell = undefined;
  }

  /** Whether the maker's quote is compatible with its other quotes; `except` is the one it replaces. */
  admits(
    quote: Pick<NaiveQuote, 'maker' | 'side' | 'offset' | 'units' | 'isWhole'>,
    except?: NaiveQuote,
  ) {
    if (!this.isLive || !this.seats.includes(quote.maker)) return false;
    if (quote.units < this.minUnits || quote.units > this.units) return false;
    if (quote.isWhole && quote.units !== this.units) return false;
    const others = this.open().filter((q) => q.maker === quote.maker && q !== except);
    if (others.length >= 8) return false;
    if (others.filter(({ side }) => side === quote.side).length >= 4) return false;
    const sign = quote.side === 'buy' ? 1 : -1;
    return others.every((q) => q.side === quote.side || sign * (q.offset - quote.offset) > 0);
  }

  /** Tries every price, starting with the best for the taker. */
  best(side: Side): Fills | undefined {
    const sign = side === 'buy' ? 1 : -1;
    const met = this.open().filter((quote) => quote.side !== side);
    const prices = [...new Set(met.map(({ offset }) => offset))].sort((a, b) => sign * (a - b));
    for (const offset of prices) {
      const whole = met
        .filter((quote) => quote.isWhole && quote.offset === offset)
        .sort((a, b) => a.seq - b.seq)[0];
      const wholeFills = whole && { offset, by: new Map([[whole, this.units]]) };
      const reached = met.filter((q) => !q.isWhole && sign * (offset - q.offset) >= 0);
      const sum = reached.reduce((all, { units }) => all + units, 0);
      if (sum < this.units) {
        if (wholeFills !== undefined) return wholeFills;
        continue;
      }
      // Both are possible at this price: the earliest quote decides.
      const isEarlier = reached.every((q) => q.offset === offset && q.seq > (whole?.seq ?? 0));
      if (wholeFills !== undefined && isEarlier) return wholeFills;
      const by = new Map<NaiveQuote, number>();
      let left = this.units;
      for (const quote of reached.sort((a, b) => sign * (a.offset - b.offset) || a.seq - b.seq)) {
        const share = Math.min(left, quote.units);
        if (share > 0) by.set(quote, share);
        left -= share;
      }
      return { offset, by };
    }
    return undefined;
  }

  /** True if it traded. */
  accept(side: Side, limit: number): boolean {
    const sign = side === 'buy' ? 1 : -1;
    const best = this.best(side);
    if (best === undefined || sign * (best.offset - limit) > 0) return false;
    for (const [quote, units] of best.by) {
      quote.filled = units;
      quote.status = 'filled';
    }
    this.fills = { ...best, side };
    this.end('filled');
    return true;
  }

  fire(): void {
    for (const side of ['buy', 'sell'] as const) {
      const limit = this.waiting[side];
      if (limit !== undefined && this.isLive) this.accept(side, limit.offset);
    }
  }
}

// A simulated market participant: it quotes and takes, and has an inventory, but no balances or limits.
import type { AccountId, InstrumentName } from '../../values/ids.ts';
import type { Side } from '../../values/instrument.ts';
import { Resting } from '../book/price-level.ts';

/** One quoted level. When it is filled it stays in the bot's list with no lots left. */
export class BotQuote extends Resting {
  /** The number of the refresh that last included this level. */
  refresh = 0;
}

/** A bot's levels on one side of one instrument, by price in ticks. */
export type QuotedSide = Map<number, BotQuote>;

interface QuotedBook {
  readonly buy: QuotedSide;
  readonly sell: QuotedSide;
  refresh: number;
}

export class Bot {
  readonly id: AccountId;
  readonly #inventory = new Map<InstrumentName, number>();
  readonly #quoted = new Map<InstrumentName, QuotedBook>();

  constructor(id: AccountId) {
    this.id = id;
  }

  /** Signed lots. */
  inventory(name: InstrumentName): number {
    return this.#inventory.get(name) ?? 0;
  }

  traded(name: InstrumentName, side: Side, lots: number): void {
    this.#inventory.set(name, this.inventory(name) + (side === 'buy' ? lots : -lots));
  }

  quoted(name: InstrumentName): QuotedBook {
    const known = this.#quoted.get(name);
    if (known !== undefined) return known;
    const quoted: QuotedBook = { buy: new Map(), sell: new Map(), refresh: 0 };
    this.#quoted.set(name, quoted);
    return quoted;
  }

  /** The market has closed: drops its inventory and quotes. */
  leave(name: InstrumentName): void {
    this.#inventory.delete(name);
    this.#quoted.delete(name);
  }
}

// Combos: structures of futures or of options that trade as one instrument. They are listed, quoted, ordered and reported
// like any instrument; what is particular is that an account may have one created.

import type { Price, Quantity, Ratio } from '../values/amounts.ts';
import type { AccountId, InstrumentName } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Instrument, Side } from '../values/instrument.ts';
import type { Reply } from './trading-desk.ts';

export interface Combo {
  /** The venue's number of it. */
  readonly number: number;
  /** Its legs, from the side that buying the combo takes. */
  readonly instrument: Instrument;
  /** An inactive one takes no orders; it may be requested again unless a leg has expired. */
  readonly state: 'active' | 'inactive';
  readonly createdAt: Instant;
  /** When it got into its state. */
  readonly changedAt: Instant;
}

export interface NamedLeg {
  readonly instrument: InstrumentName;
  readonly side: Side;
  /** Default: one contract. */
  readonly quantity?: Quantity | undefined;
}

export interface NewCombo {
  readonly account: AccountId;
  /** The relation of the sizes matters, not how large they are; nothing is traded. */
  readonly trades: readonly NamedLeg[];
}

export interface StructurePrice {
  readonly account: AccountId;
  readonly legs: readonly NamedLeg[];
  /** Of the whole: the prices of bought legs less those of sold ones, each times its ratio. */
  readonly price: Price;
}

export interface LegPrices {
  /** Times the ratio of a leg it is the size of the leg. */
  readonly quantity: Quantity;
  /** As they were named. */
  readonly legs: readonly {
    readonly instrument: InstrumentName;
    readonly side: Side;
    readonly ratio: Ratio;
    readonly price: Price;
  }[];
}

export interface ComboReads {
  /** Every combo that the venue knows, inactive ones included, in order of creation. */
  combos(): Promise<readonly Combo[]>;
}

export interface ComboDesk extends ComboReads {
  /** The combo of these legs, from whichever side they are named; the same legs are the same combo. */
  create(request: NewCombo): Promise<Reply<Combo>>;
  /**
   * Prices of the legs that add up to the price of the whole, as near to their mark prices as possible, on tick and
   * inside their price bands. Nothing is created.
   */
  legPrices(request: StructurePrice): Promise<Reply<LegPrices>>;
}

// What is known of a market at one moment. Absent means unknown, never zero.
import type { Money, Price, Quantity } from './amounts.ts';
import type { InstrumentName } from './ids.ts';
import type { Instant } from './instant.ts';

export interface PriceLevel {
  readonly price: Price;
  readonly quantity: Quantity;
}

/** As a venue states them: each may be missing. */
export interface Greeks {
  readonly delta?: number | undefined;
  readonly gamma?: number | undefined;
  /** USD per volatility point. */
  readonly vega?: number | undefined;
  /** USD per day. */
  readonly theta?: number | undefined;
  readonly rho?: number | undefined;
}

/** Those of a model. */
export type KnownGreeks = { readonly [Name in keyof Greeks]-?: number };

export interface Quote {
  readonly instrument: InstrumentName;
  readonly bid?: PriceLevel | undefined;
  readonly ask?: PriceLevel | undefined;
  readonly mark?: Price | undefined;
  /** The venue's or our own model price; if absent, the mark price is used instead. */
  readonly model?: Price | undefined;
  readonly index?: Price | undefined;
  readonly last?: Price | undefined;
  /** Options: forward price from which the mark price is computed. */
  readonly underlying?: Price | undefined;
  /** Options: volatility of the mark price as a fraction (0.65 = 65 %). */
  readonly markIv?: number | undefined;
  readonly greeks?: Greeks | undefined;
  /** Perpetuals: the current rate as a fraction of the position's value in eight hours; longs pay if it is positive. */
  readonly fundingRate?: number | undefined;
  /**
   * Volume traded on the venue since counting started, in the amount unit. It only grows, but may restart from zero.
   * Absent if nothing counts it.
   */
  readonly traded?: Quantity | undefined;
  /** Sum of price × size of the trades in `traded`, exactly, counted from the same moment. */
  readonly tradedValue?: Money | undefined;
  /** Trading band: a buy above `maxPrice` or a sell below `minPrice` is refused by the venue. */
  readonly minPrice?: Price | undefined;
  readonly maxPrice?: Price | undefined;
  /** When the venue last confirmed this, on our clock. */
  readonly seenAt: Instant;
}

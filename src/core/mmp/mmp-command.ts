// What can be asked of the protection of one account and kind, or told to it. Each command carries `now`.
import type { Money, Quantity } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import type { MmpConfig } from './mmp-config.ts';

/** What one trade, or one leg of a block trade, adds on its index. */
export interface MmpExposure {
  readonly index: string;
  /** In coins, without a sign. */
  readonly quantity: Quantity;
  /** In coins. */
  readonly delta: Quantity;
  /** In USD per volatility point. */
  readonly vega: Money;
}

export interface CountTrade {
  readonly kind: 'count';
  readonly now: Instant;
  /** Unique over the account. */
  readonly tradeId: string;
  /** On our clock, not after `now`. */
  readonly tradedAt: Instant;
  readonly group: string;
  /** One for a trade of an order; one per leg for a block trade, which counts once. */
  readonly parts: readonly MmpExposure[];
}

export type MmpCommand =
  | {
      readonly kind: 'configure';
      readonly now: Instant;
      readonly config: MmpConfig;
      readonly by: string;
    }
  | {
      readonly kind: 'reset';
      readonly now: Instant;
      readonly index: string;
      readonly group: string;
      readonly by: string;
    }
  | CountTrade
  /** The venue refused for its own protection. */
  | {
      readonly kind: 'venue_tripped';
      readonly now: Instant;
      readonly index: string;
      readonly group: string;
    };

// The commands of the protection of one account and kind: requests and reports. Each carries `now`.
import type { Money, Quantity } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import type { MmpConfig } from './mmp-config.ts';

/** What one trade, or one leg of a block trade, adds to the window of its index. */
export interface MmpExposure {
  readonly index: string;
  /** In coins, unsigned. */
  readonly quantity: Quantity;
  /** In coins. */
  readonly delta: Quantity;
  /** In USD per volatility point. */
  readonly vega: Money;
}

/**
 * The name by which a trade of an order counts once: trade ids are unique within a settlement currency, and both sides
 * of a trade may be the account's.
 */
export const mmpTradeName = (
  settlement: string,
  { tradeId, orderId }: { readonly tradeId: string; readonly orderId: string },
): string => `${settlement}/${tradeId}/${orderId}`;

export interface CountTrade {
  readonly kind: 'count';
  readonly now: Instant;
  /** Unique within the account. */
  readonly tradeId: string;
  /** On our clock, not later than `now`. */
  readonly tradedAt: Instant;
  readonly group: string;
  /** One for a trade of an order; one per leg for a block trade, which counts as one trade. */
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
  /** The venue refused because of its own protection. */
  | {
      readonly kind: 'venue_tripped';
      readonly now: Instant;
      readonly index: string;
      readonly group: string;
    };

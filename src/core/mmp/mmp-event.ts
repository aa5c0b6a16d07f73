// The events of an account's protection, as plain JSON. Kept for ever and never edited: a changed meaning needs a new
// kind.
import type { MmpLimit } from './mmp-config.ts';

interface Happened {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly index: string;
  /** Empty for the unnamed group. */
  readonly group: string;
}

export type MmpEvent =
  /** Resets the group: no window, no freeze. */
  | (Happened & {
      readonly kind: 'configured';
      readonly intervalMs: number;
      readonly frozenMs: number;
      readonly quantityLimit?: string | undefined;
      readonly deltaLimit?: string | undefined;
      readonly vegaLimit?: string | undefined;
      readonly tradeCountLimit?: number | undefined;
      /** Absent in events before it was a setting: not limited. */
      readonly maxQuoteQuantity?: string | undefined;
      readonly by: string;
    })
  | (Happened & { readonly kind: 'removed'; readonly by: string })
  | (Happened & {
      readonly kind: 'counted';
      readonly tradeId: string;
      readonly tradedAt: number;
      /** Starts a new window with this trade. */
      readonly opens: boolean;
      readonly quantity: string;
      readonly delta: string;
      readonly vega: string;
    })
  | (Happened & {
      readonly kind: 'tripped';
      /** Absent if the venue's own protection tripped. */
      readonly limit?: MmpLimit | undefined;
      /** Default: until a manual reset. */
      readonly frozenUntil?: number | undefined;
      /** When the trade was made that reached the limit. Absent if the venue's own protection tripped. */
      readonly reachedAt?: number | undefined;
    })
  /** A trade of the group between the one that reached the limit and the end of the freeze. */
  | (Happened & {
      readonly kind: 'exceeded';
      readonly tradeId: string;
      readonly tradedAt: number;
      readonly quantity: string;
    })
  | (Happened & { readonly kind: 'reset'; readonly by: string });

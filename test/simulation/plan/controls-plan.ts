// The limits of the controls at the gate in one run, as plain numbers; an absent limit does not apply.
import type { OverridableControl } from '../../../src/core/risk/gate/overrides.ts';
import type { InstrumentKind } from '../../../src/values/instrument.ts';

export interface MessageNumbers {
  readonly perSecond: number;
  readonly burst: number;
  /** The share that only cancels use. */
  readonly cancelReserve: number;
}

export interface ControlNumbers {
  /** PT-1: beyond the mark, and how old the quote may be. */
  readonly collar?: { readonly bps: number; readonly ageMaxMs: number } | undefined;
  /** PT-2. */
  readonly drift?: { readonly bps: number; readonly windowMs: number } | undefined;
  /** PT-3, of the perpetual. */
  readonly orderUsdMax?: number | undefined;
  /** PT-4, of the perpetual in USD, of all else in coins. */
  readonly quantityMax?: { readonly usd: number; readonly coins: number } | undefined;
  /** PT-5: of each account, and of all accounts and daemons together. */
  readonly messages?: (MessageNumbers & { readonly ofAll?: MessageNumbers }) | undefined;
  /** PT-6: portfolios of a strategy, and refusals in a row. */
  readonly repeats?: { readonly executionsMax: number; readonly rejectsMax: number } | undefined;
  /** PT-7. */
  readonly duplicateMs?: number | undefined;
  /** PT-8, as PT-4. */
  readonly positionMax?: { readonly usd: number; readonly coins: number } | undefined;
  /** PT-9. */
  readonly grossUsdMax?: number | undefined;
  /** PT-10. */
  readonly permits?: readonly InstrumentKind[] | undefined;
  /** PT-12. */
  readonly strategy?:
    | { readonly instrumentsMax: number; readonly slicesMax: number; readonly usdMax: number }
    | undefined;
  /** PT-13. */
  readonly market?:
    | {
        readonly jumpBps: number;
        readonly windowMs: number;
        readonly spreadBps: number;
        readonly restMs: number;
      }
    | undefined;
  /** PT-14. */
  readonly selfMatch?: true | undefined;
  /** PT-20. */
  readonly slippageUsdMax?: number | undefined;
}

/** PT-17: one order let past one control at one daemon. */
export interface OverridePlan {
  readonly atMs: number;
  readonly daemon: number;
  readonly control: OverridableControl;
  readonly side: 'buy' | 'sell';
  readonly usd: number;
  /** Granted under the key that asked: counts for nothing. */
  readonly isBySame: boolean;
}

export interface ControlsPlan {
  readonly numbers: ControlNumbers;
  /** Configuration is read again then, and says this. */
  readonly later: { readonly atMs: number; readonly numbers: ControlNumbers } | undefined;
  readonly overrides: readonly OverridePlan[];
  /** Portfolios are of a strategy. */
  readonly isOfStrategy: boolean;
}

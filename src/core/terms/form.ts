// A portfolio as requested: types are right, rules are not checked yet. Readers of requests and files convert them to
// this shape; `admit` then refuses it or makes the specification.
import type { Price, Quantity, Ratio } from '../../values/amounts.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { InstrumentKind, Side } from '../../values/instrument.ts';
import type { ExecutionForm } from './execution.ts';
import type { DynamicReference } from './spec.ts';

export interface PricingForm {
  readonly priceType: 'limit' | 'market' | 'dynamic';
  readonly price?: Price | undefined;
  /** A currency code, `USD` or `IV`. */
  readonly priceIn?: string | undefined;
  readonly dynamicPriceStrategy?: DynamicReference | undefined;
  readonly dynamicPriceOffset?: Price | undefined;
  readonly dynamicMs?: number | undefined;
  /** In the instrument's currency, regardless of `priceIn`. */
  readonly worst?: Price | undefined;
}

export interface LegForm {
  readonly instrument: string;
  readonly instrumentType: InstrumentKind;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly priceOptions: PricingForm;
  readonly priceSnapshot: readonly unknown[];
  readonly timeInForce?: 'gtc' | 'ioc' | 'fok' | 'gtd' | undefined;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly hidden: boolean;
  readonly tradeMode?: 'cash' | 'cross' | 'isolated' | undefined;
  readonly positionSide?: 'long' | 'short' | 'net' | undefined;
  readonly hedge: boolean;
  /** Default false. */
  readonly priority?: boolean | undefined;
}

export interface BalanceForm {
  readonly parts: number;
  readonly eachLimitMs: number;
  /** 0 = no limit. */
  readonly totalLimitMs: number;
  /** What happens to the residual at the total limit. */
  readonly totalEndAction: 'cancel_remaining' | 'fill_by_market';
}

export interface PortfolioForm {
  readonly accountId: AccountId;
  readonly portfolioType: string;
  readonly strategy?: string | undefined;
  readonly customizedNote: string;
  /** Default: start on acceptance. */
  readonly startAt?: Instant | undefined;
  /** Required if `portfolioType` is TWAP. */
  readonly twapTrade?: { readonly durationSec: number; readonly frequencySec: number } | undefined;
  /** Required if `portfolioType` is BALANCE. */
  readonly balanceTrade?: BalanceForm | undefined;
  readonly legs: readonly LegForm[];
  readonly dummyAccounts: readonly AccountId[];
  /** Dummy accounts that mirror a multiple of the quantities; the others mirror them unscaled. */
  readonly mirrorScales?:
    | readonly { readonly account: AccountId; readonly scale: Ratio }[]
    | undefined;
  readonly execution: ExecutionForm;
}

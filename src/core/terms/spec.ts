// The specification of a portfolio, after validation. The `…Record` shapes are the same as plain JSON, as stored in
// the ledger.

import type { Price, Quantity, Ratio } from '../../values/amounts.ts';
import type { AccountId, InstrumentName, PortfolioId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { InstrumentKind, Side } from '../../values/instrument.ts';
import type { TimeInForce } from '../../values/order-terms.ts';
import type { Execution, PartTimeout } from './execution.ts';

/** The unit of a price: the instrument's own currency, USD, or volatility (fraction). */
export type PriceUnit = 'currency' | 'usd' | 'iv';
export type DynamicReference = 'mid' | 'mark' | 'model' | 'bid' | 'ask';

/** Under any pricing, children never buy above it or sell below it, in the instrument's currency. */
interface Capped {
  readonly worst?: Price | undefined;
}

export type LegPricing = Capped & PricingRule;

type PricingRule =
  | { readonly type: 'market' }
  | { readonly type: 'limit'; readonly price: Price; readonly unit: PriceUnit }
  | {
      readonly type: 'dynamic';
      /** The price shown at submit; a placeholder without effect. */
      readonly price: Price;
      readonly unit: PriceUnit;
      readonly reference: DynamicReference;
      /** Added to the reference, in the unit of the price; may be negative. */
      readonly offset: Price;
      readonly everyMs: number;
    };

export interface LegSpec {
  readonly instrument: InstrumentName;
  readonly kind: InstrumentKind;
  readonly side: Side;
  /** Total, in the instrument's amount unit. */
  readonly quantity: Quantity;
  readonly pricing: LegPricing;
  readonly timeInForce?: TimeInForce | undefined;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly hidden: boolean;
  readonly tradeMode?: 'cash' | 'cross' | 'isolated' | undefined;
  readonly positionSide?: 'long' | 'short' | 'net' | undefined;
  /** Sized by the fills of the other legs instead of the clock. */
  readonly hedge: boolean;
  /**
   * On a hedge: the totals of all legs, by index, when its own total was last requested. They are its proportion, which
   * amendments of other totals leave as it is. Absent = the totals in force.
   */
  readonly hedgeBasis?: readonly Quantity[] | undefined;
  /** BALANCE only: the leg that leads; the others follow its fills. At most one. Absent = false. */
  readonly priority?: boolean | undefined;
  /** Reference prices given or captured at submit, kept for audit. Plain JSON. */
  readonly priceSnapshot: readonly unknown[];
}

/** How a BALANCE portfolio is cut: consecutive parts, with the legs in proportion after each. */
export interface BalanceSpec {
  readonly parts: number;
  /** Time limit of one part; after it, a part that has started is completed at market. */
  readonly eachLimitMs: number;
  /** Time limit of the whole, after which `execution.endAction` applies; 0 = no limit. */
  readonly totalLimitMs: number;
  readonly partTimeout: PartTimeout;
}

/** Who made the request. */
export interface Actor {
  readonly uid: string;
  readonly nickname: string;
}

export interface PortfolioSpec {
  readonly accountId: AccountId;
  readonly portfolioType: 'TWAP' | 'BALANCE';
  readonly strategy?: string | undefined;
  readonly note: string;
  readonly startAt: Instant;
  /** From start to end; 0 for a BALANCE portfolio that has no end of its own. */
  readonly durationMs: number;
  /** Interval between two slices of a TWAP; the time limit of one part of a BALANCE. */
  readonly frequencyMs: number;
  /** Present exactly if `portfolioType` is BALANCE. */
  readonly balance?: BalanceSpec | undefined;
  readonly legs: readonly LegSpec[];
  readonly execution: Execution;
  readonly by: Actor;
  /** Set on the shadow that mirrors another portfolio's fills into a dummy account. */
  readonly mirrorOf?: PortfolioId | undefined;
  /** On a shadow: its quantities as a multiple of those it mirrors; absent = the same. */
  readonly scale?: Ratio | undefined;
  /** Portfolios that mirror this one. */
  readonly mirrors: readonly PortfolioId[];
}

// What a portfolio is asked to do, after validation. The `…Record` shapes are the same thing as plain
// JSON, as the ledger keeps it.
import type { Price, Quantity, Ratio } from '../../values/amounts.ts';
import type { AccountId, InstrumentName, PortfolioId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { InstrumentKind, Side } from '../../values/instrument.ts';

/** What a price is expressed in: the instrument's own currency, USD, or volatility (fraction). */
export type PriceUnit = 'currency' | 'usd' | 'iv';
export type DynamicReference = 'mid' | 'mark' | 'model' | 'bid' | 'ask';

export type LegPricing =
  | { readonly type: 'market' }
  | { readonly type: 'limit'; readonly price: Price; readonly unit: PriceUnit }
  | {
      readonly type: 'dynamic';
      /** The price shown at submit; not a cap. */
      readonly price: Price;
      readonly unit: PriceUnit;
      readonly reference: DynamicReference;
      /** Added to the reference, in the unit of the price; may be negative. */
      readonly offset: Price;
      readonly everyMs: number;
    };

export type TimeInForce =
  | 'good_til_cancelled'
  | 'immediate_or_cancel'
  | 'fill_or_kill'
  | 'good_til_day';

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
  /** Reference prices given or captured at submit, kept for audit. Plain JSON. */
  readonly priceSnapshot: readonly unknown[];
}

export type EndAction = 'cancel' | 'market';

/** How slices are worked. Every option has a default, see `DEFAULT_EXECUTION`. */
export interface Execution {
  /** Shifts every slice by this share of its interval, in [0, 1). */
  readonly phase: number;
  /** Largest slice as a multiple of the planned one, while catching up. At least 1. */
  readonly maxCatchUp: number;
  /** What becomes of the residual when the time is over. */
  readonly endAction: EndAction;
  /** How far through the opposite price a marketable child may reach, as a fraction. */
  readonly collar: Ratio;
}

/** Who asked. */
export interface Actor {
  readonly uid: string;
  readonly nickname: string;
}

export interface PortfolioSpec {
  readonly accountId: AccountId;
  readonly portfolioType: 'TWAP';
  readonly strategy?: string | undefined;
  readonly note: string;
  readonly startAt: Instant;
  readonly durationMs: number;
  readonly frequencyMs: number;
  readonly legs: readonly LegSpec[];
  readonly execution: Execution;
  readonly by: Actor;
  /** Set on the shadow that mirrors another portfolio's fills into a dummy account. */
  readonly mirrorOf?: PortfolioId | undefined;
  /** Portfolios that mirror this one. */
  readonly mirrors: readonly PortfolioId[];
}

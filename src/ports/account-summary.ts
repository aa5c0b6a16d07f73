// What an account has, as reported by the venue: money, margins and open positions.
import type { Money, Price, Quantity, Ratio } from '../values/amounts.ts';
import type { AccountId, Currency, InstrumentName } from '../values/ids.ts';
import type { InstrumentKind } from '../values/instrument.ts';

/** Amounts in `currency`. */
export interface AccountSummary {
  readonly account: AccountId;
  readonly currency: Currency;
  readonly balance: Money;
  /** Balance plus session profit plus the value of options. */
  readonly equity: Money;
  readonly availableFunds: Money;
  /** Equity without the value of options. */
  readonly marginBalance: Money;
  readonly initialMargin: Money;
  readonly maintenanceMargin: Money;
  /** Realised and unrealised since the last settlement. */
  readonly sessionRealised: Money;
  readonly sessionUnrealised: Money;
  readonly optionsValue: Money;
  /** Reserved for open spot orders. */
  readonly spotReserve: Money;
  /** Exposure in coins; options count with their delta less their mark price. */
  readonly deltaTotal: Ratio;
  readonly optionsGamma: Ratio;
  readonly optionsVega: Ratio;
  readonly optionsTheta: Ratio;
}

export interface OpenPosition {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly kind: InstrumentKind;
  /** Signed, in the amount unit. */
  readonly quantity: Quantity;
  readonly averagePrice: Price;
  readonly markPrice?: Price | undefined;
  readonly indexPrice?: Price | undefined;
  /** Of the last settlement. */
  readonly settlementPrice?: Price | undefined;
  /** In the settlement currency. */
  readonly floatingProfitLoss: Money;
  readonly realizedProfitLoss: Money;
  /** Coins. */
  readonly delta: Ratio;
  readonly gamma?: Ratio | undefined;
  readonly vega?: Ratio | undefined;
  readonly theta?: Ratio | undefined;
  readonly initialMargin: Money;
  readonly maintenanceMargin: Money;
  readonly openOrdersMargin: Money;
  /** Perpetuals: booked and accrued since the last settlement. */
  readonly realizedFunding?: Money | undefined;
}

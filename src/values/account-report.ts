// What an account has, as a venue and the paper exchange report it: money, margins and positions; and the entries of its
// transaction log, what was moved in one currency and why.
import type { Money, Price, Quantity, Ratio } from './amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId, TradeId } from './ids.ts';
import type { Instant } from './instant.ts';
import type { InstrumentKind, Side } from './instrument.ts';

/** Amounts in `currency`. */
export interface AccountSummary {
  readonly account: AccountId;
  readonly currency: Currency;
  /** Cash; realised profit is included at once, unrealised profit after each settlement. */
  readonly balance: Money;
  /** Balance plus session profit plus the value of options. */
  readonly equity: Money;
  /** Available for new orders; never below zero. */
  readonly availableFunds: Money;
  /** Equity without the value of options. */
  readonly marginBalance: Money;
  /** Of positions and open orders, including premiums reserved for option buys. */
  readonly initialMargin: Money;
  /** A margin balance below this is liquidated on a live venue. */
  readonly maintenanceMargin: Money;
  /** Realised and unrealised since the last settlement. */
  readonly sessionRealised: Money;
  readonly sessionUnrealised: Money;
  /** The part of `sessionRealised` that options made, closed ones included. */
  readonly optionsSessionRealised?: Money | undefined;
  readonly optionsValue: Money;
  /** Reserved for open spot orders. */
  readonly spotReserve: Money;
  /** Exposure in coins; options count with their delta less their mark price. */
  readonly deltaTotal: Ratio;
  readonly optionsGamma: Ratio;
  readonly optionsVega: Ratio;
  readonly optionsTheta: Ratio;
}

/** Amounts in the settlement currency. */
export interface OpenPosition {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly kind: InstrumentKind;
  /** Signed, in the amount unit; zero when flat. */
  readonly quantity: Quantity;
  /** Zero when flat. */
  readonly averagePrice: Price;
  readonly markPrice?: Price | undefined;
  readonly indexPrice?: Price | undefined;
  /** Of the last settlement. */
  readonly settlementPrice?: Price | undefined;
  /** Unpaid: for perpetuals and futures since the last settlement, for options since purchase. */
  readonly floatingProfitLoss: Money;
  /** Since the last settlement, including the session's funding. */
  readonly realizedProfitLoss: Money;
  /** In coins; for an option its model delta. */
  readonly delta: Ratio;
  readonly gamma?: Ratio | undefined;
  readonly vega?: Ratio | undefined;
  readonly theta?: Ratio | undefined;
  readonly initialMargin: Money;
  readonly maintenanceMargin: Money;
  /** What the open orders add to the initial margin. */
  readonly openOrdersMargin: Money;
  /** Perpetuals: since the last settlement, a part of `realizedProfitLoss`. */
  readonly realizedFunding?: Money | undefined;
}

export interface AccountTransaction {
  readonly account: AccountId;
  readonly currency: Currency;
  /** Whole and increasing within the log of a currency. */
  readonly seq: number;
  /** The venue's word: `trade`, `settlement` (session profit and funding), `delivery` and `expiry` (the end of a future or option), `deposit`, `transfer` … */
  readonly type: string;
  /** Of the trade, or of the settled position. */
  readonly instrument?: InstrumentName | undefined;
  readonly side?: Side | undefined;
  readonly quantity?: Quantity | undefined;
  /** Of a trade; of a settlement or a delivery the price it was made at. */
  readonly price?: Price | undefined;
  readonly tradeId?: TradeId | undefined;
  readonly orderId?: OrderId | undefined;
  readonly liquidity?: 'maker' | 'taker' | undefined;
  /** Negative for a rebate; zero in the log of another currency than that of the fee. */
  readonly fee: Money;
  /** What is moved before the fee: a premium, a realised profit, a payment, the amount of a spot trade. */
  readonly cashflow: Money;
  /** The part of `cashflow` that is funding. */
  readonly funding?: Money | undefined;
  /** `cashflow` less `fee`. */
  readonly change: Money;
  /** Of the currency, right after the entry. Absent if the venue has not recorded it. */
  readonly balance?: Money | undefined;
  /** Signed, in the instrument, right after the entry; absent for spot, or if the venue has not recorded it. */
  readonly position?: Quantity | undefined;
  readonly markPrice?: Price | undefined;
  readonly indexPrice?: Price | undefined;
  readonly blockRfqId?: string | undefined;
  readonly at: Instant;
}

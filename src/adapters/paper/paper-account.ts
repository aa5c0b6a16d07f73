// The accounts of a paper exchange and their starting balances.
import type { SelfTradeRule } from '../../exchange/model/account.ts';
import { type Money, money } from '../../values/amounts.ts';
import { type AccountId, type Currency, currency } from '../../values/ids.ts';

export interface PaperAccount {
  readonly account: AccountId;
  /** Default {@link STARTING_BALANCES}. Only used when the account is first created. */
  readonly balances?: ReadonlyMap<Currency, Money> | undefined;
  /**
   * Which order is cancelled or rejected when two of the account's orders would trade. Default: the mode of
   * the exchange.
   */
  readonly selfTrade?: SelfTradeRule | undefined;
  /** The main account that it belongs to. Absent: it has no other account alongside it. */
  readonly main?: AccountId | undefined;
  /** The account's name as a maker in Block RFQs. Absent: it cannot quote. */
  readonly makerAlias?: string | undefined;
}

export const STARTING_BALANCES: ReadonlyMap<Currency, Money> = new Map([
  [currency('BTC'), money('100')],
  [currency('ETH'), money('1000')],
  [currency('USDC'), money('5000000')],
]);

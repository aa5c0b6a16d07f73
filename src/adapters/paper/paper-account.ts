// The accounts of a paper exchange and what they start with.
import type { SelfTradeMode } from '../../exchange/model/account.ts';
import { type Money, money } from '../../values/amounts.ts';
import { type AccountId, type Currency, currency } from '../../values/ids.ts';

export interface PaperAccount {
  readonly account: AccountId;
  /** Default {@link STARTING_BALANCES}. Only read when the account first appears. */
  readonly balances?: ReadonlyMap<Currency, Money> | undefined;
  /** What gives way where two of its orders would meet. Default: that of the exchange. */
  readonly selfTrade?: SelfTradeMode | undefined;
  /** Its name as a maker in Block RFQs. Absent: it makes no quotes. */
  readonly makerAlias?: string | undefined;
}

export const STARTING_BALANCES: ReadonlyMap<Currency, Money> = new Map([
  [currency('BTC'), money('100')],
  [currency('ETH'), money('1000')],
  [currency('USDC'), money('5000000')],
]);

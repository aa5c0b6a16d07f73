// Cash going into and out of a balance: the one place that changes what an account has.
import type { Money } from '../../values/amounts.ts';
import type { Currency } from '../../values/ids.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';

/** Credits (or with a negative amount debits) a balance. */
export function move(
  state: ExchangeState,
  account: Account,
  currency: Currency,
  amount: Money,
): void {
  if (amount.isZero()) return;
  account.credit(currency, amount);
  state.outbox.balanceChanged(account, currency);
}

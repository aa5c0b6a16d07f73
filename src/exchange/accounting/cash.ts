// Cash movements: the only place that changes the balance of an account.
import type { Money } from '../../values/amounts.ts';
import type { Currency } from '../../values/ids.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';

/** Credits a balance; a negative amount debits it. */
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

// Open spot orders and option buys reserve a balance. If losses elsewhere reduce it, the newest reserving
// orders are cancelled until the rest is covered, so that a spot fill never overdraws.
import { isMore, isPositive } from '../../values/amounts.ts';
import type { Currency } from '../../values/ids.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';
import { claimCurrencyOf } from './margin.ts';
import { cancel } from './working-order.ts';

/** Call at the end of a command, before its events are complete. */
export function enforceReserves(state: ExchangeState): void {
  if (!state.outbox.hasTouchedBalances) return;
  for (const [account, currency] of [...state.outbox.touchedBalances()]) {
    if (isMore(account.reserved(currency), account.balance(currency))) {
      cancelNewest(state, account, currency);
    }
  }
}

function cancelNewest(state: ExchangeState, account: Account, currency: Currency): void {
  const claiming = [...account.exposures()]
    .flatMap(({ openOrders }) => [...openOrders])
    .filter((order) => claimCurrencyOf(order.listing, order.side) === currency)
    .sort((a, b) => b.rank - a.rank);
  for (const order of claiming) {
    const isCovered = !isMore(account.reserved(currency), account.balance(currency));
    if (isCovered || !isPositive(account.reserved(currency))) return;
    cancel(state, order, 'risk_mitigation');
  }
}

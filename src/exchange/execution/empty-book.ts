// Empties a book that closes for good: users' orders are cancelled without a reason, as the venue documents, bots and recordings leave it.
import type { InstrumentName } from '../../values/ids.ts';
import { cancel } from '../accounting/working-order.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { withdrawBook } from './replaying.ts';

export function emptyBook(state: ExchangeState, name: InstrumentName): void {
  for (const account of state.accounts.values()) {
    const exposure = account.known(name);
    if (exposure === undefined) continue;
    for (const order of [...exposure.openOrders, ...exposure.dormantOrders])
      cancel(state, order, undefined);
  }
  const book = state.listings.get(name)?.book;
  for (const bot of state.bots.values()) {
    const quoted = bot.quoted(name);
    for (const quote of quoted.buy.values()) book?.remove(quote, 'buy');
    for (const quote of quoted.sell.values()) book?.remove(quote, 'sell');
    bot.leave(name);
  }
  withdrawBook(state, { instrument: name });
  state.shown.delete(name);
}

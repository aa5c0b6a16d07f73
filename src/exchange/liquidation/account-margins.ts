// What decides about a liquidation: the margin balance of an account in one currency and its maintenance margin.
import { isMore, type Money, minus, plus, ZERO_MONEY } from '../../values/amounts.ts';
import type { Currency } from '../../values/ids.ts';
import { holdsPosition } from '../../values/instrument.ts';
import { maintenanceOf, openCash } from '../accounting/margin.ts';
import type { Account } from '../model/account.ts';
import type { Exposure } from '../model/exposure.ts';

/** The account's positions in instruments that settle in `currency`, flat ones left out. */
export const positionsIn = (account: Account, currency: Currency): readonly Exposure[] =>
  [...account.exposures()].filter(
    ({ lots, listing: { instrument } }) =>
      lots !== 0 && instrument.settlement === currency && holdsPosition(instrument),
  );

/**
 * By how much the maintenance margin exceeds the margin balance (cash and open profit, without the value of options), in
 * `currency`; zero or less if the account is safe.
 *
 * Source: the venue's standard margin, see `../queries/account-summary.ts`.
 */
export function shortfallOf(account: Account, currency: Currency): Money {
  let balance = account.balance(currency);
  let maintenance = ZERO_MONEY;
  for (const { instrument, exposure } of held(account, currency)) {
    if (!holdsPosition(instrument)) continue;
    const [cash, needed] = [openCash(exposure), maintenanceOf(exposure.listing, exposure.lots)];
    if (cash !== ZERO_MONEY) balance = plus(balance, cash);
    if (needed !== ZERO_MONEY) maintenance = plus(maintenance, needed);
  }
  return minus(maintenance, balance);
}

function* held(account: Account, currency: Currency) {
  for (const exposure of account.exposures()) {
    const { instrument } = exposure.listing;
    if (instrument.settlement === currency) yield { instrument, exposure };
  }
}

export const isShort = (shortfall: Money): boolean => isMore(shortfall, ZERO_MONEY);

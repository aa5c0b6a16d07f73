// The summary of an account in one currency: a sum over its positions at their mark prices.
//
// Source: the venue's account summary under standard margin: equity = balance + session profit + value of
// options; margin balance = equity − value of options; funds = margin balance − initial margin.
import type { AccountSummary } from '../../values/account-report.ts';
import {
  larger,
  type Money,
  minus,
  plus,
  type Ratio,
  ratioOf,
  rounded,
  toNumber,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import type { Currency } from '../../values/ids.ts';
import { holdsPosition } from '../../values/instrument.ts';
import { claimCurrencyOf, initialMargin, openCash, positionMargin } from '../accounting/margin.ts';
import { protectionMargin } from '../accounting/protection-margin.ts';
import type { Account } from '../model/account.ts';
import type { Exposure } from '../model/exposure.ts';
import { decimalsOf } from '../model/fees.ts';
import {
  deltaOf,
  greeksOf,
  optionValue,
  sessionRealised,
  sessionUnrealised,
} from './position-view.ts';

export function accountSummary(account: Account, currency: Currency): AccountSummary {
  const positions = [...account.exposures()].filter(({ listing: { instrument } }) => {
    return instrument.settlement === currency && holdsPosition(instrument);
  });
  const sum = (of: (exposure: Exposure) => Money): Money =>
    positions.reduce((total, exposure) => plus(total, of(exposure)), ZERO_MONEY);
  const total = (of: (exposure: Exposure) => number): Ratio =>
    ratioOf(positions.reduce((all, exposure) => all + of(exposure), 0));
  const shown = (amount: Money): Money => rounded(amount, decimalsOf(currency), 'half_up');

  const balance = account.balance(currency);
  const spotReserve = spotClaims(account, currency);
  const premiums = minus(account.reserved(currency), spotReserve);
  const optionsValue = sum(optionValue);
  const marginBalance = plus(balance, sum(openCash));
  const held = protectionMargin(account, currency);
  const margin = plus(plus(sum(initialMargin), premiums), held);
  const free = minus(minus(marginBalance, margin), spotReserve);
  return {
    account: account.id,
    currency,
    balance,
    equity: shown(plus(marginBalance, optionsValue)),
    availableFunds: shown(larger(free, ZERO_MONEY)),
    marginBalance: shown(marginBalance),
    initialMargin: shown(margin),
    maintenanceMargin: shown(sum((exposure) => positionMargin(exposure, 'maintenance'))),
    sessionRealised: shown(sum(sessionRealised)),
    sessionUnrealised: shown(sum(sessionUnrealised)),
    optionsSessionRealised: shown(sum(optionRealised)),
    optionsValue: shown(optionsValue),
    spotReserve,
    deltaTotal: total(netDelta),
    optionsGamma: total((exposure) => greek(exposure, 'gamma')),
    optionsVega: total((exposure) => greek(exposure, 'vega')),
    optionsTheta: total((exposure) => greek(exposure, 'theta')),
  };
}

/** The amount of the currency that open spot orders may still spend. */
function spotClaims(account: Account, currency: Currency): Money {
  let claims = ZERO_MONEY;
  for (const { listing, openOrders } of account.exposures()) {
    if (listing.instrument.kind !== 'spot') continue;
    for (const order of openOrders) {
      if (claimCurrencyOf(listing, order.side) !== currency) continue;
      claims = plus(claims, order.claimedMoney);
    }
  }
  return claims;
}

const optionRealised = (exposure: Exposure): Money =>
  exposure.listing.instrument.kind === 'option' ? sessionRealised(exposure) : ZERO_MONEY;

/** An option priced in coin is itself coin at risk: its price is subtracted from its delta. */
function netDelta(exposure: Exposure): number {
  const { marginKind, kind } = exposure.listing.instrument;
  const delta = toNumber(deltaOf(exposure));
  return kind === 'option' && marginKind === 'inverse'
    ? delta - toNumber(optionValue(exposure))
    : delta;
}

const greek = (exposure: Exposure, of: 'gamma' | 'vega' | 'theta'): number =>
  toNumber(greeksOf(exposure)?.[of] ?? ratioOf(0));

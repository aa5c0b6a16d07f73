// Whether an account can afford an order. Deliberately simple and conservative: every order counts as if it
// filled in full in the worse direction, nothing is netted between instruments, and long options have no
// collateral value. Accounts are not liquidated: an account below its maintenance margin is only shown as
// such.
import {
  isMore,
  isPositive,
  larger,
  type Money,
  minus,
  notional,
  type Price,
  plus,
  smaller,
  steps,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import type { Currency } from '../../values/ids.ts';
import type { Side } from '../../values/instrument.ts';
import type { Account } from '../model/account.ts';
import type { Exposure } from '../model/exposure.ts';
import { feeOf } from '../model/fees.ts';
import { openFunding } from '../model/instruments/funding-account.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { lotMarksOf } from '../model/lot-marks.ts';
import { gainOf } from '../model/position.ts';

interface Claim {
  readonly currency: Currency;
  readonly amount: Money;
}

/** The currency in which an open order reserves a balance; `undefined` if the order is margined instead. */
export function claimCurrencyOf({ instrument }: Listing, side: Side): Currency | undefined {
  if (instrument.kind === 'spot') return side === 'sell' ? instrument.base : instrument.quote;
  return instrument.kind === 'option' && side === 'buy' ? instrument.settlement : undefined;
}

/**
 * The balance that an open order reserves: the full cost of a spot order, or the premium of an option buy,
 * each plus the higher of the two fees.
 */
export function claimOf(
  listing: Listing,
  order: { readonly side: Side; readonly price: Price; readonly lots: number },
): Claim | undefined {
  const { instrument, grid, reference } = listing;
  const currency = claimCurrencyOf(listing, order.side);
  if (currency === undefined) return undefined;
  const quantity = grid.quantityOf(order.lots);
  if (instrument.kind === 'spot' && order.side === 'sell') {
    return { currency, amount: quantity as unknown as Money };
  }
  const fill = { price: order.price, quantity, index: reference?.index };
  const fee = larger(
    feeOf(instrument, { ...fill, liquidity: 'taker' }),
    feeOf(instrument, { ...fill, liquidity: 'maker' }),
  );
  return { currency, amount: plus(notional(order.price, quantity), larger(fee, ZERO_MONEY)) };
}

interface Prospect {
  readonly account: Account;
  readonly exposure: Exposure;
  readonly side: Side;
  /** Lots this order would add to the open orders; negative for an edit that reduces it. */
  readonly extraLots: number;
  /** Used while the instrument has no mark price. */
  readonly price: Price;
  /** What the order would add to the reserved balance. */
  readonly extraClaim: Claim | undefined;
}

/** True if the account can carry the order in addition to its positions and open orders. */
export function isAffordable(prospect: Prospect): boolean {
  const { account, exposure, side, extraLots, extraClaim } = prospect;
  if (extraClaim !== undefined) {
    if (!isPositive(extraClaim.amount)) return true;
    const { currency, amount } = extraClaim;
    const free = smaller(account.unreserved(currency), availableFunds(account, currency));
    return !isMore(amount, free);
  }
  const extraBuys = side === 'buy' ? extraLots : 0;
  const extraSells = side === 'sell' ? extraLots : 0;
  const now = requirement(exposure, 0, 0, prospect.price);
  const then = requirement(exposure, extraBuys, extraSells, prospect.price);
  if (!isMore(then, now)) return true;
  const free = availableFunds(account, exposure.listing.instrument.settlement);
  return !isMore(minus(then, now), free);
}

/** Balance plus open profit of futures, less initial margins and reservations. */
export function availableFunds(account: Account, currency: Currency): Money {
  let funds = account.unreserved(currency);
  for (const exposure of account.exposures()) {
    const { settlement, kind } = exposure.listing.instrument;
    if (settlement !== currency || kind === 'spot') continue;
    funds = minus(plus(funds, openCash(exposure)), requirement(exposure, 0, 0, undefined));
  }
  return funds;
}

/** What a settlement would pay at the mark price: profit and funding. */
export const openCash = (exposure: Exposure): Money =>
  plus(openProfit(exposure), openFunding(exposure));

/** Unpaid profit of a perpetual or future at the mark price; zero for options and without a mark price. */
export function openProfit({ listing, holding }: Exposure): Money {
  const { instrument, reference } = listing;
  if (holding.lots === 0 || reference === undefined || instrument.kind === 'option') {
    return ZERO_MONEY;
  }
  const value = steps(lotMarksOf(listing, reference.mark).value, Math.abs(holding.lots));
  return gainOf(instrument, holding.lots, minus(value, holding.basis));
}

/** Initial margin of a position and its open orders, in the worse direction. */
export const initialMargin = (exposure: Exposure): Money => requirement(exposure, 0, 0, undefined);

/** Margin of the position alone. */
export const positionMargin = (exposure: Exposure, kind: 'initial' | 'maintenance'): Money =>
  marginOf(exposure, lotsAtRisk(exposure.listing, exposure.lots, exposure.lots), {
    kind,
    fallback: undefined,
  });

function requirement(
  exposure: Exposure,
  extraBuys: number,
  extraSells: number,
  fallback: Price | undefined,
): Money {
  const { listing, lots } = exposure;
  const shortest = lots - exposure.openSellLots - extraSells;
  const longest = lots + exposure.openBuyLots + extraBuys;
  return marginOf(exposure, lotsAtRisk(listing, shortest, longest), { kind: 'initial', fallback });
}

/** A long option cannot lose more than its premium. */
const lotsAtRisk = ({ instrument }: Listing, shortest: number, longest: number): number =>
  instrument.kind === 'option'
    ? Math.max(0, -shortest)
    : Math.max(Math.abs(shortest), Math.abs(longest));

function marginOf(
  { listing }: Exposure,
  lots: number,
  of: { readonly kind: 'initial' | 'maintenance'; readonly fallback: Price | undefined },
): Money {
  const mark = listing.reference?.mark ?? of.fallback;
  if (lots === 0 || mark === undefined || listing.instrument.kind === 'spot') return ZERO_MONEY;
  const { flat, growth } = lotMarksOf(listing, mark)[of.kind];
  const base = steps(flat, lots);
  return growth.isZero() ? base : plus(base, steps(steps(growth, lots), lots));
}

/** What an immediate trade of `signedLots` would add to {@link initialMargin}; negative if it frees margin. */
export function addedMargin(exposure: Exposure, signedLots: number): Money {
  const { listing, lots } = exposure;
  const shortest = lots + signedLots - exposure.openSellLots;
  const longest = lots + signedLots + exposure.openBuyLots;
  const then = marginOf(exposure, lotsAtRisk(listing, shortest, longest), {
    kind: 'initial',
    fallback: undefined,
  });
  return minus(then, initialMargin(exposure));
}

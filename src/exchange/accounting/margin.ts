// Whether an account can afford an order. Deliberately simple and conservative: every order counts as if it
// filled in full in the worse direction, nothing is netted between instruments, and long options have no
// collateral value. The order of a combo counts as an order of each leg, and the premium it may pay is that of
// the whole structure. An account below its maintenance margin is liquidated, see `../liquidation/`.
import {
  isMore,
  isPositive,
  larger,
  type Money,
  minus,
  negated,
  notional,
  type Price,
  plus,
  smaller,
  steps,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import type { Currency } from '../../values/ids.ts';
import { holdsPosition, type Side } from '../../values/instrument.ts';
import type { Account } from '../model/account.ts';
import type { Exposure } from '../model/exposure.ts';
import { feeOf, highestFee } from '../model/fees.ts';
import { openFunding } from '../model/instruments/funding-account.ts';
import type { Listing, LotMargin } from '../model/instruments/listing.ts';
import { lotMarksOf } from '../model/lot-marks.ts';
import { gainOf } from '../model/position.ts';
import { protectionMargin } from './protection-margin.ts';

export interface Claim {
  readonly currency: Currency;
  readonly amount: Money;
}

/** The currency in which an open order reserves a balance; `undefined` if the order is margined instead. */
export function claimCurrencyOf({ instrument }: Listing, side: Side): Currency | undefined {
  if (instrument.kind === 'spot') return side === 'sell' ? instrument.base : instrument.quote;
  const reserves =
    instrument.kind === 'option_combo' || (instrument.kind === 'option' && side === 'buy');
  return reserves ? instrument.settlement : undefined;
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
  if (listing.legs.length > 0) return { currency, amount: comboClaim(listing, order) };
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

/** The premium that the order may pay for the whole structure, and at most the fees of all its legs. */
function comboClaim(
  { grid, legs }: Listing,
  { side, price, lots }: { readonly side: Side; readonly price: Price; readonly lots: number },
): Money {
  const value = notional(price, grid.quantityOf(lots));
  const premium = larger(side === 'buy' ? value : negated(value), ZERO_MONEY);
  return legs.reduce((sum, leg) => {
    const { instrument, reference, grid: own } = leg.listing;
    const quantity = own.quantityOf(Math.abs(leg.lots) * lots);
    return plus(sum, highestFee(instrument, quantity, reference?.index));
  }, premium);
}

/** What an order needs by itself: as if its account had no position and no other order. */
export function needOf(
  listing: Listing,
  order: { readonly side: Side; readonly price: Price; readonly lots: number },
): Claim {
  const { side, price, lots } = order;
  const claim = claimOf(listing, order);
  const reserved = larger(claim?.amount ?? ZERO_MONEY, ZERO_MONEY);
  const margin =
    listing.legs.length === 0
      ? marginAlone(listing, side === 'buy' ? lots : -lots, price)
      : listing.legs.reduce((sum, leg) => {
          const signed = side === 'buy' ? leg.lots * lots : -leg.lots * lots;
          return plus(sum, marginAlone(leg.listing, signed, undefined));
        }, ZERO_MONEY);
  const currency = claim?.currency ?? listing.instrument.settlement;
  return { currency, amount: plus(reserved, margin) };
}

const marginAlone = (listing: Listing, lots: number, fallback: Price | undefined): Money =>
  marginOf({ listing }, lotsAtRisk(listing, lots, lots), { kind: 'initial', fallback });

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
  if (exposure.listing.legs.length > 0) return affordsLegs(prospect);
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

/** The margins that the order would add to each leg, and its reserved premium, within what is available. */
function affordsLegs({ account, exposure, side, extraLots, extraClaim }: Prospect): boolean {
  const { instrument, legs } = exposure.listing;
  const claim = larger(extraClaim?.amount ?? ZERO_MONEY, ZERO_MONEY);
  const needed = legs.reduce((sum, leg) => {
    const own = account.exposure(leg.listing);
    const isBought = leg.lots > 0 === (side === 'buy');
    const lots = Math.abs(leg.lots) * extraLots;
    const then = requirement(own, isBought ? lots : 0, isBought ? 0 : lots, undefined);
    return plus(sum, minus(then, initialMargin(own)));
  }, claim);
  if (!isPositive(needed)) return true;
  const isPaid = !isMore(claim, account.unreserved(instrument.settlement));
  return isPaid && !isMore(needed, availableFunds(account, instrument.settlement));
}

/** Balance plus open profit of futures, less initial margins, reservations and what market-maker protection holds. */
export function availableFunds(account: Account, currency: Currency): Money {
  let funds = minus(account.unreserved(currency), protectionMargin(account, currency));
  for (const exposure of account.exposures()) {
    const { instrument } = exposure.listing;
    if (instrument.settlement !== currency || !holdsPosition(instrument)) continue;
    // Most of many positions are options that were bought: nothing is added for them.
    const [cash, needed] = [openCash(exposure), requirement(exposure, 0, 0, undefined)];
    if (cash !== ZERO_MONEY) funds = plus(funds, cash);
    if (needed !== ZERO_MONEY) funds = minus(funds, needed);
  }
  return funds;
}

/** What a settlement would pay at the mark price: profit and funding. Options have neither. */
export const openCash = (exposure: Exposure): Money =>
  exposure.listing.instrument.kind === 'option'
    ? ZERO_MONEY
    : plus(openProfit(exposure), openFunding(exposure));

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

/** Maintenance margin of a position of `lots`, signed, at the mark price; zero without one. */
export const maintenanceOf = (listing: Listing, lots: number): Money =>
  marginOf({ listing }, lotsAtRisk(listing, lots, lots), {
    kind: 'maintenance',
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
  { listing }: Pick<Exposure, 'listing'>,
  lots: number,
  of: { readonly kind: 'initial' | 'maintenance'; readonly fallback: Price | undefined },
): Money {
  const mark = listing.reference?.mark ?? of.fallback;
  if (lots === 0 || mark === undefined || !holdsPosition(listing.instrument)) return ZERO_MONEY;
  const margin = lotMarksOf(listing, mark)[of.kind];
  return margin.known?.get(lots) ?? noted(margin, lots);
}

/** An order is judged by what is needed with it and without it, which is what the next one begins with. */
function noted(of: LotMargin, lots: number): Money {
  const { flat, growth } = of;
  const base = steps(flat, lots);
  const margin = growth.isZero() ? base : plus(base, steps(steps(growth, lots), lots));
  of.known ??= new Map();
  if (of.known.size >= KNOWN_MAX) of.known.clear();
  of.known.set(lots, margin);
  return margin;
}

/** Positions with their open orders, as many as there may be at one mark price. */
const KNOWN_MAX = 256;

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

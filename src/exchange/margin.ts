// Whether an account can afford an order. Deliberately simple and on the careful side: every order is
// counted as if it filled in full in the worse direction, nothing is netted between instruments, long
// options count for nothing. A risk estimate at the mark; no position is ever closed because of it.
import {
  fraction,
  inverseNotional,
  isMore,
  isPositive,
  larger,
  type Money,
  minus,
  negated,
  notional,
  type Price,
  plus,
  ratio,
  ratioOf,
  share,
  smaller,
  steps,
  ZERO_MONEY,
} from '../values/amounts.ts';
import type { Currency } from '../values/ids.ts';
import type { Side } from '../values/instrument.ts';
import type { Account } from './account.ts';
import type { Exposure } from './exposure.ts';
import { feeOf } from './fees.ts';
import type { Listing, LotMarks } from './listing.ts';

/** Initial margin of perpetuals and futures: 50 times leverage. */
const FUTURES_RATE = ratio('0.02');
/** Short options: this share of the underlying less what it is out of the money … */
const SHORT_OPTION_RATE = ratio('0.15');
/** … but at least this, and the mark on top (the venue's standard margin for options). */
const SHORT_OPTION_FLOOR = ratio('0.1');

interface Claim {
  readonly currency: Currency;
  readonly amount: Money;
}

/** The balance an open order keeps something back of; `undefined` for what is margined instead. */
export function claimCurrencyOf({ instrument }: Listing, side: Side): Currency | undefined {
  if (instrument.kind === 'spot') return side === 'sell' ? instrument.base : instrument.quote;
  return instrument.kind === 'option' && side === 'buy' ? instrument.settlement : undefined;
}

/**
 * What an open order keeps back of a balance: all that a spot order may spend, the premium of an
 * option buy, each with the dearer of the two fees.
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
  /** Lots this order would add to what is working; negative for an edit that shrinks. */
  readonly extraLots: number;
  /** Used where the instrument has no mark yet. */
  readonly price: Price;
  /** What it would add to what is reserved. */
  readonly extraClaim: Claim | undefined;
}

/** True when the account can carry the order beside everything else it has. */
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

/** Balance and open profit of futures, less initial margins and what is reserved. */
export function availableFunds(account: Account, currency: Currency): Money {
  let funds = account.unreserved(currency);
  for (const exposure of account.exposures()) {
    const { listing } = exposure;
    if (listing.instrument.settlement !== currency || listing.instrument.kind === 'spot') continue;
    funds = minus(plus(funds, openProfit(exposure)), requirement(exposure, 0, 0, undefined));
  }
  return funds;
}

/** Unrealised profit of a perpetual or future at the mark; zero for options and without a mark. */
function openProfit({ listing, holding }: Exposure): Money {
  const { instrument, reference } = listing;
  if (holding.lots === 0 || reference === undefined || instrument.kind === 'option') {
    return ZERO_MONEY;
  }
  const value = steps(lotMarksOf(listing, reference.mark).value, Math.abs(holding.lots));
  const rise = minus(value, holding.cost);
  return holding.lots > 0 === (instrument.amountUnit !== 'usd') ? rise : negated(rise);
}

/** Initial margin of a position and its working orders, the worse direction counted. */
function requirement(
  exposure: Exposure,
  extraBuys: number,
  extraSells: number,
  fallback: Price | undefined,
): Money {
  const { listing, lots } = exposure;
  const shortest = lots - exposure.openSellLots - extraSells;
  const longest = lots + exposure.openBuyLots + extraBuys;
  const isOption = listing.instrument.kind === 'option';
  const worstLots = isOption
    ? Math.max(0, -shortest)
    : Math.max(Math.abs(shortest), Math.abs(longest));
  if (worstLots === 0) return ZERO_MONEY;
  const mark = listing.reference?.mark ?? fallback;
  return mark === undefined ? ZERO_MONEY : steps(lotMarksOf(listing, mark).margin, worstLots);
}

/** Kept with the listing as long as its reference stands; without one, worked out each time. */
function lotMarksOf(listing: Listing, mark: Price): LotMarks {
  if (listing.lotMarks !== undefined) return listing.lotMarks;
  const { instrument, grid, reference } = listing;
  const value =
    instrument.amountUnit === 'usd' ? inverseNotional(mark, grid.lot) : notional(mark, grid.lot);
  const isOption = instrument.kind === 'option';
  const margin = isOption ? shortOptionMargin(listing, mark) : share(value, FUTURES_RATE);
  const marks = { value, margin };
  if (reference !== undefined) listing.lotMarks = marks;
  return marks;
}

function shortOptionMargin(listing: Listing, mark: Price): Money {
  const { instrument, grid, reference } = listing;
  const premium = notional(mark, grid.lot);
  const underlying = reference?.underlying ?? reference?.index;
  const lot = grid.lot as unknown as Money;
  const strike = instrument.option?.strike;
  if (underlying === undefined || strike === undefined) return plus(lot, premium);
  const moneyness = fraction(strike, underlying);
  const outOfMoney = instrument.option?.type === 'call' ? moneyness - 1 : 1 - moneyness;
  const reduced = minus(SHORT_OPTION_RATE, ratioOf(Math.max(0, outOfMoney)));
  const base = instrument.marginKind === 'inverse' ? lot : notional(underlying, grid.lot);
  return plus(share(base, larger(reduced, SHORT_OPTION_FLOOR)), premium);
}

// The value and the margin of one lot at the mark price, computed once per reference.
//
// Source: the venue's standard margin, with the rates of the table of contract rules. Perpetuals and futures: a rate on the
// value that grows with the size of the position, by as much for maintenance as at first. Short options: a share of the
// underlying less the out-of-the-money amount, plus the mark price; long options are paid for at once.
import {
  fraction,
  inverseNotional,
  larger,
  type Money,
  minus,
  notional,
  type Price,
  plus,
  type Ratio,
  ratioOf,
  rounded,
  share,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import { FUTURE_MARGIN, SHORT_OPTION_MARGIN } from './instruments/contract-rules.ts';
import type { Listing, LotMargin, LotMarks } from './instruments/listing.ts';

/** Of a margin, rounded up: arithmetic on short decimals is many times cheaper. */
const MARGIN_DECIMALS = 18;

/** Coin for USD-sized contracts, quote otherwise. */
export const lotValueOf = ({ instrument, grid }: Listing, mark: Price): Money =>
  instrument.amountUnit === 'usd' ? inverseNotional(mark, grid.lot) : notional(mark, grid.lot);

/** Cached with the listing while its reference is current; without a reference, computed each time. */
export function lotMarksOf(listing: Listing, mark: Price): LotMarks {
  if (listing.lotMarks !== undefined) return listing.lotMarks;
  const isOption = listing.instrument.kind === 'option';
  const marks = isOption ? optionMarks(listing, mark) : futureMarks(listing, mark);
  if (listing.reference !== undefined) listing.lotMarks = marks;
  return marks;
}

function futureMarks(listing: Listing, mark: Price): LotMarks {
  const { instrument, grid } = listing;
  const value = lotValueOf(listing, mark);
  const coins = instrument.amountUnit === 'usd' ? value : (grid.lot as unknown as Money);
  const growthRate = FUTURE_MARGIN.growthPerCoin.get(instrument.base);
  const growth =
    growthRate === undefined ? ZERO_MONEY : share(value, share(coins, growthRate) as never);
  const of = (rate: Ratio): LotMargin => ({
    flat: short(share(value, rate)),
    growth: short(growth),
  });
  return { value, initial: of(FUTURE_MARGIN.initial), maintenance: of(FUTURE_MARGIN.maintenance) };
}

const short = (amount: Money): Money => rounded(amount, MARGIN_DECIMALS, 'up');

function optionMarks(listing: Listing, mark: Price): LotMarks {
  const { instrument, grid, reference } = listing;
  const value = notional(mark, grid.lot);
  const underlying = reference?.underlying ?? reference?.index;
  const strike = instrument.option?.strike;
  const lot = grid.lot as unknown as Money;
  if (underlying === undefined || strike === undefined) {
    const whole = { flat: plus(lot, value), growth: ZERO_MONEY };
    return { value, initial: whole, maintenance: whole };
  }
  const moneyness = fraction(strike, underlying);
  const outOfMoney = instrument.option?.type === 'call' ? moneyness - 1 : 1 - moneyness;
  const { initial, initialFloor, maintenance, putMaintenance } = SHORT_OPTION_MARGIN;
  const reduced = minus(initial, ratioOf(Math.max(0, outOfMoney)));
  const base = instrument.marginKind === 'inverse' ? lot : notional(underlying, grid.lot);
  const isPut = instrument.option?.type === 'put';
  const least = share(base, maintenance);
  const kept = plus(isPut ? larger(least, share(value, putMaintenance)) : least, value);
  const opened = plus(share(base, larger(reduced, initialFloor)), value);
  return {
    value,
    initial: { flat: isPut ? larger(opened, kept) : opened, growth: ZERO_MONEY },
    maintenance: { flat: kept, growth: ZERO_MONEY },
  };
}

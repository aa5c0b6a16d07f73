// The value and the margin of one lot at the mark price, computed once per reference.
//
// Source: the venue's standard margin. Perpetuals and futures: a rate on the value that grows with the size
// of the position; maintenance margin is half of it. Short options: a share of the underlying less the
// out-of-the-money amount, plus the mark price; long options are paid for at once.
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
  ratio,
  ratioOf,
  rounded,
  share,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import type { Currency } from '../../values/ids.ts';
import type { Listing, LotMargin, LotMarks } from './instruments/listing.ts';

/** Perpetuals and futures: 50 times leverage for the first lot. */
const FUTURES_RATE = ratio('0.02');
/** Added to the rate per coin of the position: half a percent per 100 BTC, one per 5 000 ETH. */
const RATE_GROWTH: ReadonlyMap<string, Ratio> = new Map([
  ['BTC', ratio('0.00005')],
  ['ETH', ratio('0.000002')],
]);
/** Of a margin, rounded up: arithmetic on short decimals is many times cheaper. */
const MARGIN_DECIMALS = 18;
const MAINTENANCE_SHARE = ratio('0.5');
/** Short options: this share of the underlying less the out-of-the-money amount … */
const SHORT_OPTION_RATE = ratio('0.15');
/** … but at least this, plus the mark price. */
const SHORT_OPTION_FLOOR = ratio('0.1');
/** Maintenance of a short option: this share of the underlying, plus the mark price. */
const SHORT_OPTION_MAINTENANCE = ratio('0.075');

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
  const growthRate = RATE_GROWTH.get(instrument.base as Currency);
  const growth =
    growthRate === undefined ? ZERO_MONEY : share(value, share(coins, growthRate) as never);
  const flat = share(value, FUTURES_RATE);
  const initial = { flat: short(flat), growth: short(growth) };
  const maintenance = {
    flat: short(share(flat, MAINTENANCE_SHARE)),
    growth: short(share(growth, MAINTENANCE_SHARE)),
  };
  return { value, initial, maintenance };
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
  const reduced = minus(SHORT_OPTION_RATE, ratioOf(Math.max(0, outOfMoney)));
  const base = instrument.marginKind === 'inverse' ? lot : notional(underlying, grid.lot);
  const of = (rate: Ratio): LotMargin => ({
    flat: plus(share(base, rate), value),
    growth: ZERO_MONEY,
  });
  return {
    value,
    initial: of(larger(reduced, SHORT_OPTION_FLOOR)),
    maintenance: of(SHORT_OPTION_MAINTENANCE),
  };
}

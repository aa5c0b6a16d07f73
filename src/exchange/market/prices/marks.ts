// Valuations at an instant: index, forward, mark price, volatility and greeks, funding, the price band, and
// the fair value that makers quote around. Floats in, floats out; a function of settings and time.
import { blackPrice, EXPIRED, intrinsicValue, type OptionTerms } from '../../../quant/black-76.ts';
import { blackGreeks, deltaInAveragingWindow, type Greeks } from '../../../quant/greeks.ts';
import { smileVolatility } from '../../../quant/smile.ts';
import { yearFraction } from '../../../quant/year-fraction.ts';
import { toNumber } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import type { Instant } from '../../../values/instant.ts';
import { type Instrument, singleKindOf } from '../../../values/instrument.ts';
import { hash32 } from '../../../values/rng.ts';
import { COINS, type Coin } from '../coins.ts';
import { PREMIUMS, TRAITS } from '../market-parameters.ts';
import { Funding, fundingRate } from './funding-rate.ts';
import type { IndexProcess } from './index-process.ts';
import { drift } from './noise.ts';
import { premium } from './premium.ts';
import { priceBand } from './price-band.ts';
import { type Surface, surface } from './surface.ts';

export interface Valuation {
  /** USD per coin. */
  readonly index: number;
  /** In the instrument's quote unit, as are `fair`, `lowest` and `highest`. */
  readonly mark: number;
  /** The mid price of the market. */
  readonly fair: number;
  /** Trading band, not yet on the tick grid. */
  readonly lowest: number;
  readonly highest: number;
  readonly option?: OptionValuation | undefined;
  readonly funding?: FundingValuation | undefined;
}

/** Of a perpetual; fractions of a position's value, positive if longs pay. */
interface FundingValuation {
  /** The current rate, per eight hours. */
  readonly current: number;
  /** The funding paid over the last eight hours. */
  readonly lastEightHours: number;
}

interface OptionValuation {
  /** The forward, USD per coin. */
  readonly underlying: number;
  /** A fraction. */
  readonly volatility: number;
  /** Years to expiry. */
  readonly years: number;
  readonly greeks: Greeks;
  /**
   * By the surface, unrounded, in coins: these prices admit no arbitrage among each other, and neither do
   * quotes with these prices between bid and ask.
   */
  readonly modelPrice: number;
}

export interface Marks {
  /** The last instant, up to and including `at`, at which the instrument was revalued. */
  beatAt(instrument: Instrument, at: Instant): Instant;
  value(instrument: Instrument, now: Instant): Valuation;
}

/** The mark price of a perpetual stays this close to the index. */
const PERPETUAL_BOUND = 0.005;
/** Volatility points by which makers' valuation of an option deviates from its mark volatility. */
const OPINION_POINTS = 0.1;
const OPINION_PERIOD_MS = 20_000;

const rounded = (value: number, perUnit: number): number => Math.round(value * perUnit) / perUnit;
const toCent = (value: number): number => rounded(value, 100);
/** The venue prints the mark price of an option with eight decimals. */
const toEighthPlace = (value: number): number => rounded(value, 100_000_000);

export function marks(seed: string, index: IndexProcess): Marks {
  const premiumOf = remembered((name: string, kind: keyof typeof PREMIUMS) =>
    premium(hash32(`${seed}/premium/${name}`), PREMIUMS[kind]),
  );
  const usdc = premium(hash32(`${seed}/premium/USDC`), PREMIUMS.usdc);
  const fundingOf = fundings(seed);
  const opinionOf = remembered((name: string) =>
    drift(hash32(`${seed}/opinion/${name}`), OPINION_PERIOD_MS),
  );
  const surfaceOf: Readonly<Record<Coin, Surface>> = {
    BTC: surface('BTC', seed, index),
    ETH: surface('ETH', seed, index),
  };

  const forward = (coin: Coin, expiry: Instant, now: Instant): number => {
    const carry = Math.expm1(TRAITS[coin].basisPerYear * yearFraction(Math.max(0, expiry - now)));
    const stray = premiumOf(`${coin}/${expiry}`, 'future').average(now, PERPETUAL_BOUND);
    return toCent(index.price(coin, now) * (1 + carry + (carry > 0 ? stray : 0)));
  };

  const beatAt: Marks['beatAt'] = ({ kind }, at) =>
    kind === 'option' || kind === 'future' ? index.slowBeatAt(at) : index.beatAt(at);

  const value = (instrument: Instrument, at: Instant): Valuation => {
    const coin = coinOf(instrument);
    // Everything is valued as of the last change of prices: nothing runs ahead of anything else.
    const now = beatAt(instrument, at);
    const level = index.price(coin, now);
    switch (singleKindOf(instrument)) {
      case 'option': {
        const underlying = forward(coin, must(instrument.expiresAt, 'option expiry'), now);
        const opinion = opinionOf(instrument.name)(now);
        const smile = surfaceOf[coin].smile(now);
        return optionValuation(instrument, { index: level, underlying, now }, { smile, opinion });
      }
      case 'future': {
        const expiry = must(instrument.expiresAt, 'future expiry');
        const stray = premiumOf(`${coin}/${expiry}`, 'future');
        const mark = forward(coin, expiry, now);
        const ahead = stray.at(now) - stray.average(now, PERPETUAL_BOUND);
        return banded(level, mark, mark * (1 + ahead));
      }
      case 'perpetual': {
        const stray = premiumOf(instrument.name, 'perpetual');
        return perpetualValuation(stray, { level, now }, () =>
          fundingOf(instrument.name).lastEightHours(at),
        );
      }
      case 'spot': {
        const dollars = level / (1 + usdc.at(now));
        const stray = premiumOf(instrument.name, 'spot').at(now);
        return banded(level, toCent(dollars), dollars * (1 + stray));
      }
    }
  };
  return { beatAt, value };
}

const fundings = (seed: string): ((name: string) => Funding) =>
  remembered((name: string) => {
    // A separate premium: minutes are read in another order than seconds.
    const stray = premium(hash32(`${seed}/premium/${name}`), PREMIUMS.perpetual);
    return new Funding((atMs) => stray.average(atMs, PERPETUAL_BOUND));
  });

function perpetualValuation(
  stray: ReturnType<typeof premium>,
  { level, now }: { readonly level: number; readonly now: Instant },
  lastEightHours: () => number,
): Valuation {
  const average = stray.average(now, PERPETUAL_BOUND);
  // The average over eight hours is computed when it is read: a computed past does not need it.
  const funding = {
    current: fundingRate(average),
    get lastEightHours() {
      return lastEightHours();
    },
  };
  const mark = toCent(level * (1 + average));
  return { ...banded(level, mark, level * (1 + stray.at(now))), funding };
}

const coinOf = (instrument: Instrument): Coin =>
  must(
    COINS.find((coin) => coin === (instrument.base as string)),
    () => `coin of ${instrument.name}`,
  );

const banded = (index: number, mark: number, fair: number): Valuation => ({
  index,
  mark,
  fair,
  ...priceBand('perpetual', { mark, coin: 1 }),
});

interface OptionMoment {
  readonly index: number;
  readonly underlying: number;
  readonly now: Instant;
}

function optionValuation(
  instrument: Instrument,
  { index, underlying, now }: OptionMoment,
  view: { readonly smile: Parameters<typeof smileVolatility>[1]; readonly opinion: number },
): Valuation {
  const { strike, type } = must(instrument.option, 'option terms');
  const expiresAt = must(instrument.expiresAt, 'option expiry');
  const years = yearFraction(Math.max(0, expiresAt - now));
  const terms: OptionTerms = { type, forward: underlying, strike: toNumber(strike), years };
  const exact = smileVolatility(terms, view.smile);
  const modelPrice = coinValue(terms, exact);
  const volatility = rounded(exact, 10_000);
  const mark = toEighthPlace(coinValue(terms, volatility));
  const live = blackGreeks(terms, volatility);
  const greeks = live === EXPIRED ? DELIVERED : shownGreeks(live, years);
  const opinion = (OPINION_POINTS * view.opinion * greeks.vega) / underlying;
  return {
    index,
    mark,
    fair: Math.max(0, modelPrice + opinion),
    ...priceBand('option', { mark, coin: 1 }),
    option: { underlying, volatility, years, greeks, modelPrice },
  };
}

/** What is left after the averaging of the delivery price: no exposure to anything. */
const DELIVERED: Greeks = { delta: 0, gamma: 0, vega: 0, theta: 0, rho: 0 };

/** In coins, unrounded: by the formula before expiry, by the forward of that instant from then on. */
function coinValue(terms: OptionTerms, volatility: number): number {
  const usd = blackPrice(terms, volatility);
  return (usd === EXPIRED ? intrinsicValue(terms) : usd) / terms.forward;
}

/** Rounded to the digits the venue prints, with the delta of the averaging window. */
function shownGreeks(greeks: Greeks, years: number): Greeks {
  return {
    delta: rounded(deltaInAveragingWindow(greeks.delta, years), 100_000),
    gamma: rounded(greeks.gamma, 10_000_000),
    vega: rounded(greeks.vega, 100_000),
    theta: rounded(greeks.theta, 100_000),
    rho: rounded(greeks.rho, 100_000),
  };
}

/** One value per name, computed on first use. */
function remembered<T, Rest extends unknown[]>(
  make: (name: string, ...rest: Rest) => T,
): (name: string, ...rest: Rest) => T {
  const known = new Map<string, T>();
  return (name, ...rest) => {
    let value = known.get(name);
    if (value === undefined) {
      value = make(name, ...rest);
      known.set(name, value);
    }
    return value;
  };
}

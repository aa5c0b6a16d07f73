// What everything is worth at an instant: index, forward, mark, volatility and greeks, the band, and
// the fair value that makers quote around. Floats in, floats out; a function of the settings and time.
import { inverseBlackPrice, type OptionTerms } from '../../quant/black-76.ts';
import { blackGreeks, deltaInAveragingWindow, type Greeks } from '../../quant/greeks.ts';
import { scaledSmile, smileVolatility } from '../../quant/smile.ts';
import { yearFraction } from '../../quant/year-fraction.ts';
import { toNumber } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import { HOUR_MS, type Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import { hash32 } from '../../values/rng.ts';
import { COINS, type Coin, TRAITS } from './coins.ts';
import type { IndexProcess } from './index-process.ts';
import { driftAt } from './noise.ts';
import { type Premium, type PremiumTraits, premium } from './premium.ts';

export interface Valuation {
  /** USD per coin. */
  readonly index: number;
  /** In the instrument's quote unit, as are `fair`, `lowest` and `highest`. */
  readonly mark: number;
  /** The middle of what the market would quote. */
  readonly fair: number;
  /** Trading band, not yet on the tick grid. */
  readonly lowest: number;
  readonly highest: number;
  readonly option?: OptionValuation | undefined;
}

interface OptionValuation {
  /** The forward, USD per coin. */
  readonly underlying: number;
  /** A fraction. */
  readonly volatility: number;
  readonly greeks: Greeks;
}

export interface Marks {
  value(instrument: Instrument, now: Instant): Valuation;
}

const PREMIUM: Readonly<Record<'perpetual' | 'future' | 'spot', PremiumTraits>> = {
  perpetual: { slow: 0.00015, quick: 0.00004 },
  future: { slow: 0.0002, quick: 0.00005 },
  spot: { slow: 0, quick: 0.00003 },
};
/** The mark of a perpetual stays this close to the index. */
const PERPETUAL_BOUND = 0.005;
/** Of everything but options: recorded perpetuals of December 2025 had exactly this. */
const BAND = 0.015;
/** Volatility points by which makers' opinion of an option strays from its mark. */
const OPINION_POINTS = 0.15;
const OPINION_PERIOD_MS = 20_000;

const rounded = (value: number, perUnit: number): number => Math.round(value * perUnit) / perUnit;
const toCent = (value: number): number => rounded(value, 100);
const toMillionth = (value: number): number => rounded(value, 1_000_000);

export function marks(seed: string, index: IndexProcess): Marks {
  const premiumOf = remembered((name: string, kind: keyof typeof PREMIUM) =>
    premium(hash32(`${seed}/premium/${name}`), PREMIUM[kind]),
  );
  const opinionSeed = remembered((name: string) => hash32(`${seed}/opinion/${name}`));
  const levelSeed = remembered((coin: string) => hash32(`${seed}/volatility/${coin}`));

  const forward = (coin: Coin, expiry: Instant, now: Instant): number => {
    const carry = Math.expm1(TRAITS[coin].basisPerYear * yearFraction(Math.max(0, expiry - now)));
    const stray = premiumOf(`${coin}/${expiry}`, 'future').average(now, PERPETUAL_BOUND);
    return toCent(index.price(coin, now) * (1 + carry + (carry > 0 ? stray : 0)));
  };

  const value = (instrument: Instrument, now: Instant): Valuation => {
    const coin = coinOf(instrument);
    const level = index.price(coin, now);
    switch (instrument.kind) {
      case 'option': {
        const underlying = forward(coin, must(instrument.expiresAt, 'option expiry'), now);
        const smile = scaledSmile(TRAITS[coin].smile, volatilityLevel(levelSeed(coin), now));
        const at = { index: level, underlying, now };
        const opinion = driftAt(opinionSeed(instrument.name), now, OPINION_PERIOD_MS);
        return optionValuation(instrument, at, { smile, opinion });
      }
      case 'future': {
        const expiry = must(instrument.expiresAt, 'future expiry');
        const stray = premiumOf(`${coin}/${expiry}`, 'future');
        const mark = forward(coin, expiry, now);
        const ahead = stray.at(now) - stray.average(now, PERPETUAL_BOUND);
        return banded(level, mark, mark * (1 + ahead));
      }
      case 'perpetual': {
        const stray: Premium = premiumOf(instrument.name, 'perpetual');
        const mark = toCent(level * (1 + stray.average(now, PERPETUAL_BOUND)));
        return banded(level, mark, level * (1 + stray.at(now)));
      }
      case 'spot':
        return banded(level, level, level * (1 + premiumOf(instrument.name, 'spot').at(now)));
    }
  };
  return { value };
}

const coinOf = (instrument: Instrument): Coin =>
  must(
    COINS.find((coin) => coin === (instrument.base as string)),
    `coin of ${instrument.name}`,
  );

const banded = (index: number, mark: number, fair: number): Valuation => ({
  index,
  mark,
  fair,
  lowest: mark * (1 - BAND),
  highest: mark * (1 + BAND),
});

/** Factor on all volatilities of a coin: quieter and wilder hours and weeks. */
function volatilityLevel(seed: number, now: Instant): number {
  const hours = driftAt(seed, now, 6 * HOUR_MS);
  const weeks = driftAt(seed ^ 0x71374491, now, 120 * HOUR_MS);
  return Math.exp(0.03 * hours + 0.1 * weeks);
}

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
  const volatility = rounded(smileVolatility(terms, view.smile), 10_000);
  const mark = toMillionth(inverseBlackPrice(terms, { volatility, underlying }));
  const greeks = shownGreeks(blackGreeks(terms, volatility), years);
  const opinion = (OPINION_POINTS * view.opinion * greeks.vega) / underlying;
  return {
    index,
    mark,
    fair: Math.max(0, mark + opinion),
    lowest: mark - 0.03 - 0.01 * mark,
    highest: mark + 0.03 + 0.05 * mark,
    option: { underlying, volatility, greeks },
  };
}

/** As many digits as the venue prints, with the delta of the averaging window. */
function shownGreeks(greeks: Greeks, years: number): Greeks {
  return {
    delta: rounded(deltaInAveragingWindow(greeks.delta, years), 100_000),
    gamma: rounded(greeks.gamma, 10_000_000),
    vega: rounded(greeks.vega, 100_000),
    theta: rounded(greeks.theta, 100_000),
    rho: rounded(greeks.rho, 100_000),
  };
}

/** One value per name, made when first asked for. */
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

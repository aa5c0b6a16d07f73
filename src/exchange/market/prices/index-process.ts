// The price indexes of the paper market: correlated random walks with calm and volatile periods, jumps and a
// little noise on a fixed grid of steps. A price depends only on the settings and the step, so it can be
// computed for any instant.

import { MS_PER_YEAR } from '../../../quant/year-fraction.ts';
import { assert, must } from '../../../values/assert.ts';
import { INSTANT_MAX, type Instant, SECOND_MS } from '../../../values/instant.ts';
import { hash32 } from '../../../values/rng.ts';
import { COINS, type Coin } from '../coins.ts';
import { CORRELATION, INDEX_NOISE, TRAITS } from '../market-parameters.ts';
import { brownianPath } from './brownian-path.ts';
import { jumpProcess } from './jumps.ts';
import { drift, normalAt } from './noise.ts';
import { bursts, priceChangeTimes, QUICK, SLOW } from './price-change-times.ts';
import { type VarianceCascade, varianceCascade } from './variance-cascade.ts';

export interface IndexSettings {
  readonly seed: string;
  /** The time at which the indexes have the values `startPrices`. */
  readonly startAt: Instant;
  /** USD per coin at `startAt`. */
  readonly startPrices: Readonly<Record<Coin, number>>;
  /** Length of one step of the walk. */
  readonly stepMs: number;
  /** Correlation of the moves of the two coins, −1 to 1. Default {@link CORRELATION}. */
  readonly correlation?: number | undefined;
  /** Variance relative to the usual market. Default 1. */
  readonly variance?: number | undefined;
}

export interface IndexProcess {
  readonly stepMs: number;
  /** The step that `at` falls into; steps start at whole multiples of `stepMs`. */
  stepAt(at: Instant): number;
  /** The last instant, up to and including `at`, at which prices changed. */
  beatAt(at: Instant): Instant;
  /** The last of those instants at which options and dated futures were revised. */
  slowBeatAt(at: Instant): Instant;
  /** USD per coin, to the cent, constant from one change to the next. */
  price(coin: Coin, at: Instant): number;
  /** Mean of the samples every four seconds over the half hour before `expiry`, to the cent. */
  deliveryPrice(coin: Coin, expiry: Instant): number;
  /** Variance around `at` relative to the usual: below 1 in calm hours, above in volatile ones. */
  pace(at: Instant): number;
  /** The same of the minutes around `at`, which differ far more. */
  quickPace(at: Instant): number;
  /** The move of the last seconds in standard deviations of the current minutes, never negative. */
  shock(coin: Coin, at: Instant): number;
}

const DELIVERY_SAMPLES = 450;
const DELIVERY_SAMPLE_MS = 4 * SECOND_MS;
/** The spans over which moves are measured for a shock. */
const SHOCK_MS = [2 * SECOND_MS, 10 * SECOND_MS] as const;
/** How many prices of the last steps are cached. */
const KEPT_STEPS = 64;

const toCent = (value: number): number => Math.round(value * 100) / 100;

export function indexProcess(settings: IndexSettings): IndexProcess {
  const { stepMs, startAt } = settings;
  const variance = settings.variance ?? 1;
  const beatSeed = hash32(`${settings.seed}/beats`);
  const calm = varianceCascade(hash32(`${settings.seed}/restlessness`), stepMs, bursts(beatSeed));
  const stepAt = (at: number): number => Math.floor(at / stepMs);
  const quickPace = (at: number): number => variance * calm.quickPace(stepAt(at));
  const clock = {
    seed: beatSeed,
    stepMs,
    paceAt: (step: number): number => variance * calm.pace(step),
  };
  const [changes, slowChanges] = [priceChangeTimes(clock, QUICK), priceChangeTimes(clock, SLOW)];
  const origin = changes.last(stepAt(startAt));
  const prices = COINS.map((coin) => pricesOf(coin, { settings, calm, origin }));
  /** Of the walk itself, which moves at every step. */
  const walked = (coin: Coin, step: number): number =>
    must(prices[COINS.indexOf(coin)], coin)(step);
  const price = (coin: Coin, at: number): number => walked(coin, changes.last(stepAt(at)));
  assert(Number.isFinite(startAt), 'the market starts at an instant');

  return {
    stepMs,
    stepAt,
    beatAt: (at) => (changes.last(stepAt(at)) * stepMs) as Instant,
    slowBeatAt: (at) => (slowChanges.last(stepAt(at)) * stepMs) as Instant,
    price,
    pace: (at) => variance * calm.pace(stepAt(at)),
    quickPace,
    deliveryPrice(coin, expiry) {
      let total = 0;
      for (let sample = DELIVERY_SAMPLES; sample > 0; sample -= 1) {
        total += price(coin, expiry - sample * DELIVERY_SAMPLE_MS);
      }
      return toCent(total / DELIVERY_SAMPLES);
    },
    shock(coin, at) {
      const now = walked(coin, stepAt(at));
      const yearly = TRAITS[coin].volatility * Math.sqrt(quickPace(at));
      let shock = 0;
      for (const spanMs of SHOCK_MS) {
        const usual = Math.hypot(yearly * Math.sqrt(spanMs / MS_PER_YEAR), INDEX_NOISE.deviation);
        const move = Math.abs(now / walked(coin, stepAt(at - spanMs)) - 1);
        shock = Math.max(shock, move / usual);
      }
      return shock;
    },
  };
}

/** Price of a coin at a step. */
function pricesOf(
  coin: Coin,
  of: {
    readonly settings: IndexSettings;
    readonly calm: VarianceCascade;
    /** The step at which the price is the start price. */
    readonly origin: number;
  },
): (step: number) => number {
  const { startPrices } = of.settings;
  const offset = logOffset(coin, of.settings, of.calm);
  const start = offset(of.origin);
  const steps = new Float64Array(KEPT_STEPS).fill(-1);
  const kept = new Float64Array(KEPT_STEPS);
  return (step) => {
    const at = step % KEPT_STEPS;
    if (steps[at] !== step) {
      steps[at] = step;
      kept[at] = toCent(startPrices[coin] * Math.exp(offset(step) - start));
    }
    return kept[at] ?? 0;
  };
}

/** Logarithm of a coin's price at a step, up to a constant. */
function logOffset(
  coin: Coin,
  { seed, stepMs, correlation = CORRELATION, variance = 1 }: IndexSettings,
  { shareOf }: VarianceCascade,
): (step: number) => number {
  const { volatility, jumpScale } = TRAITS[coin];
  const levels = Math.ceil(Math.log2(INSTANT_MAX / stepMs));
  const perStep = volatility * Math.sqrt((variance * stepMs) / MS_PER_YEAR);
  const [withLeader, alone] =
    coin === COINS[0] ? [1, 0] : [correlation, Math.sqrt(1 - correlation ** 2)];
  const leader = brownianPath(hash32(`${seed}/common`), levels, shareOf);
  const own = brownianPath(hash32(`${seed}/own/${coin}`), levels, shareOf);
  const sizes = [hash32(`${seed}/jump`), hash32(`${seed}/jump/${coin}`)] as const;
  const jump = jumpProcess(
    hash32(`${seed}/jumps`),
    (address) => withLeader * normalAt(sizes[0], address) + alone * normalAt(sizes[1], address),
  );
  const noise = drift(hash32(`${seed}/noise/${coin}`), INDEX_NOISE.periodMs);
  return (step) => {
    const walk = withLeader * leader.at(step) + (alone === 0 ? 0 : alone * own.at(step));
    const atMs = step * stepMs;
    return perStep * walk + jumpScale * jump(atMs) + INDEX_NOISE.deviation * noise(atMs);
  };
}

// The price indexes of the paper market: correlated walks with jumps and a little noise on a fixed
// grid of steps. A price depends on the settings and the step alone, so any instant can be asked for.

import { MS_PER_YEAR } from '../../quant/year-fraction.ts';
import { must } from '../../values/assert.ts';
import { INSTANT_MAX, type Instant, SECOND_MS } from '../../values/instant.ts';
import { hash32 } from '../../values/rng.ts';
import { brownianPath } from './brownian-path.ts';
import { COINS, type Coin, type CoinTraits, TRAITS } from './coins.ts';
import { jumpProcess } from './jumps.ts';
import { driftAt } from './noise.ts';

export interface IndexSettings {
  readonly seed: string;
  /** Where the indexes stand at `startPrices`. */
  readonly startAt: Instant;
  /** USD per coin at `startAt`. */
  readonly startPrices: Readonly<Record<Coin, number>>;
  /** Length of one step of the walk. */
  readonly stepMs: number;
}

export interface IndexProcess {
  readonly stepMs: number;
  /** The step that `at` lies in; steps start at whole multiples of `stepMs`. */
  stepAt(at: Instant): number;
  /** USD per coin, to the cent, throughout the step that `at` lies in. */
  price(coin: Coin, at: Instant): number;
  /** Mean of the samples every four seconds over the half hour before `expiry`, to the cent. */
  deliveryPrice(coin: Coin, expiry: Instant): number;
}

const NOISE_PERIOD_MS = 1_500;
const NOISE_DEVIATION = 0.00003;
const DELIVERY_SAMPLES = 450;
const DELIVERY_SAMPLE_MS = 4 * SECOND_MS;

const toCent = (value: number): number => Math.round(value * 100) / 100;

export function indexProcess(settings: IndexSettings): IndexProcess {
  const { stepMs, startAt, startPrices } = settings;
  const stepAt = (at: Instant): number => Math.floor(at / stepMs);
  const offsets = logOffsets(settings);
  const origin = COINS.map((coin) => offsets(coin, stepAt(startAt)));
  const latest = COINS.map(() => ({ step: Number.NaN, price: Number.NaN }));

  const price = (coin: Coin, at: Instant): number => {
    const number = COINS.indexOf(coin);
    const last = must(latest[number], coin);
    const step = stepAt(at);
    if (step !== last.step) {
      last.step = step;
      last.price = toCent(
        startPrices[coin] * Math.exp(offsets(coin, step) - must(origin[number], coin)),
      );
    }
    return last.price;
  };

  const deliveryPrice = (coin: Coin, expiry: Instant): number => {
    let total = 0;
    for (let sample = DELIVERY_SAMPLES; sample > 0; sample -= 1) {
      total += price(coin, (expiry - sample * DELIVERY_SAMPLE_MS) as Instant);
    }
    return toCent(total / DELIVERY_SAMPLES);
  };

  return { stepMs, stepAt, price, deliveryPrice };
}

/** Log price of a coin at a step, up to a constant. */
function logOffsets({ seed, stepMs }: IndexSettings): (coin: Coin, step: number) => number {
  const levels = Math.ceil(Math.log2(INSTANT_MAX / stepMs));
  const stepYearsRoot = Math.sqrt(stepMs / MS_PER_YEAR);
  const jump = jumpProcess(hash32(`${seed}/jumps`));
  const common = brownianPath(hash32(`${seed}/common`), levels);
  const own = COINS.map((coin) => brownianPath(hash32(`${seed}/own/${coin}`), levels));
  const noise = COINS.map((coin) => hash32(`${seed}/noise/${coin}`));
  return (coin, step) => {
    const number = COINS.indexOf(coin);
    const traits = TRAITS[coin];
    const walk = joint(traits, common.at(step), must(own[number], coin).at(step));
    return (
      traits.volatility * stepYearsRoot * walk +
      traits.jumpScale * jump(step * stepMs) +
      NOISE_DEVIATION * driftAt(must(noise[number], coin), step * stepMs, NOISE_PERIOD_MS)
    );
  };
}

function joint({ commonShare }: CoinTraits, common: number, own: number): number {
  return commonShare * common + Math.sqrt(1 - commonShare * commonShare) * own;
}

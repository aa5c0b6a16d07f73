// Hedges and deltas of a package against a second reckoning in whole units of delta: calls and puts, bought and sold, a hedge that lags,
// runs ahead and turns; and the hedge that the fills of other legs require.
import { BigNumber } from 'bignumber.js';
import { expect, test } from 'vitest';
import type { MeasuredFill } from '../../../src/core/report/fill-measures.ts';
import { MarketSeries } from '../../../src/core/report/market-series.ts';
import { type PackageLeg, packageCosts } from '../../../src/core/report/package-costs.ts';
import type { SeenMarket } from '../../../src/core/report/seen-market.ts';
import { hedgeTarget } from '../../../src/core/schedule/catch-up.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { venueName } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import { cases } from '../../support/cases.ts';
import { NOON, option, perpetual, spot } from '../../support/engine/markets.ts';

type Side = 'buy' | 'sell';

const SECONDS = 60;
const SECOND = 1_000;
/** Coins of one unit of delta: a tenth of an option, or a twentieth of a coin. */
const UNIT = 0.05;
const CALL = option();
const PUT = option({ option: { strike: price('100000'), type: 'put' } });
const LEGS: readonly (readonly [Instrument, delta: number])[] = [
  [CALL, 0.5],
  [PUT, -0.5],
  [spot(), 1],
];
const HEDGE = 2;

interface Traded {
  readonly leg: number;
  readonly second: number;
  readonly units: number;
  readonly price: number;
}

const midOf = (second: number): number => 100_000 + 7 * second;

const marketOf = (second: number, delta: number): SeenMarket => {
  const level = (at: number) => ({ price: price(String(at)), quantity: quantity('10') });
  return {
    bid: level(midOf(second) - 10),
    ask: level(midOf(second) + 10),
    last: undefined,
    mark: undefined,
    index: undefined,
    underlying: price('100000'),
    markIv: 0.6,
    fundingRate: undefined,
    greeks: { delta, gamma: 0, vega: 80, theta: 0 },
    ageMs: 0,
  };
};

function legOf(leg: number, side: Side, trades: readonly Traded[]): PackageLeg {
  const [instrument, delta] = must(LEGS[leg], 'a leg');
  const venue = venueName('paper');
  const seconds = Array.from({ length: SECONDS }, (_, second) => {
    const at = instant(NOON + second * SECOND);
    const market = marketOf(second, delta);
    return { venue, instrument: instrument.name, second: at, at, market };
  });
  const fills = trades.map(
    (one) =>
      ({
        fill: {
          version: 2 + one.second,
          quantity: quantity((one.units * (UNIT / Math.abs(delta))).toFixed(2)),
          price: price(String(one.price)),
          tradedAt: instant(NOON + one.second * SECOND),
        },
        market: marketOf(one.second, delta),
      }) as MeasuredFill,
  );
  const asked = quantity('10');
  const series = new MarketSeries(seconds, [], []);
  return { leg, instrument, side, hedge: leg === HEDGE, asked, fills, series };
}

/** Each unit of delta that is open by itself, the oldest first. */
class PlainHedge {
  readonly #open: { readonly sign: number; readonly second: number }[] = [];
  readonly #side: Side;
  covered = 0;
  beyond = 0;
  longest = 0;
  #cost = 0;
  #priced = 0;

  constructor(side: Side) {
    this.#side = side;
  }

  get open(): number {
    return this.#open.reduce((sum, { sign }) => sum + sign, 0);
  }

  get costBps(): number | null {
    return this.#priced === 0 ? null : this.#cost / this.#priced;
  }

  opened(sign: number, { second, units }: Traded): void {
    for (let unit = 0; unit < units; unit += 1) {
      if (this.#open[0] !== undefined && this.#open[0].sign !== sign) this.#open.shift();
      else this.#open.push({ sign, second });
    }
  }

  hedged({ second, units, price: paid }: Traded): void {
    const sign = this.#side === 'buy' ? 1 : -1;
    let left = units;
    while (left > 0 && this.#open[0] !== undefined && this.#open[0].sign !== sign) {
      const one = must(this.#open.shift(), 'the oldest');
      left -= 1;
      this.covered += 1;
      this.longest = Math.max(this.longest, second - one.second);
      this.#priced += 1;
      this.#cost += sign * (paid / midOf(one.second) - 1) * 10_000;
    }
    if (left === 0) return;
    for (let unit = 0; unit < left; unit += 1) this.#open.push({ sign, second });
    this.beyond = Math.max(this.beyond, Math.abs(this.open));
  }
}

function drawn(random: Rng): readonly Traded[] {
  const trades: Traded[] = [];
  for (let second = 0; second < SECONDS; second += 1 + random.below(5)) {
    const leg = random.below(3);
    const paid = leg === HEDGE ? midOf(second) + random.below(41) - 20 : 0.01;
    trades.push({ leg, second, units: 1 + random.below(8), price: paid });
  }
  return trades;
}

test('what a hedge covers, leaves open and costs is that of each unit of delta, the oldest first', () => {
  const random = rng(`${process.env['TWAPD_SEED']} hedges`);
  for (let at = 0; at < cases(40); at += 1) {
    const trades = drawn(random);
    const sides = LEGS.map((): Side => (random.below(2) === 0 ? 'buy' : 'sell'));
    const legs = sides.map((side, leg) =>
      legOf(
        leg,
        side,
        trades.filter((one) => one.leg === leg),
      ),
    );
    const [from, to] = [instant(NOON), instant(NOON + SECONDS * SECOND)];
    const shown = packageCosts({ legs, costs: [], from, to });
    const plain = new PlainHedge(must(sides[HEDGE], 'a side'));
    let [delta, greatest, area, since] = [0, 0, 0, trades[0]?.second ?? 0];
    const shares = [0, 0];
    let [apart, farthest, imbalance, changedAt] = [0, 0, 0, 0];
    for (const one of trades) {
      const [, each] = must(LEGS[one.leg], 'a leg');
      const sign = Math.sign(each) * (sides[one.leg] === 'buy' ? 1 : -1);
      area += Math.abs(delta) * (one.second - since);
      since = one.second;
      delta += sign * one.units;
      if (Math.abs(delta) > Math.abs(greatest)) greatest = delta;
      if (one.leg === HEDGE) {
        plain.hedged(one);
        continue;
      }
      plain.opened(sign, one);
      imbalance += apart * (one.second - changedAt);
      changedAt = one.second;
      // A unit is a tenth of an option, and 10 were requested.
      shares[one.leg] = (shares[one.leg] ?? 0) + one.units / 100;
      apart = Math.abs((shares[0] ?? 0) - (shares[1] ?? 0));
      farthest = Math.max(farthest, apart);
    }
    const hedge = must(shown.hedges[0], 'a hedge');
    expect(hedge.covered).toBeCloseTo(plain.covered * UNIT, 7);
    expect(hedge.open).toBeCloseTo(plain.open * UNIT, 7);
    expect(hedge.beyond).toBeCloseTo(plain.beyond * UNIT, 7);
    expect(hedge.lagMs?.max ?? 0).toBe(plain.longest * SECOND);
    if (plain.costBps === null) expect(hedge.costBps).toBeNull();
    else expect(hedge.costBps).toBeCloseTo(plain.costBps, 3);
    const found = must(shown.delta, 'a delta');
    expect(found.final).toBeCloseTo(delta * UNIT, 7);
    expect(found.greatest).toBeCloseTo(greatest * UNIT, 7);
    area += Math.abs(delta) * (SECONDS - since);
    const first = trades[0]?.second ?? 0;
    expect(found.mean).toBeCloseTo((area / (SECONDS - first)) * UNIT, 6);
    imbalance += apart * (SECONDS - changedAt);
    expect(shown.imbalance?.greatest).toBeCloseTo(farthest, 5);
    expect(shown.imbalance?.mean).toBeCloseTo(imbalance / SECONDS, 5);
  }
});

test('a hedge should have the share of its total that the least filled other leg has, on its step and within its total', () => {
  const random = rng(`${process.env['TWAPD_SEED']} hedge targets`);
  for (let at = 0; at < cases(200); at += 1) {
    const instrument = random.below(2) === 0 ? perpetual() : spot();
    const step = instrument.amountStep.toString();
    const [whole, most] = [1, 2].map(() => new BigNumber(step).times(1 + random.below(5_000)));
    const others = Array.from({ length: 1 + random.below(3) }, () => {
      const total = 1 + random.below(300);
      return { total, filled: random.below(total + 1) };
    });
    const exact = others.map(({ filled, total }) =>
      must(whole, 'a total').times(filled).div(total).div(step).integerValue(BigNumber.ROUND_FLOOR),
    );
    const expected = BigNumber.min(must(most, 'a bound'), ...exact.map((one) => one.times(step)));
    const answer = hedgeTarget(
      {
        whole: quantity(must(whole, 'a total').toFixed()),
        most: quantity(must(most, 'a bound').toFixed()),
      },
      others.map(({ filled, total }) => ({
        filled: quantity(String(filled)),
        total: quantity(String(total)),
      })),
      instrument,
    );
    expect(text(answer)).toBe(expected.toFixed());
  }
});

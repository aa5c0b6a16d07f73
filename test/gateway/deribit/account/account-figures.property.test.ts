// What Deribit's wire says about money, against a second reckoning, on random courses: both sides of every kind of
// instrument, makers and takers, positions that grow, shrink and turn, open orders, and prices that move.
import { afterEach, test } from 'vitest';
import { ratio } from '../../../../src/values/amounts.ts';
import type { Instrument } from '../../../../src/values/instrument.ts';
import {
  btcCall,
  btcPerpetual,
  btcSpot,
  btcUsdcPerpetual,
  btcUsdcPut,
} from '../../../exchange/instruments.ts';
import { cases } from '../../../support/cases.ts';
import type { PlainPrices } from '../../../support/reckoning/plain-account.ts';
import { DeribitScene } from '../deribit-scene.ts';
import {
  AccountCourse,
  comparePositions,
  compareSummaries,
  steps,
  type Traded,
} from './account-course.ts';

const RATES = { maker: '0.0003', taker: '0.0003' };
/** They differ, which shows the one that an open order reserves. */
const put: Instrument = { ...btcUsdcPut, makerFee: ratio('0.0001') };
const PUT_RATES = { maker: '0.0001', taker: '0.0003' };
const FUTURE_RATES = { maker: '0', taker: '0.0005' };
const BTC_GROWTH = '0.00005';

const onIndex = (index: number): PlainPrices => ({ mark: String(index), index: String(index) });

const TRADED: readonly Traded[] = [
  {
    instrument: btcPerpetual,
    contract: {
      name: btcPerpetual.name,
      kind: 'inverse_future',
      currency: 'BTC',
      isInverse: true,
      rates: FUTURE_RATES,
      growth: BTC_GROWTH,
    },
    lots: 20_000,
    priceAt: (draw) => steps('95000', '0.5', 20_000, draw),
    pricesAt: onIndex,
  },
  {
    instrument: btcUsdcPerpetual,
    contract: {
      name: btcUsdcPerpetual.name,
      kind: 'linear_future',
      currency: 'USDC',
      isInverse: false,
      rates: FUTURE_RATES,
      growth: BTC_GROWTH,
    },
    lots: 10_000,
    priceAt: (draw) => steps('95000', '0.5', 20_000, draw),
    pricesAt: onIndex,
  },
  {
    instrument: btcCall,
    contract: {
      name: btcCall.name,
      kind: 'option',
      currency: 'BTC',
      isInverse: true,
      option: { type: 'call', strike: 100_000 },
      rates: RATES,
      growth: '0',
    },
    lots: 20,
    // Below 0.0024 the fee is an eighth of the premium.
    priceAt: (draw) => steps('0.0005', '0.0001', 40, draw),
    pricesAt: (index, draw) => ({
      mark: steps('0.0005', '0.0001', 40, draw),
      index: String(index),
      underlying: String(index - 7_000),
    }),
  },
  {
    instrument: put,
    contract: {
      name: put.name,
      kind: 'option',
      currency: 'USDC',
      isInverse: false,
      option: { type: 'put', strike: 100_000 },
      rates: PUT_RATES,
      growth: '0',
    },
    lots: 200,
    priceAt: (draw) => steps('100', '5', 160, draw),
    pricesAt: (index, draw) => ({
      mark: steps('100', '5', 160, draw),
      index: String(index),
      underlying: String(index + 3_000),
    }),
  },
  {
    instrument: btcSpot,
    contract: {
      name: btcSpot.name,
      kind: 'spot',
      currency: 'USDC',
      base: 'BTC',
      isInverse: false,
      rates: { maker: '0', taker: '0' },
      growth: '0',
    },
    lots: 5_000,
    priceAt: (draw) => steps('95000', '1', 10_000, draw),
    pricesAt: onIndex,
  },
];

const COURSES = cases(4);
const STEPS = 14;

let course: AccountCourse;
afterEach(async () => await course.close());

test('every figure of an account follows from its trades, its orders and the prices', async () => {
  for (let at = 0; at < COURSES; at += 1) {
    if (at > 0) await course.close();
    course = await AccountCourse.begin(new DeribitScene(), {
      seed: `${process.env['TWAPD_SEED']} ${at}`,
      traded: TRADED,
      indexAt: (random) => 97_000 + random.below(6_000),
    });
    for (let step = 0; step < STEPS; step += 1) {
      if (step % 3 === 2) await course.reprice();
      await course.trade();
      await course.rest();
      await compareSummaries(course);
      await comparePositions(course, TRADED);
      await course.cancelAll();
    }
  }
});

// What Deribit's wire says about money over days, against a second reckoning: funding of perpetuals, daily settlements, expiries of futures
// and of calls and puts in coin and USDC into their futures with their delivery fees, and an exchange that is opened again from its
// journal.
import { afterEach, expect, test } from 'vitest';
import { price } from '../../../../src/values/amounts.ts';
import { instrumentName } from '../../../../src/values/ids.ts';
import { utcInstant } from '../../../../src/values/instant.ts';
import type { Instrument } from '../../../../src/values/instrument.ts';
import { MemoryStore } from '../../../adapters/paper/paper-stage.ts';
import {
  btcCall,
  btcPerpetual,
  btcSpot,
  btcUsdcPerpetual,
  btcUsdcPut,
} from '../../../exchange/instruments.ts';
import { cases } from '../../../support/cases.ts';
import type { PlainContract, PlainPrices } from '../../../support/reckoning/plain-account.ts';
import { DeribitScene } from '../deribit-scene.ts';
import {
  AccountCourse,
  compareLog,
  comparePositions,
  compareSettlements,
  compareSummaries,
  DIGITS,
  steps,
  type Traded,
} from './account-course.ts';

const MONDAY = utcInstant({ year: 2026, month: 12, day: 14, hour: 12 });
const expiry = (day: number) => utcInstant({ year: 2026, month: 12, day, hour: 8 });

const onIndex = (index: number): PlainPrices => ({ mark: String(index), index: String(index) });

/** The rate of both signs, up to 0.05 % in eight hours. */
const perpetual = (instrument: Instrument, kind: PlainContract['kind']): Traded => ({
  instrument,
  contract: {
    name: instrument.name,
    kind,
    currency: instrument.settlement,
    isInverse: kind === 'inverse_future',
    rates: { maker: '0', taker: '0.0005' },
    growth: '0.00005',
    paysFunding: true,
  },
  lots: kind === 'inverse_future' ? 20_000 : 10_000,
  priceAt: (draw) => steps('95000', '0.5', 20_000, draw),
  pricesAt: (index, draw) => ({
    mark: String(index + 11),
    index: String(index),
    funding: steps('-0.0005', '0.000001', 1_000, draw),
  }),
});

function dated(name: string, day: number, deliveryRate: string): Traded {
  const isInverse = !name.includes('USDC');
  const like = isInverse ? btcPerpetual : btcUsdcPerpetual;
  const { contract, ...rest } = perpetual(like, isInverse ? 'inverse_future' : 'linear_future');
  return {
    ...rest,
    instrument: {
      ...like,
      name: instrumentName(name),
      kind: 'future',
      expiresAt: expiry(day),
    },
    contract: { ...contract, name, paysFunding: false, deliveryRate },
    pricesAt: onIndex,
  };
}

interface OptionTerms {
  readonly name: string;
  readonly day: number;
  readonly type: 'call' | 'put';
  readonly strike: number;
  readonly deliveryRate: string;
  readonly future?: string;
}

function option({ name, day, type, strike, deliveryRate, future }: OptionTerms): Traded {
  const isInverse = !name.includes('USDC');
  const like = isInverse ? btcCall : btcUsdcPut;
  const premium = (draw: number): string =>
    isInverse ? steps('0.0005', '0.0001', 40, draw) : steps('100', '5', 160, draw);
  return {
    instrument: {
      ...like,
      name: instrumentName(name),
      expiresAt: expiry(day),
      option: { strike: price(`${strike}`), type },
    },
    contract: {
      name,
      kind: 'option',
      currency: like.settlement,
      isInverse,
      option: { type, strike },
      rates: { maker: '0.0003', taker: '0.0003' },
      growth: '0',
      deliveryRate,
      future,
    },
    lots: isInverse ? 20 : 200,
    priceAt: premium,
    pricesAt: (index, draw) => ({
      mark: premium(draw),
      index: String(index),
      underlying: String(index + 1_500),
    }),
  };
}

const spot: Traded = {
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
};

/** Delivery fees: none of weekly futures and daily options, else 0.025 % of futures and 0.015 % of options. */
const TRADED: readonly Traded[] = [
  perpetual(btcPerpetual, 'inverse_future'),
  perpetual(btcUsdcPerpetual, 'linear_future'),
  dated('BTC-18DEC26', 18, '0'),
  dated('BTC-25DEC26', 25, '0.00025'),
  dated('BTC_USDC-18DEC26', 18, '0'),
  dated('BTC_USDC-25DEC26', 25, '0.00025'),
  // The one expiry without a future, as before August 2026.
  option({
    name: 'BTC-16DEC26-100000-P',
    day: 16,
    type: 'put',
    strike: 100_000,
    deliveryRate: '0',
  }),
  option({
    name: 'BTC-18DEC26-101000-P',
    day: 18,
    type: 'put',
    strike: 101_000,
    deliveryRate: '0.00015',
    future: 'BTC-18DEC26',
  }),
  option({
    name: 'BTC-18DEC26-98000-C',
    day: 18,
    type: 'call',
    strike: 98_000,
    deliveryRate: '0.00015',
    future: 'BTC-18DEC26',
  }),
  option({
    name: 'BTC_USDC-18DEC26-99000-C',
    day: 18,
    type: 'call',
    strike: 99_000,
    deliveryRate: '0.00015',
    future: 'BTC_USDC-18DEC26',
  }),
  option({
    name: 'BTC-25DEC26-100000-C',
    day: 25,
    type: 'call',
    strike: 100_000,
    deliveryRate: '0.00015',
    future: 'BTC-25DEC26',
  }),
  option({
    name: 'BTC-25DEC26-103000-P',
    day: 25,
    type: 'put',
    strike: 103_000,
    deliveryRate: '0.00015',
    future: 'BTC-25DEC26',
  }),
  option({
    name: 'BTC_USDC-25DEC26-100000-P',
    day: 25,
    type: 'put',
    strike: 100_000,
    deliveryRate: '0.00015',
    future: 'BTC_USDC-25DEC26',
  }),
  spot,
];

const INTO_FUTURE = 'settlement into future';
const COURSES = cases(3);
/** More courses are drawn until every kind of settlement was met; about one course in two meets a kind. */
const COURSES_MAX = 20 * COURSES;
const TO_MEET = ['BTC', 'USDC', 'expiry', 'netted'];
const STEPS = 12;
const TRADES = 3;

let course: AccountCourse;
afterEach(async () => await course.close());

test('funding, settlements and expiries move what the definitions say, and a session starts again after each', async () => {
  const met = new Set<string>();
  const isDone = (at: number): boolean => at >= COURSES && met.size === TO_MEET.length;
  for (let at = 0; at < COURSES_MAX && !isDone(at); at += 1) {
    if (at > 0) await course.close();
    const store = new MemoryStore();
    course = await AccountCourse.begin(new DeribitScene({}, { at: MONDAY, store }), {
      seed: `${process.env['TWAPD_SEED']} ${at}`,
      traded: TRADED,
      // Each third is near a strike, where the delivery fee is a part of the payoff.
      indexAt: (random) =>
        random.below(3) === 0 ? 99_900 + random.below(200) : 97_000 + random.below(6_000),
      store,
    });
    for (let step = 0; step < STEPS; step += 1) {
      for (let trade = 0; trade < TRADES; trade += 1) await course.trade();
      await course.rest();
      await compareSummaries(course);
      await comparePositions(course, TRADED);
      await course.cancelAll();
      if (step % 5 === 3) await course.restart();
      await course.pass(1 + 7 * (step % 8));
      await compareSummaries(course);
      await comparePositions(course, TRADED);
    }
    for (const currency of Object.keys(DIGITS)) {
      await compareLog(course, currency);
      await compareSettlements(course, currency);
    }
    for (const { type, currency, cashflow } of course.plain.log) {
      if (type === 'expiry') met.add(type);
      if (type !== INTO_FUTURE) continue;
      met.add(currency);
      if (!cashflow.isZero()) met.add('netted');
    }
  }
  expect([...met].sort()).toEqual(TO_MEET);
});

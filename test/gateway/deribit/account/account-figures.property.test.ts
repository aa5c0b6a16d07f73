// What Deribit's wire says about money, against a second reckoning, on random courses: both sides of every kind of
// instrument, makers and takers, positions that grow, shrink and turn, open orders, and prices that move.
import { BigNumber } from 'bignumber.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ratio } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import type { Instrument } from '../../../../src/values/instrument.ts';
import { type Rng, rng } from '../../../../src/values/rng.ts';
import {
  btcCall,
  btcPerpetual,
  btcSpot,
  btcUsdcPerpetual,
  btcUsdcPut,
} from '../../../exchange/instruments.ts';
import { cases } from '../../../support/cases.ts';
import {
  PlainAccount,
  type PlainContract,
  type PlainPrices,
  type PlainSide,
} from '../../../support/reckoning/plain-account.ts';
import type { Fields } from '../../order-api/order-scene.ts';
import { DeribitScene } from '../deribit-scene.ts';

/** How an instrument is traded in a course; prices in steps of its tick above the lowest. */
interface Traded {
  readonly instrument: Instrument;
  readonly contract: PlainContract;
  /** Its smallest amount times a number up to this. */
  readonly lots: number;
  readonly priceAt: (draw: number) => string;
  readonly pricesAt: (index: number, draw: number) => PlainPrices;
}

const RATES = { maker: '0.0003', taker: '0.0003' };
/** They differ, which shows the one that an open order reserves. */
const put: Instrument = { ...btcUsdcPut, makerFee: ratio('0.0001') };
const PUT_RATES = { maker: '0.0001', taker: '0.0003' };
const FUTURE_RATES = { maker: '0', taker: '0.0005' };
const BTC_GROWTH = '0.00005';

const steps = (from: string, step: string, most: number, draw: number): string =>
  new BigNumber(step)
    .times(Math.floor(draw * most))
    .plus(from)
    .toFixed();

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

let scene: DeribitScene;
beforeEach(() => {
  scene = new DeribitScene();
});
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  await scene.close();
});

const OTHER: Readonly<Record<PlainSide, PlainSide>> = { buy: 'sell', sell: 'buy' };

class Course {
  readonly #random: Rng;
  readonly plain: PlainAccount;

  constructor(seed: string, balances: Readonly<Record<string, string>>) {
    this.#random = rng(seed);
    this.plain = new PlainAccount(balances);
  }

  async begin(): Promise<void> {
    for (const { instrument, contract } of TRADED) {
      this.plain.list(contract, { mark: '1', index: '1' });
      if (instrument === put) {
        scene.rid.market.list(instrument, {
          index: '100000',
          mark: '500',
          min: '5',
          max: '5000',
          underlying: '103000',
          markIv: 0.5,
        });
      }
    }
    await this.reprice();
  }

  /** The index of all, and the mark of each. */
  async reprice(): Promise<void> {
    const index = 97_000 + this.#random.below(6_000);
    for (const { instrument, pricesAt } of TRADED) {
      const prices = pricesAt(index, this.#random.next());
      this.plain.reprice(instrument.name, prices);
      const { underlying, ...rest } = prices;
      const moved = underlying === undefined ? rest : { ...rest, underlying };
      scene.rid.market.move(instrument, moved);
    }
    await scene.rid.pass(1_500);
  }

  async trade(of: Traded): Promise<void> {
    const { instrument, side, amount, price } = this.#drawn(of);
    const isMaker = this.#random.below(2) === 0;
    const own = { instrument_name: instrument.name, amount, price };
    if (isMaker) await scene.get(`private/${side}`, own);
    await scene.rid.other(OTHER[side], amount, price, instrument);
    if (!isMaker) await scene.get(`private/${side}`, own);
    const liquidity = isMaker ? 'maker' : 'taker';
    this.plain.fill(instrument.name, { side, amount, price, liquidity });
  }

  /** Orders that rest until the figures were compared. */
  async rest(of: Traded): Promise<void> {
    const { instrument, side, amount, price } = this.#drawn(of);
    const own = { instrument_name: instrument.name, amount, price };
    await scene.get(`private/${side}`, own);
    this.plain.rest(instrument.name, [{ side, amount, price }]);
  }

  async cancelAll(): Promise<void> {
    await scene.get('private/cancel_all');
    for (const { instrument } of TRADED) this.plain.rest(instrument.name, []);
  }

  #drawn({ instrument, lots, priceAt }: Traded) {
    const random = this.#random;
    const amount = new BigNumber(instrument.amountStep.toString()).times(1 + random.below(lots));
    const side: PlainSide = random.below(2) === 0 ? 'buy' : 'sell';
    return { instrument, side, amount: amount.toFixed(), price: priceAt(random.next()) };
  }

  next(): number {
    return this.#random.below(TRADED.length);
  }
}

/** Shown to the last digit of the currency; each trade rounds its fee once more. */
const expectSame = (what: string, shown: string, exact: BigNumber, digits: number): void => {
  const difference = new BigNumber(shown).minus(exact).abs();
  const most = new BigNumber(10).pow(-digits).times(STEPS);
  expect(difference.isLessThanOrEqualTo(most), `${what}: ${shown} for ${exact.toFixed(10)}`).toBe(
    true,
  );
};

const DIGITS: Readonly<Record<string, number>> = { BTC: 8, USDC: 6 };

async function compareSummaries(plain: PlainAccount): Promise<void> {
  for (const [currency, digits] of Object.entries(DIGITS)) {
    const shown = await scene.get('private/get_account_summary', { currency });
    const exact = plain.summary(currency);
    const pairs: readonly (readonly [string, BigNumber])[] = [
      ['balance', exact.balance],
      ['equity', exact.equity],
      ['margin_balance', exact.marginBalance],
      ['initial_margin', exact.initialMargin],
      ['maintenance_margin', exact.maintenanceMargin],
      ['available_funds', exact.available],
      ['available_withdrawal_funds', BigNumber.min(exact.available, exact.balance)],
      ['spot_reserve', exact.spotReserve],
      ['options_value', exact.optionsValue],
      ['futures_session_rpl', exact.futuresRealised],
      ['options_session_rpl', exact.optionsRealised],
      ['futures_session_upl', exact.futuresFloating],
      ['options_session_upl', exact.optionsFloating],
      ['session_rpl', exact.futuresRealised.plus(exact.optionsRealised)],
      ['session_upl', exact.futuresFloating.plus(exact.optionsFloating)],
    ];
    for (const [field, value] of pairs) {
      expectSame(`${field} of ${currency}`, shown[field], value, digits);
    }
  }
}

async function comparePositions(plain: PlainAccount): Promise<void> {
  for (const { instrument, contract } of TRADED) {
    if (contract.kind === 'spot') continue;
    const { name } = instrument;
    const shown: Fields = await scene.get('private/get_position', { instrument_name: name });
    const exact = plain.position(name);
    const digits = must(DIGITS[contract.currency], 'digits');
    expect(shown.size, `size of ${name}`).toBe(exact.size.toFixed());
    const sign = exact.size.comparedTo(0);
    expect(shown.direction).toBe(sign === 0 ? 'zero' : sign === 1 ? 'buy' : 'sell');
    // Averages are shown to eight places.
    const apart = exact.average.minus(shown.average_price).abs();
    expect(apart.isLessThan('1e-8'), `average of ${name}: ${shown.average_price}`).toBe(true);
    const pairs: [string, BigNumber][] = [
      ['floating_profit_loss', exact.floating],
      ['initial_margin', exact.initialMargin],
      ['maintenance_margin', exact.maintenanceMargin],
      ['open_orders_margin', exact.ordersMargin],
    ];
    // Of an instrument without a position nothing is shown; the summaries have what it realised.
    if (!exact.size.isZero()) {
      pairs.push(['realized_profit_loss', exact.realised]);
      pairs.push(['total_profit_loss', exact.floating.plus(exact.realised)]);
    }
    for (const [field, value] of pairs) {
      expectSame(`${field} of ${name}`, shown[field], value, digits);
    }
  }
}

test('every figure of an account follows from its trades, its orders and the prices', async () => {
  for (let at = 0; at < COURSES; at += 1) {
    const seed = `${process.env['TWAPD_SEED']} ${at}`;
    const balances = {
      BTC: (await scene.get('private/get_account_summary', { currency: 'BTC' })).balance,
      USDC: (await scene.get('private/get_account_summary', { currency: 'USDC' })).balance,
    };
    const course = new Course(seed, balances);
    await course.begin();
    for (let step = 0; step < STEPS; step += 1) {
      if (step % 3 === 2) await course.reprice();
      await course.trade(must(TRADED[course.next()], 'an instrument'));
      await course.rest(must(TRADED[course.next()], 'an instrument'));
      await compareSummaries(course.plain);
      await comparePositions(course.plain);
      await course.cancelAll();
    }
    await scene.close();
    scene = new DeribitScene();
  }
});

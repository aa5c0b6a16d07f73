// A random course of an account over Deribit's wire, followed by the second reckoning: trades as maker and taker, orders that rest in
// full and in part, prices that move, days that are settled, instruments that expire, and processes that end and begin.
import { BigNumber } from 'bignumber.js';
import { expect } from 'vitest';
import { must } from '../../../../src/values/assert.ts';
import type { Instrument } from '../../../../src/values/instrument.ts';
import { type Rng, rng } from '../../../../src/values/rng.ts';
import type { MemoryStore } from '../../../adapters/paper/paper-stage.ts';
import {
  PlainAccount,
  type PlainContract,
  type PlainEntry,
  type PlainPrices,
  type PlainSide,
} from '../../../support/reckoning/plain-account.ts';
import type { Fields } from '../../order-api/order-scene.ts';
import type { Worth } from '../../order-api/still-market.ts';
import { DeribitScene } from '../deribit-scene.ts';

/** How an instrument is traded in a course; prices in steps of its tick above the lowest. */
export interface Traded {
  readonly instrument: Instrument;
  readonly contract: PlainContract;
  /** Its smallest amount times a number up to this. */
  readonly lots: number;
  readonly priceAt: (draw: number) => string;
  readonly pricesAt: (index: number, draw: number) => PlainPrices;
}

export const DIGITS: Readonly<Record<string, number>> = { BTC: 8, USDC: 6 };

export const steps = (from: string, step: string, most: number, draw: number): string =>
  new BigNumber(step)
    .times(Math.floor(draw * most))
    .plus(from)
    .toFixed();

const OTHER: Readonly<Record<PlainSide, PlainSide>> = { buy: 'sell', sell: 'buy' };
const STEP_MS = 500;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const EIGHT = 8 * HOUR_MS;

export interface CourseOptions {
  readonly seed: string;
  readonly traded: readonly Traded[];
  readonly indexAt: (random: Rng) => number;
  /** The journal of the exchange, which a second process reads. */
  readonly store?: MemoryStore | undefined;
}

export class AccountCourse {
  scene: DeribitScene;
  readonly plain: PlainAccount;
  readonly #options: CourseOptions;
  readonly #random: Rng;
  readonly #prices = new Map<string, PlainPrices>();
  #cursor: number;

  private constructor(
    scene: DeribitScene,
    options: CourseOptions,
    balances: Readonly<Record<string, string>>,
  ) {
    this.scene = scene;
    this.#options = options;
    this.#random = rng(options.seed);
    this.#cursor = scene.rid.clock.now();
    this.plain = new PlainAccount(balances, () => this.#cursor);
  }

  static async begin(scene: DeribitScene, options: CourseOptions): Promise<AccountCourse> {
    const balances: Record<string, string> = {};
    for (const currency of Object.keys(DIGITS)) {
      balances[currency] = (await scene.get('private/get_account_summary', { currency })).balance;
    }
    const course = new AccountCourse(scene, options, balances);
    for (const { contract } of options.traded) {
      course.plain.list(contract, { mark: '1', index: '1' });
    }
    course.#draw();
    for (const { instrument } of options.traded) course.#price(instrument.name);
    course.#show();
    await scene.rid.pass(3 * STEP_MS);
    course.#cursor = scene.rid.clock.now();
    return course;
  }

  /** The index of all, and the mark of each. */
  async reprice(): Promise<void> {
    this.#draw();
    for (const { instrument } of this.#options.traded) {
      this.#price(instrument.name);
      this.scene.rid.market.move(instrument, this.#worth(instrument));
    }
    await this.scene.rid.pass(3 * STEP_MS);
    this.#cursor = this.scene.rid.clock.now();
  }

  /** Prices that are new from the first settlement on, else from the end; each settlement is at 08:00. */
  async pass(hours: number): Promise<void> {
    const { clock, market } = this.scene.rid;
    this.#draw();
    for (const { instrument } of this.#live()) market.move(instrument, this.#worth(instrument));
    // Never near 08:00, where books pause.
    const until = clock.now() + hours * HOUR_MS + 37 * MINUTE_MS;
    clock.stepWall(until - clock.now() - STEP_MS);
    await this.scene.rid.pass(STEP_MS);
    for (let at = nextEight(this.#cursor); at <= until; at = nextEight(at)) {
      this.#advance(at);
      for (const { instrument } of this.#options.traded.toSorted(bySettlement)) {
        if (instrument.expiresAt !== at) continue;
        this.plain.expire(instrument.name, must(this.#prices.get(instrument.name), 'prices').index);
      }
      for (const { instrument } of this.#live()) this.#price(instrument.name);
      this.plain.settleDay(DIGITS);
    }
    this.#advance(until);
    for (const { instrument } of this.#live()) this.#price(instrument.name);
  }

  /** Against one order, or against two at different prices. */
  async trade(): Promise<void> {
    const of = this.#any();
    const { instrument, side, amount, price: at } = this.#drawn(of);
    const isMaker = this.#random.below(2) === 0;
    const own = { instrument_name: instrument.name, amount, price: at };
    const second = of.priceAt(this.#random.next());
    const isBetter = new BigNumber(second).comparedTo(at) === (side === 'buy' ? -1 : 1);
    const half = new BigNumber(amount).minus(instrument.amountStep.toString());
    const parts =
      isBetter && !isMaker && !half.isZero()
        ? [
            [half.toFixed(), second],
            [instrument.amountStep.toString(), at],
          ]
        : [[amount, at]];
    if (isMaker) await this.scene.get(`private/${side}`, own);
    for (const [size = '', level = ''] of parts) {
      await this.scene.rid.other(OTHER[side], size, level, instrument);
    }
    if (!isMaker) await this.scene.get(`private/${side}`, own);
    const liquidity = isMaker ? 'maker' : 'taker';
    for (const [size = '', level = ''] of parts) {
      this.plain.fill(instrument.name, { side, amount: size, price: level, liquidity });
    }
  }

  /** An order that rests until the figures were compared, in part filled. */
  async rest(): Promise<void> {
    const { instrument, side, amount, price: at } = this.#drawn(this.#any());
    await this.scene.get(`private/${side}`, {
      instrument_name: instrument.name,
      amount,
      price: at,
    });
    const step = new BigNumber(instrument.amountStep.toString());
    const left = new BigNumber(amount).minus(step);
    if (left.isZero() || this.#random.below(2) === 0) {
      this.plain.rest(instrument.name, [{ side, amount, price: at }]);
      return;
    }
    await this.scene.rid.other(OTHER[side], step.toFixed(), at, instrument);
    const fill = { side, amount: step.toFixed(), price: at, liquidity: 'maker' } as const;
    this.plain.fill(instrument.name, fill);
    this.plain.rest(instrument.name, [{ side, amount: left.toFixed(), price: at }]);
  }

  async cancelAll(): Promise<void> {
    await this.scene.get('private/cancel_all');
    for (const { instrument } of this.#options.traded) this.plain.rest(instrument.name, []);
  }

  /** Ends the exchange and opens it again from its journal. */
  async restart(): Promise<void> {
    const at = this.scene.rid.clock.now();
    await this.close();
    this.scene = new DeribitScene({}, { at, store: this.#options.store });
    this.#show();
    await this.scene.rid.pass(STEP_MS);
    this.#advance(at + STEP_MS);
  }

  async close(): Promise<void> {
    expect([...this.scene.check.faults]).toEqual([]);
    await this.scene.close();
  }

  /** Units of the last digit: each trade and each delivery rounds its fee, and each instrument what it pays. */
  roundings(currency: string): number {
    const fees = this.plain.log.filter(
      (entry) => entry.currency === currency && !entry.fee.isZero(),
    );
    return fees.length + 2 * this.#options.traded.length;
  }

  #draw(): void {
    const index = this.#options.indexAt(this.#random);
    for (const { instrument, pricesAt } of this.#options.traded) {
      this.#prices.set(instrument.name, pricesAt(index, this.#random.next()));
    }
  }

  #price(name: string): void {
    this.plain.reprice(name, must(this.#prices.get(name), 'prices'));
  }

  #advance(to: number): void {
    this.plain.pass(to - this.#cursor);
    this.#cursor = to;
  }

  /** Lists what the market does not have, and keeps every second book in use. */
  #show(): void {
    const { market, venue } = this.scene.rid;
    for (const [index, { instrument }] of this.#live().entries()) {
      const worth = this.#worth(instrument);
      if (market.instrument(instrument.name) === undefined) market.list(instrument, worth);
      else market.move(instrument, worth);
      if (index % 2 === 1) venue.watch(instrument.name);
    }
  }

  #worth({ name, kind, settlement }: Instrument): Worth {
    const { funding, underlying, mark, index } = must(this.#prices.get(name), 'prices');
    const [min, max] = kind === 'option' ? (OPTION_BAND[settlement] ?? COIN_BAND) : COIN_BAND;
    return {
      mark,
      index,
      min,
      max,
      ...(underlying !== undefined && { underlying, markIv: 0.5 }),
      ...(funding !== undefined && { funding }),
    };
  }

  #live(): readonly Traded[] {
    return this.#options.traded.filter(
      ({ instrument: { expiresAt } }) => expiresAt === undefined || expiresAt > this.#cursor,
    );
  }

  #any(): Traded {
    const live = this.#live();
    return must(live[this.#random.below(live.length)], 'an instrument');
  }

  #drawn({ instrument, lots, priceAt }: Traded) {
    const random = this.#random;
    const amount = new BigNumber(instrument.amountStep.toString()).times(1 + random.below(lots));
    const side: PlainSide = random.below(2) === 0 ? 'buy' : 'sell';
    return { instrument, side, amount: amount.toFixed(), price: priceAt(random.next()) };
  }
}

const COIN_BAND: readonly [string, string] = ['90000', '110000'];
const OPTION_BAND: Readonly<Record<string, readonly [string, string]>> = {
  BTC: ['0.0001', '0.5'],
  USDC: ['5', '5000'],
};

/** Options before the futures they settle into, those of an expiry by name. */
const bySettlement = ({ instrument: a }: Traded, { instrument: b }: Traded): number =>
  Number(a.kind === 'future') - Number(b.kind === 'future') || (a.name < b.name ? -1 : 1);

const nextEight = (after: number): number =>
  Math.floor((after - EIGHT) / DAY_MS) * DAY_MS + EIGHT + DAY_MS;

/** Shown to the last digit of the currency. */
function expectSame(what: string, shown: string, exact: BigNumber, unit: BigNumber): void {
  const difference = new BigNumber(shown).minus(exact).abs();
  expect(difference.isLessThanOrEqualTo(unit), `${what}: ${shown} for ${exact.toFixed(10)}`).toBe(
    true,
  );
}

const unitOf = (currency: string, times: number): BigNumber =>
  new BigNumber(10).pow(-must(DIGITS[currency], 'digits')).times(times);

export async function compareSummaries(course: AccountCourse): Promise<void> {
  for (const currency of Object.keys(DIGITS)) {
    const shown = await course.scene.get('private/get_account_summary', { currency });
    const exact = course.plain.summary(currency);
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
    const unit = unitOf(currency, course.roundings(currency));
    for (const [field, value] of pairs) {
      expectSame(`${field} of ${currency}`, shown[field], value, unit);
    }
  }
}

export async function comparePositions(
  { scene, plain }: AccountCourse,
  traded: readonly Traded[],
): Promise<void> {
  for (const { contract } of traded) {
    const { name, kind, currency, paysFunding } = contract;
    if (kind === 'spot' || plain.isExpired(name)) continue;
    const shown: Fields = await scene.get('private/get_position', { instrument_name: name });
    const exact = plain.position(name);
    expect(shown.size, `size of ${name}`).toBe(exact.size.toFixed());
    const sign = exact.size.comparedTo(0);
    expect(shown.direction).toBe(sign === 0 ? 'zero' : sign === 1 ? 'buy' : 'sell');
    // Shown to eight places, from a cost that is kept to eighteen.
    const { average, cost } = exact;
    const lost = sign === 0 ? NONE : average.times(ROUNDINGS_OF_ONE).div(cost).times('1e-18');
    expectSame(`average of ${name}`, shown.average_price, average, lost.plus('1e-8'));
    const pairs: [string, BigNumber][] = [
      ['floating_profit_loss', exact.floating],
      ['initial_margin', exact.initialMargin],
      ['maintenance_margin', exact.maintenanceMargin],
      ['open_orders_margin', exact.ordersMargin],
    ];
    pairs.push(['realized_profit_loss', exact.realised]);
    pairs.push(['total_profit_loss', exact.floating.plus(exact.realised)]);
    if (!exact.size.isZero()) {
      if (paysFunding === true) pairs.push(['realized_funding', exact.funding]);
    }
    const unit = unitOf(currency, ROUNDINGS_OF_ONE);
    for (const [field, value] of pairs) {
      expectSame(`${field} of ${name}`, shown[field], value, unit);
    }
  }
}

/** Of one instrument in one session: each trade rounds what it realises. */
const ROUNDINGS_OF_ONE = 14;
/** Of one entry of the log: its profit, its funding, its fee and what was carried. */
const ROUNDINGS_OF_ENTRY = 4;
const ALWAYS = { start_timestamp: 0, end_timestamp: 4_000_000_000_000, count: 1_000 };
const NONE = new BigNumber(0);

/** Every entry of the transaction log, and that each explains the balance after it. */
export async function compareLog(course: AccountCourse, currency: string): Promise<void> {
  const { scene, plain } = course;
  const { logs } = await scene.get('private/get_transaction_log', { currency, ...ALWAYS });
  const expected = plain.log.filter((entry) => entry.currency === currency);
  expect(logs.map(keyOf).toSorted()).toEqual(expected.map(keyOfPlain).toSorted());
  const unit = unitOf(currency, ROUNDINGS_OF_ENTRY);
  let balance: BigNumber | undefined;
  for (const shown of logs.toReversed()) {
    const at = expected.findIndex((entry) => keyOfPlain(entry) === keyOf(shown));
    const [entry] = expected.splice(at, 1);
    const {
      side,
      amount,
      price: paid,
      fee,
      cashflow,
      funding,
      position,
      name,
    } = must(entry, 'one');
    const what = `of ${keyOf(shown)}`;
    expect(shown.side?.replace(/^(open|close) /, ''), `side ${what}`).toBe(side);
    expect(shown.amount, `amount ${what}`).toBe(amount.toFixed());
    expect(shown.price, `price ${what}`).toBe(paid.toFixed());
    expect(shown.position, `position ${what}`).toBe(position?.toFixed());
    expect(shown.interest_pl === undefined, `interest_pl ${what}`).toBe(funding === undefined);
    expectSame(`interest_pl ${what}`, shown.interest_pl ?? '0', funding ?? NONE, unit);
    expectSame(`commission ${what}`, shown.commission, fee, unit);
    expectSame(`cashflow ${what}`, shown.cashflow, cashflow, unit);
    expectSame(`change ${what}`, shown.change, cashflow.minus(fee), unit);
    if (balance !== undefined) {
      expect(shown.balance, `balance ${what}`).toBe(balance.plus(shown.change).toFixed());
    }
    balance = new BigNumber(shown.balance);
    expect(name).toBe(shown.instrument_name);
  }
}

const SETTLED: ReadonlySet<string> = new Set(['settlement', 'delivery']);

const keyOf = ({ type, instrument_name: name, timestamp }: Fields): string =>
  `${timestamp} ${type} ${name}`;
const keyOfPlain = ({ type, name, at }: PlainEntry): string => `${at} ${type} ${name}`;

/** Settlements and deliveries of the account, as their own history has them. */
export async function compareSettlements(course: AccountCourse, currency: string): Promise<void> {
  const { scene, plain } = course;
  const method = 'private/get_settlement_history_by_currency';
  const { settlements } = await scene.get(method, { currency, count: 1_000 });
  const expected = plain.log.filter(
    (entry) => entry.currency === currency && SETTLED.has(entry.type),
  );
  expect(settlements).toHaveLength(expected.length);
  const unit = unitOf(currency, ROUNDINGS_OF_ENTRY);
  for (const entry of expected) {
    const { side, amount, price: paid, cashflow, funding = NONE } = entry;
    const shown = settlements.find((one: Fields) => keyOf(one) === keyOfPlain(entry));
    const what = `of ${keyOfPlain(entry)}`;
    expect(shown?.position, `position ${what}`).toBe(
      amount.times(side === 'sell' ? -1 : 1).toFixed(),
    );
    expect(shown.mark_price, `price ${what}`).toBe(paid.toFixed());
    if (entry.type === 'delivery') expect(shown.index_price, what).toBe(paid.toFixed());
    expectSame(`session_profit_loss ${what}`, shown.session_profit_loss, cashflow, unit);
    expectSame(`profit_loss ${what}`, shown.profit_loss, cashflow.minus(funding), unit);
    expectSame(`funding ${what}`, shown.funding, funding, unit);
  }
}

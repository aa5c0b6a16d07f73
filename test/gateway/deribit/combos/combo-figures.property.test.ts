// What a trade of a combo is said to cost over Deribit's wire, against a second reckoning: prices of the legs, which add up and leave
// all marks but one, fees with the combo's discount, and positions and balance. Two and three legs, ratios to 3, both sides, both roles.
import { BigNumber } from 'bignumber.js';
import { afterEach, expect, test } from 'vitest';
import { ratio } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import { instrumentName } from '../../../../src/values/ids.ts';
import { instant } from '../../../../src/values/instant.ts';
import type { Instrument } from '../../../../src/values/instrument.ts';
import { type Rng, rng } from '../../../../src/values/rng.ts';
import { btcCall, btcPerpetual } from '../../../exchange/instruments.ts';
import { btcFuture, highCall, lowPut } from '../../../exchange/rfq/rfq-desk.ts';
import { cases } from '../../../support/cases.ts';
import { PlainAccount, type PlainContract } from '../../../support/reckoning/plain-account.ts';
import type { Fields } from '../../order-api/order-scene.ts';
import { DeribitScene, MAKER_LOGIN } from '../deribit-scene.ts';

interface Leg {
  readonly instrument: Instrument;
  /** Signed, as the combo has it. */
  readonly ratio: number;
  readonly mark: BigNumber;
}

const big = (value: BigNumber.Value): BigNumber => new BigNumber(value);
const total = (of: readonly BigNumber[]): BigNumber =>
  of.reduce((sum, one) => sum.plus(one), big(0));

/** On the grid of the option; below 0.0024 an eighth of the premium is less than the fee. */
const MARKS: readonly (readonly [Instrument, string, string, number])[] = [
  [btcCall, '0.01', '0.0005', 100],
  [highCall, '0.0005', '0.0001', 40],
  [lowPut, '0.001', '0.0001', 40],
];
const OPTION_RATE = '0.0003';

/** Makers of the one are paid, of the other they pay. */
const rebated: Instrument = { ...btcFuture, makerFee: ratio('-0.0001'), takerFee: ratio('0.0004') };
const charged: Instrument = {
  ...btcFuture,
  name: instrumentName('BTC-26MAR27'),
  expiresAt: instant(Date.UTC(2027, 2, 26, 8)),
  makerFee: ratio('0.0002'),
};
const FUTURES = [rebated, charged, btcPerpetual];
const FUTURE_RATES: Readonly<Record<string, Readonly<Record<'maker' | 'taker', string>>>> = {
  [rebated.name]: { maker: '-0.0001', taker: '0.0004' },
  [charged.name]: { maker: '0.0002', taker: '0.0005' },
  [btcPerpetual.name]: { maker: '0', taker: '0.0005' },
};
const HELD = [btcCall, highCall, lowPut, ...FUTURES];

const contractOf = ({ name, kind, option }: Instrument): PlainContract => ({
  name,
  kind: kind === 'option' ? 'option' : 'inverse_future',
  option: option && { type: option.type, strike: Number(option.strike) },
  currency: 'BTC',
  isInverse: true,
  rates: { maker: '0', taker: '0' },
  growth: kind === 'option' ? '0' : '0.00005',
});

let scene: DeribitScene;
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  await scene.close();
});

async function begun(): Promise<PlainAccount> {
  scene = new DeribitScene();
  const option = { index: '100000', mark: '0.01', min: '0.0001', max: '0.5', markIv: 0.5 };
  scene.rid.market.list(lowPut, { ...option, underlying: '101000' });
  const coin = { index: '100000', mark: '101000', min: '90000', max: '110000' };
  for (const future of [rebated, charged]) scene.rid.market.list(future, coin);
  await scene.rid.pass(1_500);
  const { balance } = await scene.get('private/get_account_summary', { currency: 'BTC' });
  const plain = new PlainAccount({ BTC: balance });
  for (const instrument of HELD) {
    plain.list(contractOf(instrument), { mark: '1', index: '1' });
  }
  return plain;
}

const steps = (from: string, step: string, times: number): BigNumber =>
  big(step).times(times).plus(from);

/** Two or three options, or two futures, now and then both bought; each leg's mark is set. */
async function combo(
  random: Rng,
  plain: PlainAccount,
): Promise<{ readonly name: string; readonly legs: readonly Leg[] }> {
  const isOfFutures = random.below(3) === 0;
  const marks = new Map<string, readonly [Instrument, BigNumber]>();
  for (const [instrument, from, step, most] of MARKS) {
    marks.set(instrument.name, [instrument, steps(from, step, random.below(most))]);
  }
  for (const future of FUTURES) {
    const { tickSize } = future;
    marks.set(future.name, [future, steps('99000', tickSize.toString(), random.below(800))]);
  }
  for (const [instrument, of] of marks.values()) {
    const prices = { mark: of.toFixed(), index: '100000', underlying: '101000' };
    scene.rid.market.move(instrument, prices);
    plain.reprice(instrument.name, prices);
  }
  await scene.rid.pass(1_500);
  const isOneSided = random.below(3) === 0;
  const leftOut = random.below(FUTURES.length);
  const chosen = isOfFutures
    ? FUTURES.filter((_, at) => at !== leftOut)
    : MARKS.slice(0, 2 + random.below(2)).map(([instrument]) => instrument);
  const trades = chosen.map((instrument, at) => ({
    instrument_name: instrument.name,
    amount: isOfFutures ? 10 : at === 1 ? 1 : 1 + random.below(3),
    direction: (isOfFutures ? at === 0 || isOneSided : random.below(2) === 0) ? 'buy' : 'sell',
  }));
  const { id: name, legs } = await scene.get('private/create_combo', { trades });
  return {
    name,
    legs: legs.map(({ instrument_name: of, amount }: Fields): Leg => {
      const [instrument, mark] = must(marks.get(of), 'a mark');
      return { instrument, mark, ratio: Number(amount) };
    }),
  };
}

/** Of the legs of which one unit is one of the combo, the dearest takes what the price is away from the marks. */
function pricesOf(legs: readonly Leg[], moved: BigNumber) {
  const single = legs.filter(({ ratio }) => Math.abs(ratio) === 1);
  const dearest = must(
    single.toSorted((one, other) => other.mark.comparedTo(one.mark) ?? 0)[0],
    'a leg of ratio 1',
  );
  const prices = legs.map((leg) => (leg === dearest ? leg.mark.plus(moved) : leg.mark));
  return { prices, sum: total(prices.map((price, at) => price.times(legs[at]?.ratio ?? 0))) };
}

interface Charged {
  readonly fee: BigNumber;
  readonly isBought: boolean;
}

/**
 * Of options the side that costs less is free; of futures the taker's cheapest leg, and the maker's rebates are halved. Legs that are
 * all bought, or sold, pay in full.
 */
function discounted(
  full: readonly Charged[],
  { isOfFutures, isMaker }: { readonly isOfFutures: boolean; readonly isMaker: boolean },
): readonly BigNumber[] {
  const fees = full.map(({ fee }) => fee);
  const sumOf = (side: boolean): BigNumber =>
    total(full.filter(({ isBought }) => isBought === side).map(({ fee }) => fee));
  if (new Set(full.map(({ isBought }) => isBought)).size < 2) return fees;
  if (isOfFutures && isMaker) {
    return fees.map((fee) => (fee.isNegative() ? fee.div(2).decimalPlaces(8) : fee));
  }
  if (isOfFutures) {
    const least = BigNumber.min(...fees);
    return fees.map((fee, at) => (at === fees.findIndex((one) => one.eq(least)) ? big(0) : fee));
  }
  const free = sumOf(true).isLessThan(sumOf(false));
  return full.map(({ fee, isBought }) => (isBought === free ? big(0) : fee));
}

test('legs of a combo have the prices, sizes and fees of its definition, and move positions and balance by them', async () => {
  const random = rng(`${process.env['TWAPD_SEED']} combos`);
  const plain = await begun();
  for (let at = 0; at < cases(25); at += 1) {
    const { name, legs } = await combo(random, plain);
    const isOfFutures = legs.some(({ instrument }) => instrument.kind !== 'option');
    const tick = isOfFutures ? '0.5' : '0.0001';
    const { prices, sum } = pricesOf(legs, big(tick).times(random.below(9)));
    const amount = isOfFutures
      ? big(10).times(1 + random.below(2_000))
      : big('0.1').times(1 + random.below(20));
    const side = random.below(2) === 0 ? 'buy' : 'sell';
    const other = side === 'buy' ? 'sell' : 'buy';
    const order = { instrument_name: name, amount: amount.toFixed(), price: sum.toFixed() };
    const isMaker = random.below(2) === 0;
    if (isMaker) await scene.get(`private/${side}`, order);
    await scene.get(`private/${other}`, order, MAKER_LOGIN);
    if (!isMaker) await scene.get(`private/${side}`, order);
    const query = { instrument_name: name, count: 1 };
    const { trades } = await scene.get('private/get_user_trades_by_instrument', query);
    const [trade] = trades;
    const what = `${side} ${order.amount} ${name} at ${order.price}`;
    const liquidity = isMaker ? 'maker' : 'taker';
    const full = legs.map(({ instrument, ratio }, leg): Charged => {
      const paid = must(prices[leg], 'a price');
      const size = amount.times(Math.abs(ratio));
      const isBought = ratio > 0 === (side === 'buy');
      const each = isOfFutures
        ? big(FUTURE_RATES[instrument.name]?.[liquidity] ?? 0).div(paid)
        : BigNumber.min(OPTION_RATE, paid.times('0.125'));
      return { fee: each.times(size).decimalPlaces(8), isBought };
    });
    const fees = discounted(full, { isOfFutures, isMaker });
    let profit = big(0);
    for (const [leg, { instrument, ratio }] of legs.entries()) {
      const shown = trade.legs[leg];
      const isBought = ratio > 0 === (side === 'buy');
      const fee = must(fees[leg], 'a fee');
      const size = amount.times(isOfFutures ? 1 : Math.abs(ratio)).toFixed();
      const paid = must(prices[leg], 'a price').toFixed();
      expect(shown.instrument_name, what).toBe(instrument.name);
      expect(shown.direction, what).toBe(isBought ? 'buy' : 'sell');
      expect(shown.amount, `${what}: amount of leg ${leg}`).toBe(size);
      expect(shown.price, `${what}: price of leg ${leg}`).toBe(paid);
      expect(shown.fee, `${what}: fee of leg ${leg}`).toBe(fee.toFixed());
      const fill = { side: isBought ? 'buy' : 'sell', amount: size, price: paid } as const;
      const before = plain.position(instrument.name).realised;
      plain.fill(instrument.name, { ...fill, liquidity, fee });
      profit = profit.plus(plain.position(instrument.name).realised).minus(before);
    }
    expect(trade.fee, `${what}: fee`).toBe(total(fees).toFixed());
    expectNear(`${what}: profit`, trade.profit_loss, profit, legs.length);
    await compareHeld(plain);
  }
});

async function compareHeld(plain: PlainAccount): Promise<void> {
  const { balance } = await scene.get('private/get_account_summary', { currency: 'BTC' });
  expectNear('balance', balance, plain.balance('BTC'));
  for (const { name } of HELD) {
    const shown = await scene.get('private/get_position', { instrument_name: name });
    const exact = plain.position(name);
    expect(shown.size, name).toBe(exact.size.toFixed());
    expectNear(`floating of ${name}`, shown.floating_profit_loss, exact.floating);
    expectNear(`margin of ${name}`, shown.initial_margin, exact.initialMargin);
    expectNear(`maintenance of ${name}`, shown.maintenance_margin, exact.maintenanceMargin);
  }
}

/** Profits of futures are paid in whole units of the last digit. */
function expectNear(what: string, shown: string, exact: BigNumber, payments = 2): void {
  const isNear = exact.minus(shown).abs().isLessThanOrEqualTo(big('1e-8').times(payments));
  expect(isNear, `${what}: ${shown} for ${exact.toFixed(10)}`).toBe(true);
}

// What a Block RFQ costs over Deribit's wire, against a second reckoning: fees of its legs for taker and maker, sides, marks and
// balances, bought and sold, for structures of options with ratios, of futures, and in USDC.
import { BigNumber } from 'bignumber.js';
import { afterEach, expect, test } from 'vitest';
import { must } from '../../../../src/values/assert.ts';
import type { Instrument } from '../../../../src/values/instrument.ts';
import { type Rng, rng } from '../../../../src/values/rng.ts';
import { btcCall, btcPerpetual, btcUsdcPerpetual } from '../../../exchange/instruments.ts';
import { btcFuture, highCall, lowPut } from '../../../exchange/rfq/rfq-desk.ts';
import { cases } from '../../../support/cases.ts';
import type { Fields } from '../../order-api/order-scene.ts';
import { DeribitScene, MAKER_LOGIN, TAKER_LOGIN } from '../deribit-scene.ts';

const big = (value: BigNumber.Value): BigNumber => new BigNumber(value);
const total = (of: readonly BigNumber[]): BigNumber =>
  of.reduce((sum, one) => sum.plus(one), big(0));
type Side = 'buy' | 'sell';
const OTHER: Readonly<Record<Side, Side>> = { buy: 'sell', sell: 'buy' };
const GRACE_MS = 5_000;

interface Shape {
  readonly legs: readonly Instrument[];
  /** The smallest block, and what its size is a multiple of. */
  readonly amount: number;
  readonly from: string;
  readonly tick: string;
  readonly most: number;
}

const OPTIONS = { amount: 25, from: '0.0005', tick: '0.0001', most: 45 } as const;
const SHAPES: readonly Shape[] = [
  { legs: [btcCall, highCall], ...OPTIONS },
  { legs: [btcCall, lowPut, highCall], ...OPTIONS },
  { legs: [btcFuture, btcPerpetual], amount: 200_000, from: '99000', tick: '0.5', most: 4_000 },
  { legs: [btcUsdcPerpetual], amount: 3, from: '99000', tick: '0.5', most: 4_000 },
];

/** Half the book's commission of a taker, none of a maker; options as in the book, at most an eighth of the premium. */
function feeOf(
  { kind, settlement }: Instrument,
  size: BigNumber,
  paid: BigNumber,
  isTaker: boolean,
) {
  if (kind === 'option') {
    return BigNumber.min('0.0003', paid.times('0.125')).times(size).decimalPlaces(8);
  }
  const value = settlement === 'BTC' ? size.div(paid) : size.times(paid);
  return value.times(isTaker ? '0.00025' : 0).decimalPlaces(settlement === 'BTC' ? 8 : 6);
}

let scene: DeribitScene;
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  await scene.close();
});

async function begun(): Promise<void> {
  scene = new DeribitScene();
  const option = { index: '100000', mark: '0.01', min: '0.0001', max: '0.5', markIv: 0.5 };
  scene.rid.market.list(lowPut, { ...option, underlying: '104000' });
  const coin = { index: '100000', mark: '101000', min: '90000', max: '110000' };
  scene.rid.market.list(btcFuture, coin);
  await scene.rid.pass(1_500);
}

interface Priced {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly ratio: number;
  readonly price: BigNumber;
  readonly mark: BigNumber;
}

async function structure(
  random: Rng,
  { legs, from, tick, most }: Shape,
): Promise<readonly Priced[]> {
  const drawn = (): BigNumber => big(tick).times(random.below(most)).plus(from);
  const priced = legs.map((instrument, at): Priced => {
    const isOption = instrument.kind === 'option';
    const ratio = at === 1 && isOption ? 2 : 1;
    const side = (isOption ? random.below(2) : at) === 0 ? 'buy' : 'sell';
    return { instrument, side, ratio, price: drawn(), mark: drawn() };
  });
  for (const { instrument, mark } of priced) {
    scene.rid.market.move(instrument, { mark: mark.toFixed() });
  }
  await scene.rid.pass(1_500);
  return priced;
}

async function balanceOf(currency: string, as: typeof TAKER_LOGIN): Promise<BigNumber> {
  return big((await scene.get('private/get_account_summary', { currency }, as)).balance);
}

test('the legs of a block have the sides, prices and fees of its definition, and its mark is that of the legs', async () => {
  const random = rng(`${process.env['TWAPD_SEED']} blocks`);
  for (let at = 0; at < cases(12); at += 1) {
    await begun();
    const shape = must(SHAPES[at % SHAPES.length], 'a shape');
    const legs = await structure(random, shape);
    const side: Side = random.below(2) === 0 ? 'buy' : 'sell';
    const amount = shape.amount * (1 + random.below(2));
    const sum = (of: (leg: Priced) => BigNumber): BigNumber =>
      total(legs.map((leg) => of(leg).times(leg.side === 'buy' ? leg.ratio : -leg.ratio)));
    const named = legs.map((leg) => ({
      instrument_name: leg.instrument.name,
      direction: leg.side,
    }));
    const rfq = await scene.get('private/create_block_rfq', {
      legs: named.map((leg, n) => ({ ...leg, amount: amount * (legs[n]?.ratio ?? 0) })),
    });
    const [seen] = (await scene.get('private/get_block_rfqs', {}, MAKER_LOGIN)).block_rfqs;
    const ratios = named.map((leg, n) => ({ ...leg, ratio: legs[n]?.ratio }));
    await scene.get(
      'private/add_block_rfq_quote',
      {
        block_rfq_id: Number(seen.block_rfq_id),
        amount,
        direction: OTHER[side],
        legs: ratios.map((leg, n) => ({ ...leg, price: legs[n]?.price.toFixed() })),
      },
      MAKER_LOGIN,
    );
    await scene.rid.pass(GRACE_MS);
    const currency = must(legs[0], 'a leg').instrument.settlement;
    const before = [await balanceOf(currency, TAKER_LOGIN), await balanceOf(currency, MAKER_LOGIN)];
    await scene.get('private/accept_block_rfq', {
      block_rfq_id: rfq.block_rfq_id,
      amount,
      direction: side,
      legs: ratios,
      price: sum(({ price }) => price).toFixed(),
      time_in_force: 'fill_or_kill',
    });
    const what = `${side} ${amount} of ${legs.map((leg) => `${leg.side} ${leg.ratio} ${leg.instrument.name}`)}`;
    for (const [n, as] of [TAKER_LOGIN, MAKER_LOGIN].entries()) {
      const isTaker = as === TAKER_LOGIN;
      const query = { currency, count: legs.length, sorting: 'asc' };
      const { trades } = await scene.get('private/get_user_trades_by_currency', query, as);
      let moved = big(0);
      for (const leg of legs) {
        const { instrument, price, mark } = leg;
        const shown = trades.find((one: Fields) => one.instrument_name === instrument.name);
        const size = big(amount).times(leg.ratio);
        const takers = side === 'buy' ? leg.side : OTHER[leg.side];
        const own = isTaker ? takers : OTHER[takers];
        const fee = feeOf(instrument, size, price, isTaker);
        expect(shown?.direction, `${what}: side of ${instrument.name}`).toBe(own);
        expect(shown.amount, `${what}: amount`).toBe(size.toFixed());
        expect(shown.price, `${what}: price`).toBe(price.toFixed());
        expect(shown.mark_price, `${what}: mark`).toBe(mark.toFixed());
        expect(shown.fee, `${what}: fee of ${instrument.name}`).toBe(fee.toFixed());
        const premium = instrument.kind === 'option' ? price.times(size) : big(0);
        moved = moved.plus(premium.times(own === 'buy' ? -1 : 1)).minus(fee);
      }
      const after = await balanceOf(currency, as);
      expect(after.minus(before[n] ?? 0).toFixed(), `${what}: balance`).toBe(moved.toFixed());
    }
    const mark = sum((leg) => leg.mark);
    const [own] = (await scene.get('private/get_block_rfqs', { state: 'filled' })).block_rfqs;
    expect(own.mark_price, `${what}: mark of the RFQ`).toBe(mark.toFixed());
    const tape = await scene.get('public/get_block_rfq_trades', { currency });
    expect(tape.block_rfqs[0].mark_price, `${what}: mark on the tape`).toBe(mark.toFixed());
    expect(tape.block_rfqs[0].direction, what).toBe(side);
    await scene.close();
  }
  await begun();
});

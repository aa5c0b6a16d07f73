import { describe, expect, it } from 'vitest';
import { ExecutionCost, slippageFault } from '../../../../src/core/risk/gate/execution-cost.ts';
import type { SeenTrade } from '../../../../src/core/risk/gate/seen-at-venue.ts';
import { comboInstrument } from '../../../../src/exchange/combos/combo-terms.ts';
import { money, price, quantity, text } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import {
  childLabel,
  deploymentId,
  instrumentName,
  portfolioId,
} from '../../../../src/values/ids.ts';
import { DAY_MS, later } from '../../../../src/values/instant.ts';
import { btcUsdcPerpetual, btcUsdcPut } from '../../../exchange/instruments.ts';
import { NOON, option, perpetual, spot } from '../../../support/engine/markets.ts';

const DRIFT = { windowMs: 60_000, bps: 100, optionBps: 10_000 };

const label = (leg = 0): string =>
  childLabel({
    deployment: deploymentId('test'),
    portfolio: portfolioId('7000'),
    leg,
    slice: 1,
    attempt: 1,
  });

const FUTURE = perpetual({ name: instrumentName('BTC-27MAR26'), kind: 'future' });
const FUTURES = comboInstrument('BTC-FS-27MAR26_PERP', [
  { of: FUTURE, ratio: 1 },
  { of: perpetual(), ratio: -1 },
]);
const HIGH = option({ name: instrumentName('BTC-27MAR26-110000-C') });
const CALLS = comboInstrument('BTC-CS-27MAR26-100000_110000', [
  { of: option(), ratio: 1 },
  { of: HIGH, ratio: -1 },
]);

let trades = 0;
const trade = (change: Partial<SeenTrade> = {}): SeenTrade => {
  trades += 1;
  return {
    tradeId: `t${trades}`,
    key: 'a',
    label: label(),
    instrument: spot(),
    side: 'buy',
    price: price('100000'),
    quantity: quantity('1'),
    markPrice: price('100000'),
    at: NOON,
    ...change,
  };
};

describe('PT-2, the fills of a leg over a period', () => {
  it.each([
    ['100000', 'fine'],
    ['101999', 'fine'],
    ['102000', 'fine'],
    ['102001', 'drifted'],
    ['98000', 'fine'],
    ['97999', 'drifted'],
  ])('fills at the mark of 100000 and at %s within 1 %% are %s', (at, expected) => {
    const cost = new ExecutionCost();
    expect(cost.traded(trade(), DRIFT)).toBeUndefined();
    const fault = cost.traded(trade({ price: price(at) }), DRIFT);
    expect(fault === undefined ? 'fine' : 'drifted').toBe(expected);
  });

  it("fills beyond the window are dropped, while the leg's arrival price is kept", () => {
    const cost = new ExecutionCost();
    cost.traded(trade(), DRIFT);
    const lateAt = later(NOON, 60_000);
    const far = { limit: '1000', input: '1500' };
    const late = trade({ price: price('101500'), at: lateAt });
    expect(cost.traded(late, DRIFT)?.fault).toMatchObject(far);
    const more = trade({ price: price('101700'), quantity: quantity('3'), at: lateAt });
    expect(cost.traded(more, DRIFT)?.fault).toMatchObject({ ...far, input: '1650' });
  });

  it('manual orders are not checked, and options have more room', () => {
    const cost = new ExecutionCost();
    expect(cost.traded(trade({ label: 'mine', price: price('200000') }), DRIFT)).toBeUndefined();
    const instrument = option();
    const terms = { instrument, markPrice: price('0.01') };
    expect(cost.traded(trade({ ...terms, price: price('0.02') }), DRIFT)).toBeUndefined();
    expect(cost.traded(trade({ ...terms, price: price('0.0205') }), DRIFT)).toBeDefined();
  });
});

describe('the fills of a combo, whose arrival price may be negative', () => {
  const verdict = (change: Partial<SeenTrade>, at: string): string => {
    const cost = new ExecutionCost();
    cost.traded(trade({ ...change, price: must(change.markPrice, 'a mark') }), DRIFT);
    return cost.traded(trade({ ...change, price: price(at) }), DRIFT) === undefined
      ? 'fine'
      : 'drifted';
  };

  // One percent of the index for each of two legs is 2 000; the average moves half as far as the second fill.
  it.each([
    ['-500', '3499', 'fine'],
    ['-500', '3501', 'drifted'],
    ['-500', '-4499', 'fine'],
    ['-500', '-4501', 'drifted'],
    ['0', '4000', 'fine'],
    ['0', '4001', 'drifted'],
  ])('a spread of futures that arrived at %s and fills at %s is %s', (mark, at, expected) => {
    const of = { instrument: FUTURES, markPrice: price(mark), indexPrice: price('100000') };
    expect(verdict(of, at)).toBe(expected);
  });

  it.each([
    ['-0.01', '0.0099', 'fine'],
    ['-0.01', '0.0101', 'drifted'],
    // At least one tick for each of two options.
    ['0', '0.0004', 'fine'],
    ['0', '-0.0005', 'drifted'],
  ])('a spread of options that arrived at %s and fills at %s is %s', (mark, at, expected) => {
    expect(verdict({ instrument: CALLS, markPrice: price(mark) }, at)).toBe(expected);
  });
});

describe('PT-20, the cost of execution per day', () => {
  const costOf = (change: Partial<SeenTrade>): string => {
    const cost = new ExecutionCost();
    cost.traded(trade(change), undefined);
    return text(cost.lossUsd(NOON));
  };

  // Instrument, size, mark and price; the index is 90 000 USD.
  it.each([
    ['spot', spot(), '2', '100000', '100100', '200'],
    ['a linear perpetual', btcUsdcPerpetual, '0.5', '100000', '100100', '50'],
    ['a perpetual in coin, at the mark', perpetual(), '1000', '100000', '100100', '1'],
    ['an option in coin, at the index', option(), '3', '0.01', '0.011', '270'],
    ['an option in USDC', btcUsdcPut, '2', '480', '500', '40'],
    ['a spread of futures in coin, at the index', FUTURES, '900', '-500', '-480', '0.2'],
    ['a spread of options in coin, at the index', CALLS, '2', '-0.01', '-0.009', '180'],
  ])(
    'a buyer of %s loses what was paid above the mark, and a seller receives it',
    (_what, instrument, size, mark, paid, usd) => {
      const of = {
        instrument,
        quantity: quantity(size),
        markPrice: price(mark),
        price: price(paid),
        indexPrice: price('90000'),
      };
      expect(costOf(of)).toBe(usd);
      expect(costOf({ ...of, side: 'sell' })).toBe(`-${usd}`);
    },
  );

  it('without an index an option counts at its strike, and a spread of futures not at all', () => {
    const premium = { instrument: option(), markPrice: price('0.01'), price: price('0.011') };
    expect(costOf(premium)).toBe('100');
    expect(costOf({ instrument: FUTURES, markPrice: price('-500'), price: price('-480') })).toBe(
      '0',
    );
  });

  it('the cost restarts at midnight UTC', () => {
    const cost = new ExecutionCost();
    cost.traded(trade({ price: price('100100') }), undefined);
    expect(text(cost.lossUsd(later(NOON, DAY_MS / 2 - 1)))).toBe('100');
    expect(text(cost.lossUsd(later(NOON, DAY_MS / 2)))).toBe('0');
  });

  it.each([
    ['-5', false],
    ['999.99', false],
    ['1000', false],
    ['1000.01', true],
  ])('a loss of %s USD with a limit of 1000 stops new orders: %s', (loss, isFault) => {
    expect(slippageFault(money(loss), money('1000')) !== undefined).toBe(isFault);
    expect(slippageFault(money(loss), undefined)).toBeDefined();
  });
});

import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import { price, text, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency } from '../../../src/values/ids.ts';
import { ALICE, accepted, Desk, options, START } from '../exchange-desk.ts';
import { btcCall, btcPerpetual, btcSpot, btcUsdcPerpetual, btcUsdcPut } from '../instruments.ts';
import { RandomDay } from '../random-day.ts';

const summaryOf = (desk: Desk, of: string) =>
  must(desk.exchange.summary(ALICE, currency(of)), 'a summary');

const shown = (desk: Desk, of: string, ...names: (keyof ReturnType<typeof summaryOf>)[]) =>
  names.map((name) => text(summaryOf(desk, of)[name] as never));

function greeks(desk: Desk, mark: string, index: string): void {
  desk.do({
    kind: 'set_reference',
    now: desk.now,
    instrument: desk.name,
    index: price(index),
    mark: price(mark),
    underlying: price(index),
    markIv: 0.5,
    greeks: { delta: 0.5, gamma: 0.00002, vega: 120, theta: -30, rho: 10 },
  });
}

describe('account summary', () => {
  it('an account with cash only has its balance as equity', () => {
    const desk = new Desk(btcPerpetual);
    expect(
      shown(desk, 'BTC', 'balance', 'equity', 'availableFunds', 'initialMargin', 'deltaTotal'),
    ).toEqual(['100', '100', '100', '0', '0']);
    expect(shown(desk, 'XRP', 'balance', 'equity')).toEqual(['0', '0']);
  });

  it('a perpetual adds margin by size, profit since the last settlement and its delta', () => {
    const desk = new Desk(btcPerpetual);
    desk.quotes([], [['100000', '1000000']]);
    accepted(desk.place(ALICE, 'buy', { price: '100000', quantity: '1000000' }));
    desk.reference('80000');
    // 10 BTC at 100 000 are 12.5 at 80 000: a loss of 2.5, and 0.005 in fees.
    expect(shown(desk, 'BTC', 'balance', 'sessionUnrealised', 'equity', 'deltaTotal')).toEqual([
      '99.995',
      '-2.5',
      '97.495',
      '12.5',
    ]);
    // 12.5 × (2 % + 12.5 × 0.005 %), and of 1 % with the same growth.
    expect(shown(desk, 'BTC', 'initialMargin', 'maintenanceMargin', 'availableFunds')).toEqual([
      '0.2578125',
      '0.1328125',
      '97.2371875',
    ]);
  });

  it('option value is not part of the margin balance, and a short option is margined with its mark price', () => {
    const desk = new Desk(btcCall);
    greeks(desk, '0.05', '100000');
    desk.quotes([['0.05', '2']], []);
    accepted(desk.place(ALICE, 'sell', { price: '0.05', quantity: '2' }));
    // 0.1 of premium, 0.0006 in fees.
    expect(shown(desk, 'BTC', 'balance', 'optionsValue', 'equity', 'marginBalance')).toEqual([
      '100.0994',
      '-0.1',
      '99.9994',
      '100.0994',
    ]);
    // At the money: initial 2 × (0.15 + 0.05), maintenance 2 × (0.075 + 0.05).
    expect(shown(desk, 'BTC', 'initialMargin', 'maintenanceMargin')).toEqual(['0.4', '0.25']);
    // −2 × (0.5 − 0.05): an option priced in coin is itself coin.
    expect(shown(desk, 'BTC', 'deltaTotal', 'optionsGamma', 'optionsVega', 'optionsTheta')).toEqual(
      ['-0.9', '-0.00004', '-240', '60'],
    );
    const [view] = desk.exchange.openPositions(ALICE);
    expect(toNumber(must(view, 'a view').delta)).toBe(-1);
  });

  it('a long option is paid for and needs no margin', () => {
    const desk = new Desk(btcUsdcPut);
    greeks(desk, '5000', '100000');
    desk.quotes([], [['5000', '1']]);
    accepted(desk.place(ALICE, 'buy', { price: '5000', quantity: '1' }));
    accepted(desk.place(ALICE, 'buy', { price: '4000', quantity: '1' }));
    expect(shown(desk, 'USDC', 'optionsValue', 'maintenanceMargin', 'deltaTotal')).toEqual([
      '5000',
      '0',
      '0.5',
    ]);
    // Reserved for the open order: 4 000 and a fee of 0.03 % of the underlying.
    expect(shown(desk, 'USDC', 'initialMargin', 'spotReserve')).toEqual(['4030', '0']);
  });

  it('the profit of the session that options made includes closed ones, and not that of futures', () => {
    const desk = new Desk(btcCall);
    greeks(desk, '0.05', '100000');
    desk.quotes([], [['0.05', '2']]);
    accepted(desk.place(ALICE, 'buy', { price: '0.05', quantity: '2' }));
    desk.quotes([['0.06', '2']], []);
    accepted(desk.place(ALICE, 'sell', { price: '0.06', quantity: '2' }));
    const perpetual = new Desk(btcPerpetual, desk.exchange);
    perpetual.quotes([['100000', '100000']], [['100000.5', '100000']]);
    accepted(perpetual.place(ALICE, 'buy', { price: '100000.5', quantity: '100000' }));
    accepted(perpetual.place(ALICE, 'sell', { price: '100000', quantity: '100000' }));
    expect(shown(desk, 'BTC', 'sessionRealised', 'optionsSessionRealised')).toEqual([
      '0.019995',
      '0.02',
    ]);
  });

  it('open spot orders reserve the currency they spend', () => {
    const desk = new Desk(btcSpot);
    accepted(desk.place(ALICE, 'buy', { price: '90000', quantity: '1' }));
    accepted(desk.place(ALICE, 'sell', { price: '110000', quantity: '3' }));
    expect(shown(desk, 'USDC', 'spotReserve', 'availableFunds', 'equity')).toEqual([
      '90000',
      '4910000',
      '5000000',
    ]);
    expect(shown(desk, 'BTC', 'spotReserve', 'availableFunds')).toEqual(['3', '97']);
  });

  it('an account below its maintenance margin is shown as such until a round of its liquidation', () => {
    const desk = new Desk(btcUsdcPerpetual);
    desk.quotes([], [['100000', '400']]);
    accepted(desk.place(ALICE, 'buy', { price: '100000', quantity: '400' }));
    // Nobody buys: no round can close anything.
    desk.reference('87600');
    const { marginBalance, maintenanceMargin } = summaryOf(desk, 'USDC');
    expect(toNumber(marginBalance)).toBeLessThan(toNumber(maintenanceMargin));
    expect(shown(desk, 'USDC', 'availableFunds')).toEqual(['0']);
    expect(desk.position(ALICE)).toBe('400');
  });
});

describe('a position', () => {
  it('a position shows what its open orders add to its margin', () => {
    const desk = new Desk(btcPerpetual);
    desk.quotes([], [['100000', '100000']]);
    desk.reference('100000');
    accepted(desk.place(ALICE, 'buy', { price: '100000', quantity: '100000' }));
    accepted(desk.place(ALICE, 'buy', { price: '99000', quantity: '100000' }));
    accepted(desk.place(ALICE, 'sell', { price: '101000', quantity: '100000' }));
    const [view] = desk.exchange.openPositions(ALICE);
    const { initialMargin, openOrdersMargin, delta, averagePrice } = must(view, 'a view');
    // 1 BTC: 2.005 %; two of them 2 × 2.01 %.
    expect([initialMargin, openOrdersMargin, delta, averagePrice].map((one) => text(one))).toEqual([
      '0.02005',
      '0.02015',
      '1',
      '100000',
    ]);
  });
});

describe('a random day of trading', () => {
  it.each(['mon', 'tue'])('the fields of every summary are consistent (%s)', (seed) => {
    const exchange = new Exchange(options());
    const day = new RandomDay(seed);
    for (let i = 0; i < 800; i += 1) {
      const answer = exchange.handle(day.next());
      if (answer.kind === 'order') day.sawOrder(answer.order);
      if (i % 20 > 0) continue;
      for (const code of ['BTC', 'ETH', 'USDC']) {
        const summary = must(exchange.summary(ALICE, currency(code)), 'a summary');
        const { equity, marginBalance, optionsValue, initialMargin, spotReserve } = summary;
        const unit = 2e-6;
        expect(equity.minus(optionsValue).toNumber()).toBeCloseTo(marginBalance.toNumber(), 5);
        const free = marginBalance.minus(initialMargin).minus(spotReserve).toNumber();
        expect(Math.abs(summary.availableFunds.toNumber() - Math.max(0, free))).toBeLessThan(unit);
        const funds = must(exchange.availableFunds(ALICE, currency(code)), 'funds').toNumber();
        expect(Math.abs(funds - free)).toBeLessThan(unit);
        expect(summary.maintenanceMargin.lte(initialMargin)).toBe(true);
      }
    }
    expect(exchange.now).toBeGreaterThan(START);
  });
});

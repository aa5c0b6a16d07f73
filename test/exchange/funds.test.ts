import { describe, expect, it } from 'vitest';
import { Exchange } from '../../src/exchange/exchange.ts';
import { money, text } from '../../src/values/amounts.ts';
import { currency } from '../../src/values/ids.ts';
import { BUYER, ComboDesk, denied, ordered, STRADDLE } from './combos/combo-desk.ts';
import { ALICE, accepted, BOB, Desk, options, refused } from './exchange-desk.ts';
import { btcCall, btcPerpetual, btcSpot, btcUsdcPerpetual } from './instruments.ts';

const fundsOf = (desk: Desk, of: string): string => {
  const funds = desk.exchange.availableFunds(ALICE, currency(of));
  return funds === undefined ? 'none' : text(funds);
};

describe('spot funds', () => {
  it('a spot trade moves both balances and creates no position', () => {
    const desk = new Desk(btcSpot);
    desk.quotes([], [['100000', '1']]);
    const { trades } = accepted(desk.place(ALICE, 'buy', { price: '100000', quantity: '1' }));
    expect([desk.balance(ALICE, 'BTC'), desk.balance(ALICE, 'USDC')]).toEqual(['101', '4900000']);
    expect(trades[0]?.profitLoss.isZero()).toBe(true);
    expect(desk.exchange.positions(ALICE)).toEqual([]);
  });

  it('the same balance cannot be sold or spent twice', () => {
    const desk = new Desk(btcSpot);
    accepted(desk.place(ALICE, 'sell', { price: '200000', quantity: '99.9999' }));
    expect(
      refused(desk.place(ALICE, 'sell', { price: '200000', quantity: '0.0002' })),
    ).toMatchObject({ code: 10039, message: 'not_enough_funds_in_currency BTC' });
    accepted(desk.place(ALICE, 'buy', { price: '100000', quantity: '50' }));
    const more = desk.place(ALICE, 'buy', { price: '1', quantity: '0.0001' });
    expect(refused(more).message).toBe('not_enough_funds_in_currency USDC');
  });

  it('cancelling or reducing an order releases its reservation', () => {
    const desk = new Desk(btcSpot);
    const { order } = accepted(desk.place(ALICE, 'buy', { price: '100000', quantity: '50' }));
    expect(fundsOf(desk, 'USDC')).toBe('0');
    desk.edit(ALICE, order.orderId, { quantity: '20' });
    expect(fundsOf(desk, 'USDC')).toBe('3000000');
    desk.edit(ALICE, order.orderId, { price: '50000' });
    expect(fundsOf(desk, 'USDC')).toBe('4000000');
    desk.cancel(ALICE, order.orderId);
    expect(fundsOf(desk, 'USDC')).toBe('5000000');
  });

  it('the newest reserving orders are cancelled when losses elsewhere reduce the balance', () => {
    const spot = new Desk(btcSpot);
    const perpetual = new Desk(btcUsdcPerpetual, spot.exchange);
    perpetual.quotes([['90000', '20']], [['100000', '20']]);
    perpetual.place(ALICE, 'buy', { price: '100000', quantity: '20' });
    const older = accepted(spot.place(ALICE, 'buy', { price: '99000', quantity: '30' })).order;
    const newer = accepted(spot.place(ALICE, 'buy', { price: '99000', quantity: '19' })).order;
    perpetual.place(ALICE, 'sell', { price: '90000', quantity: '20' });
    expect(spot.order(ALICE, older.orderId).state).toBe('open');
    expect(spot.order(ALICE, newer.orderId)).toMatchObject({
      state: 'cancelled',
      cancelReason: 'risk_mitigation',
    });
  });
});

describe('margin', () => {
  it('a perpetual requires 2 % of its value at the mark price, plus half a percent per 100 BTC', () => {
    const desk = new Desk(btcPerpetual);
    desk.reference('100000');
    // 1 000 BTC × (2 % + 1 000 × 0.005 %) = 70 BTC
    accepted(desk.place(ALICE, 'buy', { price: '99000', quantity: '100000000' }));
    expect(fundsOf(desk, 'BTC')).toBe('30');
    // x × (0.02 + 0.00005 x) = 100 at x = 1 228.285…
    expect(refused(desk.place(ALICE, 'buy', { price: '99000', quantity: '22828580' })).code).toBe(
      10009,
    );
    accepted(desk.place(ALICE, 'buy', { price: '99000', quantity: '22828560' }));
    expect(
      accepted(desk.place(ALICE, 'sell', { price: '101000', quantity: '100000000' })).order.state,
    ).toBe('open');
  });

  it('a position can be reduced without the funds for its initial margin, as long as it is not liquidated', () => {
    const desk = new Desk(btcPerpetual);
    desk.quotes([], [['100000', '100000000']]);
    desk.place(ALICE, 'buy', { price: '100000', quantity: '100000000' });
    // Below the initial margin of about 74 BTC, above the maintenance margin of about 64.
    desk.reference('96800');
    expect(Number(fundsOf(desk, 'BTC'))).toBeLessThan(0);
    expect(refused(desk.place(ALICE, 'buy', { price: '96800', quantity: '10' })).code).toBe(10009);
    accepted(desk.place(ALICE, 'sell', { price: '96800', quantity: '100000000' }));
  });

  it('the open profit of a future at the mark price counts as funds', () => {
    const desk = new Desk(btcUsdcPerpetual);
    desk.quotes([], [['100000', '10']]);
    desk.place(ALICE, 'buy', { price: '100000', quantity: '10' });
    desk.reference('110000');
    // 5 000 000 − taker fee 500 + profit 100 000 − (2 % + 10 × 0.005 %) of 1 100 000
    expect(fundsOf(desk, 'USDC')).toBe('5076950');
  });

  it("an option's premium is paid at once, and reserved for open orders", () => {
    const desk = new Desk(btcCall);
    desk.quotes([], [['0.05', '10']]);
    accepted(desk.place(ALICE, 'buy', { price: '0.05', quantity: '20' }));
    // 10 × 0.05 and the fee of 10 × 0.0003 are paid; the same amount is reserved for the remainder.
    expect(desk.balance(ALICE, 'BTC')).toBe('99.497');
    expect(fundsOf(desk, 'BTC')).toBe('98.994');
  });

  it.each([
    ['the margin of other orders is not spent on a premium', btcCall, '0.05', '597', '596'],
    ['the margin of other orders is not spent on coins', btcSpot, '1', '30.0001', '30'],
  ] as const)('%s', (_, of, at, tooMuch, enough) => {
    const desk = new Desk(btcPerpetual);
    desk.reference('100000');
    // 1 000 BTC × (2 % + 1 000 × 0.005 %) = 70 BTC, of 100.
    accepted(desk.place(ALICE, 'buy', { price: '99000', quantity: '100000000' }));
    const other = new Desk(of, desk.exchange);
    const side = of === btcSpot ? 'sell' : 'buy';
    const code = of === btcSpot ? 10039 : 10009;
    // A call costs 0.05 and 0.0003.
    expect(refused(other.place(ALICE, side, { price: at, quantity: tooMuch })).code).toBe(code);
    accepted(other.place(ALICE, side, { price: at, quantity: enough }));
  });

  it('a premium is paid in cash: open profit of a future is none, for an option and for a combo', () => {
    const combos = new ComboDesk();
    const perpetual = combos.at(btcPerpetual);
    // 100 BTC at 50 000, now worth 50 BTC more: 150 BTC less a margin of 1.25 and the fee of 0.05.
    perpetual.quotes([], [['50000', '5000000']]);
    ordered(perpetual.place(BUYER, 'buy', { price: '50000', quantity: '5000000' }));
    perpetual.reference('100000');
    const BTC = currency('BTC');
    expect(Number(combos.exchange.availableFunds(BUYER, BTC))).toBeGreaterThan(140);
    const call = combos.at(btcCall);
    // 2 000 × 0.0503 = 100.6 BTC, and 99.95 are there.
    expect(denied(call.place(BUYER, 'buy', { price: '0.05', quantity: '2000' })).code).toBe(10009);
    const straddle = combos.book(STRADDLE);
    // 1 110 × 0.0906 = 100.566.
    const terms = { price: '0.09', quantity: '1110' };
    expect(denied(straddle.place(BUYER, 'buy', terms)).code).toBe(10009);
    ordered(straddle.place(BUYER, 'buy', { ...terms, quantity: '1100' }));
  });

  it('a short option requires 15 % of the underlying less the out-of-the-money part, at least 10 %, and its mark', () => {
    const desk = new Desk(btcCall);
    desk.reference('0.05', { index: '97000' });
    desk.place(ALICE, 'sell', { price: '0.06', quantity: '1' });
    const outOfMoney = 100_000 / 97_000 - 1;
    expect(Number(fundsOf(desk, 'BTC'))).toBeCloseTo(100 - (0.15 - outOfMoney) - 0.05, 12);
    desk.reference('0.01', { index: '50000' });
    expect(fundsOf(desk, 'BTC')).toBe('99.89');
  });
});

describe('a small account', () => {
  it('an account cannot pay more than it has', () => {
    const balances = new Map([[currency('USDC'), money('150')]]);
    const accounts = [{ account: ALICE, balances }, ...options().accounts.slice(1)];
    const desk = new Desk(btcSpot, new Exchange({ ...options(), accounts }));
    desk.place(BOB, 'sell', { price: '100000', quantity: '1' });
    expect(refused(desk.place(ALICE, 'buy', { price: '100000', quantity: '0.0016' })).code).toBe(
      10039,
    );
    accepted(desk.place(ALICE, 'buy', { price: '100000', quantity: '0.0015' }));
    expect([desk.balance(ALICE, 'USDC'), desk.balance(ALICE, 'BTC')]).toEqual(['0', '0.0015']);
  });
});

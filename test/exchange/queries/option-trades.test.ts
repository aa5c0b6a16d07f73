import { describe, expect, it } from 'vitest';
import type { ExchangeTrade } from '../../../src/exchange/order.ts';
import type { OptionTerms } from '../../../src/quant/black-76.ts';
import { yearFraction } from '../../../src/quant/year-fraction.ts';
import { text, toNumber } from '../../../src/values/amounts.ts';
import { livePrice } from '../../support/live-option.ts';
import { ALICE, accepted, BOB, Desk, START } from '../exchange-desk.ts';
import { btcCall, btcPerpetual, btcUsdcPut, EXPIRY } from '../instruments.ts';

const FORWARD = 104_000;
const surroundings = { index: '100000', underlying: `${FORWARD}`, markIv: 0.55 };
const years = yearFraction(EXPIRY - START);

/** Alice buys one from Bob at `at`. */
function tradeAt(desk: Desk, at: string): ExchangeTrade {
  accepted(desk.place(BOB, 'sell', { price: at, quantity: '1' }));
  const { trades } = accepted(desk.place(ALICE, 'buy', { price: at, quantity: '1' }));
  const [trade] = trades;
  if (trade === undefined) throw new Error('the two orders meet');
  return trade;
}

const valueAt = (terms: Pick<OptionTerms, 'type'>, volatility: number | undefined): number =>
  livePrice({ ...terms, forward: FORWARD, strike: 100_000, years }, volatility ?? Number.NaN);

describe('option trades', () => {
  it.each(['0.08', '0.1', '0.15'])(
    'a trade has the implied volatility of its own price: %s coin',
    (at) => {
      const desk = new Desk(btcCall);
      desk.reference('0.09', surroundings);
      const trade = tradeAt(desk, at);
      expect(valueAt({ type: 'call' }, trade.iv) / FORWARD).toBeCloseTo(toNumber(trade.price), 4);
      expect(trade).toMatchObject({ underlyingPrice: expect.anything(), feeCurrency: 'BTC' });
      expect(trade.underlyingPrice && text(trade.underlyingPrice)).toBe('104000');
    },
  );

  it('the implied volatility of a linear option is computed from its price in dollars', () => {
    const desk = new Desk(btcUsdcPut);
    desk.reference('5000', surroundings);
    const trade = tradeAt(desk, '6000');
    expect(Math.abs(valueAt({ type: 'put' }, trade.iv) - 6000)).toBeLessThan(2);
  });

  it('a trade below the exercise value has the mark volatility', () => {
    const desk = new Desk(btcCall);
    desk.reference('0.09', surroundings);
    expect(tradeAt(desk, '0.0380').iv).toBe(0.55);
  });

  it('a trade without a reference has no volatility, and a perpetual never has one', () => {
    expect(tradeAt(new Desk(btcCall), '0.1').iv).toBeUndefined();
    const desk = new Desk(btcPerpetual);
    desk.reference('100');
    accepted(desk.place(BOB, 'sell', { price: '100', quantity: '10' }));
    const { trades } = accepted(desk.place(ALICE, 'buy', { price: '100', quantity: '10' }));
    expect(trades[0]).not.toHaveProperty('iv');
  });
});

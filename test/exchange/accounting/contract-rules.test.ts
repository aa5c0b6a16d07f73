// Margins and delivery fees against formulas written down again here, in the arithmetic of another library.
import { BigNumber } from 'bignumber.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency, instrumentName } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { ALICE, accepted, Desk, options } from '../exchange-desk.ts';
import { btcCall, btcPerpetual, btcUsdcPut, ethFuture } from '../instruments.ts';

const big = (value: BigNumber.Value): BigNumber => new BigNumber(value);
const max = (...values: readonly BigNumber[]): BigNumber => BigNumber.max(...values);

const deskOf = (instrument: Instrument): Desk =>
  new Desk(instrument, new Exchange(options([instrument])));

function marginsOf(desk: Desk, of: string): readonly [initial: BigNumber, maintenance: BigNumber] {
  const summary = must(desk.exchange.summary(ALICE, currency(of)), 'a summary');
  return [big(text(summary.initialMargin)), big(text(summary.maintenanceMargin))];
}

/** Shown margins are rounded to the last digit of their currency. */
const isSame = (shown: BigNumber, exact: BigNumber): boolean =>
  shown.minus(exact).abs().isLessThanOrEqualTo(1e-8);

describe('the margin of futures', () => {
  const cases = [
    [btcPerpetual, '0.00005', 10] as const,
    [{ ...ethFuture, expiresAt: ethFuture.expiresAt }, '0.000004', 1] as const,
  ];
  it.each(cases)(
    'of $name grows with the position, for maintenance as much as at first',
    (instrument, growth, lot) => {
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 40_000 }),
          fc.integer({ min: 1_000, max: 200_000 }),
          (lots, mark) => {
            const desk = deskOf(instrument);
            const amount = String(lots * lot);
            desk.reference(String(mark));
            desk.quotes([], [[String(mark), amount]]);
            accepted(desk.place(ALICE, 'buy', { price: String(mark), quantity: amount }));
            const coins = big(amount).div(mark);
            const grown = coins.times(growth);
            const [initial, maintenance] = marginsOf(desk, instrument.settlement);
            expect(isSame(initial, coins.times(grown.plus('0.02')))).toBe(true);
            expect(isSame(maintenance, coins.times(grown.plus('0.01')))).toBe(true);
          },
        ),
        { numRuns: 30 },
      );
    },
  );

  it('a position of 200 BTC needs 3 % at first and keeps 2 %', () => {
    const desk = deskOf(btcPerpetual);
    desk.reference('100000');
    desk.quotes([], [['100000', '20000000']]);
    accepted(desk.place(ALICE, 'buy', { price: '100000', quantity: '20000000' }));
    expect(marginsOf(desk, 'BTC').map(String)).toEqual(['6', '4']);
  });
});

describe('the margin of a short option', () => {
  it.each(['call', 'put'] as const)('of a %s follows the standard margin of the venue', (type) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 400 }),
        fc.integer({ min: 1, max: 2_000 }),
        fc.integer({ min: 1, max: 20 }),
        (strikeShare, markSteps, lots) => {
          const strike = String(strikeShare * 1_000);
          const option = { strike: price(strike), type };
          const desk = deskOf({ ...btcCall, option });
          const mark = big(markSteps).times('0.0015');
          const amount = big(lots).div(10).toString();
          const best = big(markSteps).times('0.0015').decimalPlaces(3, BigNumber.ROUND_DOWN);
          desk.reference(mark.toString(), { index: '100000', underlying: '100000' });
          const bid = max(best, big('0.001')).toString();
          desk.quotes([[bid, amount]], []);
          accepted(desk.place(ALICE, 'sell', { price: bid, quantity: amount }));
          const out = big(strike).minus(100_000).div(100_000);
          const outOfMoney = max(big(0), type === 'call' ? out : out.negated());
          const open = max(big('0.15').minus(outOfMoney), big('0.1')).plus(mark);
          const kept =
            type === 'call'
              ? big('0.075').plus(mark)
              : max(big('0.075'), mark.times('0.075')).plus(mark);
          const [initial, maintenance] = marginsOf(desk, 'BTC');
          const first = type === 'call' ? open : max(open, kept);
          expect(isSame(initial, first.times(amount))).toBe(true);
          expect(isSame(maintenance, kept.times(amount))).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('a put worth two coins needs 7.5 % of its price beside it, at first as well', () => {
    const put: Instrument = { ...btcCall, option: { strike: price('300000'), type: 'put' } };
    const desk = deskOf(put);
    desk.reference('2', { index: '100000', underlying: '100000' });
    desk.quotes([['2', '1']], []);
    accepted(desk.place(ALICE, 'sell', { price: '2', quantity: '1' }));
    expect(marginsOf(desk, 'BTC').map(String)).toEqual(['2.15', '2.15']);
  });
});

const DAYS = [
  ['a Friday', Date.UTC(2026, 11, 11, 8), 'week'],
  ['a Wednesday', Date.UTC(2026, 11, 16, 8), 'day'],
  ['the last Friday of a month', Date.UTC(2027, 0, 29, 8), 'month'],
  ['the last Friday of a quarter', Date.UTC(2026, 11, 25, 8), 'quarter'],
] as const;

/** What a delivery took from the cash of an account besides the profit it paid. */
function deliveryFee(
  instrument: Instrument,
  at: { readonly price: string; readonly fill: string },
) {
  const desk = deskOf(instrument);
  const size = instrument.kind === 'option' ? '3' : '30000';
  desk.quotes([], [[at.fill, size]]);
  accepted(desk.place(ALICE, 'buy', { price: at.fill, quantity: size }));
  desk.now = must(instrument.expiresAt, 'an expiry');
  desk.do({
    kind: 'expire_instrument',
    now: desk.now,
    instrument: instrument.name,
    deliveryPrice: price(at.price),
  });
  const page = desk.exchange.transactionLog({
    account: ALICE,
    currency: instrument.settlement,
    from: instant(0),
    until: desk.now,
    count: 10,
  });
  const entry = must(
    page.transactions.find(({ type }) => type === 'delivery' || type === 'expiry'),
    'an end',
  );
  expect(text(entry.change)).toBe(big(text(entry.cashflow)).minus(text(entry.fee)).toFixed());
  expect(text(must(entry.balance, 'a balance'))).toBe(desk.balance(ALICE, instrument.settlement));
  return text(entry.fee);
}

describe('the delivery fee', () => {
  it.each(DAYS)('of an option that expires on %s', (_title, expiresAt, tenor) => {
    const name = instrumentName(`BTC-${tenor}-100000-C`);
    const option = { ...btcCall, name, expiresAt: instant(expiresAt) };
    const own = { price: '125000', fill: '0.05' };
    // 3 coins at 0.015 %.
    expect(deliveryFee(option, own)).toBe(tenor === 'day' ? '0' : '0.00045');
  });

  it('of an option is at most an eighth of its payoff', () => {
    // 3 × 50 / 100 050, of which an eighth is less than 3 × 0.00015.
    const paid = big(150).div(100_050).times('0.125').decimalPlaces(8);
    expect(deliveryFee(btcCall, { price: '100050', fill: '0.05' })).toBe(paid.toFixed());
    expect(deliveryFee(btcCall, { price: '90000', fill: '0.05' })).toBe('0');
  });

  it('of a linear option is charged in the currency it is settled in', () => {
    // 3 puts of a strike of 100 000 on an index of 80 000.
    expect(deliveryFee(btcUsdcPut, { price: '80000', fill: '1000' })).toBe('36');
  });

  it.each(DAYS)('of a future that expires on %s', (_title, expiresAt, tenor) => {
    const name = instrumentName(`ETH-${tenor}`);
    const future = { ...ethFuture, name, expiresAt: instant(expiresAt) };
    const isFree = tenor === 'day' || tenor === 'week';
    // 30 000 USD at 5 000 are 6 coins, at 0.025 %.
    expect(deliveryFee(future, { price: '5000', fill: '4000' })).toBe(isFree ? '0' : '0.0015');
  });

  it('the short side pays it as well', () => {
    const desk = deskOf(ethFuture);
    desk.quotes([['4000', '30000']], []);
    accepted(desk.place(ALICE, 'sell', { price: '4000', quantity: '30000' }));
    const before = big(desk.balance(ALICE, 'ETH'));
    desk.now = must(ethFuture.expiresAt, 'an expiry');
    const at = { instrument: desk.name, deliveryPrice: price('4000') };
    desk.do({ kind: 'expire_instrument', now: desk.now, ...at });
    expect(before.minus(desk.balance(ALICE, 'ETH')).toFixed()).toBe('0.001875');
    expect(text(quantity(desk.position(ALICE)))).toBe('0');
  });
});

import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { AccountEvent, ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import { journalRecord } from '../../../src/exchange/journal/plain.ts';
import { payoffOf } from '../../../src/exchange/session/option-settlement.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency, instrumentName } from '../../../src/values/ids.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { ALICE, accepted, BOB, BOT, Desk, options, refused } from '../exchange-desk.ts';
import {
  btcCall,
  btcPerpetual,
  btcUsdcPerpetual,
  btcUsdcPut,
  EXPIRY,
  ethFuture,
} from '../instruments.ts';

const expire = (desk: Desk, deliveryPrice: string) => {
  desk.now = EXPIRY;
  const terms = { instrument: desk.name, deliveryPrice: price(deliveryPrice) };
  return desk.do({ kind: 'expire_instrument', now: desk.now, ...terms });
};

describe('the expiry of an instrument', () => {
  it('a call pays (S − K) / S in coin', () => {
    const desk = new Desk(btcCall);
    desk.quotes([], [['0.05', '2']]);
    desk.place(ALICE, 'buy', { price: '0.05', quantity: '2' });
    expect(expire(desk, '125000')).toEqual({ kind: 'done' });
    // 100 − 2 × 0.05 − 2 × 0.0003 + 2 × 0.2, less 2 × 0.00015 for the delivery
    expect([desk.balance(ALICE, 'BTC'), desk.position(ALICE)]).toEqual(['100.2991', '0']);
    expect(desk.exchange.inventory(BOT, desk.name)).toBe(0);
  });

  it('premium and payoff are realised on both sides in equal and opposite amounts', () => {
    const desk = new Desk(btcCall);
    desk.place(BOB, 'sell', { price: '0.05', quantity: '2' });
    desk.place(ALICE, 'buy', { price: '0.05', quantity: '2' });
    expire(desk, '125000');
    const realised = [ALICE, BOB].map((account) => {
      const summary = must(desk.exchange.summary(account, currency('BTC')), 'a summary');
      return text(summary.sessionRealised);
    });
    // Long: −2 × 0.05 + 2 × 0.2
    expect(realised).toEqual(['0.3', '-0.3']);
  });

  it.each([
    [btcCall, '90000', '0'],
    [btcCall, '160000', '0.75'],
    [btcUsdcPut, '90000', '20000'],
    [btcUsdcPut, '100000', '0'],
  ] as const)('two of $name pay out at %s (case %#)', (instrument, at, paid) => {
    expect(text(payoffOf(instrument, price(at), quantity('2')))).toBe(paid);
  });

  it('a future is closed at the delivery price, open orders are cancelled and the book closes permanently', () => {
    const desk = new Desk(ethFuture);
    desk.place(BOB, 'sell', { price: '4000', quantity: '8000' });
    desk.place(ALICE, 'buy', { price: '4000', quantity: '8000' });
    const open = accepted(desk.place(ALICE, 'buy', { price: '3900', quantity: '10' })).order;
    desk.quotes([['3950', '5']], []);
    expire(desk, '5000');
    // Long: 8000 × (1/4000 − 1/5000) = 0.4, taker fee 2 × 0.0005, delivery fee 1.6 × 0.00025
    expect([desk.balance(ALICE, 'ETH'), desk.balance(BOB, 'ETH')]).toEqual([
      '1000.3986',
      '999.5996',
    ]);
    const ended = desk.order(ALICE, open.orderId);
    expect([ended.state, ended.cancelReason]).toEqual(['cancelled', undefined]);
    expect(desk.book('buy')).toEqual([]);
    expect(refused(desk.place(ALICE, 'buy', { price: '3900', quantity: '10' })).code).toBe(13019);
    expect(refused(desk.quotes([['3950', '5']], [])).code).toBe(13019);
    expect(desk.exchange.instruments().map(({ name }) => name)).not.toContain(ethFuture.name);
    expect(expire(desk, '9000')).toEqual({ kind: 'done' });
    expect(desk.balance(ALICE, 'ETH')).toBe('1000.3986');
  });
});

const FUTURE: Instrument = {
  ...btcPerpetual,
  name: instrumentName('BTC-25DEC26'),
  kind: 'future',
  expiresAt: EXPIRY,
};
const USDC_FUTURE: Instrument = {
  ...btcUsdcPerpetual,
  name: instrumentName('BTC_USDC-25DEC26'),
  kind: 'future',
  expiresAt: EXPIRY,
};
const inverse = (strike: number, type: 'call' | 'put'): Instrument => ({
  ...btcCall,
  name: instrumentName(`BTC-25DEC26-${strike}-${type === 'call' ? 'C' : 'P'}`),
  option: { strike: price(`${strike}`), type },
});
const CALL = inverse(100_000, 'call');
const PUT = inverse(100_000, 'put');
const LISTED = [
  FUTURE,
  USDC_FUTURE,
  CALL,
  PUT,
  btcUsdcPut,
  inverse(90_000, 'call'),
  inverse(110_000, 'call'),
  inverse(150_000, 'put'),
];

/** An exchange on which Alice trades with Bob, and which then expires as a whole. */
class ExpiryDay {
  exchange = new Exchange(options(LISTED));
  readonly journal: AccountEvent[] = [];

  /** Positive amounts are bought. */
  hold(instrument: Instrument, amount: string, at: string): void {
    const desk = new Desk(instrument, this.exchange);
    const size = amount.replace('-', '');
    const [own, other] = size === amount ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
    accepted(desk.place(BOB, other, { price: at, quantity: size }));
    accepted(desk.place(ALICE, own, { price: at, quantity: size }));
    this.#note();
  }

  expire(instrument: Instrument, at: string): void {
    const terms = { instrument: instrument.name, deliveryPrice: price(at) };
    this.exchange.handle({ kind: 'expire_instrument', now: EXPIRY, ...terms });
    this.#note();
  }

  /** What the expiry of these changes the balance by. */
  paid(of: string, instruments: readonly Instrument[], at: string): string {
    const balance = () => new BigNumber(new Desk(CALL, this.exchange).balance(ALICE, of));
    const before = balance();
    for (const instrument of instruments) this.expire(instrument, at);
    return balance().minus(before).toFixed();
  }

  /** Of the expiry, oldest first: type, instrument, side and amount, price, cash flow, fee, position. */
  log(of: string): readonly string[] {
    const window = { from: EXPIRY, until: EXPIRY, count: 100 };
    const query = { account: ALICE, currency: currency(of), ...window };
    return this.exchange
      .transactionLog(query)
      .transactions.toReversed()
      .map((entry) => {
        const { type, instrument, side, quantity: size, cashflow, fee, position } = entry;
        const amounts = [size, entry.price, cashflow, fee, position].map((one) =>
          text(must(one, 'an amount')),
        );
        const [held, at, flow, charged, left] = amounts;
        return `${type}: ${instrument} ${side} ${held} at ${at}, ${flow} less ${charged}, ${left}`;
      });
  }

  #note(): void {
    this.journal.push(...this.exchange.drainEvents().filter(isAccountEvent));
  }
}

const isAccountEvent = (event: ExchangeEvent): event is AccountEvent => event.kind !== 'print';

const expiryDay = (held: readonly (readonly [Instrument, string, string])[]): ExpiryDay => {
  const day = new ExpiryDay();
  for (const [instrument, amount, at] of held) day.hold(instrument, amount, at);
  return day;
};

describe('an option whose expiry has a future', () => {
  it('in the money becomes a position of the future at the strike, which is then delivered', () => {
    const day = expiryDay([[CALL, '2', '0.05']]);
    // 2 × 25,000 / 125,000 less 2 × 0.00015: the future's own fee is charged on nothing.
    expect(day.paid('BTC', [CALL, FUTURE], '125000')).toBe('0.3997');
    expect(day.log('BTC')).toEqual([
      `settlement into future: ${CALL.name} buy 2 at 100000, 0 less 0.0003, 0`,
      'settlement into future: BTC-25DEC26 buy 200000 at 100000, 0 less 0, 200000',
      'delivery: BTC-25DEC26 buy 200000 at 125000, 0.4 less 0, 0',
    ]);
  });

  it.each([
    ['a long call', CALL, '2', '125000', '0.3997', '200000'],
    ['a short call', CALL, '-2', '125000', '-0.4003', '-200000'],
    // 2 × 20,000 / 80,000
    ['a long put', PUT, '2', '80000', '0.4997', '-200000'],
    ['a short put', PUT, '-2', '80000', '-0.5003', '200000'],
  ] as const)(
    '%s pays what it did in cash, on the side of the future that gains with it',
    (...of) => {
      const [, option, amount, at, paid, left] = of;
      const day = expiryDay([[option, amount, '0.05']]);
      expect(day.paid('BTC', [option], at)).toBe('-0.0003');
      expect(new Desk(FUTURE, day.exchange).position(ALICE)).toBe(left);
      const rest = day.paid('BTC', [FUTURE], at);
      expect(new BigNumber(rest).minus('0.0003').toFixed()).toBe(paid);
    },
  );

  it.each([
    ['90000', 'below'],
    ['100000', 'at'],
  ])(
    'a call of 100,000 is worth nothing at %s, %s the strike, and ends with an entry expiry',
    (at) => {
      const day = expiryDay([[CALL, '2', '0.05']]);
      expect(day.paid('BTC', [CALL, FUTURE], at)).toBe('0');
      expect(day.log('BTC')).toEqual([`expiry: ${CALL.name} buy 2 at ${at}, 0 less 0, 0`]);
      const summary = must(day.exchange.summary(ALICE, currency('BTC')), 'a summary');
      // The premium of two.
      expect(text(summary.sessionRealised)).toBe('-0.1');
    },
  );

  it.each([
    // Bought at the strike against a short of the same size there: nothing is left, and nothing more is charged.
    ['an equal and opposite future', '-200000', '100000', '-0.0003', undefined],
    // −80,000 × (1/80,000 − 1/100,000) = −0.2 by netting, 120,000 × (1/100,000 − 1/125,000) = 0.24 delivered.
    ['a smaller opposite future', '-80000', '80000', '0.0397', '0.24 less 0'],
    // 100,000 stay short: −0.2, and 0.8 coins at 0.025 %.
    ['a larger opposite future', '-300000', '100000', '-0.2005', '-0.2 less 0.0002'],
    // 300,000 are delivered: 0.6, of which 100,000 were a future before.
    ['a future of the same side', '100000', '100000', '0.5995', '0.6 less 0.0002'],
  ] as const)('is netted with %s, whose fee is charged on what is left of it', (...of) => {
    const [, amount, at, paid, delivered] = of;
    const day = expiryDay([
      [FUTURE, amount, at],
      [CALL, '2', '0.05'],
    ]);
    expect(day.paid('BTC', [CALL, FUTURE], '125000')).toBe(paid);
    const last = must(day.log('BTC').at(-1), 'an entry');
    if (delivered === undefined) expect(last).toMatch(/^settlement into future.* 0, 0$|, 0$/);
    else expect(last).toContain(`at 125000, ${delivered}, 0`);
    expect(new Desk(FUTURE, day.exchange).position(ALICE)).toBe('0');
  });

  it('in dollars becomes as many coins of the linear future', () => {
    const day = expiryDay([
      [USDC_FUTURE, '3', '90000'],
      [btcUsdcPut, '2', '1000'],
    ]);
    // Two coins sold at 100,000: 20,000. One delivered at 80,000: −10,000 less 0.025 % of 80,000. Options: 0.015 % of 160,000.
    expect(day.paid('USDC', [btcUsdcPut, USDC_FUTURE], '80000')).toBe('9956');
    expect(day.log('USDC')).toEqual([
      `settlement into future: ${btcUsdcPut.name} buy 2 at 100000, 0 less 24, 0`,
      'settlement into future: BTC_USDC-25DEC26 sell 2 at 100000, 20000 less 0, 1',
      'delivery: BTC_USDC-25DEC26 buy 1 at 80000, -10000 less 20, 0',
    ]);
  });

  it('shares its future with the other options of the instant, in whatever order they expire', () => {
    const held = [
      [inverse(90_000, 'call'), '1', '0.05'],
      [inverse(110_000, 'call'), '-2', '0.05'],
      [inverse(150_000, 'put'), '1', '0.05'],
      [PUT, '1', '0.05'],
    ] as const;
    const all = held.map(([option]) => option);
    for (const order of [all, all.toReversed()]) {
      const day = expiryDay(held);
      // 0.28 − 2 × 0.12 + 0.2, less 4 × 0.00015; the put of 100,000 is worth nothing.
      expect(day.paid('BTC', [...order, FUTURE], '125000')).toBe('0.2394');
      expect(day.log('BTC')).toHaveLength(8);
      expect(day.log('BTC').at(-1)).toMatch(/^delivery: BTC-25DEC26 sell 280000 at 125000/);
    }
  });

  it('ends the trading of its future before the position there changes, and both settle at one price', () => {
    const day = expiryDay([[CALL, '2', '0.05']]);
    const desk = new Desk(FUTURE, day.exchange);
    const { order } = accepted(desk.place(ALICE, 'buy', { price: '90000', quantity: '10' }));
    day.expire(CALL, '125000');
    expect(desk.order(ALICE, order.orderId)).toMatchObject({ state: 'cancelled' });
    day.expire(FUTURE, '999999');
    expect(day.log('BTC').at(-1)).toMatch(/^delivery: BTC-25DEC26 buy 200000 at 125000/);
  });

  it('a process that is started again in the middle settles it to the end', () => {
    const held = [
      [FUTURE, '-300000', '100000'],
      [CALL, '2', '0.05'],
    ] as const;
    const whole = expiryDay(held);
    whole.paid('BTC', [CALL, FUTURE], '125000');
    const ended = expiryDay(held);
    const before = JSON.parse(JSON.stringify(new Exchange(options(LISTED)).snapshot()));
    ended.expire(CALL, '125000');
    const written = JSON.parse(JSON.stringify(ended.exchange.snapshot()));
    const fromSnapshot = Exchange.restore(written, options(LISTED));
    const fromJournal = Exchange.restore(before, options(LISTED));
    fromJournal.applyJournal(JSON.parse(JSON.stringify(ended.journal.map(journalRecord))));
    const middle = ended.exchange.stateHash();
    for (const again of [fromSnapshot, fromJournal]) {
      expect(again.stateHash()).toBe(middle);
      ended.exchange = again;
      // The market of the second process may say another price.
      ended.expire(FUTURE, '124000');
      expect(again.stateHash()).toBe(whole.exchange.stateHash());
      expect(ended.log('BTC')).toEqual(whole.log('BTC'));
    }
  });

  it.each([
    ['its future is not known', [CALL]],
    [
      'the amount is not in lots of its future',
      [{ ...FUTURE, amountStep: quantity('70000') }, CALL],
    ],
  ])('is delivered in cash if %s', (_why, listed) => {
    const day = new ExpiryDay();
    day.exchange = new Exchange(options(listed));
    day.hold(CALL, '2', '0.05');
    expect(day.paid('BTC', listed.toReversed(), '125000')).toBe('0.3997');
    expect(day.log('BTC')).toEqual([`delivery: ${CALL.name} buy 2 at 125000, 0.4 less 0.0003, 0`]);
  });
});

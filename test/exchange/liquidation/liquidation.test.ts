// Liquidation of one account, step by step, with figures worked out alongside each.
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import { journalRecord } from '../../../src/exchange/journal/plain.ts';
import { money, price, quantity, text } from '../../../src/values/amounts.ts';
import { type Currency, currency } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { ALICE, accepted, BOB, Desk, options, RICH, refused } from '../exchange-desk.ts';
import { expectSameAfterRestarts, written } from '../expect-same-after-restarts.ts';
import { btcCall, btcPerpetual, btcSpot, EXPIRY, ethFuture } from '../instruments.ts';

const BTC = currency('BTC');

const withCash = (btc: string) => ({
  ...options(),
  accounts: [
    { account: ALICE, balances: new Map<Currency, never>([[BTC, money(btc) as never]]) },
    { account: BOB, balances: RICH },
  ],
});

/** Alice has `btc` and is long 2 000 000 USD of the perpetual, bought at 100 000. */
function longAt100000(btc = '1'): Desk {
  const desk = new Desk(btcPerpetual, new Exchange(withCash(btc)));
  desk.reference('100000');
  desk.quotes([], [['100000', '2000000']]);
  accepted(desk.place(ALICE, 'buy', { price: '100000', quantity: '2000000' }));
  desk.exchange.drainEvents();
  return desk;
}

function mark(desk: Desk, at: string, seconds = 1): readonly ExchangeEvent[] {
  desk.now = later(desk.now, seconds * 1_000) as Instant;
  desk.reference(at);
  return desk.exchange.drainEvents();
}

const tradesIn = (events: readonly ExchangeEvent[]) =>
  events.flatMap((event) => (event.kind === 'trade' ? [event.trade] : []));

const turnsIn = (events: readonly ExchangeEvent[]) =>
  events.flatMap((event) =>
    event.kind === 'liquidation_changed' ? [[event.currency, event.isActive]] : [],
  );

describe('liquidation', () => {
  it('an account whose margin balance covers its maintenance margin is left alone', () => {
    const desk = longAt100000();
    desk.quotes([['97000', '2000000']], []);
    // 20.6186 BTC at 97 000: a loss of 0.6186 leaves 0.3714; needed are 20.6186 × (1 % + 0.1031 %) = 0.2274.
    expect(tradesIn(mark(desk, '97000'))).toEqual([]);
    expect(desk.position(ALICE)).toBe('2000000');
  });

  it('below it a round closes at most a fifth of the position, at the liquidation fee, marked on both records', () => {
    const desk = longAt100000();
    desk.quotes([['96000', '2000000']], []);
    // 20.8333 BTC at 96 000: a loss of 0.8333 leaves 0.1567; needed are 20.8333 × (1 % + 0.1042 %) = 0.2300.
    const events = mark(desk, '96000');
    expect(turnsIn(events)).toEqual([['BTC', true]]);
    const [trade, ...more] = tradesIn(events);
    expect(more).toEqual([]);
    expect(trade).toMatchObject({ side: 'sell', liquidity: 'taker', liquidation: 'T', label: '' });
    // 400 000 USD at 96 000 are 4.16667 BTC, of which 0.75 % are 0.03125.
    expect([trade && text(trade.quantity), trade && text(trade.fee)]).toEqual([
      '400000',
      '0.03125',
    ]);
    expect(events.find(({ kind }) => kind === 'print')).toMatchObject({ liquidation: 'T' });
    const order = events.findLast((event) => event.kind === 'order_changed');
    expect(order).toMatchObject({
      order: { isLiquidation: true, reduceOnly: true, state: 'filled' },
    });
    expect(desk.position(ALICE)).toBe('1600000');
  });

  it('there is one round a second, and the liquidation ends with the round that covers the margin', () => {
    const desk = longAt100000();
    desk.quotes([['96000', '2000000']], []);
    mark(desk, '96000');
    expect(tradesIn(mark(desk, '96000', 0.5))).toEqual([]);
    const held: string[] = [];
    const ends: unknown[] = [];
    for (let round = 0; round < 40; round += 1) {
      ends.push(...turnsIn(mark(desk, '96000')));
      held.push(desk.position(ALICE));
    }
    expect(ends).toEqual([['BTC', false]]);
    const summary = desk.exchange.summary(ALICE, BTC);
    expect(summary?.marginBalance.gte(summary.maintenanceMargin)).toBe(true);
    expect(Number(held.at(-1))).toBeGreaterThan(0);
    expect(held.slice(-5)).toEqual(held.slice(-5).fill(held.at(-1) ?? ''));
  });

  it('orders in the currency are cancelled first, also those that wait, and those in others stay', () => {
    const desk = longAt100000();
    const spot = new Desk(btcSpot, desk.exchange);
    const eth = new Desk(ethFuture, desk.exchange);
    accepted(desk.place(ALICE, 'sell', { price: '110000', quantity: '1000', label: 'resting' }));
    accepted(spot.place(ALICE, 'sell', { price: '120000', quantity: '0.01', label: 'spot' }));
    eth.reference('4000');
    accepted(eth.place(BOB, 'buy', { price: '3000', quantity: '10', label: 'another account' }));
    desk.exchange.drainEvents();
    desk.quotes([['96000', '2000000']], []);
    const events = mark(desk, '96000');
    const cancelled = events.flatMap((event) =>
      event.kind === 'order_changed' && event.order.cancelReason === 'autoliquidation'
        ? [event.order.label]
        : [],
    );
    expect(cancelled.sort()).toEqual(['resting', 'spot']);
    expect(desk.exchange.openOrders({ account: ALICE })).toEqual([]);
    expect(desk.exchange.openOrders({ account: BOB })).toHaveLength(1);
  });

  it('meanwhile the account is locked: no order or edit, reducing ones included, and other accounts trade', () => {
    const desk = longAt100000();
    desk.quotes([['96000', '2000000']], []);
    mark(desk, '96000');
    const answer = refused(
      desk.place(ALICE, 'sell', { price: '96000', quantity: '1000', reduceOnly: true }),
    );
    expect([answer.code, answer.message, answer.data.param]).toEqual([
      11098,
      'account_locked',
      'account',
    ]);
    accepted(desk.place(BOB, 'sell', { price: '96000', quantity: '1000' }));
    expect(desk.exchange.liquidating(ALICE)).toEqual(['BTC']);
    for (let round = 0; round < 40; round += 1) mark(desk, '96000');
    expect(desk.exchange.liquidating(ALICE)).toEqual([]);
    accepted(desk.place(ALICE, 'sell', { price: '96500', quantity: '1000' }));
  });

  const LOCKED = [
    'place',
    'edit',
    'edit_by_label',
    'create_rfq',
    'accept_rfq',
    'quote_rfq',
    'edit_rfq_quote',
  ];
  const ALLOWED = [
    'cancel',
    'cancel_by_label',
    'cancel_all',
    'create_combo',
    'cancel_rfq',
    'cancel_rfq_trigger',
    'cancel_rfq_quote',
    'cancel_rfq_quotes',
  ];

  it.each([...LOCKED, ...ALLOWED])(
    'a locked account is refused what could trade, and nothing else: %s',
    (kind) => {
      const desk = longAt100000();
      const { order } = accepted(desk.place(ALICE, 'sell', { price: '110000', quantity: '10' }));
      desk.quotes([['96000', '2000000']], []);
      mark(desk, '96000');
      const answer = desk.do({
        kind,
        now: desk.now,
        account: ALICE,
        instrument: desk.name,
        orderId: order.orderId,
        label: '',
        rfqId: '1',
        of: { quoteId: '1' },
        legs: [],
        trades: [],
        side: 'sell',
        type: 'limit',
        quantity: quantity('10'),
        price: price('96000'),
      } as never);
      const code = answer.kind === 'refused' ? answer.code : undefined;
      expect(code === 11098).toBe(LOCKED.includes(kind));
    },
  );

  it('its rounds follow the references of every instrument of the currency', () => {
    const desk = longAt100000();
    desk.quotes([['96000', '2000000']], []);
    mark(desk, '96000');
    const call = new Desk(btcCall, desk.exchange);
    call.now = desk.now;
    expect(tradesIn(mark(call, '0.05'))).toHaveLength(1);
    expect(desk.position(ALICE)).toBe('1280000');
  });

  it('where nobody buys, nothing is sold, and the next round tries again', () => {
    const desk = longAt100000();
    desk.quotes([], []);
    expect(turnsIn(mark(desk, '96000'))).toEqual([['BTC', true]]);
    expect(desk.position(ALICE)).toBe('2000000');
    desk.quotes([['96000', '50000']], []);
    mark(desk, '96000');
    expect(desk.position(ALICE)).toBe('1950000');
  });

  it('an account whose loss exceeds its cash loses every position and keeps a debt', () => {
    const desk = longAt100000();
    desk.quotes([['90000', '2000000']], []);
    for (let round = 0; round < 80; round += 1) mark(desk, '90000');
    expect(desk.position(ALICE)).toBe('0');
    expect(Number(desk.balance(ALICE, 'BTC'))).toBeLessThan(0);
    expect(desk.exchange.liquidating(ALICE)).toEqual([]);
    expect(refused(desk.place(ALICE, 'buy', { price: '90000', quantity: '10' })).message).toBe(
      'not_enough_funds',
    );
  });

  it('of a short option and a perpetual the one whose step lowers the shortfall more is reduced first', () => {
    const exchange = new Exchange(withCash('3'));
    const [call, perpetual] = [btcCall, btcPerpetual].map(
      (one: Instrument) => new Desk(one, exchange),
    );
    if (call === undefined || perpetual === undefined) throw new Error('two desks');
    perpetual.reference('100000');
    call.reference('0.05', { index: '100000', underlying: '100000' });
    call.quotes([['0.05', '10.3']], []);
    accepted(call.place(ALICE, 'sell', { price: '0.05', quantity: '10.3' }));
    perpetual.quotes([], [['100000', '100000']]);
    accepted(perpetual.place(ALICE, 'buy', { price: '100000', quantity: '100000' }));
    perpetual.quotes([['100000', '100000']], []);
    call.quotes([], [['0.4', '10.3']]);
    exchange.drainEvents();
    // The calls at 0.4 need 10.3 × (0.075 + 0.4); the perpetual needs 0.01. A fifth of 103 lots, rounded up, are 21.
    call.now = later(call.now, 1_000);
    call.reference('0.4', { index: '100000', underlying: '100000' });
    const [trade] = tradesIn(exchange.drainEvents());
    expect([trade?.instrument, trade?.side, trade && text(trade.quantity)]).toEqual([
      btcCall.name,
      'buy',
      '2.1',
    ]);
    // 0.0019 coin a contract.
    expect(trade && text(trade.fee)).toBe('0.00399');
  });

  it('long options are sold only where no position with a margin can be reduced', () => {
    const exchange = new Exchange(withCash('1.4'));
    const [call, perpetual] = [new Desk(btcCall, exchange), new Desk(btcPerpetual, exchange)];
    perpetual.reference('100000');
    call.reference('0.05', { index: '100000', underlying: '100000' });
    call.quotes([], [['0.02', '10']]);
    accepted(call.place(ALICE, 'buy', { price: '0.02', quantity: '10' }));
    perpetual.quotes([], [['100000', '2000000']]);
    accepted(perpetual.place(ALICE, 'buy', { price: '100000', quantity: '2000000' }));
    call.quotes([['0.05', '10']], []);
    perpetual.quotes([], []);
    exchange.drainEvents();
    // Selling two calls would bring 0.1; no bid is there for the perpetual, of which a fifth would free less.
    call.now = later(call.now, 1_000);
    perpetual.now = call.now;
    const first = tradesIn(mark(perpetual, '95000'));
    expect(first.map(({ instrument, side }) => [instrument, side])).toEqual([
      [btcCall.name, 'sell'],
    ]);
    perpetual.quotes([['95000', '2000000']], []);
    const second = tradesIn(mark(perpetual, '95000'));
    expect(second.map(({ instrument, side }) => [instrument, side])).toEqual([
      [btcPerpetual.name, 'sell'],
    ]);
  });

  it('a future is not traded once it has expired, though its book is not closed yet', () => {
    const balances = new Map<Currency, never>([[currency('ETH'), money('50') as never]]);
    const accounts = [{ account: ALICE, balances }, ...options().accounts.slice(1)];
    const desk = new Desk(ethFuture, new Exchange({ ...options(), accounts }));
    desk.reference('4000');
    desk.quotes([], [['4000', '4000000']]);
    accepted(desk.place(ALICE, 'buy', { price: '4000', quantity: '4000000' }));
    desk.quotes([['3800', '4000000']], []);
    desk.now = later(EXPIRY, -1_000);
    desk.exchange.drainEvents();
    // A second before it, and at it.
    expect(tradesIn(mark(desk, '3800', 0))).toHaveLength(1);
    expect(tradesIn(mark(desk, '3800', 1))).toEqual([]);
    expect(desk.exchange.liquidating(ALICE)).toEqual(['ETH']);
  });

  it('the journal and a snapshot restore an account in the middle of a liquidation', () => {
    const desk = longAt100000();
    desk.quotes([['96000', '2000000']], []);
    const snapshot = written(desk.exchange.snapshot());
    const events = [...mark(desk, '96000'), ...mark(desk, '96000')];
    const journal = events.flatMap((event) =>
      event.kind === 'print' ? [] : [journalRecord(event)],
    );
    const begun = { snapshot, journal, options: withCash('1') };
    const again = expectSameAfterRestarts(desk.exchange, begun);
    expect(again.liquidating(ALICE)).toEqual(['BTC']);
    const resumed = new Desk(btcPerpetual, again);
    resumed.now = desk.now;
    resumed.quotes([['96000', '2000000']], []);
    expect(tradesIn(mark(resumed, '96000'))).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import { text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency } from '../../../src/values/ids.ts';
import { later, MINUTE_MS, SECOND_MS } from '../../../src/values/instant.ts';
import { ALICE, accepted, BOB, Desk, options, refused, START } from '../exchange-desk.ts';
import { btcCall, btcPerpetual, btcUsdcPerpetual, ethFuture } from '../instruments.ts';

const settle = (desk: Desk, pauseMs?: number) => {
  const pausedUntil = pauseMs === undefined ? undefined : later(desk.now, pauseMs);
  return desk.do({ kind: 'settle_day', now: desk.now, pausedUntil });
};

const positionOf = (desk: Desk) => {
  const own = desk.exchange.positions(ALICE).find((p) => p.instrument === desk.name);
  return must(own, 'a position');
};

describe('session profit', () => {
  it('session profit becomes cash at the mark price, and the next session starts from there', () => {
    const desk = new Desk(btcUsdcPerpetual);
    desk.quotes([], [['100000', '2']]);
    desk.place(ALICE, 'buy', { price: '100000', quantity: '2' });
    desk.reference('101000');
    // 5 000 000 − taker fee 100
    expect(desk.balance(ALICE, 'USDC')).toBe('4999900');
    settle(desk);
    expect(desk.balance(ALICE, 'USDC')).toBe('5001900');
    const [view] = desk.exchange.openPositions(ALICE);
    expect(text(must(view, 'a view').floatingProfitLoss)).toBe('0');
    expect(text(must(positionOf(desk).averagePrice, 'an average'))).toBe('100000');
    desk.reference('100500');
    desk.quotes([['100500', '2']], []);
    const { trades } = accepted(desk.place(ALICE, 'sell', { price: '100500', quantity: '2' }));
    // Since the settlement 1 000 was lost; in total 1 000 was earned, less fees of 100 and 100.5.
    expect(trades.map(({ profitLoss }) => text(profitLoss))).toEqual(['-1000']);
    expect(desk.balance(ALICE, 'USDC')).toBe('5000799.5');
  });

  it('a coin-settled position earns the same in total with and without settlements', () => {
    const [with_, without] = [new Desk(ethFuture), new Desk(ethFuture)];
    for (const [desk, settles] of [[with_, true] as const, [without, false] as const]) {
      desk.quotes([], [['3333.35', '7']]);
      desk.place(ALICE, 'buy', { price: '3333.35', quantity: '7' });
      for (const mark of ['3456.7', '3210.05', '3579.95']) {
        desk.reference(mark);
        if (settles) settle(desk);
      }
      desk.quotes([['3601.1', '7']], []);
      for (const quantity of ['1', '3', '3']) {
        desk.place(ALICE, 'sell', { price: '3601.1', quantity });
      }
    }
    expect(with_.position(ALICE)).toBe('0');
    // Amounts below the last digit are carried forward, not rounded away with each payment.
    expect(with_.balance(ALICE, 'ETH')).toBe(without.balance(ALICE, 'ETH'));
  });

  it('an option is marked and not paid at the settlement', () => {
    const desk = new Desk(btcCall);
    desk.quotes([], [['0.05', '2']]);
    desk.place(ALICE, 'buy', { price: '0.05', quantity: '2' });
    desk.reference('0.06', { index: '100000' });
    const before = desk.balance(ALICE, 'BTC');
    const BTC = currency('BTC');
    const unrealised = () => {
      const { sessionUnrealised } = must(desk.exchange.summary(ALICE, BTC), 'a summary');
      return text(sessionUnrealised);
    };
    expect(unrealised()).toBe('0.02');
    settle(desk);
    expect([desk.balance(ALICE, 'BTC'), unrealised()]).toEqual([before, '0']);
    desk.reference('0.055', { index: '100000' });
    expect(unrealised()).toBe('-0.01');
    expect(desk.exchange.openPositions(ALICE).map((p) => text(p.floatingProfitLoss))).toEqual([
      '0.01',
    ]);
  });

  it('positions and market show the settlement price', () => {
    const desk = new Desk(btcPerpetual);
    desk.reference('100123.5');
    expect(desk.exchange.market(desk.name, desk.now)?.settlementPrice).toBeUndefined();
    settle(desk);
    desk.reference('100999');
    const { settlementPrice } = must(desk.exchange.market(desk.name, desk.now), 'facts');
    expect(text(must(settlementPrice, 'a price'))).toBe('100123.5');
  });
});

describe('the pause at a settlement', () => {
  const paused = () => {
    const desk = new Desk(btcPerpetual);
    const { order } = accepted(
      desk.place(ALICE, 'buy', { price: '100', quantity: '10', label: 'a' }),
    );
    settle(desk, 5 * SECOND_MS);
    return { desk, order };
  };

  it('orders, edits and cancels in a pause are answered with settlement_in_progress', () => {
    const { desk, order } = paused();
    desk.now = later(desk.now, 4_999);
    const answers = [
      desk.place(ALICE, 'buy', { price: '100', quantity: '10' }),
      desk.edit(ALICE, order.orderId, { price: '101' }),
      desk.editByLabel(ALICE, 'a', { price: '101' }),
      desk.cancel(ALICE, order.orderId),
    ];
    expect(answers.map((answer) => refused(answer).code)).toEqual([10041, 10041, 10041, 10041]);
    const { now } = desk;
    expect(desk.do({ kind: 'cancel_all', now, account: ALICE })).toMatchObject({ count: 0 });
    expect(desk.exchange.market(desk.name, desk.now)?.state).toBe('settlement');
    expect(desk.order(ALICE, order.orderId).state).toBe('open');
  });

  it('a pause ends by itself, and resting orders are still there', () => {
    const { desk, order } = paused();
    desk.now = later(desk.now, 5_000);
    expect(desk.exchange.market(desk.name, desk.now)?.state).toBe('open');
    accepted(desk.edit(ALICE, order.orderId, { price: '101' }));
    accepted(desk.cancel(ALICE, order.orderId));
  });

  it('a pause covers newly listed books, but not locked or closed ones', () => {
    const exchange = new Exchange(options([btcPerpetual, btcUsdcPerpetual]));
    const desk = new Desk(btcPerpetual, exchange);
    const { name: instrument } = btcUsdcPerpetual;
    desk.do({ kind: 'set_book_state', now: desk.now, instrument, state: 'locked' });
    settle(desk, SECOND_MS);
    desk.do({ kind: 'list_instrument', now: desk.now, instrument: ethFuture });
    const states = () =>
      [btcPerpetual, btcUsdcPerpetual, ethFuture].map(
        ({ name }) => exchange.market(name, desk.now)?.state,
      );
    expect(states()).toEqual(['settlement', 'locked', 'settlement']);
    desk.now = later(desk.now, SECOND_MS);
    desk.quotes([], []);
    expect(states()).toEqual(['open', 'locked', 'open']);
  });

  it('a pause continues after a restart until its end', () => {
    const { desk } = paused();
    for (const [afterMs, code] of [
      [4_999, 10041],
      [5_000, undefined],
    ] as const) {
      const snapshot = JSON.parse(JSON.stringify(desk.exchange.snapshot()));
      const again = new Desk(btcPerpetual, Exchange.restore(snapshot, options()));
      expect(again.exchange.stateHash()).toBe(desk.exchange.stateHash());
      again.now = later(START, afterMs);
      const answer = again.place(BOB, 'buy', { price: '100', quantity: '10' });
      expect(answer.kind === 'refused' ? answer.code : undefined).toBe(code);
    }
  });
});

describe('a day order', () => {
  it('a day order is cancelled at the settlement with that reason, and others stay', () => {
    const desk = new Desk(btcPerpetual);
    const terms = { price: '100', quantity: '10' };
    const timeInForce = 'good_til_day';
    const day = accepted(desk.place(ALICE, 'buy', { ...terms, timeInForce })).order;
    const stays = accepted(desk.place(ALICE, 'buy', terms)).order;
    desk.now = later(desk.now, MINUTE_MS);
    expect(settle(desk, 5 * SECOND_MS)).toEqual({ kind: 'count', count: 1 });
    expect(desk.order(ALICE, day.orderId)).toMatchObject({
      state: 'cancelled',
      cancelReason: 'settlement',
      updatedAt: desk.now,
    });
    expect(desk.order(ALICE, stays.orderId).state).toBe('open');
  });
});

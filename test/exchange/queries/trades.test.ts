import { describe, expect, it } from 'vitest';
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import { text } from '../../../src/values/amounts.ts';
import { instant, later } from '../../../src/values/instant.ts';
import { ALICE, accepted, BOB, Desk } from '../exchange-desk.ts';
import { btcPerpetual, btcSpot, btcUsdcPerpetual, ethFuture } from '../instruments.ts';

const kinds = (events: readonly ExchangeEvent[]): string[] =>
  events.map((event) => {
    if (event.kind === 'order_changed')
      return `${event.kind} ${event.order.account} ${event.order.state}`;
    if (event.kind === 'trade')
      return `${event.kind} ${event.trade.account} ${event.trade.liquidity}`;
    if (event.kind === 'position_changed') return `${event.kind} ${event.position.account}`;
    if (event.kind === 'balance_changed') return `${event.kind} ${event.balance.account}`;
    return event.kind;
  });

describe('user trades', () => {
  it('a trade is reported to both sides with one id, own side, own liquidity and reference prices', () => {
    const desk = new Desk(btcPerpetual);
    desk.reference('100.5', { index: '100.25' });
    const maker = accepted(desk.place(BOB, 'sell', { price: '101', quantity: '50', label: 'm' }));
    const { trades } = accepted(desk.place(ALICE, 'buy', { price: '102', quantity: '20' }));
    const [own] = trades;
    const [other] = desk.exchange.tradesByOrder(BOB, maker.order.orderId);
    if (own === undefined || other === undefined) throw new Error('both sides have the trade');
    expect(own.tradeId).toBe(other.tradeId);
    expect([own.side, own.liquidity, own.orderState]).toEqual(['buy', 'taker', 'filled']);
    expect([other.side, other.liquidity, other.orderState, other.label]).toEqual([
      'sell',
      'maker',
      'open',
      'm',
    ]);
    expect([text(own.price), own.indexPrice?.toString(), own.markPrice?.toString()]).toEqual([
      '101',
      '100.25',
      '100.5',
    ]);
    expect([text(own.fee), own.feeCurrency, text(other.fee)]).toEqual(['0.00009901', 'BTC', '0']);
  });

  it('a trade precedes the state it results in, each order, position and balance once', () => {
    const desk = new Desk(btcPerpetual);
    desk.place(BOB, 'sell', { price: '100', quantity: '20' });
    desk.place(BOB, 'sell', { price: '101', quantity: '20' });
    desk.exchange.drainEvents();
    desk.place(ALICE, 'buy', { price: '101', quantity: '30' });
    expect(kinds(desk.exchange.drainEvents())).toEqual([
      'print',
      `trade ${BOB} maker`,
      `trade ${ALICE} taker`,
      'print',
      `trade ${BOB} maker`,
      `trade ${ALICE} taker`,
      `order_changed ${BOB} filled`,
      `order_changed ${BOB} open`,
      `order_changed ${ALICE} filled`,
      `position_changed ${BOB}`,
      `position_changed ${ALICE}`,
      `balance_changed ${ALICE}`,
    ]);
    expect(desk.exchange.drainEvents()).toEqual([]);
  });

  it('a trade has its tick direction relative to the previous one', () => {
    const desk = new Desk(btcPerpetual);
    const directions = ['100', '100', '101', '101', '99', '99', '99.5'].map((at) => {
      desk.quotes([], [[at, '10']]);
      desk.take('buy', '10', at);
      return desk.exchange.lastTrade(desk.name)?.tickDirection;
    });
    expect(directions).toEqual([0, 1, 0, 1, 2, 3, 0]);
    expect(desk.exchange.lastTrade(desk.name)?.tradeSeq).toBe(7);
  });

  it('trades are numbered per settlement currency, for spot per pair, like orders', () => {
    const perpetual = new Desk(btcPerpetual);
    const others = [ethFuture, btcUsdcPerpetual, btcSpot].map(
      (i) => new Desk(i, perpetual.exchange),
    );
    const ids = [perpetual, ...others, perpetual].map((desk) => {
      desk.quotes([], [['100', '10']]);
      const { order, trades } = accepted(
        desk.place(ALICE, 'buy', { price: '100', quantity: '10' }),
      );
      return [order.orderId, trades[0]?.tradeId, trades[0]?.tradeSeq];
    });
    expect(ids).toEqual([
      ['1', '1', 1],
      ['ETH-1', 'ETH-1', 1],
      ['USDC-1', 'USDC-1', 1],
      ['BTC_USDC-1', 'BTC_USDC-1', 1],
      ['2', '2', 2],
    ]);
  });

  it('trades can be queried by order and since an instant, own side only', () => {
    const desk = new Desk(btcPerpetual);
    for (let minute = 0; minute < 3; minute += 1) {
      desk.now = later(desk.now, 60_000);
      desk.place(BOB, 'sell', { price: '100', quantity: '10' });
      desk.place(ALICE, 'buy', { price: '100', quantity: '10' });
    }
    const since = desk.exchange.tradesSince(ALICE, later(desk.now, -60_000));
    expect(since.map(({ side, account }) => [side, account])).toEqual([
      ['buy', ALICE],
      ['buy', ALICE],
    ]);
    expect(desk.exchange.tradesSince(BOB, instant(0))).toHaveLength(3);
    const [first] = since;
    if (first === undefined) throw new Error('there are trades');
    expect(desk.exchange.tradesByOrder(ALICE, first.orderId)).toEqual([first]);
    expect(desk.exchange.tradesByOrder(BOB, first.orderId)).toEqual([]);
  });

  it('a trade between bots is only on the tape', () => {
    const desk = new Desk(btcPerpetual);
    desk.quotes([], [['100', '10']]);
    desk.take('buy', '10', '100');
    expect(desk.exchange.drainEvents()).toMatchObject([
      { kind: 'print', priceTicks: 200, lots: 1, side: 'buy' },
    ]);
  });
});

describe('bots', () => {
  it('a crossing quote of a bot fills resting orders in time priority', () => {
    const desk = new Desk(btcPerpetual);
    const first = accepted(desk.place(ALICE, 'buy', { price: '100', quantity: '10' })).order;
    const second = accepted(desk.place(BOB, 'buy', { price: '100', quantity: '20' })).order;
    expect(
      desk.quotes(
        [],
        [
          ['99.5', '20'],
          ['101', '10'],
        ],
      ),
    ).toMatchObject({ count: 2 });
    expect(desk.order(ALICE, first.orderId).state).toBe('filled');
    expect(text(desk.order(BOB, second.orderId).filledQuantity)).toBe('10');
    expect(desk.book('sell')).toEqual(['101×10']);
  });
});

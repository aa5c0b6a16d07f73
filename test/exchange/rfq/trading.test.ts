import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import { money, price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency } from '../../../src/values/ids.ts';
import { SECOND_MS } from '../../../src/values/instant.ts';
import { accepted, Desk } from '../exchange-desk.ts';
import { btcCall, btcPerpetual, btcSpot } from '../instruments.ts';
import {
  asked,
  callSpread,
  highCall,
  MAKER1,
  MAKER2,
  MAKERS,
  oneCall,
  quoted,
  RfqDesk,
  refused,
  rfqOptions,
  TAKER,
  traded,
} from './rfq-desk.ts';

const hedged = () => {
  const desk = RfqDesk.marked();
  const hedge = {
    instrument: btcPerpetual.name,
    quantity: quantity('1000010'),
    side: 'sell',
    price: price('100100.01'),
  } as const;
  const allocations = [
    { quantity: quantity('33.3'), userId: 1 },
    { quantity: quantity('66.7'), client: { clientId: 7, clientLinkId: 8 } },
  ];
  asked(desk.createRfq({ ...oneCall(), hedge, allocations }));
  return desk;
};

describe('accepting an RFQ', () => {
  it('all makers are printed at one price, and each block separately', () => {
    const desk = hedged();
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.0501'], quantity: '60' }));
    quoted(desk.quote(MAKER2, 'sell', { legs: ['0.0503'], quantity: '70' }));
    desk.open();
    const { blockTrades, rfq } = traded(desk.accept('buy', '0.051'));
    expect(blockTrades.map(({ id, maker }) => [id, maker])).toEqual([
      ['BLOCK-1', 'MAKER1'],
      ['BLOCK-2', 'MAKER2'],
    ]);
    const rows = blockTrades.flatMap(({ rows: own }) =>
      own.map((row) => `${row.side} ${text(row.quantity)} @ ${text(row.price)}`),
    );
    expect(rows).toEqual([
      'buy 60 @ 0.0503',
      'sell 600000 @ 100100.01',
      'buy 40 @ 0.0503',
      'sell 400010 @ 100100.01',
    ]);
    expect(rfq.fills.map((fill) => text(fill.hedgeQuantity ?? fill.quantity))).toEqual([
      '600000',
      '400010',
    ]);
    const [first] = blockTrades[0]?.rows ?? [];
    expect(first?.allocations.map((share) => text(share.quantity))).toEqual(['19.9', '40.1']);
    expect(desk.position(MAKER2, btcPerpetual)).toBe('400010');
    expect(rfq).toMatchObject({ markPrice: price('0.05'), indexPrices: { btc_usd: '100000' } });
  });

  it('legs and hedge are reversed for a taker who sells', () => {
    const desk = hedged();
    quoted(desk.quote(MAKER1, 'buy', { legs: ['0.0499'] }));
    desk.open();
    traded(desk.accept('sell', '0.04'));
    expect(desk.position(TAKER, btcCall)).toBe('-100');
    expect(desk.position(TAKER, btcPerpetual)).toBe('1000010');
  });

  it("futures are charged half of the book's taker fee, options the same fee", () => {
    const desk = hedged();
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.0501'] }));
    desk.open();
    const { blockTrades } = traded(desk.accept('buy', '0.0501'));
    const fees = blockTrades[0]?.rows.map((row) => text(row.fee));
    expect(fees).toEqual(['0.03', '0.00249753']);
    expect(desk.balance(TAKER, 'BTC')).toBe(String(100 - 100 * 0.0501 - 0.03 - 0.00249753));
    const makers = desk.exchange.rfqs.blockTrades({ account: MAKER1, count: 1 }).trades;
    expect(makers[0]?.rows.map((row) => text(row.fee))).toEqual(['0.03', '0']);
  });

  it("a block is among the account's trades, and does not affect the book's last price and triggers", () => {
    const desk = RfqDesk.marked();
    const book = new Desk(btcCall, desk.exchange);
    book.quotes([['0.0490', '5']], [['0.0510', '5']]);
    book.take('buy', '1', '0.0510');
    asked(desk.createRfq(oneCall()));
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.0533'], label: 'mine' }));
    desk.open();
    const { rfq } = traded(desk.accept('buy', '0.0533'));
    expect(text(desk.exchange.lastTrade(btcCall.name)?.price ?? price('0'))).toBe('0.051');
    const [own] = desk.exchange.tradesSince(TAKER, rfq.createdAt);
    expect(own).toMatchObject({
      orderId: 'BLOCK-1-T',
      liquidity: 'taker',
      block: { id: 'BLOCK-1', rfqId: rfq.id, legCount: 1, isHedge: false },
    });
    expect(desk.exchange.tradesSince(MAKER1, rfq.createdAt)[0]).toMatchObject({
      orderId: 'BLOCK-1-M',
      label: 'mine',
      tradeId: own?.tradeId,
    });
  });

  it('three shares of one row have fees that add up to the fee of the row', () => {
    const desk = RfqDesk.marked();
    const share = (size: string, userId: number) => ({ quantity: quantity(size), userId });
    const allocations = [share('33.3', 1), share('33.3', 2), share('33.4', 3)];
    asked(desk.createRfq({ ...oneCall(), allocations }));
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.05'] }));
    desk.open();
    const [row] = traded(desk.accept('buy', '0.05')).blockTrades[0]?.rows ?? [];
    // 0.0003 of each.
    const fees = row?.allocations.map(({ fee }) => fee && text(fee));
    expect(fees).toEqual(['0.00999', '0.00999', '0.01002']);
  });

  it('the legs of a named structure have its name, and the hedge has none', () => {
    const desk = RfqDesk.marked();
    const hedge = {
      instrument: btcPerpetual.name,
      quantity: quantity('200000'),
      side: 'sell',
      price: price('100000'),
    } as const;
    asked(desk.createRfq({ ...callSpread(), hedge }));
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.05', '0.02'] }));
    desk.open();
    const { rfq } = traded(desk.accept('buy', '0.03'));
    const name = 'BTC-CS-25DEC26-100000_110000';
    for (const account of [TAKER, MAKER1]) {
      const own = desk.exchange.tradesSince(account, rfq.createdAt);
      expect(own.map(({ block }) => [block?.comboId, block?.isHedge])).toEqual([
        [name, false],
        [name, false],
        [undefined, true],
      ]);
    }
  });

  it('a block counts among the trades of its instrument, and what it closes is not reduced again', () => {
    const desk = RfqDesk.marked();
    const book = new Desk(btcCall, desk.exchange);
    book.quotes([], [['0.05', '30']]);
    book.place(TAKER, 'buy', { price: '0.05', quantity: '30' });
    const reducing = { price: '0.06', quantity: '30', reduceOnly: true };
    const { order } = accepted(book.place(TAKER, 'sell', reducing));
    asked(desk.createRfq(oneCall('25')));
    quoted(desk.quote(MAKER1, 'buy', { legs: ['0.05'] }));
    desk.open();
    const { rfq } = traded(desk.accept('sell', '0.05'));
    book.now = desk.now;
    expect(text(book.order(TAKER, order.orderId).quantity)).toBe('5');
    book.quotes([['0.05', '1']], []);
    book.place(MAKER2, 'sell', { price: '0.05', quantity: '1' });
    const [block] = desk.exchange.tradesSince(TAKER, rfq.createdAt).slice(-1);
    const [next] = desk.exchange.tradesSince(MAKER2, rfq.createdAt);
    expect([block?.tradeSeq, next?.tradeSeq]).toEqual([2, 3]);
  });

  it('an accept waits for quotes as a trigger, one per side, until it is met or cancelled', () => {
    const desk = RfqDesk.marked();
    asked(desk.createRfq(oneCall()));
    desk.open();
    const wait = { timeInForce: 'good_til_cancelled' } as const;
    traded(desk.accept('buy', '0.0480', wait));
    const { rfq } = traded(desk.accept('buy', '0.0490', wait));
    expect(rfq.triggers).toMatchObject([
      { side: 'buy', state: 'untriggered', price: price('0.049') },
    ]);
    traded(desk.accept('sell', '0.06', wait));
    const rfqId = rfq.id;
    const { now } = desk;
    const undone = desk.do({
      kind: 'cancel_rfq_trigger',
      now,
      account: TAKER,
      rfqId,
      side: 'sell',
    });
    expect(asked(undone).triggers.map(({ state }) => state)).toEqual(['untriggered', 'cancelled']);
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.0491'] }));
    expect(desk.seen(TAKER).status).toBe('open');
    const filled = quoted(desk.quote(MAKER2, 'sell', { legs: ['0.0489'] }));
    expect(filled).toMatchObject({ status: 'filled', filledQuantity: quantity('100') });
    const done = desk.seen(TAKER);
    expect(done.status).toBe('filled');
    expect(done.triggers.map(({ state }) => state)).toEqual(['triggered', 'cancelled']);
    expect(done.fills.map(({ price: at }) => text(at))).toEqual(['0.0489']);
  });

  it('structures with a negative price can be traded', () => {
    const desk = RfqDesk.marked();
    const legs = [
      { of: highCall, size: '50' },
      { of: btcCall, size: '50', side: 'sell' as const },
    ];
    asked(desk.createRfq({ legs }));
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.021', '0.05'] }));
    desk.open();
    expect(desk.seen(TAKER).asks.map(({ price: at }) => text(at))).toEqual(['-0.029']);
    expect(refused(desk.accept('buy', '-0.0295'))).toMatchObject({ code: 13907 });
    const { blockTrades } = traded(desk.accept('buy', '-0.029'));
    expect(blockTrades.map(({ price: at }) => text(at))).toEqual(['-0.029']);
    const written = JSON.parse(JSON.stringify(desk.exchange.snapshot()));
    const restored = Exchange.restore(written, rfqOptions());
    expect(restored.stateHash()).toBe(desk.exchange.stateHash());
  });

  it('a spot pair moves coins and dollars, without fees', () => {
    const desk = RfqDesk.marked();
    asked(desk.createRfq({ legs: [{ of: btcSpot, size: '2' }] }));
    quoted(desk.quote(MAKER1, 'sell', { legs: ['100010'] }));
    desk.open();
    traded(desk.accept('buy', '100010'));
    const of = (account: typeof TAKER) => [
      desk.balance(account, 'BTC'),
      desk.balance(account, 'USDC'),
    ];
    expect([of(TAKER), of(MAKER1)]).toEqual([
      ['102', '4799980'],
      ['98', '5200020'],
    ]);
  });

  it('paused, expired and locked books cannot trade by RFQ', () => {
    const desk = RfqDesk.marked();
    asked(desk.createRfq(oneCall()));
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.05'] }));
    desk.open();
    const { now } = desk;
    desk.do({ kind: 'set_book_state', now, instrument: btcCall.name, state: 'locked' });
    expect(refused(desk.accept('buy', '0.05'))).toMatchObject({ code: 10019 });
    expect(refused(desk.quote(MAKER1, 'sell', { legs: ['0.051'] }))).toMatchObject({ code: 10019 });
    expect(refused(desk.createRfq(oneCall()))).toMatchObject({ code: 10019 });
    desk.do({ kind: 'set_book_state', now, instrument: btcCall.name, state: 'open' });
    expect(traded(desk.accept('buy', '0.05')).blockTrades).toHaveLength(1);
  });

  it('a maker without funds is dropped, and the remaining quotes are tried', () => {
    const options = rfqOptions();
    const poor = new Map([[currency('BTC'), money('30')]]);
    const accounts = options.accounts.map((each) =>
      each.account === MAKER1 ? { ...each, balances: poor } : each,
    );
    const desk = new RfqDesk(new Exchange({ ...options, accounts }));
    desk.reference(btcCall, { mark: '0.05', min: '0.02', max: '0.08' });
    asked(desk.createRfq(oneCall()));
    const mine = quoted(desk.quote(MAKER1, 'sell', { legs: ['0.0490'] }));
    quoted(desk.quote(MAKER2, 'sell', { legs: ['0.0500'] }));
    desk.open();
    // Funds that the maker has committed elsewhere in the meantime are no longer available.
    asked(desk.createRfq(oneCall()));
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.0490'] }));
    desk.open();
    const other = desk.idOf(TAKER);
    traded(desk.accept('buy', '0.05', { rfqId: other }));
    const first = desk.exchange.rfqs.page({ account: TAKER, count: 2 }).rfqs[1]?.id ?? '';
    const { blockTrades } = traded(desk.accept('buy', '0.05', { rfqId: first }));
    expect(blockTrades.map(({ maker }) => maker)).toEqual(['MAKER2']);
    expect(desk.exchange.rfqs.quotes({ account: MAKER1, quoteId: mine.id })[0]).toMatchObject({
      status: 'cancelled',
      statusReason: 'not_enough_funds',
    });
  });

  it('a taker without funds is refused, and nothing changes', () => {
    const options = rfqOptions();
    const endless = new Map([[currency('BTC'), money('100000')]]);
    const accounts = options.accounts.map((each) =>
      each.account === TAKER ? each : { ...each, balances: endless },
    );
    const desk = new RfqDesk(new Exchange({ ...options, accounts }));
    desk.reference(btcCall, { mark: '0.05', min: '0.02', max: '0.08' });
    asked(desk.createRfq(oneCall('2500')));
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.05'] }));
    desk.open();
    const before = desk.exchange.stateHash();
    expect(refused(desk.accept('buy', '0.05'))).toMatchObject({ code: 10009 });
    expect(desk.exchange.stateHash()).toBe(before);
    expect(desk.seen(TAKER).asks).toHaveLength(1);
  });

  it('an RFQ fails if its trigger is met and the taker no longer has the funds', () => {
    const desk = RfqDesk.marked();
    asked(desk.createRfq(oneCall('1500')));
    desk.open();
    traded(desk.accept('buy', '0.08', { timeInForce: 'good_til_cancelled' }));
    for (const [at, maker] of MAKERS.entries()) {
      quoted(desk.quote(maker, 'sell', { legs: [`0.07${at}`], quantity: '500' }));
    }
    expect(desk.seen(TAKER).status).toBe('failed');
    expect(desk.position(TAKER, btcCall)).toBe('0');
  });

  it('an accept fails if the bands leave no prices for the legs', () => {
    const desk = RfqDesk.marked();
    asked(desk.createRfq(callSpread()));
    const quote = quoted(desk.quote(MAKER1, 'sell', { legs: ['0.051', '0.02'] }));
    desk.open();
    desk.reference(btcCall, { mark: '0.1', min: '0.09', max: '0.12' });
    desk.reference(highCall, { mark: '0.02', min: '0.001', max: '0.05' });
    expect(refused(desk.accept('buy', '0.031'))).toMatchObject({ code: 11030 });
    expect(desk.seen(TAKER)).toMatchObject({ status: 'failed', closedReason: 'execution_failed' });
    expect(desk.exchange.rfqs.quotes({ account: MAKER1, quoteId: quote.id })[0]).toMatchObject({
      status: 'cancelled',
      statusReason: 'rfq_failed',
    });
  });

  it("an RFQ counts for the taker's rating unless it was cancelled within the grace period", () => {
    const desk = RfqDesk.marked();
    const ratings: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const { id: rfqId, takerRating } = asked(desk.createRfq(oneCall()));
      ratings.push(must(takerRating, 'the taker sees its rating'));
      if (round > 0) desk.open();
      desk.do({ kind: 'cancel_rfq', now: desk.now, account: TAKER, rfqId });
      expect(desk.seen(TAKER).includedInTakerRating).toBe(round > 0);
      desk.pass(SECOND_MS);
    }
    expect(ratings.slice(0, 4)).toEqual(['1-2', '1-2', '2-5', '2-5']);
    expect(ratings.slice(-3)).toEqual(['5-10', '10+', '10+']);
  });
});

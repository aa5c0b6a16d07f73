import { describe, expect, it } from 'vitest';
import { Exchange } from '../../src/exchange/exchange.ts';
import type { AccountEvent, ExchangeEvent } from '../../src/exchange/exchange-event.ts';
import { type JournalRecord, journalRecord } from '../../src/exchange/journal/plain.ts';
import { price, text } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { currency } from '../../src/values/ids.ts';
import { DAY_MS, instant, later, MINUTE_MS } from '../../src/values/instant.ts';
import { ALICE, accepted, BOB, Desk, options, START } from './exchange-desk.ts';
import { expectSameAfterRestarts, written } from './expect-same-after-restarts.ts';
import { btcPerpetual, btcSpot, btcUsdcPut, EXPIRY, ethFuture } from './instruments.ts';
import { RandomDay } from './random-day.ts';

const isAccountEvent = (event: ExchangeEvent): event is AccountEvent => event.kind !== 'print';

function journalOf(exchange: Exchange): JournalRecord[] {
  return exchange.drainEvents().filter(isAccountEvent).map(journalRecord).map(written);
}

describe('after a restart', () => {
  it.each([0, 300, 1_500])(
    'a snapshot after %i commands plus the journal gives the same state',
    (taken) => {
      const exchange = new Exchange(options());
      const day = new RandomDay('restart');
      let snapshot = written(exchange.snapshot());
      const journal: JournalRecord[] = [];
      for (let i = 0; i < 2_000; i += 1) {
        const answer = exchange.handle(day.next());
        if (answer.kind === 'order') day.sawOrder(answer.order);
        journal.push(...journalOf(exchange));
        if (i + 1 === taken) {
          snapshot = written(exchange.snapshot());
          journal.length = 0;
        }
      }
      expectSameAfterRestarts(exchange, { snapshot, journal, options: options() });
      const restored = Exchange.restore(snapshot, options());
      restored.applyJournal(journal);
      // Applying the journal once more, as after a crash while writing, changes nothing.
      restored.applyJournal(journal.slice(-50));
      expect(restored.stateHash()).toBe(exchange.stateHash());
    },
  );

  it('orders keep their places in the queue, including edited ones', () => {
    const desk = new Desk(btcPerpetual);
    const place = (quantity: string) =>
      accepted(desk.place(ALICE, 'buy', { price: '100', quantity })).order.orderId;
    const [first, second] = [place('30'), place('20')];
    place('10');
    desk.edit(ALICE, first, { quantity: '40' });
    desk.edit(ALICE, second, { quantity: '10' });
    const exchange = Exchange.restore(written(desk.exchange.snapshot()), options());
    expect(exchange.bookHash(desk.name)).toBe(desk.exchange.bookHash(desk.name));
    const after = new Desk(btcPerpetual, exchange);
    after.take('sell', '10', '100');
    expect(after.order(ALICE, second).state).toBe('filled');
    expect(after.order(ALICE, first).filledQuantity.isZero()).toBe(true);
  });

  it('ids, sequences and reservations continue where they were', () => {
    const desk = new Desk(btcSpot);
    desk.place(ALICE, 'buy', { price: '100000', quantity: '49' });
    const restored = new Desk(
      btcSpot,
      Exchange.restore(written(desk.exchange.snapshot()), options()),
    );
    const next = restored.place(ALICE, 'buy', { price: '100000', quantity: '2' });
    expect(next).toMatchObject({ kind: 'refused', code: 10039 });
    const { order } = accepted(restored.place(ALICE, 'buy', { price: '100000', quantity: '1' }));
    expect(order.orderId).toBe('BTC_USDC-2');
  });

  it('a bid for a linear option reserves what it reserved, though the index has moved since', () => {
    const desk = new Desk(btcUsdcPut, new Exchange(options([btcUsdcPut])));
    desk.reference('5000', { index: '100000' });
    const before = written(desk.exchange.snapshot());
    journalOf(desk.exchange);
    accepted(desk.place(ALICE, 'buy', { price: '5000', quantity: '1' }));
    desk.reference('5000', { index: '200000' });
    const journal = journalOf(desk.exchange);
    // The premium, and 0.03 % of the index at which the order came in.
    const reserved = (exchange: Exchange): string =>
      text(must(exchange.summary(ALICE, currency('USDC')), 'a summary').initialMargin);
    expect(reserved(desk.exchange)).toBe('5030');
    const fromJournal = Exchange.restore(before, options([btcUsdcPut]));
    fromJournal.applyJournal(journal);
    expect(reserved(fromJournal)).toBe('5030');
    const fromSnapshot = Exchange.restore(written(desk.exchange.snapshot()), options([btcUsdcPut]));
    expect(reserved(fromSnapshot)).toBe('5030');
    const again = Exchange.restore(written(fromSnapshot.snapshot()), options([btcUsdcPut]));
    expect(reserved(again)).toBe('5030');
    expect(again.stateHash()).toBe(desk.exchange.stateHash());
  });

  it('instruments listed in the meantime are known', () => {
    const exchange = new Exchange(options([btcPerpetual]));
    const before = written(exchange.snapshot());
    exchange.handle({ kind: 'list_instrument', now: START, instrument: ethFuture });
    new Desk(ethFuture, exchange).place(BOB, 'sell', { price: '4000', quantity: '5' });
    const restored = Exchange.restore(before, options([btcPerpetual]));
    restored.applyJournal(journalOf(exchange));
    expect(restored.instrument(ethFuture.name)).toEqual(ethFuture);
    expect(restored.stateHash()).toBe(exchange.stateHash());
  });

  it('a journal is not applied after the first command', () => {
    const desk = new Desk(btcPerpetual);
    desk.place(ALICE, 'buy', { price: '100', quantity: '10' });
    const [record] = journalOf(desk.exchange);
    if (record === undefined) throw new Error('a placed order is journaled');
    expect(() => desk.exchange.applyJournal([record])).toThrow(/before the first command/);
  });
});

describe('retention of closed records', () => {
  it('closed orders and their labels are dropped after the window, open ones never', () => {
    const desk = new Desk(btcPerpetual);
    const { order: open } = accepted(
      desk.place(ALICE, 'buy', { price: '99', quantity: '10', label: 'x' }),
    );
    const { order: gone } = accepted(
      desk.place(ALICE, 'buy', { price: '98', quantity: '10', label: 'x' }),
    );
    desk.cancel(ALICE, gone.orderId);
    desk.now = later(START, 30 * MINUTE_MS);
    desk.quotes([], []);
    expect(desk.exchange.ordersByLabel(ALICE, 'x')).toHaveLength(2);
    desk.now = later(START, 30 * MINUTE_MS + 1);
    desk.quotes([], []);
    const left = desk.exchange.ordersByLabel(ALICE, 'x').map(({ orderId }) => orderId);
    expect(left).toEqual([open.orderId]);
    expect(desk.cancel(ALICE, gone.orderId)).toMatchObject({ code: 10004 });
  });

  it('a closed book is kept as long as a trade refers to it', () => {
    const desk = new Desk(ethFuture);
    desk.place(BOB, 'sell', { price: '4000', quantity: '10' });
    desk.place(ALICE, 'buy', { price: '4000', quantity: '10' });
    const deliveryPrice = price('5000');
    desk.now = EXPIRY;
    const terms = { instrument: desk.name, deliveryPrice };
    desk.do({ kind: 'expire_instrument', now: desk.now, ...terms });
    const namesAfter = (passedMs: number) => {
      desk.now = later(EXPIRY, passedMs);
      desk.do({ kind: 'settle_day', now: desk.now });
      const snapshot = written(desk.exchange.snapshot());
      expect(Exchange.restore(snapshot, options([])).stateHash()).toBe(desk.exchange.stateHash());
      return snapshot.instruments.map(({ name }) => name);
    };
    expect(namesAfter(DAY_MS)).toContain(desk.name);
    expect(namesAfter(DAY_MS + 1)).not.toContain(desk.name);
    expect(desk.exchange.balances(ALICE).map(({ currency }) => currency)).toContain('ETH');
  });

  it('the number of records is bounded too', () => {
    const retention = { ordersMax: 10, tradesMax: 5 };
    const desk = new Desk(btcPerpetual, new Exchange({ ...options(), retention }));
    for (let i = 0; i < 30; i += 1) {
      desk.quotes([], [['100', '10']]);
      desk.place(ALICE, 'buy', { price: '100', quantity: '10' });
    }
    desk.quotes([], []);
    expect(desk.exchange.closedOrders(ALICE)).toHaveLength(10);
    expect(desk.exchange.tradesSince(ALICE, instant(0))).toHaveLength(5);
  });
});

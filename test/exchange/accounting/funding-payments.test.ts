import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { AccountEvent } from '../../../src/exchange/exchange-event.ts';
import { journalRecord } from '../../../src/exchange/journal/plain.ts';
import { price, ratio, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { HOUR_MS, later, MINUTE_MS, SECOND_MS } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { ALICE, accepted, BOB, Desk, options, START } from '../exchange-desk.ts';
import { btcCall, btcPerpetual, btcUsdcPerpetual, ethFuture } from '../instruments.ts';

/** `rate` per eight hours. */
function setReference(desk: Desk, mark: string, rate: string): void {
  desk.do({
    kind: 'set_reference',
    now: desk.now,
    instrument: desk.name,
    index: price(mark),
    mark: price(mark),
    currentFunding: ratio(rate),
  });
}

/** Alice is long and Bob is short. */
function held(instrument: Instrument, quantity: string, rate = '0.0001'): Desk {
  const desk = new Desk(instrument);
  setReference(desk, '100000', rate);
  accepted(desk.place(BOB, 'sell', { price: '100000', quantity }));
  accepted(desk.place(ALICE, 'buy', { price: '100000', quantity }));
  return desk;
}

const fundingOf = (desk: Desk): string[] =>
  [ALICE, BOB].map((account) => {
    const [view] = desk.exchange.openPositions(account);
    return text(must(view?.realizedFunding, 'a perpetual is held'));
  });

const cashOf = (desk: Desk, of: string): number[] =>
  [ALICE, BOB].map((account) => Number(desk.balance(account, of)));

describe('funding', () => {
  it.each([
    // 100 000 USD are one coin at the mark: 0.01 % of it in eight hours.
    [btcPerpetual, '100000', '0.0001', ['-0.0001', '0.0001']],
    [btcUsdcPerpetual, '2', '0.0001', ['-20', '20']],
    // Below the index, shorts pay.
    [btcUsdcPerpetual, '2', '-0.00005', ['10', '-10']],
  ] as const)(
    'funding is position × rate × time / 8 h (case %#)',
    (instrument, quantity, rate, expected) => {
      const desk = held(instrument, quantity, rate);
      desk.now = later(desk.now, 8 * HOUR_MS);
      setReference(desk, '100000', rate);
      expect(fundingOf(desk)).toEqual(expected);
    },
  );

  it('funding is not paid in cash before the settlement, and is paid only once', () => {
    const desk = held(btcPerpetual, '100000');
    const before = cashOf(desk, 'BTC');
    desk.now = later(desk.now, 8 * HOUR_MS);
    setReference(desk, '100000', '0.0001');
    expect(fundingOf(desk)).toEqual(['-0.0001', '0.0001']);
    expect(cashOf(desk, 'BTC')).toEqual(before);
    for (let again = 0; again < 2; again += 1) {
      desk.do({ kind: 'settle_day', now: desk.now });
      const moved = cashOf(desk, 'BTC').map((now, at) => now - (before[at] ?? 0));
      expect(moved[0]).toBeCloseTo(-0.0001, 12);
      expect(moved[1]).toBeCloseTo(0.0001, 12);
      // The session that begins has had none.
      expect(fundingOf(desk)).toEqual(['0', '0']);
    }
  });

  it('funding follows the rate and the mark price, sampled once a minute', () => {
    const desk = held(btcUsdcPerpetual, '1', '0.0008');
    const wait = (ms: number, mark: string, rate: string): void => {
      desk.now = later(desk.now, ms);
      setReference(desk, mark, rate);
    };
    wait(HOUR_MS, '100000', '0.0008');
    expect(fundingOf(desk)[0]).toBe('-10');
    wait(30 * SECOND_MS, '200000', '-0.0008');
    wait(30 * SECOND_MS, '200000', '-0.0008');
    // One more minute at the earlier rate, then an hour at the new one.
    expect(Number(fundingOf(desk)[0])).toBeCloseTo(-10 - 10 / 60, 6);
    wait(HOUR_MS, '200000', '-0.0008');
    expect(Number(fundingOf(desk)[0])).toBeCloseTo(-10 - 10 / 60 + 20, 6);
  });

  it('a position pays funding from when it is opened until it is closed', () => {
    const desk = held(btcUsdcPerpetual, '1', '0.0008');
    desk.now = later(desk.now, HOUR_MS);
    setReference(desk, '100000', '0.0008');
    accepted(desk.place(ALICE, 'sell', { price: '100000', quantity: '1' }));
    accepted(desk.place(BOB, 'buy', { price: '100000', quantity: '1' }));
    const cash = cashOf(desk, 'USDC');
    desk.now = later(desk.now, HOUR_MS);
    setReference(desk, '100000', '0.0008');
    desk.do({ kind: 'settle_day', now: desk.now });
    expect(cashOf(desk, 'USDC').map((now, at) => now - (cash[at] ?? 0))).toEqual([-10, 10]);
  });

  it('the equity includes funding as it accrues', () => {
    const desk = held(btcUsdcPerpetual, '2');
    const equity = () => {
      const summary = must(desk.exchange.summary(ALICE, btcUsdcPerpetual.settlement), 'summary');
      return [summary.equity, summary.sessionRealised, summary.balance].map(text);
    };
    const [, , balance] = equity();
    desk.now = later(desk.now, 8 * HOUR_MS);
    setReference(desk, '100000', '0.0001');
    expect(equity()).toEqual([`${Number(balance) - 20}`, '-20', balance]);
  });

  it.each([ethFuture, btcCall])('$name pays no funding', (instrument) => {
    const desk = new Desk(instrument);
    const mark = instrument.kind === 'option' ? '0.05' : '4000';
    setReference(desk, mark, '0.01');
    accepted(desk.place(BOB, 'sell', { price: mark, quantity: '1' }));
    accepted(desk.place(ALICE, 'buy', { price: mark, quantity: '1' }));
    desk.exchange.drainEvents();
    desk.now = later(desk.now, HOUR_MS);
    setReference(desk, mark, '0.01');
    expect(desk.exchange.drainEvents()).toEqual([]);
    expect(desk.exchange.openPositions(ALICE)[0]?.realizedFunding).toBeUndefined();
  });
});

const moments = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 3 * HOUR_MS }),
    mark: fc.integer({ min: 60_000, max: 160_000 }),
    rate: fc.integer({ min: -5_000, max: 5_000 }).map((n) => (n / 1e7).toFixed(7)),
    trade: fc.option(fc.integer({ min: -40, max: 40 }).filter((lots) => lots !== 0)),
    settles: fc.boolean(),
  }),
  { minLength: 1, maxLength: 25, size: 'max' },
);

describe('funding over random rates, mark prices, trades and settlements', () => {
  it('each side receives what the other pays, and a process restarted at any point agrees', () => {
    fc.assert(
      fc.property(moments, fc.nat(), (course, cut) => {
        const desk = held(btcPerpetual, '123450');
        const before = JSON.parse(JSON.stringify(desk.exchange.snapshot()));
        desk.exchange.drainEvents();
        const journal: AccountEvent[] = [];
        for (const [number, { afterMs, mark, rate, trade, settles }] of course.entries()) {
          desk.now = later(desk.now, afterMs);
          setReference(desk, `${mark}`, rate);
          if (trade) {
            const terms = { price: '100000', quantity: `${Math.abs(trade) * 10}` };
            desk.place(BOB, trade > 0 ? 'sell' : 'buy', terms);
            desk.place(ALICE, trade > 0 ? 'buy' : 'sell', terms);
          }
          if (settles) desk.do({ kind: 'settle_day', now: desk.now });
          journal.push(...(desk.exchange.drainEvents() as AccountEvent[]));
          const sums = desk.exchange.snapshot().positions.map(({ funding }) => {
            const { accrued, booked } = must(funding, 'a perpetual has funding');
            return [accrued, booked].map((one) => price(one));
          });
          const isSame = sums[0]?.every((one, at) => one.plus(sums[1]?.[at] ?? one).isZero());
          if (settles) {
            // Accrued up to the same moment, booked with the same rounding.
            expect(isSame).toBe(true);
          }
          if (number === cut % course.length) {
            const restored = Exchange.restore(before, options());
            const events = journal.filter(({ kind }) => (kind as string) !== 'print');
            restored.applyJournal(JSON.parse(JSON.stringify(events.map(journalRecord))));
            expect(restored.stateHash()).toBe(desk.exchange.stateHash());
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('funding is charged at the last known rate while the exchange is down', () => {
    const desk = held(btcUsdcPerpetual, '1', '0.0008');
    desk.now = later(START, 2 * MINUTE_MS);
    setReference(desk, '100000', '0.0008');
    const snapshot = JSON.parse(JSON.stringify(desk.exchange.snapshot()));
    const again = new Desk(btcUsdcPerpetual, Exchange.restore(snapshot, options()));
    again.now = later(START, 8 * HOUR_MS);
    setReference(again, '50000', '0.0001');
    expect(fundingOf(again)[0]).toBe('-80');
  });
});

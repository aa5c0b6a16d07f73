// The price a taker pays never exceeds the limit, earlier quotes trade first, and expiries take effect at
// their exact instants.
import { describe, expect, it } from 'vitest';
import { later, SECOND_MS } from '../../../src/values/instant.ts';
import { assertProgress, NoProgress } from '../../../src/values/progress.ts';
import {
  asked,
  MAKER1,
  MAKER2,
  oneCall,
  quoted,
  RfqDesk,
  refused,
  TAKER,
  traded,
} from './rfq-desk.ts';

function offered(side: 'buy' | 'sell', at: string): RfqDesk {
  const desk = RfqDesk.marked();
  asked(desk.createRfq(oneCall()));
  quoted(desk.quote(MAKER1, side, { legs: [at] }));
  desk.open();
  return desk;
}

describe('the limit of an accept', () => {
  it.each([
    ['buy', 'sell', '0.0505', '0.05049999'],
    ['sell', 'buy', '0.0495', '0.04950001'],
  ] as const)(
    'the limit to %s is never exceeded by a price between two ticks',
    (side, makers, at, limit) => {
      expect(refused(offered(makers, at).accept(side, limit))).toMatchObject({ code: 13907 });
      const waiting = offered(makers, at);
      const { blockTrades } = traded(
        waiting.accept(side, limit, { timeInForce: 'good_til_cancelled' }),
      );
      expect(blockTrades).toEqual([]);
      waiting.pass(SECOND_MS);
      expect(waiting.seen(TAKER).status).toBe('open');
    },
  );

  it.each([
    ['buy', 'sell'],
    ['sell', 'buy'],
  ] as const)('the limit to %s includes its own price', (side, makers) => {
    expect(traded(offered(makers, '0.05').accept(side, '0.05')).blockTrades).toHaveLength(1);
  });
});

describe('quotes at the same price', () => {
  const part = { legs: ['0.05'] } as const;
  const whole = { legs: ['0.05'], executionInstruction: 'all_or_none' } as const;

  it.each([
    ['any_part_of first', [part, whole], ['MAKER1']],
    ['all_or_none first', [whole, part], ['MAKER1']],
    [
      'two partial halves around an all-or-none quote',
      [{ ...part, quantity: '50' }, whole, { ...part, quantity: '50' }],
      ['MAKER1'],
    ],
    [
      'an all-or-none quote before two partial halves',
      [whole, { ...part, quantity: '50' }, { ...part, quantity: '50' }],
      ['MAKER1'],
    ],
    [
      'an insufficient half before an all-or-none quote',
      [{ ...part, quantity: '50' }, whole],
      ['MAKER2'],
    ],
  ] as const)('quotes at the same price trade in chronological order: %s', (_, quotes, makers) => {
    const desk = RfqDesk.marked();
    asked(desk.createRfq(oneCall()));
    for (const [at, terms] of quotes.entries()) {
      quoted(desk.quote(at === 1 ? MAKER2 : MAKER1, 'sell', terms));
    }
    desk.open();
    const { blockTrades } = traded(desk.accept('buy', '0.05'));
    expect(blockTrades.map(({ maker }) => maker)).toEqual(makers);
  });
});

describe('expiries', () => {
  it('the grace period, a quote and the RFQ end at their exact instants', () => {
    const desk = RfqDesk.marked();
    const { createdAt, expiresAt } = asked(desk.createRfq(oneCall()));
    const end = later(createdAt, 20 * SECOND_MS);
    const { id } = quoted(desk.quote(MAKER1, 'sell', { legs: ['0.05'], expiresAt: end }));
    expect(desk.seen(TAKER).status).toBe('created');
    desk.pass(5 * SECOND_MS);
    expect(desk.seen(TAKER).status).toBe('open');
    desk.pass(end - desk.now);
    expect(desk.exchange.rfqs.quotes({ account: MAKER1, quoteId: id })[0]?.status).toBe('expired');
    desk.pass(expiresAt - desk.now);
    expect(desk.seen(TAKER).status).toBe('expired');
  });

  it('loops over due expiries fail instead of running forever', () => {
    expect(() => assertProgress(false, 'a loop')).toThrow(NoProgress);
    expect(() => assertProgress(false, 'a loop')).toThrow('a loop would never end');
    assertProgress(true, 'a loop');
  });
});

import { describe, expect, test } from 'vitest';
import { KNOWN_TRADES_MAX, KnownTrades } from '../../src/recorder/known-trades.ts';

const line = (id: number, arrivedUs = 0): string =>
  `x,BTC,1795424690747000,${arrivedUs},${id},buy,1,2`;

describe('known trades', () => {
  test('a trade recorded before the start is a double, whenever it arrived', () => {
    const trades = new KnownTrades([line(1, 5), line(2, 6)]);
    expect(trades.judge({ tradeSeq: 2 }, line(2, 7))).toEqual({ kind: 'double' });
    expect(trades.judge({ tradeSeq: 3 }, line(3))).toEqual({ kind: 'new', missed: 0 });
  });

  test('only the latest trades are known, so that memory is bounded', () => {
    const trades = new KnownTrades();
    for (let id = 0; id <= KNOWN_TRADES_MAX; id += 1) trades.judge({ tradeSeq: id }, line(id));
    expect(trades.judge({ tradeSeq: 1 }, line(1))).toEqual({ kind: 'double' });
    expect(trades.judge({ tradeSeq: 1 }, line(0)).kind).toBe('new');
  });
});

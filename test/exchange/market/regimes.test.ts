// The market in all its regimes: how much it moves, and that no regime empties a book.
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import { REGIMES, type Regime } from '../../../src/exchange/market/regimes.ts';
import { toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { HOUR_MS, later, MINUTE_MS } from '../../../src/values/instant.ts';
import { cases } from '../../support/cases.ts';
import { NOON } from './seeded.ts';

const BOOKS = ['BTC-PERPETUAL', 'ETH-PERPETUAL', 'BTC-27NOV26', 'BTC_USDC', 'ETH_USDC'].map(
  instrumentName,
);

const WATCHED_MS = cases(3) * MINUTE_MS;

describe('the regimes of the market', () => {
  it.each(REGIMES)(
    'no side of a book is ever empty in a %s market, whatever takers do',
    (regime) => {
      for (const seed of ['one', 'two']) {
        const market = seededMarket({ seed, startAt: NOON, regime });
        const exchange = new Exchange({ instruments: [], accounts: [] });
        for (const name of BOOKS) {
          for (const command of market.start(name, NOON)) exchange.handle(command);
        }
        for (let now = NOON; now < NOON + WATCHED_MS; now = later(now, 250)) {
          do for (const command of market.step(now)) exchange.handle(command);
          while (market.nextStepAt(now) === now);
          exchange.drainEvents();
          for (const name of BOOKS) {
            const { bid, ask } = exchange.best(name);
            expect(bid, `${name} has a bid at ${now}`).toBeDefined();
            expect(ask, `${name} has an offer at ${now}`).toBeDefined();
          }
        }
      }
    },
  );

  it('each regime moves more than the one before', () => {
    const moved = (regime: Regime): number => {
      let sum = 0;
      for (const seed of ['a', 'b', 'c']) {
        const market = seededMarket({ seed, startAt: NOON, regime });
        const past = must(market.past, 'a past');
        const indexAt = (hour: number): number =>
          toNumber(must(past.index('BTC', later(NOON, hour * HOUR_MS)), 'an index'));
        for (let hour = 0; hour < 200; hour += 1) {
          sum += Math.log(indexAt(hour + 1) / indexAt(hour)) ** 2;
        }
      }
      return sum;
    };
    const moves = REGIMES.map(moved);
    expect(moves).toEqual(moves.toSorted((a, b) => a - b));
    expect((moves.at(-1) ?? 0) / (moves[0] ?? 0)).toBeGreaterThan(4);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MarketCommand } from '../../../src/exchange/command.ts';
import { Exchange } from '../../../src/exchange/exchange.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import type { MarketSource } from '../../../src/exchange/market/market-source.ts';
import { money, price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import {
  accountId,
  currency,
  type InstrumentName,
  instrumentName,
} from '../../../src/values/ids.ts';
import { DAY_MS, HOUR_MS, type Instant, later } from '../../../src/values/instant.ts';
import { NOON } from './seeded.ts';

const BTC = instrumentName('BTC-PERPETUAL');
const USER = accountId('10001');
const NAMES = [
  'BTC-PERPETUAL',
  'ETH-PERPETUAL',
  'BTC_USDC-PERPETUAL',
  'ETH_USDC-PERPETUAL',
  'BTC-27NOV26',
  'ETH-25DEC26',
  'BTC_USDC',
  'ETH_USDC',
].map(instrumentName);

const open = (seed: string): { market: MarketSource; exchange: Exchange } => ({
  market: seededMarket({ seed, startAt: NOON }),
  exchange: new Exchange({
    instruments: [],
    accounts: [{ account: USER, balances: new Map([[currency('BTC'), money('100')]]) }],
  }),
});

function run(exchange: Exchange, commands: readonly MarketCommand[]): void {
  for (const command of commands) {
    const answer = exchange.handle(command);
    if (answer.kind === 'refused') throw new Error(JSON.stringify({ command, answer }));
  }
  exchange.drainEvents();
}

/** Steps the instruments for `forMs`, an order of a user every minute; hashes of all there is after. */
function course(seed: string, forMs: number, names: readonly InstrumentName[]): readonly string[] {
  const { market, exchange } = open(seed);
  for (const name of names) run(exchange, market.start(name, NOON));
  for (let now = NOON; now < NOON + forMs; now = must(market.nextStepAt(now), 'a next step')) {
    run(exchange, market.step(now));
    if ((now - NOON) % 60_000 === 0) userBuys(exchange, now);
  }
  return [exchange.stateHash(), ...names.map((name) => exchange.bookHash(name))];
}

function userBuys(exchange: Exchange, now: Instant): void {
  const bid = must(exchange.best(BTC).bid, 'a bid').price;
  exchange.handle({
    kind: 'place',
    now,
    account: USER,
    instrument: BTC,
    side: 'buy',
    type: 'limit',
    quantity: quantity('100'),
    price: bid,
    timeInForce: 'good_til_cancelled',
    postOnly: false,
    rejectPostOnly: false,
    reduceOnly: false,
    label: `at ${now}`,
  });
}

describe('the seeded market', () => {
  it('takes the same course for the same seed and commands, another for another seed', () => {
    const once = course('a', 10 * 60_000, NAMES);
    expect(course('a', 10 * 60_000, NAMES)).toEqual(once);
    expect(course('b', 10 * 60_000, NAMES)).not.toEqual(once);
  });

  it('gives every instrument of the catalogue a book that the exchange takes', () => {
    const { market, exchange } = open('all');
    for (const { name } of market.instruments(NOON)) {
      run(exchange, market.start(name, NOON));
      const { bid, ask } = exchange.best(name);
      const touch = must(ask ?? bid, `${name} is quoted`);
      expect(touch.quantity.gt(0)).toBe(true);
    }
  });

  it('passes a day in any steps, few or many, with one step’s work for each', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3 * HOUR_MS }), { minLength: 5, maxLength: 40 }),
        (gaps) => {
          const { market, exchange } = open('gaps');
          for (const name of NAMES) run(exchange, market.start(name, NOON));
          let now = NOON;
          for (const gap of gaps) {
            now = later(now, gap);
            if (now >= later(NOON, 6 * DAY_MS)) break;
            const commands = market.step(now);
            expect(commands.length).toBeLessThanOrEqual(NAMES.length * 6);
            run(exchange, commands);
            expect(market.step(now)).toEqual([]);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('stands where it would have stood with every step taken', () => {
    const [watched, late] = [open('gap'), open('gap')];
    run(watched.exchange, watched.market.start(BTC, NOON));
    const end = later(NOON, HOUR_MS);
    for (let now = NOON; now <= end; now = later(now, 250)) {
      run(watched.exchange, watched.market.step(now));
    }
    run(late.exchange, late.market.start(BTC, end));
    const reference = ({ exchange }: typeof late) => exchange.reference(BTC);
    expect(reference(late)).toEqual(reference(watched));
  });

  it('trades: the tape moves and the takers’ inventory stays small', () => {
    const { market, exchange } = open('tape');
    run(exchange, market.start(BTC, NOON));
    for (let now = NOON; now < NOON + 120_000; now = later(now, 250)) {
      run(exchange, market.step(now));
    }
    const last = must(exchange.lastTrade(BTC), 'a trade');
    expect(last.tradeSeq).toBeGreaterThan(60);
    expect(last.price.gt(price('80000'))).toBe(true);
  });

  it('leaves a book empty when it is stopped, and has nothing more to do', () => {
    const { market, exchange } = open('stop');
    expect(market.nextStepAt(NOON)).toBeUndefined();
    run(exchange, market.start(BTC, NOON));
    expect(market.nextStepAt(NOON)).toBe(later(NOON, 250));
    run(exchange, market.stop(BTC, NOON));
    expect(exchange.best(BTC)).toEqual({});
    expect(market.nextStepAt(NOON)).toBeUndefined();
    expect(market.step(later(NOON, 250))).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { MarketCommand } from '../../../src/exchange/exchange-command.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import type { MarketSource } from '../../../src/exchange/market/market-source.ts';
import { PIECE } from '../../../src/exchange/market/update-schedule.ts';
import { money, price, quantity, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import {
  accountId,
  currency,
  type InstrumentName,
  instrumentName,
} from '../../../src/values/ids.ts';
import { DAY_MS, HOUR_MS, type Instant, later, MINUTE_MS } from '../../../src/values/instant.ts';
import { cases } from '../../support/cases.ts';
import { nonEmpty } from '../../support/non-empty.ts';
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

const COURSE_MS = cases(3) * MINUTE_MS;

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

/** All commands of a market at one instant, collected piece by piece. */
function wholeStep(market: MarketSource, now: Instant): readonly MarketCommand[] {
  const commands: MarketCommand[] = [];
  do commands.push(...market.step(now));
  while (market.nextStepAt(now) === now);
  return commands;
}

/**
 * Steps the instruments for `forMs` with an order of a user every minute; returns hashes of the resulting
 * state.
 */
function course(seed: string, forMs: number, names: readonly InstrumentName[]): readonly string[] {
  const { market, exchange } = open(seed);
  for (const name of names) run(exchange, market.start(name, NOON));
  let orderAt = NOON;
  for (let now = NOON; now < NOON + forMs; now = must(market.nextStepAt(now), 'a next step')) {
    run(exchange, market.step(now));
    if (now < orderAt) continue;
    userBuys(exchange, now);
    orderAt = later(orderAt, 60_000);
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
  it('the same seed and commands give the same course, another seed gives another', () => {
    const once = course('a', COURSE_MS, NAMES);
    expect(course('a', COURSE_MS, NAMES)).toEqual(once);
    expect(course('b', COURSE_MS, NAMES)).not.toEqual(once);
  });

  it('the exchange accepts a book for every instrument of the catalogue', () => {
    const { market, exchange } = open('all');
    for (const { name } of nonEmpty(market.instruments(NOON))) {
      run(exchange, market.start(name, NOON));
      const { bid, ask } = exchange.best(name);
      const touch = must(ask ?? bid, `${name} is quoted`);
      expect(touch.quantity.gt(0)).toBe(true);
    }
  });

  it("a day can be passed in many or few steps, each costing one step's work", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3 * HOUR_MS }), {
          minLength: 5,
          maxLength: 40,
          size: 'max',
        }),
        (gaps) => {
          const { market, exchange } = open('gaps');
          for (const name of NAMES) run(exchange, market.start(name, NOON));
          let now = NOON;
          for (const gap of gaps) {
            now = later(now, gap);
            if (now >= later(NOON, 6 * DAY_MS)) break;
            const commands = wholeStep(market, now);
            const taken = commands.filter(({ kind }) => kind === 'take').length;
            expect(commands.length - taken).toBeLessThanOrEqual(NAMES.length * 4);
            // A burst at most, never the thousands of prints of the time that was passed over.
            expect(taken).toBeLessThanOrEqual(NAMES.length * 60);
            run(exchange, commands);
            expect(market.step(now)).toEqual([]);
          }
        },
      ),
      { numRuns: cases(5) },
    );
  });

  it('after a gap the market is in the same state as after every single step', () => {
    const [watched, late] = [open('gap'), open('gap')];
    run(watched.exchange, watched.market.start(BTC, NOON));
    const end = later(NOON, cases(15) * MINUTE_MS);
    for (let now = NOON; now <= end; now = later(now, 250)) {
      run(watched.exchange, watched.market.step(now));
    }
    run(late.exchange, late.market.start(BTC, end));
    const reference = ({ exchange }: typeof late) => exchange.reference(BTC);
    expect(reference(late)).toEqual(reference(watched));
  });

  it('a few books are updated at a time, each once per round, and none on a whole second', () => {
    const { market, exchange } = open('pieces');
    const names = market.instruments(NOON).filter(({ kind }) => kind !== 'option');
    for (const { name } of names) run(exchange, market.start(name, NOON));
    for (let now = NOON, round = 0; round < 8; round += 1) {
      const moved: string[] = [];
      now = must(market.nextStepAt(now), 'a next round');
      expect(now % 250).toBe(125);
      do {
        const commands = market.step(now);
        const marked = commands.flatMap((each) => (each.kind === 'set_reference' ? [each] : []));
        expect(marked.length).toBeLessThanOrEqual(PIECE);
        moved.push(...marked.map(({ instrument }) => instrument));
        run(exchange, commands);
      } while (market.nextStepAt(now) === now);
      expect(moved).toEqual(names.map(({ name }) => name));
    }
  });

  it('a late round is finished before the next begins, without the stopped books', () => {
    const { market, exchange } = open('late');
    const names = market
      .instruments(NOON)
      .filter(({ kind }) => kind !== 'option')
      .slice(0, 20);
    for (const { name } of names) run(exchange, market.start(name, NOON));
    const begun = market.step(later(NOON, 125));
    const gone = must(names.at(-1), 'the last').name;
    run(exchange, [...begun, ...market.stop(gone, later(NOON, 130))]);
    const rest = wholeStep(market, later(NOON, 900));
    const marked = rest.flatMap((each) => (each.kind === 'set_reference' ? [each.instrument] : []));
    const all = names.map(({ name }) => name).filter((name) => name !== gone);
    expect(marked).toEqual(all.slice(PIECE));
    expect(market.nextStepAt(later(NOON, 900))).toBe(later(NOON, 1_125));
  });

  it('takers trade, and their inventory stays small', () => {
    const { market, exchange } = open('tape');
    run(exchange, market.start(BTC, NOON));
    for (let now = NOON; now < NOON + 600_000; now = later(now, 250)) {
      run(exchange, market.step(now));
    }
    const last = must(exchange.lastTrade(BTC), 'a trade');
    expect(last.tradeSeq).toBeGreaterThan(40);
    expect(last.price.gt(price('80000'))).toBe(true);
  });

  it('a stopped instrument has an empty book and no further steps', () => {
    const { market, exchange } = open('stop');
    expect(market.nextStepAt(NOON)).toBeUndefined();
    run(exchange, market.start(BTC, NOON));
    expect(market.nextStepAt(NOON)).toBe(later(NOON, 125));
    expect(market.nextStepAt(later(NOON, 125))).toBe(later(NOON, 375));
    run(exchange, market.stop(BTC, NOON));
    expect(exchange.best(BTC)).toEqual({});
    expect(market.nextStepAt(NOON)).toBeUndefined();
    expect(market.step(later(NOON, 250))).toEqual([]);
  });

  it("an instrument's course does not depend on other watched instruments, the start time or the steps", () => {
    const everything = sayings(NAMES, { from: NOON, everyMs: 250 });
    const alone = sayings([BTC], { from: later(NOON, 7_000), everyMs: 1_000 });
    const late = sayings([instrumentName('ETH_USDC'), BTC], {
      from: later(NOON, 31_000),
      everyMs: 4_000,
    });
    for (const other of [alone, late]) {
      const both = [...other].filter(([at]) => everything.has(at));
      expect(both.length).toBeGreaterThan(5);
      for (const [at, said] of both) expect(said).toEqual(everything.get(at));
    }
  });

  it("prices lean after users' trades, and the lean fades", () => {
    const [left, taken] = [open('lean'), open('lean')];
    for (const { market, exchange } of [left, taken]) run(exchange, market.start(BTC, NOON));
    const size = { quantity: quantity('2000000'), liquidity: 'taker' } as const;
    const trade = { side: 'buy', ...size, at: NOON } as const;
    must(taken.market.noteUserTrade, 'the market listens')(BTC, trade);
    const difference = (afterMs: number): number => {
      const now = later(NOON, afterMs);
      const [before, after] = [left, taken].map(({ market, exchange }) => {
        run(exchange, market.step(now));
        const { bid, ask } = exchange.best(BTC);
        return toNumber(must(bid, 'bid').price) + toNumber(must(ask, 'ask').price);
      });
      return (after ?? 0) - (before ?? 0);
    };
    const [soon, later1] = [difference(1_000), difference(60_000)];
    expect(soon).toBeGreaterThan(2);
    expect(later1).toBeGreaterThanOrEqual(0);
    expect(difference(120_000)).toBe(0);
  });

  it('references of perpetuals have funding, started or not, and those of other kinds have none', () => {
    const { market } = open('funding');
    for (const name of NAMES) {
      const reference = must(market.reference(name, NOON), name);
      const isPerpetual = name.endsWith('PERPETUAL');
      expect(reference.currentFunding !== undefined).toBe(isPerpetual);
      expect(reference.fundingRate8h !== undefined).toBe(isPerpetual);
    }
  });
});

/** The references of BTC and the makers' quotes at each refill, as text by instant. */
function sayings(
  names: readonly InstrumentName[],
  { from, everyMs }: { readonly from: Instant; readonly everyMs: number },
): ReadonlyMap<Instant, string> {
  const { market } = open('alike');
  const said = new Map<Instant, string>();
  for (const name of names) market.start(name, from);
  for (let now = later(from, everyMs); now < NOON + 360_000; now = later(now, everyMs)) {
    const ofBtc = wholeStep(market, now).filter(
      (each) => 'instrument' in each && each.instrument === BTC,
    );
    // Between refills quotes are only updated when they move, which depends on the previous update.
    const isQuoted = ofBtc.some(({ kind }) => kind === 'make_quotes');
    if (isQuoted) said.set(now, JSON.stringify(ofBtc));
  }
  return said;
}

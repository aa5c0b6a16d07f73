// What makes a backtest believable: fills checked against recorded trades, latencies that are drawn, and models of the queue.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QueueModel } from '../../../src/exchange/model/queue-model.ts';
import { supportNotes } from '../../../src/main/commands/backtest/support-notes.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { later } from '../../../src/values/instant.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import { drawnLatency } from '../../../src/virtual/backtest/backtest-latency.ts';
import { backtest } from '../../../src/virtual/backtest/run-backtest.ts';
import {
  SUPPORT_WINDOW_MS,
  TradedWindows,
  unsupportedFills,
} from '../../../src/virtual/backtest/trade-support.ts';
import { form, legForm, settle } from '../../support/engine/engine-world.ts';
import { book, DAY, inBatches, recordedSpot, SYMBOL, trade, walk } from '../recorded-rows.ts';

const FIXED = { minMs: 0, maxMs: 0, seed: '' };

async function run(
  rows: readonly RecordedEvent[],
  of: {
    readonly priceOptions?: object;
    readonly amount: string;
    readonly seconds: number;
    readonly latency?: typeof FIXED;
    readonly queue?: QueueModel;
  },
) {
  const outcome = await backtest({
    form: form({
      twapTrade: { durationSec: of.seconds, frequencySec: of.seconds },
      legs: [
        legForm({
          instrument: SYMBOL,
          instrumentType: 'spot',
          quantity: quantity(of.amount),
          priceOptions: { priceType: 'market', priceIn: 'USD', ...of.priceOptions } as never,
        }),
      ],
    }),
    instruments: [recordedSpot()],
    rows: inBatches(rows),
    startAt: DAY,
    dataTo: later(DAY, 86_400_000),
    rowsUntil: later(DAY, 86_400_000),
    holeMs: 60_000,
    latency: of.latency ?? FIXED,
    queue: of.queue,
    settle,
  });
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome.rejections));
  return outcome;
}

const legOf = async (...given: Parameters<typeof run>) => {
  const { report } = await run(...given);
  const [leg] = report.legs;
  if (leg === undefined) throw new Error('one leg was asked for');
  return leg;
};

const quotes = (until: number) =>
  Array.from({ length: until + 1 }, (_, second) => book(second, [99, '5'], [101, '5']));

describe('fills and recorded trades', () => {
  test('a fill at a price at which others traded, for less than they did, is supported', async () => {
    const rows = [...quotes(30), trade(2, 'buy', [101, '4'])].sort((a, b) => a.atUs - b.atUs);
    const leg = await legOf(rows, { amount: '3', seconds: 20 });
    expect(leg.filled).toBe('3');
    expect(leg.support).toEqual({ participation: 0.75, unsupportedFills: 0, unsupported: '0' });
  });

  test('a fill of more than was traded is counted, with its amount, and warned about', async () => {
    const rows = [...quotes(30), trade(2, 'buy', [101, '2'])].sort((a, b) => a.atUs - b.atUs);
    const { report } = await run(rows, { amount: '3', seconds: 20 });
    expect(report.legs[0]?.support).toEqual({
      participation: 1.5,
      unsupportedFills: 1,
      unsupported: '3',
    });
    const notes = supportNotes(report).join('\n');
    expect(notes).toMatch(/^warning: legs\[0\] BTC-USD took 3 .* where 2 were traded/);
    expect(notes).toContain('1 of 1 fills (3 ');
  });

  test('a fill below every price at which others traded is counted', async () => {
    const rows = [...quotes(30), trade(2, 'buy', [102, '9'])].sort((a, b) => a.atUs - b.atUs);
    const leg = await legOf(rows, { amount: '3', seconds: 20 });
    expect(leg.support?.unsupportedFills).toBe(1);
  });

  test('without recorded trades nothing is said to be supported', async () => {
    expect((await legOf(quotes(30), { amount: '3', seconds: 20 })).support).toBeNull();
  });

  test('fills of any sort are supported exactly as far as a count of their own says', () => {
    const one = fc.record({
      at: fc.integer({ min: 0, max: 60_000 }),
      price: fc.integer({ min: 95, max: 105 }),
      amount: fc.integer({ min: 1, max: 5 }),
    });
    const many = fc.array(one, { maxLength: 20, size: 'max' });
    fc.assert(
      fc.property(many, many, fc.constantFrom('buy', 'sell'), (trades, unsorted, side) => {
        const fills = unsorted.toSorted((a, b) => a.at - b.at);
        const windows = new TradedWindows();
        for (const each of trades) windows.add(each);
        const windowOf = (at: number) => Math.trunc(at / SUPPORT_WINDOW_MS);
        const used = new Map<number, number>();
        const expected = fills.filter(({ at, price: paid, amount }) => {
          const near = trades.filter((t) => Math.abs(windowOf(t.at) - windowOf(at)) <= 1);
          const sum = near.reduce((total, t) => total + t.amount, 0);
          const isPriced = near.some((t) => (side === 'buy' ? t.price <= paid : t.price >= paid));
          const before = used.get(windowOf(at)) ?? 0;
          if (!isPriced || before + amount > sum) return true;
          used.set(windowOf(at), before + amount);
          return false;
        });
        const found = unsupportedFills(fills, side, windows).toSorted((a, b) => a.at - b.at);
        expect(new Set(found)).toEqual(new Set(expected));
      }),
    );
  });
});

describe('latency', () => {
  const bounds = fc
    .tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 900 }))
    .map(([minMs, more]) => ({ minMs, maxMs: minMs + more }));

  test('both ways together take no less and no more than the range, and nothing overtakes', () => {
    fc.assert(
      fc.property(bounds, fc.string(), fc.integer({ min: 1, max: 60 }), (range, seed, stepMs) => {
        const latency = drawnLatency({ ...range, seed });
        if (typeof latency === 'number') throw new Error('a range is drawn from');
        for (const way of [latency.arrival, latency.answer]) {
          let last = 0;
          for (let sentAt = DAY; sentAt < DAY + 3_000; sentAt = later(sentAt, stepMs)) {
            const arrivesAt = way(sentAt);
            expect(arrivesAt).toBeGreaterThanOrEqual(last);
            expect(arrivesAt - sentAt).toBeGreaterThanOrEqual(Math.floor(range.minMs / 2));
            expect(arrivesAt - sentAt).toBeLessThanOrEqual(Math.ceil(range.maxMs / 2));
            last = arrivesAt;
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('half of the spells are quicker than the geometric mean of the bounds, the same for a seed', () => {
    const drawn = (seed: string) => {
      const latency = drawnLatency({ minMs: 5, maxMs: 80, seed });
      if (typeof latency === 'number') throw new Error('a range is drawn from');
      // In the middle of a spell, which the one before no longer delays.
      return Array.from({ length: 4_000 }, (_, spell) => {
        const sentAt = later(DAY, spell * 100 + 50);
        return latency.arrival(sentAt) - sentAt;
      });
    };
    const draws = drawn('a');
    expect(drawn('a')).toEqual(draws);
    expect(drawn('b')).not.toEqual(draws);
    const middle = (Math.sqrt(6 * 81) - 1) / 2;
    const below = draws.filter((ms) => ms < middle).length / draws.length;
    expect(Math.abs(below - 0.5)).toBeLessThan(0.06);
  });

  test('a run with drawn latencies is the same again, and another with another seed', async () => {
    const of = (seed: string) => ({
      amount: '6',
      seconds: 60,
      latency: { minMs: 5, maxMs: 800, seed },
      priceOptions: {
        priceType: 'dynamic',
        dynamicPriceStrategy: 'mid',
        dynamicMs: 1_000,
        price: price('100'),
      },
    });
    const rows = walk('latency', 90);
    const hashes = await Promise.all(['a', 'a', 'b'].map((seed) => run(rows, of(seed))));
    const [first, again, other] = hashes.map(({ traceHash }) => traceHash);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });
});

describe('the position of an order in a recorded queue', () => {
  const resting = {
    priceType: 'dynamic',
    dynamicPriceStrategy: 'bid',
    dynamicMs: 600_000,
    price: price('100'),
  };
  const course = (...events: readonly RecordedEvent[]) =>
    [book(0, [99, '5'], [101, '5']), ...events, book(58, [99, '1'], [101, '5'])].sort(
      (a, b) => a.atUs - b.atUs,
    );
  const filled = async (queue: QueueModel, ...events: readonly RecordedEvent[]) => {
    const leg = await legOf(course(...events), {
      amount: '2',
      seconds: 50,
      queue,
      priceOptions: resting,
    });
    // What is left at the end is taken.
    return leg.makerShare;
  };

  test('size that is added later is ahead of the order only where it is behind all that is shown', async () => {
    // Five are there before the order, five come after it, and seven are sold.
    const events = [book(5, [99, '10'], [101, '5']), trade(10, 'sell', [99, '7'])];
    expect(await filled('arrival', ...events)).toBe(1);
    expect(await filled('behind', ...events)).toBe(0);
  });

  test('a cancel frees the way in proportion, or only where nothing is left behind the order', async () => {
    // Of ten, five ahead, five are cancelled: in proportion half of those ahead, by arrival none.
    const events = [
      book(5, [99, '10'], [101, '5']),
      book(8, [99, '5'], [101, '5']),
      trade(10, 'sell', [99, '4']),
    ];
    expect(await filled('arrival', ...events)).toBe(0);
    expect(await filled('pro_rata', ...events)).toBe(0.75);
  });

  test('what was traded ahead of the order does not count as cancelled in the next row', async () => {
    const events = [
      book(5, [99, '10'], [101, '5']),
      trade(7, 'sell', [99, '2']),
      book(8, [99, '8'], [101, '5']),
      trade(10, 'sell', [99, '3']),
    ];
    expect(await filled('pro_rata', ...events)).toBe(0);
  });
});

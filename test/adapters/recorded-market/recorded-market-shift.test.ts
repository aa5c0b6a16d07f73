import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  passMs,
  type Shift,
  shiftedInstant,
  shiftedRows,
} from '../../../src/adapters/recorded-market/shifted-rows.ts';
import { instant, later } from '../../../src/values/instant.ts';
import type { RecordedBook, RecordedEvent } from '../../../src/values/recorded-event.ts';

const FROM = instant(Date.UTC(2021, 6, 1));
const HERE = instant(Date.UTC(2026, 10, 20, 12));

const book = (seconds: number): RecordedBook => {
  const at = later(FROM, seconds * 1_000);
  const bids = [{ price: String(100 + seconds), amount: '1' }];
  return { kind: 'book', symbol: 'X', at, atUs: at * 1_000, bids, asks: [] };
};

async function* recording(): AsyncGenerator<readonly RecordedEvent[]> {
  await Promise.resolve();
  yield [book(-5), book(0), book(2)];
  yield [book(4)];
  yield [book(10), book(11), book(99)];
}

const shift = (change: Partial<Shift> = {}): Shift => ({
  from: FROM,
  to: later(FROM, 11_000),
  startAt: HERE,
  speed: 1,
  loops: true,
  ...change,
});

/** The first `count` rows as seconds after `HERE` and their bids. */
async function taken(
  of: Shift,
  count: number,
  now = HERE,
): Promise<readonly (readonly unknown[])[]> {
  const rows: RecordedBook[] = [];
  for await (const batch of shiftedRows(recording, of, now)) {
    for (const row of batch) if (row.kind === 'book') rows.push(row);
    if (rows.length >= count) break;
  }
  return rows.slice(0, count).map((row) => [(row.at - HERE) / 1_000, row.bids[0]?.price]);
}

describe('a recording shifted to another time', () => {
  it('the replay starts at the given time and omits rows outside the span', async () => {
    expect(await taken(shift({ loops: false }), 99)).toEqual([
      [0, '100'],
      [2, '102'],
      [4, '104'],
      [10, '110'],
      [11, '111'],
    ]);
  });

  it('a loop restarts a second after its end, as often as it is read', async () => {
    const rows = await taken(shift(), 12);
    expect(rows.slice(4, 7)).toEqual([
      [11, '111'],
      [12, '100'],
      [14, '102'],
    ]);
    expect(rows.slice(10)).toEqual([
      [24, '100'],
      [26, '102'],
    ]);
  });

  it('passes that have ended are skipped', async () => {
    const rows = await taken(shift(), 2, later(HERE, 25_000));
    expect(rows).toEqual([
      [24, '100'],
      [26, '102'],
    ]);
  });

  it('the replay runs at the given speed, in order and never early', async () => {
    expect((await taken(shift({ speed: 2 }), 6)).map(([at]) => at)).toEqual([0, 1, 2, 5, 5.5, 6.5]);
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0.1, max: 100, noNaN: true }), async (speed) => {
        const of = shift({ speed });
        const times = (await taken(of, 15)).map(([at]) => Number(at));
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(times[5]).toBeCloseTo(passMs(of) / 1_000, 9);
        expect(shiftedInstant(of.to, of) - HERE).toBeGreaterThan((of.to - of.from) / speed - 0.01);
      }),
      { numRuns: 30 },
    );
  });
});

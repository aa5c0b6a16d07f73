import fc from 'fast-check';
import { Counter as LibraryCounter, Histogram as LibraryHistogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { Counter } from '../../../src/adapters/telemetry/metrics/counter.ts';
import { Exposition, type Family } from '../../../src/adapters/telemetry/metrics/exposition.ts';
import { Histogram } from '../../../src/adapters/telemetry/metrics/histogram.ts';
import { readScrape, type Sample } from './scrape.ts';

const LABELS = ['side', 'why'] as const;
/** Without −1, which the library treats as the overflow bucket. */
const BOUNDS = [-2, 0, 0.005, 0.1, 1, 30];

const labels = fc.record({
  side: fc.constantFrom('buy', 'sell'),
  why: fc.constantFrom('plain', 'a "quoted" word', 'back\\slash', 'two\nlines', ''),
});
const value = fc.oneof(
  fc.constantFrom(...BOUNDS),
  fc.double({ min: -1e6, max: 1e6, noNaN: true, noDefaultInfinity: true }),
);

async function exposed(...families: readonly Family[]): Promise<readonly Sample[]> {
  const exposition = new Exposition();
  for (const family of families) exposition.add(family);
  return readScrape(await exposition.metrics()).samples;
}

const byName = (samples: readonly Sample[]) =>
  new Map(
    samples.map(({ name, labels: of, value: at }) => [
      JSON.stringify([name, Object.entries(of).sort()]),
      at,
    ]),
  );

describe('our own metric families', () => {
  it("a counter counts as the library's does", async () => {
    const counts = fc.array(fc.tuple(labels, fc.integer({ min: 0, max: 1_000 })), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(counts, async (steps) => {
        const registers = [new Registry()];
        const theirs = new LibraryCounter({
          name: 'x_total',
          help: 'X.',
          labelNames: LABELS,
          registers,
        });
        const ours = new Counter('x_total', 'X.', LABELS);
        for (const [of, by] of steps) {
          theirs.inc(of, by);
          ours.inc(of, by);
        }
        const expected = readScrape((await registers[0]?.metrics()) ?? '').samples;
        expect(byName(await exposed(ours))).toEqual(byName(expected));
      }),
    );
  });

  it("a histogram observes as the library's does", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(labels, value), { minLength: 1 }), async (steps) => {
        const registers = [new Registry()];
        const named = { name: 'x_seconds', help: 'X.', labelNames: LABELS, registers };
        const theirs = new LibraryHistogram({ ...named, buckets: BOUNDS });
        const ours = new Histogram('x_seconds', 'X.', { bounds: BOUNDS, labels: LABELS });
        for (const [of, at] of steps) {
          theirs.observe(of, at);
          ours.at(of).observe(at);
        }
        const expected = readScrape((await registers[0]?.metrics()) ?? '').samples;
        expect(byName(await exposed(ours))).toEqual(byName(expected));
      }),
    );
  });

  it('a value beyond all bounds is counted in no bucket, even if one bound is -1', async () => {
    const histogram = new Histogram('x_bps', 'X.', { bounds: [-1, 0, 1], labels: [] });
    histogram.observe({}, 5);
    const samples = await exposed(histogram);
    const bucket = (le: string) => samples.find(({ labels: of }) => of['le'] === le)?.value;
    expect(['-1', '0', '1', '+Inf'].map(bucket)).toEqual([0, 0, 0, 1]);
  });

  it('a series starts at zero if there are no labels, or once it was named', async () => {
    const counter = new Counter('x_total', 'X.', ['side']);
    counter.at({ side: 'buy' });
    const plain = new Counter('y_total', 'Y.', []);
    const samples = await exposed(counter, plain);
    expect(samples.map(({ name, value: at }) => [name, at])).toEqual([
      ['x_total', 0],
      ['y_total', 0],
    ]);
  });

  it('an invalid count or value is refused and changes nothing', async () => {
    const counter = new Counter('x_total', 'X.', ['side']);
    const histogram = new Histogram('x_seconds', 'X.', { bounds: BOUNDS, labels: ['side'] });
    const buy = { side: 'buy' };
    for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => counter.inc(buy, wrong)).toThrow(RangeError);
    }
    for (const wrong of [Number.NaN, Number.NEGATIVE_INFINITY]) {
      expect(() => histogram.observe(buy, wrong)).toThrow(RangeError);
    }
    const samples = await exposed(counter, histogram);
    expect(samples.every(({ value: at }) => at === 0)).toBe(true);
  });

  it("metric names are unique across our families and the library's", () => {
    const exposition = new Exposition();
    new LibraryCounter({ name: 'taken_total', help: 'Taken.', registers: [exposition] });
    exposition.add(new Counter('x_total', 'X.', []));
    expect(() => exposition.add(new Counter('x_total', 'X.', []))).toThrow('exists twice');
    expect(() => exposition.add(new Counter('taken_total', 'X.', []))).toThrow('exists twice');
  });
});

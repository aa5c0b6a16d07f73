// Small pieces by themselves: counters and token buckets. A loop of its own
// has everything at hand, so these are least costs; what they are of a whole request or slice is measured by
// the variants.
import { Counter as LibraryCounter, Histogram as LibraryHistogram, Registry } from 'prom-client';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Counter } from '../src/adapters/telemetry/metrics/counter.ts';
import { Histogram } from '../src/adapters/telemetry/metrics/histogram.ts';
import { Buckets } from '../src/gateway/limits/buckets.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';

const ROUNDS = 15;
const CALLS = 20_000;
const KEYS = 50;

type Call = (n: number) => unknown;

/** Nanoseconds of a call of each, in turns; the median of the rounds. */
async function costs(calls: readonly Call[]): Promise<readonly number[]> {
  const rounds: number[][] = calls.map(() => []);
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const [index, call] of calls.entries()) {
      const from = performance.now();
      for (let n = 0; n < CALLS; n += 1) {
        const made = call(n);
        if (made instanceof Promise) await made;
      }
      if (round >= 0) rounds[index]?.push(((performance.now() - from) * 1e6) / CALLS);
    }
  }
  return rounds.map((samples) => percentile(samples, 0.5));
}

async function row(what: string, calls: Readonly<Record<string, Call>>): Promise<Row> {
  const names = Object.keys(calls);
  const [ours = 0, ...others] = await costs(Object.values(calls));
  const beside = others.map(
    (ns, index) => `${names[index + 1]} ${ns.toFixed(0)} ns (× ${(ns / ours).toFixed(1)})`,
  );
  return { what, value: `ours ${ours.toFixed(0)} ns`, yardstick: beside.join(', ') };
}

export async function benchReaders(): Promise<Row[]> {
  return [...(await metricRows()), await bucketRow()];
}

async function metricRows(): Promise<Row[]> {
  const registers = [new Registry()];
  const labels = { venue: 'paper', outcome: 'filled' };
  const labelNames = ['venue', 'outcome'] as const;
  const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
  const counter = new Counter('ours', 'bench', labelNames).at(labels);
  const theirCounter = new LibraryCounter({ name: 'a', help: 'a', labelNames, registers });
  const histogram = new Histogram('ours', 'bench', { bounds: buckets, labels: labelNames });
  const held = histogram.at(labels);
  const theirs = new LibraryHistogram({ name: 'b', help: 'b', buckets, labelNames, registers });
  const [theirHeldCounter, theirHeld] = [theirCounter.labels(labels), theirs.labels(labels)];
  return [
    await row('an increment of a counter', {
      ours: () => counter.inc(),
      'prom-client': () => theirHeldCounter.inc(),
    }),
    await row('an observation of a histogram', {
      ours: (n) => held.observe((n % 100) / 50),
      'prom-client': (n) => theirHeld.observe((n % 100) / 50),
    }),
  ];
}

async function bucketRow(): Promise<Row> {
  const rule = { perSecond: 1_000_000, burst: 1_000_000 };
  const buckets = new Buckets(10_000);
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 1 });
  let nowMs = 0;
  const ours = (n: number): unknown => {
    nowMs += 0.01;
    return buckets.take(`key ${n % KEYS}`, rule, nowMs);
  };
  return await row('a token taken from a bucket', {
    ours,
    'rate-limiter-flexible': (n) => limiter.consume(`key ${n % KEYS}`),
  });
}

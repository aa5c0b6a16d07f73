// What telemetry costs: processor time per slice with metrics and logs against without, in turns on one
// machine, everything else as in production; and what a scrape with a thousand portfolios costs.
import { openSync } from 'node:fs';
import type { Observer } from '../src/ports/observer.ts';
import { instant } from '../src/values/instant.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';
import { type Bench, openBench, sleep, submitAll } from './slices.ts';

const PER_SECOND = 300;
const SECONDS = 10;
/** Code that has run for so long is compiled. */
const WARM_UP_SEC = 4;
const ROUNDS = 3;
const PORTFOLIOS = 1_000;
const SCRAPES = 30;
const SLICE_SEC = 60;

/** Lines are written to where nobody keeps them; all the work before that is done. */
const LOGGED = { level: 'info', fd: openSync('/dev/null', 'w') } as const;

function silence(observer: Observer): void {
  const methods = new Set([
    ...Object.keys(observer),
    ...Object.getOwnPropertyNames(Object.getPrototypeOf(observer)),
  ]);
  methods.delete('constructor');
  for (const name of methods) Object.defineProperty(observer, name, { value: () => undefined });
}

/** Microseconds of processor time per slice. */
async function costPerSlice(isOn: boolean): Promise<number> {
  const bench = await openBench(isOn ? LOGGED : { level: 'fatal' });
  try {
    let sent = 0;
    if (!isOn) silence(bench.wired.observer);
    const { observer } = bench.wired;
    const told = observer.sliceSent.bind(observer);
    const count: Observer['sliceSent'] = (one) => {
      sent += 1;
      told(one);
    };
    Object.defineProperty(observer, 'sliceSent', { value: count });
    const startAt = instant(Date.now() + 4_000);
    await submitAll(bench, { count: PER_SECOND, seconds: SECONDS + 2, startAt, isBurst: false });
    await sleep(startAt - Date.now() + WARM_UP_SEC * 1_000);
    const cpuFrom = process.cpuUsage();
    const sentFrom = sent;
    await sleep((SECONDS - WARM_UP_SEC) * 1_000);
    const { user, system } = process.cpuUsage(cpuFrom);
    await sleep(3_000);
    return (user + system) / (sent - sentFrom);
  } finally {
    await bench.close();
  }
}

async function scrapeCost(): Promise<Row> {
  const bench: Bench = await openBench(LOGGED);
  try {
    const startAt = instant(Date.now() + 6_000);
    await submitAll(bench, {
      ...{ count: PORTFOLIOS, seconds: 3_600, everySec: SLICE_SEC },
      ...{ startAt, isBurst: false },
    });
    await sleep(startAt - Date.now() + 4_000);
    const cpuMs: number[] = [];
    const took: number[] = [];
    let bytes = 0;
    for (let round = 0; round < SCRAPES; round += 1) {
      const cpuFrom = process.cpuUsage();
      const from = performance.now();
      bytes = Buffer.byteLength(await bench.wired.exposition());
      took.push(performance.now() - from);
      const { user, system } = process.cpuUsage(cpuFrom);
      cpuMs.push((user + system) / 1_000);
      await sleep(200);
    }
    return {
      what: `GET /metrics with ${PORTFOLIOS} active portfolios, all shown, a slice each ${SLICE_SEC} s`,
      value: `p50 ${percentile(took, 0.5).toFixed(1)} ms, max ${Math.max(...took).toFixed(1)} ms, ${(bytes / 1024).toFixed(0)} KiB; ${percentile(cpuMs, 0.5).toFixed(1)} ms of processor time`,
      yardstick: 'at most 50 ms and 1 MB',
    };
  } finally {
    await bench.close();
  }
}

export async function benchTelemetry(): Promise<Row[]> {
  const on: number[] = [];
  const off: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    off.push(await costPerSlice(false));
    on.push(await costPerSlice(true));
  }
  const [withTelemetry, without] = [Math.min(...on), Math.min(...off)];
  return [
    {
      what: `processor time per slice at ${PER_SECOND} slices/s, metrics and logs on`,
      value: `${withTelemetry.toFixed(0)} µs: ${(without / withTelemetry).toFixed(3)} of the slices/s without`,
      yardstick: `off: ${without.toFixed(0)} µs; at least 0.95`,
    },
    await scrapeCost(),
  ];
}

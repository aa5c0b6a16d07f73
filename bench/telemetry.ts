// What telemetry costs: processor time per slice with metrics and logs against without, second by second in
// turns in one process, everything else as in production; and what a scrape with a thousand portfolios costs.
import { openSync } from 'node:fs';
import type { Observer } from '../src/ports/observer.ts';
import { instant } from '../src/values/instant.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';
import { type Bench, openBench, sleep, submitAll } from './slices.ts';

const PER_SECOND = 300;
/** Code that has run for so long is compiled. */
const WARM_UP_SEC = 6;
/** Each a second with and a second without: what else the machine does falls on both. */
const ROUNDS = 15;
const TURN_MS = 1_000;
const PORTFOLIOS = 1_000;
const SCRAPES = 30;
const SLICE_SEC = 60;

/** Lines are written to where nobody keeps them; all the work before that is done. */
const LOGGED = { level: 'info', fd: openSync('/dev/null', 'w') } as const;

interface Switch {
  isOn: boolean;
  sent: number;
}

/** Lets everything told to the observer through, or nothing; slices are counted either way. */
function throughSwitch(observer: Observer): Switch {
  const state = { isOn: true, sent: 0 };
  const methods = new Set([
    ...Object.keys(observer),
    ...Object.getOwnPropertyNames(Object.getPrototypeOf(observer)),
  ]) as Set<keyof Observer | 'constructor'>;
  methods.delete('constructor');
  for (const name of methods as Set<keyof Observer>) {
    const tell = observer[name].bind(observer) as (told: unknown) => void;
    const value = (told: unknown): void => {
      if (name === 'sliceSent') state.sent += 1;
      if (state.isOn) tell(told);
    };
    Object.defineProperty(observer, name, { value });
  }
  return state;
}

/** Microseconds of processor time per slice in one turn. */
async function turn(state: Switch): Promise<number> {
  const cpuFrom = process.cpuUsage();
  const sentFrom = state.sent;
  await sleep(TURN_MS);
  const { user, system } = process.cpuUsage(cpuFrom);
  return (user + system) / (state.sent - sentFrom);
}

/** Microseconds of processor time per slice, the median of the turns. */
async function sliceCosts(): Promise<{ readonly on: number; readonly off: number }> {
  const bench = await openBench(LOGGED);
  try {
    const state = throughSwitch(bench.wired.observer);
    const startAt = instant(Date.now() + 4_000);
    const seconds = WARM_UP_SEC + (2 * ROUNDS * TURN_MS) / 1_000 + 4;
    await submitAll(bench, { count: PER_SECOND, seconds, startAt, isBurst: false });
    await sleep(startAt - Date.now() + WARM_UP_SEC * 1_000);
    const costs: { readonly on: number[]; readonly off: number[] } = { on: [], off: [] };
    for (let round = 0; round < 2 * ROUNDS; round += 1) {
      // On, off, off, on: what grows with time falls on both.
      state.isOn = round % 4 === 0 || round % 4 === 3;
      (state.isOn ? costs.on : costs.off).push(await turn(state));
    }
    return { on: percentile(costs.on, 0.5), off: percentile(costs.off, 0.5) };
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
  const { on, off } = await sliceCosts();
  return [
    {
      what: `processor time per slice at ${PER_SECOND} slices/s, metrics and logs on`,
      value: `${on.toFixed(0)} µs: ${(off / on).toFixed(3)} of the slices/s without`,
      yardstick: `off: ${off.toFixed(0)} µs; at least 0.95`,
    },
    await scrapeCost(),
  ];
}

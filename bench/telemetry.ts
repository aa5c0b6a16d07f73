// The cost of telemetry: processor time per slice with and without metrics and logs, in short alternating
// periods of one process, with everything else as in production; and the cost of a scrape with a thousand
// portfolios.
import { openSync } from 'node:fs';
import type { Observation, Observer } from '../src/ports/observer.ts';
import { instant } from '../src/values/instant.ts';
import { pairedRatio } from './paired.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';
import { type Bench, openBench, sleep, submitAll } from './slices.ts';

const PER_SECOND = 600;
/** Code that has run for this long is compiled. */
const WARM_UP_SEC = 8;
/** Each pair has one period with telemetry and one without, in alternating order. */
const PAIRS = 150;
/** So short that other load on the machine affects both periods of a pair. */
const TURN_MS = 200;
const SENT_MIN = (PER_SECOND * TURN_MS) / 1_000 / 2;
const PORTFOLIOS = 1_000;
const SCRAPES = 30;
const SLICE_SEC = 60;

/** Lines are discarded after all the work of writing them is done. */
const LOGGED = { level: 'info', fd: openSync('/dev/null', 'w') } as const;

interface Switch {
  isOn: boolean;
  sent: number;
}

/** Passes on every occurrence to the observer, or none; slices are counted either way. */
export function throughSwitch(observer: Observer): Switch {
  const state = { isOn: true, sent: 0 };
  const observe = observer.observe.bind(observer);
  const value = (seen: Observation): void => {
    if (seen.event === 'slice_sent') state.sent += 1;
    if (state.isOn) observe(seen);
  };
  Object.defineProperty(observer, 'observe', { value });
  return state;
}

/** Microseconds of processor time per slice. */
export interface SliceCost {
  /** Of the main thread, through which every slice passes and which limits the slices per second. */
  readonly thread: number;
  /** Of all threads, without system time. */
  readonly user: number;
}

/** Ends with what the period has deferred. */
async function turn({ state, set, settle }: Switched, isOn: boolean): Promise<SliceCost> {
  set(isOn);
  const sentFrom = state.sent;
  const from = { all: process.cpuUsage(), thread: process.threadCpuUsage() };
  // If other processes used the machine for the whole period, it is extended until slices were measured.
  do await sleep(TURN_MS);
  while (state.sent - sentFrom < SENT_MIN);
  await settle();
  const thread = process.threadCpuUsage(from.thread);
  const all = process.cpuUsage(from.all);
  const sent = state.sent - sentFrom;
  return { thread: (thread.user + thread.system) / sent, user: all.user / sent };
}

export interface CostPair {
  readonly on: SliceCost;
  readonly off: SliceCost;
}

/** What is switched on and off, and counts slices either way. */
export interface Switched {
  readonly state: Pick<Switch, 'sent'>;
  readonly set: (isOn: boolean) => void;
  /** Completes what was deferred. */
  readonly settle: () => Promise<void> | void;
}

function telemetrySwitch({ wired, log }: Bench): Switched {
  const state = throughSwitch(wired.observer);
  const set = (isOn: boolean): void => {
    state.isOn = isOn;
  };
  return { state, set, settle: () => log.flushSync() };
}

export async function costPairs(
  count = PAIRS,
  switchOf: (bench: Bench) => Switched = telemetrySwitch,
): Promise<readonly CostPair[]> {
  const bench = await openBench(LOGGED);
  try {
    const switched = switchOf(bench);
    const startAt = instant(Date.now() + 4_000);
    // On a machine that is busy with other things turns last longer, and need slices until the end.
    const seconds = 4 * (WARM_UP_SEC + (2 * count * TURN_MS) / 1_000);
    await submitAll(bench, { count: PER_SECOND, seconds, startAt, isBurst: false });
    await sleep(startAt - Date.now() + WARM_UP_SEC * 1_000);
    const pairs: CostPair[] = [];
    while (pairs.length < count) {
      // On, off, off, on: growth over time affects both.
      const isOnFirst = pairs.length % 2 === 0;
      const first = await turn(switched, isOnFirst);
      const second = await turn(switched, !isOnFirst);
      pairs.push(isOnFirst ? { on: first, off: second } : { on: second, off: first });
    }
    return pairs;
  } finally {
    await bench.close();
  }
}

async function scrapeCost(): Promise<Row> {
  const bench: Bench = await openBench(LOGGED);
  try {
    const startAt = instant(Date.now() + 6_000);
    await submitAll(bench, {
      count: PORTFOLIOS,
      seconds: 3_600,
      everySec: SLICE_SEC,
      startAt,
      isBurst: false,
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

/** `least` is the promise: slices a second with it, as a share of those without. */
export function costRow(
  what: string,
  least: number,
  pairs: readonly { on: number; off: number }[],
): Row {
  const [on, off] = [pairs.map((pair) => pair.on), pairs.map((pair) => pair.off)];
  const { ratio, from, to } = pairedRatio(pairs.map((pair) => ({ one: pair.off, other: pair.on })));
  return {
    what: `${what} on`,
    value: `${spread(on)}: ${ratio.toFixed(3)} of the slices/s without (95 %: ${from.toFixed(3)} to ${to.toFixed(3)})`,
    yardstick: `off: ${spread(off)}; at least ${least}`,
  };
}

/** The median with both quartiles. */
function spread(samples: readonly number[]): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) =>
    percentile(samples, share).toFixed(0),
  );
  return `${middle} µs (${low} to ${high})`;
}

export async function benchTelemetry(): Promise<Row[]> {
  const pairs = await costPairs();
  const of = (kind: keyof SliceCost) =>
    pairs.map(({ on, off }) => ({ on: on[kind], off: off[kind] }));
  const at = `at ${PER_SECOND} slices/s, ${PAIRS} pairs of ${TURN_MS} ms, metrics and logs`;
  return [
    costRow(`processor time of the engine's thread per slice ${at}`, 0.95, of('thread')),
    costRow(`user time of the process per slice ${at}`, 0.95, of('user')),
    await scrapeCost(),
  ];
}

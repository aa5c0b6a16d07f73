// Twice the slices that this machine can execute, for a minute: how much of the capacity is still filled in time, and
// what a filled slice costs in stored events. The capacity is measured first, in the same run. TWAPD_BENCH_BEFORE
// names a checkout of another version, which is measured too.
import process from 'node:process';
import type { PortfolioEvent } from '../src/core/portfolio/aggregate/portfolio-event.ts';
import type { Observer } from '../src/ports/observer.ts';
import { instant } from '../src/values/instant.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';
import type * as SlicesBench from './slices.ts';

/** Portfolios with a slice a second each. */
const FIRST = Number(process.env['TWAPD_BENCH_FIRST'] ?? '100');
const GROWTH = 1.6;
const STEPS_MAX = 12;
const STEP_SEC = 12;
/** A load is carried if this share of it is filled, half of the slices no later than this. */
const CARRIED = { share: 0.9, lateP50Ms: 250 };
const OVERLOAD_SEC = Number(process.env['TWAPD_BENCH_SECONDS'] ?? '60');
/** The planned quantity of a slice. */
const SLICE = 10;
/** Code that has run for this long is compiled. */
const WARM_UP_SEC = 4;

interface Course {
  /** Slices' worth filled in a second, while the portfolios were to be executed. */
  readonly filled: number;
  /** The same as a share of what was to be filled. */
  readonly share: number;
  readonly eventsPerSlice: number;
  readonly lateP50Ms: number;
  readonly refused: number;
}

export async function benchOverload(): Promise<Row[]> {
  const before = process.env['TWAPD_BENCH_BEFORE'];
  const versions = [...(before === undefined ? [] : [{ name: 'before', path: before }]), HERE];
  const rows: Row[] = [];
  for (const { name, path } of versions) {
    const slices = (await import(`${path}/bench/slices.ts`)) as typeof SlicesBench;
    const capacity = await capacityOf(slices);
    const wanted = Math.round(2 * capacity);
    const course = await run(slices, wanted, OVERLOAD_SEC);
    const share = ((100 * course.filled) / capacity).toFixed(0);
    rows.push({
      what: `${name}: ${wanted} slices/s wanted for ${OVERLOAD_SEC} s`,
      value: `${course.filled.toFixed(0)} slices' worth a second filled in time, ${share} % of the capacity; ${textOf(course)}`,
      yardstick: `capacity ${capacity.toFixed(0)} slices/s`,
    });
  }
  return rows;
}

const HERE = { name: 'now', path: '..' };

const textOf = ({ eventsPerSlice, lateP50Ms, refused, share }: Course): string =>
  `${(100 * share).toFixed(0)} % of the wanted quantity, ${eventsPerSlice.toFixed(1)} events a slice's worth, ` +
  `p50 ${lateP50Ms} ms late, ${refused} orders not sent`;

/** The most that is filled of any load, the first one that is not carried among them. */
async function capacityOf(slices: typeof SlicesBench): Promise<number> {
  let most = 0;
  for (let [step, wanted] = [0, FIRST]; step < STEPS_MAX; step += 1) {
    const { filled, share, lateP50Ms } = await run(slices, Math.round(wanted), STEP_SEC);
    const shown = `${Math.round(wanted)} wanted, ${filled.toFixed(0)} filled a second, p50 ${lateP50Ms} ms late`;
    process.stderr.write(`  ${shown}\n`);
    most = Math.max(most, filled);
    if (share < CARRIED.share || lateP50Ms > CARRIED.lateP50Ms) break;
    wanted *= GROWTH;
  }
  return most;
}

async function run(
  { openBench, submitAll, sleep }: typeof SlicesBench,
  count: number,
  seconds: number,
): Promise<Course> {
  const bench = await openBench();
  try {
    const startAt = instant(Date.now() + 2_000 + count * 4);
    const [fromAt, endAt] = [startAt + WARM_UP_SEC * 1_000, startAt + seconds * 1_000];
    let [quantity, events, refused] = [0, 0, 0];
    const observer = bench.wired.observer as { observe: Observer['observe'] };
    const observe = observer.observe.bind(observer);
    const take = (event: PortfolioEvent): void => {
      if (event.at < fromAt || event.at >= endAt) return;
      events += 1;
      if (event.kind === 'fill_booked') quantity += Number(event.quantity);
      if (event.kind === 'child_rejected') refused += 1;
    };
    observer.observe = (seen) => {
      if (seen.event === 'turn_committed') seen.events.forEach(take);
      observe(seen);
    };
    await submitAll(bench, { count, seconds, startAt, isBurst: false });
    await sleep(endAt - Date.now());
    const [measuredSec, worth] = [seconds - WARM_UP_SEC, quantity / SLICE];
    return {
      filled: worth / measuredSec,
      share: worth / (count * measuredSec),
      eventsPerSlice: events / Math.max(1, worth),
      lateP50Ms: percentile(bench.lateMs, 0.5),
      refused,
    };
  } finally {
    await bench.close();
  }
}

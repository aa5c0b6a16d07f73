// What the auditor takes of a core while portfolios are at work, from a profile of the main thread: every sample whose stack has a
// function of the auditor counts, whatever that function called.
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { instant } from '../src/values/instant.ts';
import type { Row } from './row.ts';
import { openBench, sleep, submitAll } from './slices.ts';

const OF_THE_AUDITOR = /\/src\/engine\/audit\//;
const SAMPLING_MICROS = 500;
const WARM_UP_MS = 10_000;
const WATCHED_MS = 40_000;

interface Load {
  readonly portfolios: number;
  readonly everySec: number;
}

export async function benchAuditor(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const load of [
    { portfolios: 100, everySec: 1 },
    { portfolios: 2_000, everySec: 20 },
  ]) {
    rows.push(await shareUnder(load));
  }
  return rows;
}

async function shareUnder({ portfolios, everySec }: Load): Promise<Row> {
  const bench = await openBench();
  const session = new Session();
  session.connect();
  try {
    const startAt = instant(Date.now() + 3_000 + portfolios * 3);
    const seconds = 120;
    await submitAll(bench, { count: portfolios, seconds, startAt, isBurst: false, everySec });
    await sleep(startAt - Date.now() + WARM_UP_MS);
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROS });
    await session.post('Profiler.start');
    await sleep(WATCHED_MS);
    const { profile } = await session.post('Profiler.stop');
    const { auditor, busy } = sharesOf(profile);
    return {
      what: `the auditor, ${portfolios} portfolios at work, ${portfolios / everySec} slices a second`,
      value: `${(auditor * 100).toFixed(1)} % of a core`,
      yardstick: `target: at most 2 %; all of the main thread: ${(busy * 100).toFixed(0)} %`,
    };
  } finally {
    session.disconnect();
    await bench.close();
  }
}

/** Of the time of the profile. */
function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): {
  readonly auditor: number;
  readonly busy: number;
} {
  const own = new Set<number>();
  const idle = new Set<number>();
  const children = new Map(nodes.map((node) => [node.id, node.children ?? []]));
  const include = (id: number): void => {
    if (own.has(id)) return;
    own.add(id);
    for (const child of children.get(id) ?? []) include(child);
  };
  for (const { id, callFrame } of nodes) {
    if (OF_THE_AUDITOR.test(callFrame.url)) include(id);
    if (callFrame.functionName === '(idle)') idle.add(id);
  }
  let [all, auditor, waited] = [0, 0, 0];
  for (const [at, id] of samples.entries()) {
    const micros = timeDeltas[at] ?? 0;
    all += micros;
    if (own.has(id)) auditor += micros;
    if (idle.has(id)) waited += micros;
  }
  return { auditor: auditor / all, busy: 1 - waited / all };
}

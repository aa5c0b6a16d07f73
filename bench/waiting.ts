// A daemon with many portfolios that wait for their start: its memory and processor time, the time from kill -9 until it
// accepts requests, and until everything that came due meanwhile has begun.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Daemon, daemonFiles, startDaemon } from '../test/support/daemon/daemon-process.ts';
import { marketLegs, NO_RATE_LIMITS, submitMany } from './many-portfolios.ts';
import { opened } from './opened.ts';
import { cpuSec, residentMb } from './process-cost.ts';
import type { Row } from './row.ts';

const WAITING = Number(process.env['TWAPD_BENCH_WAITING'] ?? '100000');
const REST_MS = 10_000;
const WATCHED_MS = 30_000;
const DAY_MS = 86_400_000;

/**
 * Portfolios whose first slice fills at once. They come due while there is no daemon: submitted that
 * long before it is killed, due that long after.
 */
const DUE = 100;
const BEFORE_KILL_MS = 2_000;
const AFTER_KILL_MS = 200;
const BEGUN_MS_MAX = 120_000;

const submit = (
  daemon: Daemon,
  count: number,
  startAt: (index: number) => number,
): Promise<readonly string[]> =>
  submitMany(daemon, count, (index) => ({
    accountId: 10001,
    portfolioType: 'TWAP',
    twapTrade: { startTimestamp: startAt(index), durationSec: 3_600, frequencySec: 60 },
    legs: marketLegs(index, 240),
  }));

async function haveBegun({ client }: Daemon, ids: readonly string[]): Promise<void> {
  const until = performance.now() + BEGUN_MS_MAX;
  for (const id of ids) {
    for (;;) {
      const info = await client.info(id);
      const filled = info.kind === 'done' ? info.value.legs[0]?.filledQuantity : undefined;
      if (Number(filled) > 0) break;
      if (performance.now() > until) throw new Error(`portfolio ${id} does not begin`);
      await sleep(20);
    }
  }
}

export async function benchWaiting(): Promise<Row[]> {
  await using all = opened();
  const files = daemonFiles('wait', 'config/paper.yaml', 'apart');
  all.defer(() => files.remove());
  appendFileSync(files.configPath, NO_RATE_LIMITS);
  let daemon = await startDaemon(files);
  all.defer(async () => void (await daemon.end('SIGTERM')));
  const from = performance.now();
  const inADay = Date.now() + DAY_MS;
  await submit(daemon, WAITING, (index) => inADay + (index % 3_600) * 1_000);
  const submitSec = (performance.now() - from) / 1_000;
  await sleep(REST_MS);
  const idle = await idleCost(daemon);
  const due = await submit(daemon, DUE, () => Date.now() + BEFORE_KILL_MS + AFTER_KILL_MS);
  await sleep(BEFORE_KILL_MS);
  await daemon.end('SIGKILL');
  const killed = performance.now();
  daemon = await startDaemon(files);
  const listeningMs = performance.now() - killed;
  await haveBegun(daemon, due);
  const begunMs = performance.now() - killed;
  await sleep(REST_MS);
  const again = await idleCost(daemon);
  const what = `${WAITING} portfolios that wait for their start`;
  return [
    { what: `${what}, submitted`, value: `${(WAITING / submitSec).toFixed(0)}/s` },
    { what: `${what}, idle`, value: idle, yardstick: 'target: <= 5 % of a core, <= 400 MB' },
    { what: 'the same after kill -9', value: again },
    {
      what: 'kill -9, start to accepting requests',
      value: `${listeningMs.toFixed(0)} ms`,
      yardstick: 'target: <= 2000 ms',
    },
    {
      what: `the same, until ${DUE} that came due meanwhile have begun`,
      value: `${begunMs.toFixed(0)} ms`,
      yardstick: 'target: <= 10000 ms',
    },
  ];
}

async function idleCost(daemon: Daemon): Promise<string> {
  const pid = daemon.part('engine');
  const from = cpuSec(pid);
  await sleep(WATCHED_MS);
  const share = ((cpuSec(pid) - from) * 1_000) / WATCHED_MS;
  return `${(share * 100).toFixed(1)} % of a core, ${residentMb(pid).toFixed(0)} MB resident`;
}

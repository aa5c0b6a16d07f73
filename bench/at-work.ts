// The memory of a daemon with two thousand portfolios at work whose states are as large as they get: a state keeps at most 16
// settled children (decision 1), so that after twenty slices it is as large as after a day with 1 440.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { daemonFiles, startDaemon } from '../test/support/daemon/daemon-process.ts';
import { marketLegs, NO_RATE_LIMITS, submitMany } from './many-portfolios.ts';
import { opened } from './opened.ts';
import { cpuSec, residentMb } from './process-cost.ts';
import type { Row } from './row.ts';
import { latenessOf } from './slice-lateness.ts';

const PORTFOLIOS = Number(process.env['TWAPD_BENCH_PORTFOLIOS'] ?? '2000');
const SLICES_EACH = Number(process.env['TWAPD_BENCH_ROUNDS'] ?? '20');
const EVERY_SEC = 10;
const SAMPLE_MS = 2_000;

export async function benchAtWork(): Promise<Row[]> {
  await using all = opened();
  const files = daemonFiles('aged', 'config/paper.yaml', 'apart');
  all.defer(() => files.remove());
  appendFileSync(files.configPath, NO_RATE_LIMITS);
  const daemon = await startDaemon(files);
  all.defer(async () => void (await daemon.end('SIGTERM')));
  const pid = daemon.part('engine');
  await submitMany(daemon, PORTFOLIOS, (index) => ({
    accountId: 10001,
    portfolioType: 'TWAP',
    twapTrade: { durationSec: 3_600, frequencySec: EVERY_SEC },
    legs: marketLegs(index, 360),
  }));
  const cpuFrom = cpuSec(pid);
  const mb: number[] = [];
  const { sent, missed, p99Ms } = await latenessOf(daemon, async () => {
    const until = performance.now() + SLICES_EACH * EVERY_SEC * 1_000;
    for (; performance.now() < until; await sleep(SAMPLE_MS)) mb.push(residentMb(pid));
  });
  const micros = ((cpuSec(pid) - cpuFrom) * 1_000_000) / sent;
  return [
    {
      what: `${PORTFOLIOS} portfolios at work, ${SLICES_EACH} slices each: memory of the engine at the end, and its maximum`,
      value: `${mb.at(-1)?.toFixed(0)} and ${Math.max(...mb).toFixed(0)} MB resident`,
      yardstick: 'target: <= 400 MB',
    },
    {
      what: `the same: ${sent} slices sent`,
      value: `${micros.toFixed(0)} µs of processor time each, p99 ${p99Ms} ms late, ${missed} missed`,
    },
  ];
}

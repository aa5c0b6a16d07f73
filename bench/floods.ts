// Slices of a daemon in its own process during floods of requests: how many are missed, how late the others
// are, and how much memory the daemon uses. The floods come from other processes with other loopback
// addresses.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PortfolioBody } from '../src/gateway/client/client.ts';
import { type Daemon, daemonFiles, startDaemon } from '../test/support/daemon/daemon-process.ts';
import type { FloodKind, FloodReport, FloodWish } from './flood-attacker.ts';
import type { Row } from './row.ts';
import { latenessOf } from './slice-lateness.ts';

const READER = {
  keyId: 'demo-reader',
  secret: 'dHdhcGQtZGVtby1yZWFkZXItc2VjcmV0LTAxMjM0NTY3ODk=',
};
/** Trades on an account other than that of the portfolios. */
const MAKER = {
  keyId: 'demo-maker',
  secret: 'dHdhcGQtZGVtby1tYWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};
const PORTFOLIOS = 50;
const GOAL_P99_MS = 10;
const GOAL_MB = 150;
const SAMPLE_MS = 100;

const FLOODS: readonly FloodKind[] = [
  'nothing',
  'instruments in bursts of 300',
  'instruments at 500/s',
  'plans of 20 × 500 slices at 50/s',
  'openapi.json at 100/s',
  'metrics at 100/s',
  'addresses that are none at 500/s',
  'connections opened and closed at 500/s',
  "instruments over Deribit's HTTP at 500/s",
  "instruments over Deribit's WebSocket at 500/s",
  'orders of one key at 100/s',
];

/** Each portfolio has one slice a second. */
const body = (index: number, seconds: number): PortfolioBody => ({
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { durationSec: seconds, frequencySec: 1 },
  legs: [
    {
      instrument: index % 4 < 2 ? 'BTC-PERPETUAL' : 'ETH-PERPETUAL',
      instrumentType: 'PERPETUAL',
      side: index % 2 === 0 ? 1 : 2,
      quantity: String(10 * seconds),
      priceOptions: { priceType: 'MARKET' },
    },
  ],
});

function residentMb(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1_024;
}

async function beside(daemon: Daemon, kind: FloodKind, seconds: number): Promise<Row> {
  const pid = daemon.part('engine');
  const fromMb = residentMb(pid);
  let peakMb = fromMb;
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(pid));
  }, SAMPLE_MS);
  const wish: FloodWish = {
    kind,
    port: Number(new URL(daemon.url).port),
    seconds,
    key: READER,
    trader: MAKER,
  };
  const attacker = fork(new URL('./flood-attacker.ts', import.meta.url), { stdio: 'inherit' });
  let report: FloodReport = { asked: 0, answered: 0, refused: 0 };
  const { sent, missed, p50Ms, p99Ms } = await latenessOf(daemon, async () => {
    attacker.send(wish);
    [report] = (await once(attacker, 'message')) as [FloodReport];
    await sleep(1_500);
  });
  clearInterval(sampling);
  const isWell = missed === 0 && p99Ms <= GOAL_P99_MS && peakMb - fromMb <= GOAL_MB;
  const { asked, answered, refused } = report;
  return {
    what: `beside ${kind} (sent ${asked}, answered ${answered}, refused ${refused})`,
    value: `${sent} slices, ${missed} missed; late p50 about ${p50Ms} ms, p99 about ${p99Ms} ms; peak ${peakMb.toFixed(0)} MB, ${(peakMb - fromMb).toFixed(0)} MB more`,
    yardstick: `${isWell ? 'met' : 'NOT MET'}: 0 missed, p99 about ${GOAL_P99_MS} ms, ≤ ${GOAL_MB} MB more`,
  };
}

export async function benchFloods(): Promise<Row[]> {
  const seconds = Number(process.env['TWAPD_BENCH_SECONDS'] ?? '10');
  const files = daemonFiles('bnch', 'config/paper.yaml', 'apart');
  const daemon = await startDaemon(files);
  try {
    for (let index = 0; index < PORTFOLIOS; index += 1) {
      const outcome = await daemon.client.submit(body(index, FLOODS.length * (seconds + 5) + 20));
      if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
    }
    await sleep(5_000);
    const rows: Row[] = [];
    for (const kind of FLOODS) rows.push(await beside(daemon, kind, seconds));
    return rows;
  } finally {
    await daemon.end('SIGTERM');
    files.remove();
  }
}

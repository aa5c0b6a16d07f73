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

const READER = {
  keyId: 'demo-reader',
  secret: 'dHdhcGQtZGVtby1yZWFkZXItc2VjcmV0LTAxMjM0NTY3ODk=',
};
const PORTFOLIOS = 20;
const GOAL_P99_MS = 250;
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

interface Counts {
  readonly missed: number;
  readonly sent: number;
  /** Number of slices by bound: at most that many seconds late. */
  readonly atMost: ReadonlyMap<number, number>;
}

async function counts({ url }: Daemon): Promise<Counts> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lastOf = (line: string): number => Number(line.slice(line.lastIndexOf(' ') + 1));
  const sum = (name: string): number =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .reduce((total, line) => total + lastOf(line), 0);
  const atMost = new Map<number, number>();
  for (const line of text.split('\n')) {
    const bound = /^twapd_slice_lateness_seconds_bucket\{.*le="([^"]+)"/.exec(line)?.[1];
    if (bound === undefined) continue;
    const seconds = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
    atMost.set(seconds, (atMost.get(seconds) ?? 0) + lastOf(line));
  }
  const sent = sum('twapd_slice_lateness_seconds_count');
  return { missed: sum('twapd_slices_missed_total'), sent, atMost };
}

/** The smallest bound that this share of the slices between two samples kept. */
function lateMs(share: number, before: Counts, after: Counts): number {
  const sent = after.sent - before.sent;
  const bounds = [...after.atMost.keys()].sort((a, b) => a - b);
  const found = bounds.find(
    (bound) => (after.atMost.get(bound) ?? 0) - (before.atMost.get(bound) ?? 0) >= share * sent,
  );
  return Math.round((found ?? Number.NaN) * 1_000);
}

function residentMb(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1_024;
}

async function beside(daemon: Daemon, kind: FloodKind, seconds: number): Promise<Row> {
  const before = await counts(daemon);
  const pid = daemon.process.pid ?? 0;
  const fromMb = residentMb(pid);
  let peakMb = fromMb;
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(pid));
  }, SAMPLE_MS);
  const wish: FloodWish = { kind, port: Number(new URL(daemon.url).port), seconds, key: READER };
  const attacker = fork(new URL('./flood-attacker.ts', import.meta.url), { stdio: 'inherit' });
  attacker.send(wish);
  const [report] = (await once(attacker, 'message')) as [FloodReport];
  clearInterval(sampling);
  await sleep(1_500);
  const after = await counts(daemon);
  const [p50, p99] = [lateMs(0.5, before, after), lateMs(0.99, before, after)];
  const missed = after.missed - before.missed;
  const isWell = missed === 0 && p99 <= GOAL_P99_MS && peakMb - fromMb <= GOAL_MB;
  const { asked, answered, refused } = report;
  return {
    what: `beside ${kind} (sent ${asked}, answered ${answered}, refused ${refused})`,
    value: `${after.sent - before.sent} slices, ${missed} missed; late p50 ≤ ${p50} ms, p99 ≤ ${p99} ms; peak ${peakMb.toFixed(0)} MB, ${(peakMb - fromMb).toFixed(0)} MB more`,
    yardstick: `${isWell ? 'met' : 'NOT MET'}: 0 missed, p99 ≤ ${GOAL_P99_MS} ms, ≤ ${GOAL_MB} MB more`,
  };
}

export async function benchFloods(): Promise<Row[]> {
  const seconds = Number(process.env['TWAPD_BENCH_SECONDS'] ?? '10');
  const files = daemonFiles('bnch');
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

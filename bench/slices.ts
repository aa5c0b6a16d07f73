// The lateness of slices with everything on this machine: engine, Redis, PostgreSQL, paper exchange. It is
// measured from the due time to the call to the venue, with a durable commit in between.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Log, type LogOptions, openLog } from '../src/adapters/telemetry/log/logger.ts';
import type { PortfolioForm } from '../src/core/terms/form.ts';
import { requestInHand } from '../src/gateway/http/request-scope.ts';
import { drainAndStop } from '../src/lifetime/lifetime.ts';
import { loadConfig } from '../src/main/config/load-config.ts';
import { lockDataDir } from '../src/main/data-dir.ts';
import { type Wired, wire } from '../src/main/wiring/wire.ts';
import type { Observer } from '../src/ports/observer.ts';
import { quantity } from '../src/values/amounts.ts';
import { accountId } from '../src/values/ids.ts';
import { type Instant, instant, later } from '../src/values/instant.ts';
import { opened } from './opened.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';

export interface Bench {
  readonly wired: Wired;
  readonly log: Log;
  readonly lateMs: number[];
  close(): Promise<void>;
}

/** Everything a daemon has except its gateway, in a temporary folder. */
export async function openBench(
  logging: Partial<LogOptions> = {},
  environment: ReadonlyMap<string, string> = new Map(),
): Promise<Bench> {
  const open = opened();
  const folder = mkdtempSync(join(tmpdir(), 'twapd-bench-'));
  open.defer(() => rmSync(folder, { recursive: true, force: true }));
  const read = loadConfig('config/paper.yaml', {
    environment: (variable) => environment.get(variable),
  });
  if (read.kind === 'faulty') throw new Error(JSON.stringify(read.faults));
  const metrics = { ...read.value.metrics, portfoliosMax: 1_000 };
  const config = { ...read.value, metrics, log: { level: 'fatal', format: 'json' } as const };
  const log = openLog({
    ...config.log,
    fields: { deployment: config.service.deployment },
    secrets: config.keys.map((key) => key.secret.reveal()),
    context: requestInHand,
    ...logging,
  });
  open.defer(() => log.close());
  const dataDir = lockDataDir(folder);
  open.defer(() => dataDir.release());
  const wired = await wire({
    config,
    dataDir,
    log,
    onFatal: (error) => {
      throw error;
    },
  });
  open.defer(() => wired.close());
  open.defer(() => drainAndStop(wired.engine, { clock: wired.clock, graceMs: 3_000 }));
  const lateMs: number[] = [];
  const observer = wired.observer as { observe: Observer['observe'] };
  const observe = observer.observe.bind(observer);
  observer.observe = (seen) => {
    if (seen.event === 'slice_sent') lateMs.push(seen.lateMs);
    observe(seen);
  };
  await wired.engine.start();
  await wired.auditor.start();
  return { wired, log, lateMs, close: () => open.disposeAsync() };
}

/** Alternates buys and sells, so that positions stay small; one slice a second each. */
function form(
  index: number,
  startAt: Instant,
  { seconds, everySec = 1 }: { readonly seconds: number; readonly everySec?: number },
): PortfolioForm {
  return {
    accountId: accountId('10001'),
    portfolioType: 'TWAP',
    customizedNote: '',
    startAt,
    twapTrade: { durationSec: seconds, frequencySec: everySec },
    legs: [
      {
        instrument: index % 4 < 2 ? 'BTC-PERPETUAL' : 'ETH-PERPETUAL',
        instrumentType: 'perpetual',
        side: index % 2 === 0 ? 'buy' : 'sell',
        quantity: quantity(String(10 * seconds)),
        priceOptions: { priceType: 'market' },
        priceSnapshot: [],
        postOnly: false,
        reduceOnly: false,
        hidden: false,
        hedge: false,
      },
    ],
    dummyAccounts: [],
    execution: {},
  };
}

/** `count` portfolios, their first slices spread evenly over a second or all at one instant. */
export async function submitAll(
  { wired }: Bench,
  asked: {
    readonly count: number;
    readonly seconds: number;
    readonly startAt: Instant;
    readonly isBurst: boolean;
    /** Seconds between two slices of a portfolio; 1 if absent. */
    readonly everySec?: number;
  },
): Promise<void> {
  const { count, startAt, isBurst } = asked;
  const by = { uid: 'bench', nickname: 'bench' };
  for (let index = 0; index < count; index += 100) {
    const some = Array.from({ length: Math.min(100, count - index) }, (_, offset) => {
      const place = index + offset;
      const at = isBurst ? startAt : later(startAt, Math.floor((place * 1_000) / count));
      return wired.operations.submit(form(place, at, asked), by);
    });
    for (const outcome of await Promise.all(some)) {
      if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
    }
  }
}

/** Code that has run for this long is compiled. */
const WARM_UP_SEC = 3;

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

async function steady(perSecond: number, seconds: number): Promise<Row[]> {
  const bench = await openBench();
  try {
    const startAt = instant(Date.now() + 3_000 + perSecond * 3);
    await submitAll(bench, { count: perSecond, seconds, startAt, isBurst: false });
    const cpuFrom = process.cpuUsage();
    await sleep(startAt - Date.now() + seconds * 1_000 + 3_000);
    const cpu = process.cpuUsage(cpuFrom);
    const lateMs = bench.lateMs.slice(perSecond * WARM_UP_SEC);
    const core = (cpu.user + cpu.system) / 1_000 / (seconds * 1_000);
    return [
      {
        what: `lateness at ${perSecond} slices/s for ${seconds} s (${lateMs.length} sent after ${WARM_UP_SEC} s)`,
        value: `p50 ${percentile(lateMs, 0.5)} ms, p99 ${percentile(lateMs, 0.99)} ms, max ${Math.max(...lateMs)} ms`,
        yardstick: `${(core * 100).toFixed(0)} % of a core in this process`,
      },
    ];
  } finally {
    await bench.close();
  }
}

async function burst(count: number): Promise<Row[]> {
  const bench = await openBench();
  try {
    const startAt = instant(Date.now() + 8_000);
    await submitAll(bench, { count, seconds: 10, startAt, isBurst: true });
    await sleep(startAt - Date.now() + 900);
    const first = bench.lateMs.slice(0, count);
    return [
      {
        what: `${count} slices due in the same millisecond (${first.length} sent)`,
        value: `last one after ${Math.max(...first)} ms`,
      },
    ];
  } finally {
    await bench.close();
  }
}

export async function benchSlices(only?: number): Promise<Row[]> {
  const seconds = Number(process.env['TWAPD_BENCH_SECONDS'] ?? '60');
  if (only !== undefined) return await steady(only, seconds);
  return [
    ...(await steady(200, Math.min(30, seconds))),
    ...(await steady(1_000, seconds)),
    ...(await burst(1_000)),
  ];
}

// The gateway as a daemon has it (engine, PostgreSQL, Redis, paper exchange) in this process, its clients
// in another: signed requests answered with a plan against an empty route of the same framework, and news
// to many listeners.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { openLog } from '../src/adapters/telemetry/logger.ts';
import { NewsFeed } from '../src/engine/news-feed.ts';
import type { ApiKey } from '../src/gateway/key-store.ts';
import { DEFAULT_LIMITS } from '../src/gateway/limits.ts';
import { REST_EXAMPLES } from '../src/gateway/rest-examples.ts';
import { createServer, type GatewayServer } from '../src/gateway/server.ts';
import { loadConfig } from '../src/main/config/load-config.ts';
import { holdDataDir } from '../src/main/data-dir.ts';
import { type Wired, wire } from '../src/main/wire.ts';
import type { PortfolioNews } from '../src/ports/event-bus.ts';
import type { Turn } from '../src/ports/ledger.ts';
import { quantity } from '../src/values/amounts.ts';
import { must } from '../src/values/assert.ts';
import { accountId, portfolioId } from '../src/values/ids.ts';
import { instant } from '../src/values/instant.ts';
import { MemoryEventBus } from '../src/virtual/memory-event-bus.ts';
import { MemoryTurnLog } from '../src/virtual/memory-turn-log.ts';
import type { GatewayReport, GatewayWish } from './gateway-client.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';

const LOOSE = { perSecond: 1_000_000, burst: 1_000_000 };
const KEY: ApiKey = {
  id: 'bench',
  secret: Buffer.from('the secret of the bench 0123456789').toString('base64'),
  uid: '1',
  nickname: 'bench',
  accounts: [accountId('10001')],
  scopes: ['trade'],
};
/** As many as a busy desk has; claims of nonces are written in groups of those that wait at once. */
const CONNECTIONS = 128;
const LISTENERS = 1_000;
const PER_SECOND = 200;
const PLAN = '/tt/broker/openapi/portfolios/plan';
const BODY = JSON.stringify(REST_EXAMPLES['plan']?.body);

interface Rate {
  readonly perSecond: number;
  /** Of this process, threads included. */
  readonly cpuUs: number;
}

interface Bench {
  readonly wired: Wired;
  readonly server: GatewayServer;
  readonly port: number;
  readonly bus: MemoryEventBus;
  readonly log: MemoryTurnLog;
  close(): Promise<void>;
}

function fail(error: unknown): never {
  throw error;
}

async function open(): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-bench-'));
  const read = loadConfig('config/paper.yaml');
  if (read.kind === 'faulty') throw new Error(JSON.stringify(read.faults));
  const config = { ...read.value, log: { level: 'fatal', format: 'json' } as const };
  const dataDir = holdDataDir(folder);
  const lines = openLog({ ...config.log });
  const wired = await wire({ config, dataDir, log: lines, onFatal: fail });
  await wired.engine.start();
  const { clock, ledger, observer } = wired;
  const [bus, log] = [new MemoryEventBus(fail), new MemoryTurnLog()];
  const { stream, address } = DEFAULT_LIMITS;
  const server = await createServer({
    ...wired,
    news: new NewsFeed({ bus, log, ledger, clock, observer }),
    keys: { find: (id) => (id === KEY.id ? KEY : undefined) },
    claimNonce: (nonce, until) => ledger.claimOnce(nonce, until),
    accounts: { describe: (account) => ({ name: account, exchange: 'paper' }) },
    now: () => clock.now(),
    health: { live: () => true, ready: () => [] },
    metrics: wired.exposition,
    report: fail,
    version: 'bench',
    limits: {
      rates: { read: LOOSE, submit: LOOSE, cancel: LOOSE },
      stream: { ...stream, connectionsPerKeyMax: LISTENERS },
      address: { ...address, connectionsMax: 2 * LISTENERS },
    },
  });
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  const close = async (): Promise<void> => {
    await server.close();
    await wired.engine.stop(1_000);
    await wired.close();
    dataDir.release();
    await lines.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { wired, server, port, bus, log, close };
}

function client(): ChildProcess {
  return fork(new URL('./gateway-client.ts', import.meta.url), { stdio: 'inherit' });
}

async function told(child: ChildProcess): Promise<GatewayReport> {
  const [report] = (await once(child, 'message')) as [GatewayReport];
  return report;
}

/** Throws when any was refused. */
async function requests(port: number, path: string, count: number): Promise<Rate> {
  const child = client();
  const key = { ...KEY, keyId: KEY.id };
  const wish = { kind: 'requests', port, path, key, body: BODY, count, connections: CONNECTIONS };
  child.send(wish as GatewayWish);
  await told(child);
  const from = process.cpuUsage();
  child.send({ kind: 'go' } satisfies GatewayWish);
  const report = await told(child);
  const { user, system } = process.cpuUsage(from);
  child.kill();
  if (report.kind !== 'requests') throw new Error(report.kind);
  if (report.accepted < count) throw new Error(`${report.accepted} of ${count} accepted`);
  return { perSecond: count / (report.elapsedMs / 1_000), cpuUs: (user + system) / count };
}

/** In turns, so that a machine that grows slower or faster does not decide; the medians are told. */
const ROUNDS = 3;

async function benchRequests(bench: Bench): Promise<Row[]> {
  const count = Number(process.env['TWAPD_BENCH_REQUESTS'] ?? '20000');
  const empty = Fastify({ logger: false });
  empty.post('/empty', () => ({}));
  await empty.listen({ host: '127.0.0.1', port: 0 });
  const emptyPort = (empty.server.address() as AddressInfo).port;
  await requests(bench.port, PLAN, count);
  await requests(emptyPort, '/empty', count);
  const [bare, planned]: [Rate[], Rate[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await requests(emptyPort, '/empty', count));
    planned.push(await requests(bench.port, PLAN, count));
  }
  await empty.close();
  const [bareRate, rate] = [median(bare, 'perSecond'), median(planned, 'perSecond')];
  const [bareCpu, cpu] = [median(bare, 'cpuUs'), median(planned, 'cpuUs')];
  return [
    {
      what: `signed requests answered with a plan (${ROUNDS} × ${count}, ${CONNECTIONS} connections)`,
      value: `${Math.round(rate)} requests a second`,
      yardstick: `${((rate / bareRate) * 100).toFixed(0)} % of an empty route (${Math.round(bareRate)})`,
    },
    {
      what: 'the same in processor time of this process, a request',
      value: `${cpu.toFixed(0)} µs`,
      yardstick: `an empty route ${bareCpu.toFixed(0)} µs, which is ${((bareCpu / cpu) * 100).toFixed(0)} %`,
    },
  ];
}

const median = (rates: readonly Rate[], of: keyof Rate): number =>
  percentile(
    rates.map((rate) => rate[of]),
    0.5,
  );

async function benchFanOut(bench: Bench): Promise<Row[]> {
  const seconds = 10;
  const messages = PER_SECOND * seconds;
  const record = await somePortfolio(bench);
  const child = client();
  const key = { ...KEY, keyId: KEY.id };
  const wish = { kind: 'fan out', port: bench.port, key, connections: LISTENERS, messages };
  child.send(wish as GatewayWish);
  await told(child);
  const cpuFrom = process.cpuUsage();
  const report = told(child);
  const startMs = performance.now();
  for (let n = 0; n < messages; n += 1) {
    const waitMs = startMs + (n * 1_000) / PER_SECOND - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    publish(bench, { ...record, version: n + 1, at: instant(Date.now()) });
  }
  const heard = await report;
  child.kill();
  if (heard.kind !== 'fan out') throw new Error(heard.kind);
  const { delaysMs } = heard;
  const cpu = process.cpuUsage(cpuFrom);
  const core = (cpu.user + cpu.system) / 1_000_000 / ((performance.now() - startMs) / 1_000);
  return [
    {
      what: `${LISTENERS} listeners, ${PER_SECOND} messages a second (${heard.heard} heard)`,
      value: `p50 ${percentile(delaysMs, 0.5)} ms, p99 ${percentile(delaysMs, 0.99)} ms`,
      yardstick: `${(core * 100).toFixed(0)} % of a core in this process`,
    },
  ];
}

async function somePortfolio({ wired }: Bench): Promise<PortfolioNews> {
  const form = {
    ...{ accountId: accountId('10001'), portfolioType: 'TWAP' as const, customizedNote: '' },
    ...{ dummyAccounts: [], execution: {}, twapTrade: { durationSec: 600, frequencySec: 60 } },
    startAt: instant(Date.now() + 3_600_000),
    legs: [
      {
        ...{
          instrument: 'BTC-PERPETUAL',
          instrumentType: 'perpetual' as const,
          side: 'buy' as const,
        },
        ...{ quantity: quantity('10000'), priceOptions: { priceType: 'market' as const } },
        ...{ priceSnapshot: [], postOnly: false, reduceOnly: false, hidden: false, hedge: false },
      },
    ],
  };
  const outcome = await wired.operations.submit(form, { uid: '1', nickname: 'bench' });
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  const record = must(await wired.operations.info(outcome.value.portfolio), 'just submitted');
  const portfolio = portfolioId(record.portfolio);
  const account = accountId(record.account);
  return { messageType: 'PORTFOLIO_SLICE', portfolio, account, version: 1, at: instant(0), record };
}

function publish({ bus, log }: Bench, news: PortfolioNews): void {
  const { portfolio, account, version } = news;
  const turn = { portfolio, row: { account }, fromVersion: version - 1, events: [0], tells: 1 };
  log.add([turn as unknown as Turn]);
  bus.publish([news]);
}

export async function benchGateway(): Promise<Row[]> {
  const bench = await open();
  try {
    return [...(await benchRequests(bench)), ...(await benchFanOut(bench))];
  } finally {
    await bench.close();
  }
}

// The gateway as in a daemon (engine, PostgreSQL, Redis, paper exchange) in this process, for benches from
// the clients' point of view.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../src/adapters/telemetry/log/logger.ts';
import { engineApi } from '../src/engine/api/serve-engine.ts';
import { NewsFeed } from '../src/engine/news/news-feed.ts';
import { DEFAULT_LIMITS } from '../src/gateway/limits/limits.ts';
import { createServer } from '../src/gateway/server.ts';
import { drainAndStop } from '../src/lifetime/lifetime.ts';
import { loadConfig } from '../src/main/config/load-config.ts';
import { lockDataDir } from '../src/main/data-dir.ts';
import { type Wired, wire } from '../src/main/wiring/wire.ts';
import { MemoryEventBus } from '../src/virtual/memory/memory-event-bus.ts';
import { MemoryTurnLog } from '../src/virtual/memory/memory-turn-log.ts';
import { NO_STRATEGIES } from '../test/doubles/lone-api.ts';
import type { GatewayReport } from './gateway-client.ts';
import { KEY } from './key.ts';
import { opened } from './opened.ts';

const LOOSE = { perSecond: 1_000_000, burst: 1_000_000 };
export const LISTENERS = 1_000;

export interface GatewayDaemon {
  readonly wired: Wired;
  readonly port: number;
  readonly bus: MemoryEventBus;
  readonly log: MemoryTurnLog;
  close(): Promise<void>;
}

function fail(error: unknown): never {
  throw error;
}

export async function openGateway(): Promise<GatewayDaemon> {
  const open = opened();
  const folder = mkdtempSync(join(tmpdir(), 'twapd-bench-'));
  open.defer(() => rmSync(folder, { recursive: true, force: true }));
  const read = loadConfig('config/paper.yaml');
  if (read.kind === 'faulty') throw new Error(JSON.stringify(read.faults));
  const config = { ...read.value, log: { level: 'fatal', format: 'json' } as const };
  const lines = openLog({ ...config.log });
  open.defer(() => lines.close());
  const dataDir = lockDataDir(folder);
  open.defer(() => dataDir.release());
  const wired = await wire({ config, dataDir, log: lines, onFatal: fail });
  open.defer(() => wired.close());
  open.defer(() => drainAndStop(wired.engine, { clock: wired.clock, graceMs: 1_000 }));
  await wired.engine.start();
  const { clock, ledger, observer } = wired;
  const [bus, log] = [new MemoryEventBus(fail), new MemoryTurnLog()];
  const { stream, address } = DEFAULT_LIMITS;
  const server = await createServer({
    ...wired,
    engine: engineApi({
      ...wired,
      strategies: NO_STRATEGIES,
      news: new NewsFeed({ bus, log, ledger, clock, observer }),
      notReady: () => [],
    }),
    keys: { find: (id) => (id === KEY.id ? KEY : undefined) },
    claimNonce: (nonce, until) => ledger.claimOnce(nonce, until),
    accounts: { describe: (account) => ({ name: account, exchange: 'paper' }) },
    now: () => clock.now(),
    health: { live: () => true },
    metrics: wired.exposition,
    report: fail,
    version: 'bench',
    limits: {
      rates: { read: LOOSE, submit: LOOSE, cancel: LOOSE },
      work: { key: LOOSE, address: LOOSE, strangers: LOOSE },
      stream: { ...stream, connectionsPerKeyMax: LISTENERS },
      address: { ...address, connectionsMax: 2 * LISTENERS },
    },
  });
  open.defer(() => server.close());
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  return { wired, port, bus, log, close: () => open.disposeAsync() };
}

/** Starts a separate process, so that the cost of clients is not counted as the gateway's. */
export const openClient = (file: URL): ChildProcess => fork(file, { stdio: 'inherit' });

export async function told(client: ChildProcess): Promise<GatewayReport> {
  const [report] = (await once(client, 'message')) as [GatewayReport];
  return report;
}

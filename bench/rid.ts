// The order methods through a real WebSocket: gateway, gate, journaled paper exchange and action log in this
// process, one client in another. Counts orders placed and answered.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { JournalFile } from '../src/adapters/paper/journal/journal-file.ts';
import { openPaperVenue } from '../src/adapters/paper/open-paper-venue.ts';
import type { PaperVenue } from '../src/adapters/paper/paper-venue.ts';
import { migrate } from '../src/adapters/postgres/migrate.ts';
import { startEmbeddedPostgres } from '../src/adapters/postgres/private-server/embedded-postgres.ts';
import { PostgresActionLog } from '../src/adapters/postgres/records/postgres-action-log.ts';
import { SystemClock } from '../src/adapters/system/system-clock.ts';
import { Overrides } from '../src/core/risk/gate/overrides.ts';
import { engineApi } from '../src/engine/api/serve-engine.ts';
import type { Operations } from '../src/engine/interface/operations.ts';
import { OrderDesk } from '../src/engine/order-entry/order-desk.ts';
import { seededMarket } from '../src/exchange/market/market.ts';
import { createServer } from '../src/gateway/server.ts';
import { loadConfig } from '../src/main/config/load-config.ts';
import { LimitsInForce } from '../src/main/wiring/limits-in-force.ts';
import { venueName } from '../src/values/ids.ts';
import { witness } from '../test/support/engine/quiet-observer.ts';
import { KEY } from './key.ts';
import { opened } from './opened.ts';
import { percentile } from './percentile.ts';
import type { ClientReport, ClientWish } from './rid-client.ts';
import { echoServer } from './rid-echo.ts';
import type { Row } from './row.ts';
import { silentNews } from './silent-news.ts';

interface Bench {
  readonly port: number;
  close(): Promise<void>;
}

function openVenue(folder: string, clock: SystemClock): PaperVenue {
  return openPaperVenue({
    name: venueName('paper'),
    clock,
    accounts: KEY.accounts.map((account) => ({ account })),
    market: (bornAt) => seededMarket({ seed: 'bench', startAt: bornAt }),
    journal: { store: new JournalFile(join(folder, 'journal.jsonl')), sync: 'write' },
    onFault: fail,
  });
}

const fail = (error: unknown): never => {
  throw error;
};

async function open(): Promise<Bench> {
  const all = opened();
  const folder = mkdtempSync(join(tmpdir(), 'twapd-bench-'));
  all.defer(() => rmSync(folder, { recursive: true, force: true }));
  const read = loadConfig('config/paper.yaml');
  if (read.kind === 'faulty') throw new Error(JSON.stringify(read.faults));
  const clock = new SystemClock();
  const log = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log });
  all.defer(() => postgres.stop());
  const connectionString = postgres.address;
  await migrate(connectionString);
  const actions = new PostgresActionLog({ connectionString, onFault: fail });
  all.defer(() => actions.close());
  const venue = openVenue(folder, clock);
  all.defer(() => venue.close());
  const venues = { forAccount: () => venue, all: () => [venue], accounts: () => KEY.accounts };
  const limits = new LimitsInForce(read.value);
  const orders = new OrderDesk({
    ...{ venues, clock, observer: witness(), settings: limits.settings },
    limits: () => limits.submit,
  });
  const server = await createServer({
    engine: engineApi({
      ...{ orders, clock, notReady: () => [] },
      ...{ operations: NO_PORTFOLIOS, news: silentNews(clock, fail) },
      switches: { settings: () => [], set: nobody },
      overrides: new Overrides(),
    }),
    actions,
    keys: { find: (id) => (id === KEY.id ? KEY : undefined) },
    claimNonce: () => Promise.resolve(true),
    accounts: { describe: (account) => ({ name: account, exchange: 'paper' }) },
    now: () => clock.now(),
    health: { live: () => true },
    metrics: () => Promise.resolve(''),
    report: fail,
    version: 'bench',
  });
  all.defer(() => server.close());
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  return { port, close: () => all.disposeAsync() };
}

const nobody = (): never => {
  throw new Error('the bench has no portfolios');
};
const NO_PORTFOLIOS: Operations = {
  ...{ submit: nobody, plan: nobody, info: nobody, page: nobody },
  ...{ cancel: nobody, cancelAll: nobody, pause: nobody, resume: nobody, amend: nobody },
};

async function ask(port: number, wish: Omit<ClientWish, 'port' | 'key'>): Promise<ClientReport> {
  const child = fork(new URL('./rid-client.ts', import.meta.url), { stdio: 'inherit' });
  child.send({ ...wish, port, key: { ...KEY, keyId: KEY.id } } satisfies ClientWish);
  const ended = (code: number | null): never =>
    fail(new Error(`the client of the bench ended with ${code} before its report`));
  child.once('exit', ended);
  const [report] = (await once(child, 'message')) as [ClientReport];
  child.off('exit', ended);
  child.kill();
  return report;
}

const PACED = { count: 5_000, perSecond: 500 } as const;
/**
 * The number of orders until the compiler has done its work; before that, its thread uses the core that
 * processes orders.
 */
const WARM_UP = 40_000;
const ms = (value: number): string => `${value.toFixed(2)} ms`;

export async function benchRid(): Promise<Row[]> {
  const count = Number(process.env['TWAPD_BENCH_ORDERS'] ?? '60000');
  const bench = await open();
  try {
    await ask(bench.port, { count: WARM_UP, perSecond: 0 });
    const paced = await ask(bench.port, PACED);
    const echo = await echoServer();
    const bare = await ask(echo.port, PACED).finally(() => echo.close());
    const cpuFrom = process.cpuUsage();
    const piped = await ask(bench.port, { count, perSecond: 0 });
    const cpu = process.cpuUsage(cpuFrom);
    const cpuMicros = (cpu.user + cpu.system) / count;
    return [
      {
        what: `orders from one pipelined connection (${count})`,
        value: `${Math.round(count / (piped.elapsedMs / 1_000))} orders a second`,
        yardstick: `${cpuMicros.toFixed(0)} µs of this process an order`,
      },
      {
        what: `round trip of an order at 500 a second (${paced.roundTripMs.length})`,
        value: `p50 ${ms(percentile(paced.roundTripMs, 0.5))}, p99 ${ms(percentile(paced.roundTripMs, 0.99))}`,
        yardstick: `p99 2 ms wanted; a bare echo in this run: p99 ${ms(percentile(bare.roundTripMs, 0.99))}`,
      },
    ];
  } finally {
    await bench.close();
  }
}

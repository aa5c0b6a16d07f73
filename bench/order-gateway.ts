// The front doors for orders as in a daemon, in this process: gateway, gate, journaled paper exchange and action log.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JournalFile } from '../src/adapters/paper/journal/journal-file.ts';
import { openPaperVenue } from '../src/adapters/paper/open-paper-venue.ts';
import type { PaperVenue } from '../src/adapters/paper/paper-venue.ts';
import { migrate } from '../src/adapters/postgres/migrate.ts';
import { startEmbeddedPostgres } from '../src/adapters/postgres/private-server/embedded-postgres.ts';
import { PostgresActionLog } from '../src/adapters/postgres/records/postgres-action-log.ts';
import { SystemClock } from '../src/adapters/system/system-clock.ts';
import { Overrides } from '../src/core/risk/gate/overrides.ts';
import { engineApi } from '../src/engine/api/serve-engine.ts';
import { tradingApi } from '../src/engine/api/switch-operations.ts';
import type { Operations } from '../src/engine/interface/operations.ts';
import { seededMarket } from '../src/exchange/market/market.ts';
import { DEFAULT_LIMITS } from '../src/gateway/limits/limits.ts';
import { createServer } from '../src/gateway/server.ts';
import { loadConfig } from '../src/main/config/load-config.ts';
import { LimitsInForce } from '../src/main/wiring/limits-in-force.ts';
import { venueName } from '../src/values/ids.ts';
import { NO_STRATEGIES, UNLIMITED } from '../test/doubles/lone-api.ts';
import { openOrderDesk } from '../test/support/engine/open-order-desk.ts';
import { witness } from '../test/support/engine/quiet-observer.ts';
import { KEY } from './key.ts';
import { opened } from './opened.ts';
import { silentNews } from './silent-news.ts';

const CONNECTIONS_MAX = 2_000;
const LOOSE = { perSecond: 1_000_000, burst: 1_000_000 };
/** Many subscribers of one address and without a key, as a bench has them. */
const LIMITS = {
  deribit: { credits: 'off', tier: 1 },
  address: { ...DEFAULT_LIMITS.address, connectionsMax: CONNECTIONS_MAX },
  work: { key: LOOSE, address: LOOSE, strangers: LOOSE },
  rid: {
    ...DEFAULT_LIMITS.rid,
    connectionsOfStrangersMax: CONNECTIONS_MAX,
    connectionsPerStrangerMax: CONNECTIONS_MAX,
    marketsOfStrangersMax: CONNECTIONS_MAX,
    rates: { ...DEFAULT_LIMITS.rid.rates, query: LOOSE },
  },
} as const;

export interface OrderGateway {
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

export async function openOrderGateway(): Promise<OrderGateway> {
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
  const orders = openOrderDesk({
    venues,
    clock,
    observer: witness(),
    settings: limits.settings,
    limits: () => limits.submit,
  });
  const server = await createServer({
    engine: engineApi({
      orders,
      clock,
      notReady: () => [],
      operations: NO_PORTFOLIOS,
      news: silentNews(clock, fail),
      strategies: NO_STRATEGIES,
      trading: tradingApi({
        ...UNLIMITED,
        switches: { settings: () => [], set: nobody },
        overrides: new Overrides(),
      }),
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
    deribit: true,
    limits: LIMITS,
  });
  all.defer(() => server.close());
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  return { port, close: () => all.disposeAsync() };
}

const nobody = (): never => {
  throw new Error('the bench has no portfolios');
};
const NO_PORTFOLIOS: Operations = {
  submit: nobody,
  plan: nobody,
  info: nobody,
  page: nobody,
  cancel: nobody,
  cancelAll: nobody,
  pause: nobody,
  resume: nobody,
  amend: nobody,
};

// The folder and the configuration files of a resident: for a daemon, and for an exchange if it is a separate
// process.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiKey } from './signed-requests.ts';

export type Arrangement = 'own-process' | 'in-daemon';

export const ACCOUNTS = ['10001', '10002', '10003'] as const;
export const DUMMY = '20001';

/** Each kind of client has its own key, so that none uses up the rate limit of another. */
export const KEYS = {
  trader: { id: 'resident-trader', scopes: ['trade', 'blockRfq', 'admin'], uid: '2001' },
  checker: { id: 'resident-checker', scopes: ['read'], uid: '2002' },
  listener: { id: 'resident-listener', scopes: ['read'], uid: '2003' },
  watcher: { id: 'resident-watcher', scopes: ['read'], uid: '2004' },
} as const;

const SECRET_VARIABLE = 'RESIDENT_SECRET';
const SECRET = Buffer.from('resident test secret, 32 bytes..').toString('base64');
/** The client id of the trader's key for one of its accounts. */
const clientVariable = (account: string): string => `RESIDENT_CLIENT_${account}`;
export const SECRETS = {
  [SECRET_VARIABLE]: SECRET,
  ...Object.fromEntries(
    ACCOUNTS.map((account) => [clientVariable(account), `${KEYS.trader.id}/${account}`]),
  ),
};

export const keyOf = (who: keyof typeof KEYS): ApiKey => ({ id: KEYS[who].id, secret: SECRET });

export interface ResidentFiles {
  readonly folder: string;
  readonly daemonConfig: string;
  /** Absent if the exchange runs in the daemon. */
  readonly exchangeConfig: string | undefined;
  readonly exchangeUrl: string | undefined;
}

/** Sizes and durations far below the defaults, so that hours of trading pass in minutes. */
const LIMITS = {
  durationSec: { min: 1, max: 86_400 },
  frequencySec: { min: 1, max: 3_600 },
};

const MARKET = {
  seed: 1,
  startingBalances: { BTC: '10000', ETH: '100000', USDC: '500000000' },
};

export async function residentFiles(arrangement: Arrangement): Promise<ResidentFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-resident-'));
  const strategies = join(folder, 'strategies');
  mkdirSync(strategies);
  const dummy = { id: DUMMY, name: 'Shadow', venue: 'paper', dummy: true };
  const accounts = ACCOUNTS.map((id) => ({ id, name: `Desk ${id}`, venue: 'paper' }));
  const keys = Object.values(KEYS).map(({ id, scopes, uid }) => ({
    id,
    scopes,
    uid,
    nickname: id,
    secret: `env:${SECRET_VARIABLE}`,
    accounts: [...ACCOUNTS, DUMMY],
  }));
  const isRemote = arrangement === 'own-process';
  const [daemonPort, exchangePort] = [await freePort(), await freePort()];
  const exchangeUrl = `http://127.0.0.1:${exchangePort}`;
  const remote = {
    kind: 'deribit',
    url: `ws://127.0.0.1:${exchangePort}/ws/api/v2`,
    credentials: ACCOUNTS.map((account) => ({
      account,
      clientId: `env:${clientVariable(account)}`,
      clientSecret: `env:${SECRET_VARIABLE}`,
    })),
  };
  const daemon = {
    service: { port: daemonPort, deployment: 'rsdt', dataDir: join(folder, 'data'), strategies },
    engine: isRemote ? { skewMs: 1_000, readLagMs: 1_000 } : { skewMs: 250, readLagMs: 250 },
    limits: LIMITS,
    venues: { paper: isRemote ? remote : { kind: 'paper', latencyMs: 1, ...MARKET } },
    accounts: [...accounts, dummy],
    keys,
    log: { format: 'json', level: 'info' },
  };
  const daemonConfig = write(join(folder, 'daemon.yaml'), daemon);
  if (!isRemote) return { folder, daemonConfig, exchangeConfig: undefined, exchangeUrl: undefined };
  const exchange = {
    service: { port: exchangePort, deployment: 'exch', dataDir: join(folder, 'exchange') },
    gateway: { deribit: { tier: 'off' } },
    venues: { paper: { kind: 'paper', latencyMs: 0, ...MARKET } },
    accounts,
    keys: keys
      .filter(({ scopes }) => scopes.every((scope) => scope !== 'admin') || scopes.length > 1)
      .map((key) => ({ ...key, accounts: [...ACCOUNTS] })),
    log: { format: 'json', level: 'info' },
  };
  const exchangeConfig = write(join(folder, 'exchange.yaml'), exchange);
  return { folder, daemonConfig, exchangeConfig, exchangeUrl };
}

/** Written as JSON, which is valid YAML. */
function write(path: string, config: object): string {
  writeFileSync(path, JSON.stringify(config, undefined, 1), { mode: 0o600 });
  return path;
}

/** A currently free port: a restarted daemon keeps its address. */
function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? found(address.port) : failed()));
    });
  });
}

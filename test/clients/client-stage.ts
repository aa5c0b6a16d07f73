// One daemon with its real stores, and the recording front before it, for every client of these tests. Each client has an
// account and a key of its own, so that what it finds there is what it did.
import { readFileSync, writeFileSync } from 'node:fs';
import { must } from '../../src/values/assert.ts';
import {
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
} from '../support/daemon/daemon-process.ts';
import { RecordingFront } from './recording-front.ts';

export interface ClientKey {
  readonly id: string;
  /** Of the account, as configured: over Deribit's wire its text is the client secret. */
  readonly secret: string;
  readonly account: string;
}

/** A key of `config/paper.yaml`. */
export const TRADER: ClientKey = {
  id: 'demo-taker',
  secret: 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
  account: '10001',
};

const ownKey = (id: string, account: string): ClientKey => ({
  id,
  secret: Buffer.from(`${id} `.repeat(8)).toString('base64'),
  account,
});

export const KEYS = {
  bare: ownKey('bare-client', '11001'),
  ccxt: ownKey('ccxt-client', '11002'),
  ccxtStreams: ownKey('ccxt-streams', '11003'),
  tardis: ownKey('tardis-client', '11004'),
  typed: ownKey('typed-client', '11005'),
} as const;

/** What every account begins with: little ETH, so that one order can take more than there is. */
export const STARTING = { BTC: 100, ETH: 5, USDC: 5_000_000 } as const;

/** USD of the inverse perpetual in ETH: the daemon allows it, and its margin of 2 % is more than the ETH of an account. */
export const MORE_THAN_MARGIN = 900_000;

export class ClientStage {
  #front: RecordingFront | undefined;
  #files: DaemonFiles | undefined;
  #daemon: Daemon | undefined;

  async start(): Promise<void> {
    // As `npm start` runs it: the gateway that serves the clients is a process of its own.
    this.#files = daemonFiles('clnt', 'config/paper.yaml', 'apart');
    addKeys(this.#files);
    this.#daemon = await startDaemon(this.#files, secrets());
    this.#front = await RecordingFront.before(this.#daemon.url);
  }

  get daemon(): Daemon {
    return must(this.#daemon, 'started');
  }

  get files(): DaemonFiles {
    return must(this.#files, 'started');
  }

  get front(): RecordingFront {
    return must(this.#front, 'started');
  }

  /** The same question over our own wire. */
  async own(method: string, params: object = {}): Promise<ReturnType<typeof JSON.parse>> {
    const response = await fetch(`${this.daemon.url}/api/${method}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(params),
    });
    const { result } = (await response.json()) as { result?: unknown };
    return must(result, method);
  }

  async close(): Promise<void> {
    await this.#front?.close();
    await this.#daemon?.end('SIGTERM');
    this.#files?.remove();
  }
}

/** Only the published demo keys may have their secrets in the file. */
const variableOf = (account: string): string => `SECRET_OF_${account}`;

const secrets = (): Record<string, string> =>
  Object.fromEntries(
    Object.values(KEYS).map(({ account, secret }) => [variableOf(account), secret]),
  );

function addKeys({ configPath }: DaemonFiles): void {
  const own = Object.values(KEYS);
  const accounts = own.map(
    ({ id, account }) => `  - { id: "${account}", name: ${id}, venue: paper }\n`,
  );
  const keys = own.map(
    ({ id, account }) =>
      `  - { id: ${id}, secret: env:${variableOf(account)}, uid: "${account}", nickname: ${id}, accounts: ["${account}"], scopes: [trade] }\n`,
  );
  const text = readFileSync(configPath, 'utf8')
    // Of a desk that trades much: programs without a pause between their requests.
    .replace(/^venues:\n/m, 'gateway:\n  deribit: { tier: 1 }\n\nvenues:\n')
    .replace('ETH: "1000"', `ETH: "${STARTING.ETH}"`)
    .replace(/^accounts:\n/m, `accounts:\n${accounts.join('')}`)
    .replace(/^keys:\n/m, `keys:\n${keys.join('')}`);
  writeFileSync(configPath, text);
}

// A daemon, an exchange in a separate process, a Redis and a PostgreSQL, with a faulty connection between the
// daemon and each of them; and the final comparison of ledger and exchange.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect } from 'vitest';
import { startEmbeddedPostgres } from '../../../src/adapters/postgres/private-server/embedded-postgres.ts';
import { startRedisServer } from '../../../src/adapters/redis/redis-server.ts';
import type { PortfolioBody } from '../../../src/gateway/client/client.ts';
import { type AccountId, accountId, parseChildLabel } from '../../../src/values/ids.ts';
import type { course } from '../engine/two-legs.ts';
import {
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
  startExchange,
} from './daemon-process.ts';
import { type Counted, FaultLine } from './fault-line.ts';
import { sumOf, tradesInJournal } from './journal-trades.ts';
import { COMMITS, heardOut, ORDERS } from './line-senses.ts';
import { createDatabase } from './services.ts';

const ACCOUNT = accountId('10001');
const QUIET = { info: () => undefined, warn: () => undefined };
const SOCKET_FILE = '.s.PGSQL.5432';
const END_MS_MAX = 120_000;
const READY_MS_MAX = 120_000;
const TOLD_LINES = 150;
const TOLD_CHARS = 320;
/** The stores of a stage need not survive a power cut. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off' };
/** Margins that two processes on one machine easily keep, so that unknown outcomes are soon resolved. */
const MARGINS = { validForMs: 1_000, skewMs: 500, readLagMs: 300 };
/** However long a start takes, the end action runs to the last lot. */
const END_GRACE_MS = 600_000;

export interface StageOptions {
  readonly deployment: string;
  /** Default: engine and gateway of a daemon are one process. */
  readonly parts?: 'together' | 'apart';
  /**
   * Starts a PostgreSQL of its own with these settings, which may be damaged; otherwise a database in the run's
   * server is used.
   */
  readonly ownPostgres?: Readonly<Record<string, string>>;
  /** The cluster folder of that PostgreSQL, if it is not among the stage's files. */
  readonly postgresDir?: string;
  /** The environment of the daemon. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with each request to the exchange as it arrives at the connection, before it is passed on. */
  readonly onRequest?: (text: string) => void;
  /** The account may create Block RFQs on the exchange. */
  readonly hasBlocks?: boolean;
  /** The messages counted on a connection; default: orders and commits. */
  readonly counted?: Partial<Record<keyof Lines, Counted>>;
}

interface Database {
  readonly connectionString: string;
  end(): Promise<void>;
}

interface StageParts {
  readonly options: StageOptions;
  readonly files: DaemonFiles;
  readonly exchangeFiles: DaemonFiles;
  readonly exchange: Daemon;
  readonly database: Database;
  readonly redis: { readonly pid: number; readonly socket: string; end(): Promise<void> };
  readonly lines: Lines;
}

interface Lines {
  readonly redis: FaultLine;
  readonly database: FaultLine;
  readonly venue: FaultLine;
}

export class FaultStage {
  readonly #parts: StageParts;
  readonly #submitted = new Map<string, ReturnType<typeof course>>();
  readonly #lives: Daemon[] = [];
  #daemon: Daemon | undefined;

  private constructor(parts: StageParts) {
    this.#parts = parts;
  }

  static async open(options: StageOptions): Promise<FaultStage> {
    const files = daemonFiles(options.deployment, 'config/paper-remote.yaml', options.parts);
    const exchangeFiles = daemonFiles('exch', 'config/exchange.yaml');
    if (options.hasBlocks) letAskForBlocks(exchangeFiles);
    const [exchange, database, redis] = await Promise.all([
      startExchange(exchangeFiles),
      openDatabase(options, files),
      startRedisServer({ dataDir: join(files.folder, 'redis'), log: QUIET, persistence: 'none' }),
    ]);
    const lines = {
      redis: await FaultLine.to(redis.address, options.counted?.redis),
      database: await FaultLine.to(
        socketOf(database.connectionString),
        options.counted?.database ?? COMMITS,
      ),
      venue: await FaultLine.to(
        Number(new URL(exchange.url).port),
        options.counted?.venue ??
          (options.onRequest === undefined ? ORDERS : heardOut(ORDERS, options.onRequest)),
      ),
    };
    configure(files, lines);
    const stage = new FaultStage({
      options,
      files,
      exchangeFiles,
      exchange,
      database,
      lines,
      redis: { pid: redis.pid, socket: redis.address, end: () => redis.stop() },
    });
    try {
      await stage.start();
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  get daemon(): Daemon {
    if (this.#daemon === undefined) throw new Error('the daemon does not run');
    return this.#daemon;
  }

  get exchange(): Daemon {
    return this.#parts.exchange;
  }

  get lines(): Lines {
    return this.#parts.lines;
  }

  get redis(): StageParts['redis'] {
    return this.#parts.redis;
  }

  /** The configuration file of the daemon. */
  get configPath(): string {
    return this.#parts.files.configPath;
  }

  /** The configuration file of the exchange. */
  get exchangeConfigPath(): string {
    return this.#parts.exchangeFiles.configPath;
  }

  get databaseUrl(): string {
    return this.#parts.database.connectionString;
  }

  /** Starts the daemon, which must not be running. */
  async start(): Promise<void> {
    this.#daemon = await this.#start({});
  }

  /** Starts another daemon with a data folder of this name; the caller must end it. */
  startBeside(folder = 'beside'): Promise<Daemon> {
    const ownFolder = join(this.#parts.files.folder, folder);
    return this.#start({ TWAPD_DATA_DIR: ownFolder, TWAPD_PORT: '0' });
  }

  /** Starts a daemon and kills it after the given time, ready or not. */
  async startAndKill(afterMs: number): Promise<void> {
    const { configPath } = this.#parts.files;
    const args = [resolve('src/setup/run.mjs'), '--quiet', resolve('src/main/cli.ts')];
    const child = spawn(process.execPath, [...args, 'start', '--config', configPath], {
      env: { ...process.env, ...this.environment },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await sleep(afterMs);
    child.kill('SIGKILL');
    expect((await ended)[1]).toBe('SIGKILL');
  }

  async #start(environment: Readonly<Record<string, string>>): Promise<Daemon> {
    const daemon = await startDaemon(this.#parts.files, { ...this.environment, ...environment });
    this.#lives.push(daemon);
    return daemon;
  }

  /** The environment that the daemon is started with. */
  get environment(): Readonly<Record<string, string>> {
    const { lines, options, database } = this.#parts;
    const address = new URL(database.connectionString.replace('@/', '@placeholder/'));
    return {
      REDIS_URL: `redis://127.0.0.1:${lines.redis.port}`,
      DATABASE_URL: `postgresql://${address.username}@127.0.0.1:${lines.database.port}${address.pathname}`,
      ...options.environment,
    };
  }

  async kill(): Promise<void> {
    expect(await this.daemon.end('SIGKILL')).toBe('SIGKILL');
    this.#daemon = undefined;
  }

  /** Sends SIGTERM and returns the daemon's exit code. */
  async terminate(): Promise<number | string> {
    const code = await this.daemon.end('SIGTERM');
    this.#daemon = undefined;
    return code;
  }

  /** Submits until it is accepted; the name is the idempotency key. */
  async submit(body: ReturnType<typeof course>, name: string): Promise<string> {
    const until = Date.now() + END_MS_MAX;
    const key = name.replaceAll(/\W/g, '-');
    for (;;) {
      const answer = await this.#asked(({ client }) => client.submit(body, key));
      if (typeof answer !== 'string' && answer.kind === 'done') {
        const id = String(answer.value.portfolioId);
        this.#submitted.set(id, body);
        return id;
      }
      if (Date.now() > until) throw new Error(JSON.stringify(answer));
      await sleep(200);
    }
  }

  /** Submits until it is accepted, without expectations about its end; the name is the idempotency key. */
  async submitAny(body: PortfolioBody, name: string): Promise<string> {
    for (;;) {
      const answer = await this.#asked(({ client }) => client.submit(body, name));
      if (typeof answer !== 'string' && answer.kind === 'done') {
        return String(answer.value.portfolioId);
      }
      await sleep(200);
    }
  }

  /** Alarms that no daemon of this stage may raise. */
  alarms(): readonly string[] {
    return this.#lives.flatMap(({ output }) => alarms(output()));
  }

  /** Waits for the end of the portfolio and expects the exact total of each leg. */
  async filled(id: string): Promise<void> {
    const until = Date.now() + END_MS_MAX;
    for (;;) {
      const info = await this.#asked(({ client }) => client.info(id));
      if (typeof info !== 'string' && info.kind === 'done' && info.value.portfolioStatus === 2) {
        const wanted = this.#submitted.get(id)?.legs.map((leg) => Number(leg.quantity));
        expect(info.value.legs.map((leg) => Number(leg.filledQuantity))).toEqual(wanted);
        return;
      }
      if (Date.now() > until) {
        throw new Error(`not filled: ${JSON.stringify(info)}\n${this.#told()}`);
      }
      await sleep(100);
    }
  }

  /** Waits until the daemon reports the given readiness. */
  async ready(is = true): Promise<void> {
    const until = Date.now() + READY_MS_MAX;
    for (;;) {
      const answer = await this.#asked(({ url }) => fetch(`${url}/readyz`));
      if (typeof answer !== 'string' && answer.ok === is) return;
      if (Date.now() > until) {
        const said = typeof answer === 'string' ? answer : await answer.text();
        throw new Error(`is ${said}, not ready=${is}\n${this.#told()}`);
      }
      await sleep(50);
    }
  }

  /** The daemon's reply, or why there is none: it may be dead. */
  async #asked<T>(request: (daemon: Daemon) => Promise<T>): Promise<T | string> {
    try {
      return await request(this.daemon);
    } catch (error) {
      return String(error);
    }
  }

  /** The end of the daemon's output, with each line cut to its relevant part. */
  #told(): string {
    const lines = this.daemon.output().trimEnd().split('\n').slice(-TOLD_LINES);
    return lines.map((line) => line.slice(0, TOLD_CHARS)).join('\n');
  }

  async query<T extends object>(text: string): Promise<readonly T[]> {
    const client = new Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      return (await client.query<T>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends every process and compares what they leave behind of the accounts. */
  async expectSameBooks(accounts: readonly AccountId[] = [ACCOUNT]): Promise<void> {
    const { exchange, exchangeFiles } = this.#parts;
    if (this.#daemon !== undefined) expect(await this.terminate()).toBe(0);
    expect(await exchange.end('SIGTERM')).toBe(0);
    const read = accounts.map((account) => tradesInJournal(exchangeFiles.dataDir, account));
    const trades = (await Promise.all(read)).flat();
    for (const [id, { legs }] of this.#submitted) {
      const own = trades.filter(({ label }) => parseChildLabel(label)?.portfolio === id);
      for (const { instrument, quantity } of legs) {
        expect(Number(sumOf(own, instrument)), `${id} ${instrument}`).toBe(Number(quantity));
      }
    }
    const ordersOf = new Map<string, Set<string>>();
    for (const { label, orderId } of trades) {
      ordersOf.set(label, (ordersOf.get(label) ?? new Set()).add(orderId));
    }
    for (const [label, orders] of ordersOf) expect(orders.size, label).toBe(1);
    const stored = await this.query<{ told: string }>(
      "SELECT trade_id || ' ' || label || ' ' || quantity AS told FROM fill ORDER BY 1",
    );
    const made = trades.map((one) => `${one.tradeId} ${one.label} ${one.quantity.toString()}`);
    expect(stored.map(({ told }) => told).sort()).toEqual(made.sort());
    const twice = await this.query(
      "SELECT data->>'label' FROM event WHERE kind = 'child_intended' GROUP BY 1 HAVING count(*) > 1",
    );
    expect(twice).toEqual([]);
    expect(this.alarms()).toEqual([]);
  }

  /** Ends what is still running, whatever happened, and removes every file. */
  async close(): Promise<void> {
    const { exchange, lines, redis, database, files, exchangeFiles } = this.#parts;
    await this.#daemon?.end('SIGKILL');
    await exchange.end('SIGKILL');
    await Promise.all(Object.values(lines).map((line: FaultLine) => line.close()));
    await redis.end();
    await database.end();
    files.remove();
    exchangeFiles.remove();
  }
}

/** Output that no fault of a store, a connection or a process may cause. */
const alarms = (output: string): readonly string[] =>
  output
    .split('\n')
    .filter((line) => /audit_breached|assumption_broken|"level":"fatal"/.test(line));

async function openDatabase(options: StageOptions, { folder }: DaemonFiles): Promise<Database> {
  if (options.ownPostgres === undefined) {
    const { connectionString, drop } = await createDatabase();
    return { connectionString, end: drop };
  }
  const dataDir = options.postgresDir ?? join(folder, 'postgres');
  const settings = { ...SETTINGS, ...options.ownPostgres };
  const server = await startEmbeddedPostgres({ dataDir, log: QUIET, settings });
  // Ends whichever server uses the folder by then.
  const end = async (): Promise<void> =>
    await (await startEmbeddedPostgres({ dataDir, log: QUIET })).stop();
  return { connectionString: server.address, end };
}

function socketOf(connectionString: string): string {
  const { searchParams } = new URL(connectionString.replace('@/', '@placeholder/'));
  return join(searchParams.get('host') ?? '', SOCKET_FILE);
}

function letAskForBlocks({ configPath }: DaemonFiles): void {
  const text = readFileSync(configPath, 'utf8');
  writeFileSync(configPath, text.replaceAll('scopes: [trade]', 'scopes: [trade, blockRfq]'));
}

function configure({ configPath }: DaemonFiles, { venue }: Lines): void {
  const text = readFileSync(configPath, 'utf8')
    // Cut repeatedly on purpose: it must reconnect quickly.
    .replace(
      /url: .*/,
      `url: ws://127.0.0.1:${venue.port}/ws/api/v2\n    reconnectMaxMs: 500\n    timeoutMs: 5000`,
    )
    .replace(/durationSec: .*/, 'durationSec: { min: 1, max: 86400 }')
    .replace(/skewMs: .*/, `skewMs: ${MARGINS.skewMs}`)
    .replace(
      /readLagMs: .*/,
      `readLagMs: ${MARGINS.readLagMs}\n  validForMs: ${MARGINS.validForMs}\n  endGraceMs: ${END_GRACE_MS}`,
    );
  writeFileSync(configPath, text);
}

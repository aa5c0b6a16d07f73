// The daemon's life: hold the data folder, open everything, recover, serve, follow strategies; on a
// signal drain and end. Crash-only: a start after a kill takes the same way as any other.
import process from 'node:process';
import { type Log, openLog } from '../adapters/telemetry/logger.ts';
import { createServer, type GatewayServer } from '../gateway/server.ts';
import { accountId } from '../values/ids.ts';
import type { Config } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import { type DataDir, holdDataDir } from './data-dir.ts';
import { faultText } from './fault.ts';
import { tellProgress } from './progress-lines.ts';
import { readiness } from './readiness.ts';
import { StrategyFolder } from './strategy/strategy-folder.ts';
import { StrategyRunner } from './strategy/strategy-runner.ts';
import { VERSION } from './version.ts';
import { type Wired, wire } from './wire.ts';

export interface DaemonOptions {
  readonly configPath: string;
}

/** Exit codes beside 0: what an operator's supervisor may tell apart. */
const EXIT = { refused: 1, broken: 70 } as const;
/** After a signal nothing may keep the process longer than this. */
const HARD_STOP_MS = 9_800;
const SAME_WISH_MS = 1_000;

interface Running {
  readonly wired: Wired;
  readonly server: GatewayServer;
  readonly folder: StrategyFolder;
  readonly runner: StrategyRunner;
}

/** Runs until a signal ends it; the exit code is the process's. */
export async function runDaemon({ configPath }: DaemonOptions): Promise<void> {
  const reading = loadConfig(configPath);
  if (reading.kind === 'faulty') {
    for (const fault of reading.faults) process.stderr.write(`${faultText(fault)}\n`);
    process.exit(EXIT.refused);
  }
  const config = reading.value;
  const log = openLog({
    level: config.log.level,
    format: config.log.format,
    fields: { deployment: config.service.deployment },
    secrets: config.keys.map((key) => key.secret.reveal()),
  });
  const life = new Life(config, log);
  await life.start();
}

class Life {
  readonly #config: Config;
  readonly #log: Log;
  #dataDir: DataDir | undefined;
  #running: Running | undefined;
  #endingSince: number | undefined;

  constructor(config: Config, log: Log) {
    this.#config = config;
    this.#log = log;
  }

  async start(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => void this.#end(signal));
    }
    process.on('SIGHUP', () => this.#reload());
    process.on('uncaughtException', (error) => this.#fatal(error));
    process.on('unhandledRejection', (error) => this.#fatal(error));
    try {
      await this.#open();
    } catch (error) {
      this.#log.logger.fatal(error instanceof Error ? error.message : String(error));
      this.#log.logger.debug({ err: error }, 'not started');
      this.#exit(EXIT.refused);
    }
  }

  async #open(): Promise<void> {
    const from = performance.now();
    const { service } = this.#config;
    const { logger } = this.#log;
    logger.info(`twapd ${VERSION} starts with ${this.#config.path}`);
    this.#dataDir = holdDataDir(service.dataDir);
    const wired = await wire({
      config: this.#config,
      dataDir: this.#dataDir,
      log: this.#log,
      onFatal: (error) => this.#fatal(error),
    });
    await wired.engine.start();
    const { operations, orders, bus, counts } = wired;
    const server = await createServer({
      operations,
      orders,
      bus,
      counts,
      keys: keyStore(this.#config),
      claimNonce: (key, until) => wired.ledger.claimOnce(key, until),
      accounts: accountDirectory(this.#config),
      now: () => wired.clock.now(),
      health: { live: () => true, ready: () => readiness(wired) },
      metrics: wired.exposition,
      report: (error, where) => wired.observer.failed({ where: `gateway.${where}`, error }),
      version: VERSION,
    });
    const port = await server.listen({ host: service.host, port: service.port });
    const tookMs = Math.round(performance.now() - from);
    logger.info(`ready on http://${service.host}:${port} after ${tookMs} ms`);
    if (process.stdout.isTTY) {
      tellProgress(bus, (portfolio, line) => logger.info({ portfolio }, line));
    }
    const { folder, runner } = await this.#followStrategies(wired);
    this.#running = { wired, server, folder, runner };
    logger.info('second terminal: npm run -s twapd -- list   then   npm run -s twapd -- watch ID');
  }

  async #followStrategies(wired: Wired): Promise<Pick<Running, 'folder' | 'runner'>> {
    const { ledger, observer } = wired;
    const start = Number((await ledger.readMark('starts')) ?? '0') + 1;
    await ledger.writeMark('starts', String(start));
    const runner = new StrategyRunner({ ...wired, start });
    const folder = new StrategyFolder(this.#config.service.strategies, {
      onLoaded: (set) => {
        const faults = set.faults.map(faultText);
        observer.strategiesLoaded({ names: [...set.inForce.keys()], faults });
        void runner.follow(set);
      },
    });
    await folder.start();
    return { folder, runner };
  }

  #reload(): void {
    if (this.#running === undefined) return;
    const { wired, folder } = this.#running;
    folder.reload();
    const reading = loadConfig(this.#config.path);
    if (reading.kind === 'faulty') {
      for (const fault of reading.faults) {
        wired.observer.failed({ where: 'config.reload', error: new Error(faultText(fault)) });
      }
      return;
    }
    wired.limits.reload(reading.value);
    this.#log.logger.info('strategies and limits were read again');
  }

  /** A second signal, or the deadline, ends it as it is: the next start recovers. */
  async #end(signal: string): Promise<void> {
    const { logger } = this.#log;
    if (this.#endingSince !== undefined) {
      // A terminal and a supervisor may both deliver the same wish.
      if (performance.now() - this.#endingSince < SAME_WISH_MS) return;
      logger.warn(`${signal} again: ending at once`);
      this.#exit(EXIT.broken);
    }
    this.#endingSince = performance.now();
    logger.info(`${signal}: draining`);
    setTimeout(() => this.#exit(EXIT.broken), HARD_STOP_MS).unref();
    const running = this.#running;
    if (running !== undefined) {
      await running.folder.close();
      await running.runner.close();
      await running.server.close();
      await running.wired.engine.stop(Math.min(this.#config.service.drainMs, 4_000));
      await running.wired.close();
    }
    logger.info('ended');
    this.#exit(0);
  }

  #fatal(error: unknown): void {
    this.#log.logger.fatal({ err: error }, 'cannot go on; the next start recovers');
    this.#exit(EXIT.broken);
  }

  #exit(code: number): never {
    this.#dataDir?.release();
    this.#log.flushSync();
    process.exit(code);
  }
}

function keyStore(config: Config) {
  const keys = new Map(
    config.keys.map((key) => [
      key.id,
      { ...key, secret: key.secret.reveal(), accounts: key.accounts.map(accountId) },
    ]),
  );
  return { find: (keyId: string) => keys.get(keyId) };
}

function accountDirectory({ accounts }: Config) {
  const known = new Map(accounts.map(({ id, name, venue }) => [id, { name, exchange: venue }]));
  return { describe: (account: string) => known.get(account) ?? { name: account, exchange: '' } };
}

// Engine and gateway in one process: lock the data folder, open everything, serve, recover, follow strategies; on a
// signal, drain and exit. Crash-only: a start after a kill is an ordinary start.
import type { Log } from '../../adapters/telemetry/log/logger.ts';
import { must } from '../../values/assert.ts';
import type { Config } from '../config/config.ts';
import { type DataDir, lockDataDir } from '../data-dir.ts';
import { beforeListening, servedAt } from '../lifecycle/listening.ts';
import { ProcessLife } from '../lifecycle/process-life.ts';
import {
  configOrExit,
  type DaemonOptions,
  DRAIN_BUDGET_MS,
  openDaemonLog,
} from '../lifecycle/process-startup.ts';
import { rereadConfig } from '../lifecycle/reread-config.ts';
import { Shutdown } from '../lifecycle/shutdown.ts';
import { VERSION } from '../version.ts';
import { EngineSide } from './engine-side.ts';
import { GatewaySide } from './gateway-side.ts';

interface Serving {
  readonly engine: EngineSide;
  readonly gateway: GatewaySide;
}

/** Runs until a signal ends it and sets the exit code of the process. */
export async function runDaemon({
  configPath,
  allowsLive,
  logFormat,
}: DaemonOptions): Promise<void> {
  const config = configOrExit(configPath);
  await new Daemon(config, openDaemonLog(config, logFormat), allowsLive).start();
}

class Daemon {
  readonly #config: Config;
  readonly #log: Log;
  readonly #allowsLive: boolean;
  readonly #life: ProcessLife;
  #dataDir: DataDir | undefined;
  #engine: EngineSide | undefined;
  /** The halt signal arrived before there was anything to halt. */
  #isHaltDue = false;
  /** Set once it can accept requests. */
  #serving: Serving | undefined;

  constructor(config: Config, log: Log, allowsLive: boolean) {
    this.#config = config;
    this.#log = log;
    this.#allowsLive = allowsLive;
    this.#life = new ProcessLife(log, {
      open: () => this.#open(),
      drain: () => this.#drain(),
      release: () => this.#dataDir?.release(),
      onHangUp: () => void this.#reload(),
      onHalt: () => this.#halt(),
    });
  }

  start(): Promise<void> {
    return this.#life.start();
  }

  async #open(): Promise<void> {
    const from = performance.now();
    const config = this.#config;
    const { service } = config;
    const { logger } = this.#log;
    logger.info(`twapd ${VERSION} starts with ${config.path}`);
    this.#dataDir = lockDataDir(service.dataDir);
    await beforeListening(config, logger);
    const engine = await EngineSide.open({
      config,
      log: this.#log,
      dataDir: this.#dataDir,
      allowsLive: this.#allowsLive,
      isGatewayElsewhere: false,
      onFatal: (error) => this.#life.fatal(error),
    });
    this.#engine = engine;
    if (this.#isHaltDue) engine.halt();
    const { wired } = engine;
    const [gateway] = await Promise.all([
      GatewaySide.open({
        config,
        engine: engine.api(),
        ledger: wired.ledger,
        clock: wired.clock,
        observer: wired.observer,
        counts: wired.counts,
        metrics: wired.exposition,
        reports: {
          ledger: wired.ledger,
          costs: wired.costRecord,
          mmp: wired.ledger.mmpRecords,
        },
        stores: must(wired.gateway, 'a daemon of one process has what its gateway needs'),
        isExecuting: () => wired.engine.isBusy,
      }),
      engine.begin(),
    ]);
    await gateway.prepare();
    const port = await gateway.listen();
    this.#serving = { engine, gateway };
    const tookMs = Math.round(performance.now() - from);
    logger.info(`ready on ${servedAt(config, port)} after ${tookMs} ms`);
    wired.ledger.preparePages();
    await engine.resume();
  }

  async #reload(): Promise<void> {
    if (this.#serving === undefined) return;
    const { engine, gateway } = this.#serving;
    engine.reloadStrategies();
    const config = await rereadConfig(this.#config.path, engine.wired.observer);
    if (config === undefined) return;
    engine.reload(config);
    gateway.reload(config);
    this.#log.logger.info('strategies, limits and keys were reloaded');
  }

  #halt(): void {
    this.#isHaltDue = this.#engine === undefined;
    this.#engine?.halt();
  }

  async #drain(): Promise<void> {
    const serving = this.#serving;
    if (serving === undefined) return;
    const ending = new Shutdown({ log: this.#log.logger, budgetMs: DRAIN_BUDGET_MS });
    await serving.engine.endStrategies(ending);
    await serving.gateway.drain(ending);
    await serving.engine.drain(ending);
  }
}

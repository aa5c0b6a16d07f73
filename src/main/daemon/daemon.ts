// The daemon's life cycle: lock the data folder, open everything, serve, recover, follow strategies; on a
// signal, drain and exit. Crash-only: a start after a kill is an ordinary start.

import { flushCompileCache } from 'node:module';
import process from 'node:process';
import { type Log, openLog } from '../../adapters/telemetry/log/logger.ts';
import type { SwitchSetting } from '../../core/risk/trading-switch.ts';
import { engineApi } from '../../engine/api/serve-engine.ts';
import { requestInHand } from '../../gateway/http/request-scope.ts';
import { createServer, type GatewayServer } from '../../gateway/server.ts';
import { drainAndStop } from '../../lifetime/lifetime.ts';
import { CLI_NAME } from '../cli-name.ts';
import type { Config } from '../config/config.ts';
import { OVERRIDES } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import { gatewayLimits, whyNoDeribit } from '../config/rules/gateway-limits.ts';
import { type DataDir, lockDataDir } from '../data-dir.ts';
import { faultText } from '../fault.ts';
import { Ending } from '../lifecycle/ending.ts';
import { cannotListen, listeningWarnings, requireFreePort } from '../lifecycle/listening.ts';
import { EXIT, ProcessLife } from '../lifecycle/process-life.ts';
import { readiness } from '../lifecycle/readiness.ts';
import { printProgress } from '../progress-lines.ts';
import { StrategyFolder } from '../strategy/strategy-folder.ts';
import { StrategyRunner } from '../strategy/strategy-runner.ts';
import { VERSION } from '../version.ts';
import { LimitChanges } from '../wiring/limit-changes.ts';
import { type Wired, wire } from '../wiring/wire.ts';

export interface DaemonOptions {
  readonly configPath: string;
  /** Whether `--live` was typed: without it nothing is connected that trades real money. */
  readonly allowsLive: boolean;
}

/**
 * Together with the private servers, which always stop after it, less than the time a process has after a
 * signal.
 */
const DRAIN_BUDGET_MS = 6_000;
const GATEWAY_MS_MAX = 3_000;
/** Time to cut off connections that do not close by themselves. */
const GATEWAY_SLACK_MS = 300;
const ENGINE_MS_MAX = 4_000;
/** Time to release resources once the grace period has ended. */
const ENGINE_SLACK_MS = 200;

interface Serving {
  readonly wired: Wired;
  readonly server: GatewayServer;
  readonly limitChanges: LimitChanges;
}

interface Following {
  readonly folder: StrategyFolder;
  readonly runner: StrategyRunner;
}

/** Runs until a signal ends it and sets the exit code of the process. */
export async function runDaemon({ configPath, allowsLive }: DaemonOptions): Promise<void> {
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
    secrets: [...config.keys.map(({ secret }) => secret), config.metricsToken].flatMap(
      (secret) => secret?.reveal() ?? [],
    ),
    context: requestInHand,
  });
  await new Daemon(config, log, allowsLive).start();
}

class Daemon {
  readonly #config: Config;
  readonly #log: Log;
  readonly #allowsLive: boolean;
  readonly #life: ProcessLife;
  #dataDir: DataDir | undefined;
  #wired: Wired | undefined;
  /** The halt signal arrived before there was anything to halt. */
  #isHaltDue = false;
  /** Set once it can accept requests. */
  #serving: Serving | undefined;
  #following: Following | undefined;
  #isEnding = false;

  constructor(config: Config, log: Log, allowsLive: boolean) {
    this.#config = config;
    this.#log = log;
    this.#allowsLive = allowsLive;
    this.#life = new ProcessLife(log, {
      open: () => this.#open(),
      drain: () => this.#drain(),
      release: () => this.#dataDir?.release(),
      onHangUp: () => this.#reload(),
      onHalt: () => this.#halt(),
    });
  }

  start(): Promise<void> {
    return this.#life.start();
  }

  async #open(): Promise<void> {
    const from = performance.now();
    const { service } = this.#config;
    const { logger } = this.#log;
    logger.info(`twapd ${VERSION} starts with ${this.#config.path}`);
    this.#dataDir = lockDataDir(service.dataDir);
    const listening = { config: this.#config, overrides: OVERRIDES };
    await requireFreePort(listening);
    for (const warning of listeningWarnings(this.#config)) logger.warn(warning);
    const wired = await wire({
      config: this.#config,
      dataDir: this.#dataDir,
      log: this.#log,
      allowsLive: this.#allowsLive,
      onFatal: (error) => this.#life.fatal(error),
    });
    this.#wired = wired;
    if (this.#isHaltDue) this.#halt();
    const limitChanges = this.#limitChanges(wired);
    await limitChanges.report(this.#config, 'start');
    const [server] = await Promise.all([this.#server(wired), wired.engine.begin()]);
    // Recovery goes on while it listens: it holds back orders, not answers.
    const recovered = wired.engine.caughtUp().catch((error: unknown) => this.#life.fatal(error));
    await server.prepareDocuments();
    const port = await server
      .listen({ host: service.host, port: service.port })
      .catch((error: unknown) => Promise.reject(cannotListen(error, listening)));
    this.#serving = { wired, server, limitChanges };
    const tookMs = Math.round(performance.now() - from);
    logger.info(`ready on http://${service.host}:${port} after ${tookMs} ms`);
    wired.live.announce(wired.venues);
    await recovered;
    if (this.#isEnding) return;
    await wired.auditor.start();
    const { bus } = wired;
    wired.ledger.preparePages();
    // Not left to the end, which a killed process never reaches. Does nothing if the cache is complete.
    flushCompileCache();
    if (process.stdout.isTTY) {
      printProgress(bus, (portfolio, line) => logger.info({ portfolio }, line));
    }
    await this.#followStrategies(wired);
    logger.info(`second terminal: ${CLI_NAME} list   then   ${CLI_NAME} watch ID`);
  }

  #server(wired: Wired): Promise<GatewayServer> {
    const { counts } = wired;
    const why = whyNoDeribit(this.#config);
    if (why !== undefined) this.#log.logger.info(`clients of Deribit's API are not served: ${why}`);
    return createServer({
      engine: engineApi({ ...wired, notReady: () => readiness(wired) }),
      counts,
      board: wired.board,
      keys: wired.keys,
      kept: wired.ledger.keptAnswers,
      actions: wired.actions,
      peerCounts: wired.peerCounts,
      limits: gatewayLimits(this.#config),
      trustedProxies: this.#config.gateway.trustedProxies,
      claimNonce: (key, until) => wired.ledger.claimOnce(key, until),
      accounts: accountDirectory(this.#config),
      now: () => wired.clock.now(),
      health: {
        live: () => true,
        warnings: () => listeningWarnings(this.#config),
      },
      metrics: wired.exposition,
      metricsAccess: { token: this.#config.metricsToken?.reveal() },
      isExecuting: () => wired.engine.isBusy,
      report: (error, where) => wired.observer.failed({ where: `gateway.${where}`, error }),
      version: VERSION,
      deribit: why === undefined,
    });
  }

  async #followStrategies(wired: Wired): Promise<void> {
    const { ledger, observer } = wired;
    const start = Number((await ledger.getMetadata('starts')) ?? '0') + 1;
    await ledger.setMetadata('starts', String(start));
    if (this.#isEnding) return;
    const runner = new StrategyRunner({ ...wired, start });
    const folder = new StrategyFolder(this.#config.service.strategies, {
      onLoaded: (set) => {
        const faults = set.faults.map(faultText);
        observer.strategiesLoaded({ names: [...set.inForce.keys()], faults });
        void runner.follow(set);
      },
    });
    this.#following = { folder, runner };
    await folder.start();
  }

  #limitChanges({ ledger, observer }: Wired): LimitChanges {
    const onFault = (error: unknown): void => observer.failed({ where: 'limits', error });
    return new LimitChanges({ ledger, log: this.#log.logger, onFault });
  }

  #reload(): void {
    if (this.#serving === undefined) return;
    const { wired, server, limitChanges } = this.#serving;
    this.#following?.folder.reload();
    const reading = loadConfig(this.#config.path);
    if (reading.kind === 'faulty') {
      for (const fault of reading.faults) {
        wired.observer.failed({ where: 'config.reload', error: new Error(faultText(fault)) });
      }
      return;
    }
    wired.limits.reload(reading.value);
    void limitChanges.report(reading.value, 'SIGHUP');
    wired.keys.reload(reading.value);
    server.reload(gatewayLimits(reading.value));
    this.#log.logger.info('strategies, limits and keys were reloaded');
  }

  /** The signal of last resort: it needs neither a key nor a network. */
  #halt(): void {
    const wired = this.#wired;
    this.#isHaltDue = wired === undefined;
    if (wired === undefined) return;
    const setting: SwitchSetting = {
      ...{ scope: 'deployment', of: '', state: 'halted', reason: 'signal SIGUSR2' },
      by: { uid: '', nickname: 'signal' },
      at: wired.clock.now(),
    };
    wired.switches
      .set(setting)
      .catch((error: unknown) => wired.observer.failed({ where: 'switch', error }));
  }

  async #drain(): Promise<void> {
    this.#isEnding = true;
    const serving = this.#serving;
    if (serving === undefined) return;
    const ending = new Ending({ log: this.#log.logger, budgetMs: DRAIN_BUDGET_MS });
    const { folder, runner } = this.#following ?? {};
    const { server, wired } = serving;
    await ending.step('strategy files', { limitMs: 500 }, () => folder?.drain());
    await ending.step('strategies', { limitMs: 1_000 }, () => runner?.drain());
    const gatewayMs = GATEWAY_MS_MAX - GATEWAY_SLACK_MS;
    await ending.step('gateway', { limitMs: GATEWAY_MS_MAX }, () => server.close(gatewayMs));
    const graceMs = Math.min(this.#config.service.drainMs, ENGINE_MS_MAX, ending.leftMs);
    await ending.step('engine', { limitMs: ENGINE_MS_MAX }, () =>
      drainAndStop(wired.engine, {
        clock: wired.clock,
        graceMs: Math.max(0, graceMs - ENGINE_SLACK_MS),
      }),
    );
    await wired.close(ending);
  }
}

function accountDirectory({ accounts }: Config) {
  const known = new Map(accounts.map(({ id, name, venue }) => [id, { name, exchange: venue }]));
  return { describe: (account: string) => known.get(account) ?? { name: account, exchange: '' } };
}

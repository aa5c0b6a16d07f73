// The engine as a process of its own: it executes, and serves gateways of other processes over its link. It has no secrets
// of clients.
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Log } from '../../adapters/telemetry/log/logger.ts';
import type { HeldScopes } from '../../engine/link/serve-line.ts';
import { serveLine } from '../../engine/link/serve-line.ts';
import { forRequest } from '../../gateway/http/request-scope.ts';
import type { Scope } from '../../ports/key-records.ts';
import type { Config } from '../config/config.ts';
import { type DataDir, DataDirLocked, lockDataDir } from '../data-dir.ts';
import { tellSupervisor } from '../lifecycle/part-messages.ts';
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
import type { OpenedKeys } from '../wiring/open-keys.ts';
import { EngineSide } from './engine-side.ts';

/**
 * The old generation of an engine is collected when it has doubled. V8 would let it grow up to four times, and then plans to
 * mark it faster than its helper threads can: the main thread marks too, and executes nothing for up to 0.2 s (decision 9).
 */
const OLD_GENERATION = '--heap-growing-percent=100';
/** An engine does not fetch the secrets of clients. */
const WITHOUT = { without: 'clients' } as const;

/** Runs until a signal ends it and sets the exit code of the process. */
export async function runEngine({
  configPath,
  allowsLive,
  logFormat,
}: DaemonOptions): Promise<void> {
  setFlagsFromString(OLD_GENERATION);
  const config = configOrExit(configPath, WITHOUT);
  const log = openDaemonLog(config, logFormat, { part: 'engine' });
  await new EngineProcess(config, log, allowsLive).start();
}

/** An engine whose supervisor was killed a moment ago is still ending. */
const LOCK_MS_MAX = 3_000;
const LOOK_AGAIN_MS = 50;

async function lockedWithin(ms: number, folder: string): Promise<DataDir> {
  const until = performance.now() + ms;
  for (;;) {
    try {
      return lockDataDir(folder);
    } catch (error) {
      if (!(error instanceof DataDirLocked) || performance.now() > until) throw error;
      await sleep(LOOK_AGAIN_MS);
    }
  }
}

class EngineProcess {
  readonly #config: Config;
  readonly #log: Log;
  readonly #allowsLive: boolean;
  readonly #life: ProcessLife;
  #dataDir: DataDir | undefined;
  #engine: EngineSide | undefined;
  #isHaltDue = false;

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
    const { logger } = this.#log;
    logger.info(`twapd ${VERSION} starts with ${this.#config.path}`);
    this.#dataDir = await lockedWithin(LOCK_MS_MAX, this.#config.service.dataDir);
    const engine = await EngineSide.open({
      config: this.#config,
      log: this.#log,
      dataDir: this.#dataDir,
      allowsLive: this.#allowsLive,
      isGatewayElsewhere: true,
      onStores: ({ databaseUrl, redisUrl }) =>
        tellSupervisor({ kind: 'stores', stores: { databaseUrl, redisUrl } }),
      onFatal: (error) => this.#life.fatal(error),
    });
    this.#engine = engine;
    if (this.#isHaltDue) engine.halt();
    await engine.begin();
    const { links, observer, keys } = engine.wired;
    links.serveGateways(
      serveLine({
        engine: engine.api(),
        held: scopesInForce(keys),
        onBehalfOf: forRequest,
        onFault: (error) => observer.observe({ event: 'failed', where: 'link', error }),
      }),
    );
    tellSupervisor({ kind: 'engine', address: links.address });
    const tookMs = Math.round(performance.now() - from);
    logger.info(`the engine serves gateways on ${links.address} after ${tookMs} ms`);
    await engine.resume();
  }

  async #reload(): Promise<void> {
    const engine = this.#engine;
    if (engine === undefined) return;
    engine.reloadStrategies();
    const config = await rereadConfig(this.#config.path, engine.wired.observer, WITHOUT);
    if (config === undefined) return;
    engine.reload(config);
    this.#log.logger.info('strategies and limits were reloaded');
  }

  #halt(): void {
    this.#isHaltDue = this.#engine === undefined;
    this.#engine?.halt();
  }

  async #drain(): Promise<void> {
    const engine = this.#engine;
    if (engine === undefined) return;
    const ending = new Shutdown({ log: this.#log.logger, budgetMs: DRAIN_BUDGET_MS });
    await engine.endStrategies(ending);
    await engine.drain(ending);
  }
}

const NO_SCOPES: ReadonlySet<Scope> = new Set();

/** What the keys in force allow each user, for the engine to compare with what gateways say. */
function scopesInForce(keys: Pick<OpenedKeys, 'all' | 'watch' | 'refresh'>): HeldScopes {
  let ofUsers: ReadonlyMap<string, ReadonlySet<Scope>> | undefined;
  keys.watch(() => {
    ofUsers = undefined;
  });
  const read = (): ReadonlyMap<string, ReadonlySet<Scope>> => {
    const grouped = Map.groupBy(keys.all(), ({ uid }) => uid);
    return new Map(
      [...grouped].map(([uid, own]) => [uid, new Set(own.flatMap(({ scopes }) => scopes))]),
    );
  };
  return {
    of: (uid) => {
      ofUsers ??= read();
      return ofUsers.get(uid) ?? NO_SCOPES;
    },
    refresh: () => keys.refresh(),
  };
}

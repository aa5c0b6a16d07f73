// The gateway as a process of its own: it serves clients and asks an engine, that of its own daemon or any of the
// deployment. It has no secrets of venues or of channels that notify people, and nothing of it is needed for a slice.
import type { Log } from '../../adapters/telemetry/log/logger.ts';
import type { Config } from '../config/config.ts';
import { type WiredGateway, wireGateway } from '../gateway/wire-gateway.ts';
import { returnHeapWhenIdle } from '../lifecycle/idle-heap-collection.ts';
import { beforeListening, servedAt } from '../lifecycle/listening.ts';
import {
  type DaemonStores,
  hearSupervisor,
  isSupervised,
  tellSupervisor,
} from '../lifecycle/part-messages.ts';
import { ProcessLife } from '../lifecycle/process-life.ts';
import { configOrExit, type LogFormat, openDaemonLog } from '../lifecycle/process-startup.ts';
import { rereadConfig } from '../lifecycle/reread-config.ts';
import { Shutdown } from '../lifecycle/shutdown.ts';
import { GatewaySide } from './gateway-side.ts';

/** A gateway does not fetch the secrets of venues. */
const WITHOUT = { without: 'engine' } as const;
const DRAIN_BUDGET_MS = 4_000;
/** For so long a gateway that starts waits for an engine before it listens and answers that there is none. */
const ENGINE_MS = 10_000;

export interface GatewayOptions {
  readonly configPath: string;
  readonly logFormat: LogFormat;
}

/** Runs until a signal ends it and sets the exit code of the process. */
export async function runGateway({ configPath, logFormat }: GatewayOptions): Promise<void> {
  const config = configOrExit(configPath, WITHOUT);
  await new GatewayProcess(config, openDaemonLog(config, logFormat, { part: 'gateway' })).start();
}

/** A gateway that is started alone, without the addresses of its stores. */
export class StoresUnknown extends Error {
  override readonly name = 'StoresUnknown';
}

class GatewayProcess {
  readonly #config: Config;
  readonly #log: Log;
  readonly #life: ProcessLife;
  /** Resolve when the supervisor first names the stores and the engine of the same daemon. */
  readonly #stores = Promise.withResolvers<DaemonStores>();
  readonly #began = Promise.withResolvers<void>();
  /** Where that engine is. */
  #address = '';
  #wired: WiredGateway | undefined;
  #gateway: GatewaySide | undefined;

  constructor(config: Config, log: Log) {
    this.#config = config;
    this.#log = log;
    this.#life = new ProcessLife(log, {
      open: () => this.#open(),
      drain: () => this.#drain(),
      release: () => undefined,
      onHangUp: () => void this.#reload(),
    });
  }

  start(): Promise<void> {
    return this.#life.start();
  }

  async #open(): Promise<void> {
    const from = performance.now();
    const config = this.#config;
    const { logger } = this.#log;
    await beforeListening(config, logger);
    const own = isSupervised();
    if (own) this.#followEngine();
    // While the engine still starts, as far as possible.
    const stores = own ? await this.#stores.promise : givenStores(config);
    const wired = await wireGateway({
      config,
      log: this.#log,
      stores,
      own: own ? () => this.#began.promise.then(() => this.#address) : undefined,
    });
    this.#wired = wired;
    const { engine, ledger, clock, observer, counts, metrics } = wired;
    const gateway = await GatewaySide.open({
      config,
      engine,
      ledger,
      clock,
      observer,
      counts,
      metrics,
      stores: wired,
      reports: { ledger, costs: wired.costs, mmp: ledger.mmpRecords },
    });
    this.#gateway = gateway;
    if (own) await this.#began.promise;
    const port = await gateway.listen(ENGINE_MS);
    await gateway.ready;
    tellSupervisor({ kind: 'listening', port });
    const tookMs = Math.round(performance.now() - from);
    logger.info(`ready on ${servedAt(config, port)} after ${tookMs} ms`);
    ledger.preparePages();
    returnHeapWhenIdle();
    // Nothing is executed in this process: what clients rarely request is made once they are served.
    const later = Promise.all([wired.loadBoard(), gateway.prepare()]);
    later.catch((error: unknown) =>
      observer.observe({ event: 'failed', where: 'documents', error }),
    );
  }

  #followEngine(): void {
    hearSupervisor((message) => {
      if (message.kind === 'stores') return this.#stores.resolve(message.stores);
      this.#address = message.address;
      this.#began.resolve();
    });
  }

  async #reload(): Promise<void> {
    const wired = this.#wired;
    if (wired === undefined) return;
    const config = await rereadConfig(this.#config.path, wired.observer, WITHOUT);
    if (config === undefined) return;
    wired.limits.reload(config);
    wired.keys.reload(config);
    this.#gateway?.reload(config);
    this.#log.logger.info('keys, certificates and limits of clients were reloaded');
  }

  async #drain(): Promise<void> {
    const ending = new Shutdown({ log: this.#log.logger, budgetMs: DRAIN_BUDGET_MS });
    await this.#gateway?.drain(ending);
    await ending.step('stores', { limitMs: 1_000 }, () => this.#wired?.close());
  }
}

/** Private servers belong to the daemon of their data folder. */
function givenStores({ redis, database, path }: Config) {
  const [redisUrl, databaseUrl] = [redis.url?.reveal(), database.url?.reveal()];
  if (redisUrl === undefined || databaseUrl === undefined) {
    throw new StoresUnknown(
      `${path} names no ${redisUrl === undefined ? 'redis' : 'database'}.url, and a gateway that is started alone has no servers of its own; accepted: REDIS_URL and DATABASE_URL of the engines`,
    );
  }
  return { redisUrl, databaseUrl };
}

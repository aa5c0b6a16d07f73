// Runs the paper exchange as a process of its own: its journal, its market and the order methods, without
// ledger, queue and engine. It treats its data folder and signals as the daemon does.
import process from 'node:process';
import type { PaperVenue } from '../../adapters/paper/paper-venue.ts';
import { ClaimFiles } from '../../adapters/system/claim-files.ts';
import { FileActionLog } from '../../adapters/system/file-action-log.ts';
import { SystemClock } from '../../adapters/system/system-clock.ts';
import { type Log, openLog } from '../../adapters/telemetry/log/logger.ts';
import { setSpaces } from '../../adapters/telemetry/metrics/disk-gauges.ts';
import { gatewayCounts } from '../../adapters/telemetry/metrics/gateway-counts.ts';
import { createMetrics } from '../../adapters/telemetry/metrics/metrics.ts';
import { LogAndCount } from '../../adapters/telemetry/observer/log-and-count.ts';
import { processCounts } from '../../adapters/telemetry/observer/process-counts.ts';
import { methodApi } from '../../engine/api/method-api.ts';
import { deskOver } from '../../engine/order-entry/order-desk.ts';
import type { OrderOperations } from '../../engine/order-entry/order-operations.ts';
import { KeysInForce } from '../../gateway/auth/keys-in-force.ts';
import { createMethodServer, type GatewayServer } from '../../gateway/server.ts';
import type { Observer } from '../../ports/observer.ts';
import { type AccountId, accountId } from '../../values/ids.ts';
import type { Config } from '../config/config.ts';
import { EXCHANGE_OVERRIDES } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import { gatewayLimits, whyNoDeribit } from '../config/rules/gateway-limits.ts';
import { givenKeys } from '../config/secrets/given-keys.ts';
import type { PaperVenueSection } from '../config/sections/venues-section.ts';
import { type DataDir, lockDataDir } from '../data-dir.ts';
import { faultText } from '../fault.ts';
import {
  cannotListen,
  listeningWarnings,
  requireFreePort,
  servedAt,
  servedTls,
} from '../lifecycle/listening.ts';
import { EXIT, ProcessLife } from '../lifecycle/process-life.ts';
import { rereadConfig } from '../lifecycle/reread-config.ts';
import { VERSION } from '../version.ts';
import { identityOf } from '../wiring/bind-venue.ts';
import { exchangeFolders, openDiskWatch } from '../wiring/open-disk-watch.ts';
import { openPaper } from '../wiring/open-venues.ts';

export interface ExchangeOptions {
  readonly configPath: string;
  /** Overrides file and environment. */
  readonly port?: number | undefined;
}

const HOLDER = {
  name: 'exchange',
  variables: 'TWAPD_EXCHANGE_DATA_DIR and TWAPD_EXCHANGE_PORT',
} as const;

/** Runs until a signal ends it and sets the exit code of the process. */
export async function runExchange({ configPath, port }: ExchangeOptions): Promise<void> {
  const reading = loadConfig(configPath, { overrides: EXCHANGE_OVERRIDES });
  if (reading.kind === 'faulty') {
    for (const fault of reading.faults) process.stderr.write(`${faultText(fault)}\n`);
    process.exit(EXIT.refused);
  }
  const { value } = reading;
  const service = { ...value.service, port: port ?? value.service.port };
  const config: Config = { ...value, service };
  const log = openLog({
    level: config.log.level,
    format: config.log.format,
    fields: { deployment: service.deployment },
    secrets: config.keys.map((key) => key.secret.reveal()),
  });
  await new ExchangeProcess(config, log).start();
}

type Closer = () => Promise<unknown> | unknown;

interface Running {
  readonly keys: KeysInForce;
  readonly server: GatewayServer;
  readonly observer: Observer;
}

class ExchangeProcess {
  readonly #config: Config;
  readonly #log: Log;
  readonly #life: ProcessLife;
  readonly #closers: Closer[] = [];
  #dataDir: DataDir | undefined;
  #running: Running | undefined;

  constructor(config: Config, log: Log) {
    this.#config = config;
    this.#log = log;
    this.#life = new ProcessLife(log, {
      open: () => this.#open(),
      drain: () => this.#drain(),
      release: () => this.#dataDir?.release(),
      onHangUp: () => void this.#reload(),
    });
  }

  start(): Promise<void> {
    return this.#life.start();
  }

  async #open(): Promise<void> {
    const from = performance.now();
    const { service, path } = this.#config;
    const { logger } = this.#log;
    logger.info(`twapd exchange ${VERSION} starts with ${path}`);
    this.#dataDir = lockDataDir(service.dataDir, HOLDER);
    const listening = { config: this.#config, overrides: EXCHANGE_OVERRIDES };
    await requireFreePort(listening);
    for (const warning of listeningWarnings(this.#config)) logger.warn(warning);
    const clock = new SystemClock({
      onStep: (deltaMs) => logger.warn({ deltaMs }, 'the wall clock jumped'),
    });
    const server = await this.#server(clock);
    await server.prepareDocuments();
    const port = await server
      .listen({ host: service.host, port: service.port })
      .catch((error: unknown) => Promise.reject(cannotListen(error, listening)));
    this.#closers.push(() => server.close());
    const tookMs = Math.round(performance.now() - from);
    logger.info(`exchange ready on ${servedAt(this.#config, port)} after ${tookMs} ms`);
  }

  async #server(clock: SystemClock) {
    const config = this.#config;
    const [name, section] = onlyPaperVenue(config);
    const metrics = createMetrics({
      version: VERSION,
      deployment: config.service.deployment,
      venues: [name],
    });
    const observer = new LogAndCount(this.#log.logger, metrics);
    this.#log.listen(processCounts(metrics));
    const report = (where: string) => (error: unknown) =>
      observer.observe({ event: 'failed', where, error });
    const keys = await this.#openKeys(clock, report('keys'));
    const dataDir = this.#dataDir as DataDir;
    const disk = await openDiskWatch({ clock, observer, folders: exchangeFolders(config) });
    this.#closers.push(() => disk.stop());
    const actions = await FileActionLog.open({
      folder: dataDir.actions,
      onFault: report('actions'),
    });
    this.#closers.push(() => actions.close());
    const venue = await openPaper(name, section, {
      config,
      clock,
      keys,
      report,
      closers: this.#closers,
      dataDir,
      onFault: (error) => this.#life.fatal(error),
    });
    this.#closers.push(() => venue.close());
    const claims = new ClaimFiles({ folder: dataDir.claims, now: () => clock.now() });
    this.#closers.push(async () => claims.close());
    const server = await createMethodServer({
      ...this.#served(),
      engine: methodApi({
        clock,
        orders: exchangeOrders(venue, tradingAccounts(config)),
        notReady: () => [
          ...disk.reasonsNotReady(),
          ...(venue.instruments() !== undefined ? [] : ['no instruments']),
          ...observer.programmingErrors(),
        ],
      }),
      keys,
      actions,
      claimNonce: (key, until) => claims.claimOnce(key, until),
      now: () => clock.now(),
      metrics: () => {
        setSpaces(metrics, disk.spaces());
        return metrics.registry.metrics();
      },
      report: (error, where) =>
        observer.observe({ event: 'failed', where: `gateway.${where}`, error }),
      exchangeId: identityOf(dataDir.venue(name)),
      counts: gatewayCounts(metrics),
    });
    this.#running = { keys, server, observer };
    return server;
  }

  async #openKeys(clock: SystemClock, report: (error: unknown) => void): Promise<KeysInForce> {
    const given = givenKeys(this.#config);
    const keys = await KeysInForce.open({ given, now: () => clock.now(), report });
    this.#closers.push(() => keys.drain());
    return keys;
  }

  /** What the configuration says of the server. */
  #served() {
    const config = this.#config;
    return {
      version: VERSION,
      limits: gatewayLimits(config),
      tls: servedTls(config),
      trustedProxies: config.gateway.trustedProxies,
      deribit: whyNoDeribit(config) === undefined,
      health: { live: () => true },
    };
  }

  /** Reloads keys and gateway limits; a faulty file leaves those in force. */
  async #reload(): Promise<void> {
    if (this.#running === undefined) return;
    const { keys, server, observer } = this.#running;
    const config = await rereadConfig(this.#config.path, observer, {
      overrides: EXCHANGE_OVERRIDES,
    });
    if (config === undefined) return;
    this.#log.hide(...config.keys.map(({ secret }) => secret.reveal()));
    keys.regive(givenKeys(config));
    server.reload(gatewayLimits(config));
    const tls = servedTls(config);
    if (tls !== undefined) server.renew(tls);
    this.#log.logger.info('keys and limits were reloaded');
  }

  async #drain(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}

/** The exchange's own order methods: the gate is at the daemons that send. */
function exchangeOrders(venue: PaperVenue, own: ReadonlySet<AccountId>): OrderOperations {
  const desk = deskOver(venue, venue);
  return {
    accounts: () => [...own].map((account) => [account, venue.name]),
    venues: () => [venue],
    forAccount: (account) => (own.has(account) ? desk : undefined),
    rfqsFor: (account) => (own.has(account) ? venue.rfqs : undefined),
    combosFor: (account) => (own.has(account) ? venue.combos : undefined),
    marginsFor: (account) => (own.has(account) ? venue.margins : undefined),
  };
}

class NoSingleExchange extends Error {
  override readonly name = 'NoSingleExchange';
}

/** Returns the exchange to run: one process runs exactly one. */
function onlyPaperVenue({ path, venues }: Config): readonly [string, PaperVenueSection] {
  const [first, ...others] = Object.entries(venues);
  if (first !== undefined && others.length === 0 && first[1].kind === 'paper') {
    return [first[0], first[1]];
  }
  const found = Object.entries(venues).map(([name, { kind }]) => `${name} (${kind})`);
  throw new NoSingleExchange(
    `${path} has the venues ${found.join(', ')}; accepted: one venue of kind paper`,
  );
}

const tradingAccounts = (config: Config): ReadonlySet<AccountId> =>
  new Set(config.accounts.filter(({ dummy }) => !dummy).map(({ id }) => accountId(id)));

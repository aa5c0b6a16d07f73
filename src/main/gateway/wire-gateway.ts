// Connects a gateway that is a process of its own: what it opens of the stores, its connection to an engine, and what of
// the engine's interface it serves from the ledger by itself: pages, plans and news.
import { GatewayLine } from '../../adapters/engine-link/gateway-line.ts';
import { openPostgresLedger, PostgresLedger } from '../../adapters/postgres/postgres-ledger.ts';
import { PostgresCostRecord } from '../../adapters/postgres/records/postgres-cost-record.ts';
import { PostgresShardLeases } from '../../adapters/postgres/records/postgres-shard-leases.ts';
import { RedisEventBus } from '../../adapters/redis/redis-event-bus.ts';
import { SystemClock } from '../../adapters/system/system-clock.ts';
import type { Log } from '../../adapters/telemetry/log/logger.ts';
import { setSpaces } from '../../adapters/telemetry/metrics/disk-gauges.ts';
import {
  EventLoopLag,
  LAG_RESOLUTION_MS,
} from '../../adapters/telemetry/metrics/event-loop-lag.ts';
import { gatewayCounts } from '../../adapters/telemetry/metrics/gateway-counts.ts';
import { isOfEngine, isOfGateway } from '../../adapters/telemetry/metrics/gateway-families.ts';
import { mergeParts, onlyFamilies } from '../../adapters/telemetry/metrics/merge-parts.ts';
import { createMetrics, type Metrics } from '../../adapters/telemetry/metrics/metrics.ts';
import { LogAndCount } from '../../adapters/telemetry/observer/log-and-count.ts';
import { processCounts } from '../../adapters/telemetry/observer/process-counts.ts';
import type { DiskWatch } from '../../engine/disk/disk-watch.ts';
import type { EngineApi } from '../../engine/interface/engine-api.ts';
import { remoteEngine } from '../../engine/link/remote-engine.ts';
import { NewsFeed } from '../../engine/news/news-feed.ts';
import { serveNews } from '../../engine/news/serve-news.ts';
import { DirectoryCopy } from '../../gateway/desks/directory-copy.ts';
import { sharedText } from '../../gateway/http/health-routes.ts';
import { askerInHand, isForKey } from '../../gateway/http/request-scope.ts';
import { OpenReads } from '../../gateway/limits/open-reads.ts';
import type { GatewayCounts } from '../../gateway/wire/gateway-counts-port.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CostReads } from '../../ports/costs/cost-record.ts';
import { isPeerAway } from '../../ports/deployment/engine-peers.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Config } from '../config/config.ts';
import type { DaemonStores } from '../lifecycle/part-messages.ts';
import { openConfiguredArchive } from '../open-configured-archive.ts';
import { VERSION } from '../version.ts';
import { LimitsInForce } from '../wiring/limits-in-force.ts';
import { openDiskWatch, writtenFolders } from '../wiring/open-disk-watch.ts';
import { type GatewayStores, openGatewayStores } from '../wiring/open-gateway-stores.ts';
import { linkSecret } from '../wiring/open-peers.ts';
import { databaseAwayTo } from '../wiring/open-stores.ts';
import { redisPrefix } from '../wiring/redis-prefix.ts';
import { gatewayReads } from './gateway-reads.ts';
import { pacedReads } from './paced-reads.ts';
import { planHere } from './plan-here.ts';

export interface WireGatewayOptions {
  readonly config: Config;
  readonly log: Log;
  readonly stores: DaemonStores;
  /** The engine of the same daemon, wherever it is at the moment, once there is one; absent: any engine of the deployment. */
  readonly own?: (() => Promise<string>) | undefined;
}

export interface WiredGateway extends GatewayStores {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly ledger: PostgresLedger;
  readonly engine: EngineApi;
  readonly limits: LimitsInForce;
  readonly costs: CostReads;
  readonly counts: GatewayCounts;
  /** The text of GET /metrics. */
  readonly metrics: () => Promise<string>;
  close(): Promise<void>;
}

type Closer = { readonly name: string; readonly close: () => Promise<unknown> | unknown };

/** The engine's metrics are read no more often. */
const METRICS_MS = 1_000;

export async function wireGateway(parts: WireGatewayOptions): Promise<WiredGateway> {
  const closers: Closer[] = [];
  const close = async (): Promise<void> => {
    for (const { close: end } of closers.splice(0).reverse()) await end();
  };
  try {
    return { ...(await assemble(parts, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Assembly extends WireGatewayOptions {
  readonly closers: Closer[];
  readonly telemetry: ReturnType<typeof openGatewayTelemetry>;
  readonly report: (where: string) => (error: unknown) => void;
}

async function assemble(
  options: WireGatewayOptions,
  closers: Closer[],
): Promise<Omit<WiredGateway, 'close'>> {
  const { config, log, own } = options;
  log.hide(...[config.redis.url, config.database.url].flatMap((url) => url?.reveal() ?? []));
  log.hide(...[config.ledger.archiveBucket].flatMap((bucket) => bucket?.secretKey.reveal() ?? []));
  const telemetry = openGatewayTelemetry(config, log);
  const { metrics, observer, clock } = telemetry;
  // On the machine of its engine, which may not be there to tell.
  const disk = own && (await openDiskWatch({ clock, observer, folders: writtenFolders(config) }));
  closers.push({ name: 'disk watch', close: () => disk?.stop() });
  const report = (where: string) => (error: unknown) =>
    observer.observe({ event: 'failed', where, error });
  const assembly: Assembly = { ...options, closers, telemetry, report };
  const stored = await openStored(assembly);
  const { ledger, leases, costs, opened } = stored;
  const remote = connectEngine(assembly, stored.secret, leases);
  const directory = new DirectoryCopy(remote);
  closers.push({ name: 'directory', close: () => directory.close() });
  const news = openNews(assembly, ledger);
  const limits = new LimitsInForce(config);
  const plan = planHere({ engine: remote, directory, config, limits, clock });
  const lag = new EventLoopLag(LAG_RESOLUTION_MS);
  closers.push({ name: 'sampler', close: () => lag.close() });
  return {
    ...opened,
    clock,
    observer,
    ledger,
    limits,
    costs,
    engine: {
      ...remote,
      news: serveNews(news),
      portfolios: {
        ...remote.portfolios,
        ...gatewayReads({ engine: remote.portfolios, ledger, plan }),
      },
      state: {
        ...remote.state,
        reasonsNotReady: () => reasonsNotReady(remote, { observer, disk }),
      },
    },
    counts: gatewayCounts(metrics),
    metrics: exposition({ metrics, lag, remote, observer, disk }),
  };
}

/** What is read of the stores here, and the secret of the line to the engine. */
async function openStored({ config, log, stores, own, closers, telemetry, report }: Assembly) {
  const { databaseUrl, redisUrl } = stores;
  const archive = await openConfiguredArchive(config);
  const reading = {
    connectionString: databaseUrl,
    archive,
    maxReadConnections: Math.max(1, config.database.connectionsMax - 2),
    onAway: databaseAwayTo(log.logger),
    onFault: report('ledger'),
  };
  // The engine of the same daemon has brought the schema up to date.
  const ledger = own ? new PostgresLedger(reading) : await openPostgresLedger(reading);
  closers.push({ name: 'ledger', close: () => ledger.close() });
  const { clock } = telemetry;
  const around = { config, clock, log, databaseUrl, redisUrl, report, closers };
  const [secret, opened] = await Promise.all([
    linkSecret(ledger, config),
    openGatewayStores(around),
  ]);
  log.hide(secret);
  const costs = new PostgresCostRecord({
    connectionString: databaseUrl,
    archive,
    onFault: report('costs'),
  });
  closers.push({ name: 'costs', close: () => costs.close() });
  const leases = new PostgresShardLeases({
    connectionString: databaseUrl,
    onFault: report('leases'),
  });
  closers.push({ name: 'leases', close: () => leases.close() });
  return { ledger, secret, opened, costs, leases };
}

/** The engine's interface over the line to it; reads for no key are paced. */
function connectEngine(
  { log, own, closers, telemetry, report }: Assembly,
  secret: string,
  leases: PostgresShardLeases,
): EngineApi {
  const { clock } = telemetry;
  const line = new GatewayLine({
    secret,
    addresses: own === undefined ? () => enginesOf(leases) : async () => [await own()],
    onFault: report('link'),
    onLost: () => log.logger.warn('the connection to the engine was lost; connecting again'),
  });
  closers.push({ name: 'link', close: () => line.close() });
  const nowMs = (): number => clock.monotonicMs();
  const wait = (delayMs: number, then: () => void): void => void setTimeout(then, delayMs);
  const bare = remoteEngine({
    line,
    asker: askerInHand,
    onFault: report('link'),
    openReads: new OpenReads({ isOfKey: isForKey, nowMs, wait }),
  });
  return { ...bare, market: pacedReads({ market: bare.market, isForKey, nowMs, wait }) };
}

function openNews(
  { config, stores, closers, telemetry, report }: Assembly,
  ledger: PostgresLedger,
): NewsFeed {
  const { clock, observer } = telemetry;
  const bus = new RedisEventBus({
    url: stores.redisUrl,
    prefix: redisPrefix(config),
    onFault: report('bus'),
    onDropped: (count) => report('bus')(new Error(`${count} messages dropped: Redis was away`)),
    onBadMessage: (why) => report('bus')(new Error(why)),
  });
  closers.push({ name: 'bus', close: () => bus.close() });
  const news = new NewsFeed({ bus, ledger, log: ledger.turnLog, clock, observer });
  closers.push({ name: 'news', close: () => news.drain() });
  return news;
}

/** Every engine of the deployment that is alive. */
async function enginesOf(leases: PostgresShardLeases): Promise<readonly string[]> {
  const { members } = await leases.view();
  return members.flatMap(({ address, isLeaving, isCurrent, isConnected }) =>
    address !== undefined && isCurrent && isConnected && !isLeaving ? [address] : [],
  );
}

function openGatewayTelemetry(config: Config, log: Log) {
  const metrics = createMetrics({
    version: VERSION,
    deployment: config.service.deployment,
    runbookUrl: config.service.runbookUrl,
    venues: Object.keys(config.venues),
  });
  const process = processCounts(metrics);
  log.listen(process);
  const clock = new SystemClock({
    onStep: (deltaMs) => {
      process.clockStepped(deltaMs);
      log.logger.warn({ deltaMs }, 'the wall clock jumped');
    },
  });
  return { metrics, clock, observer: new LogAndCount(log.logger, metrics) };
}

/** Of both processes; each knows its own mistakes. */
async function reasonsNotReady(
  { state }: EngineApi,
  { observer, disk }: Pick<Exposing, 'observer' | 'disk'>,
): Promise<readonly string[]> {
  const here = observer.programmingErrors();
  try {
    return [...(await state.reasonsNotReady()), ...here];
  } catch (error) {
    if (isPeerAway(error)) {
      return [...(disk?.reasonsNotReady() ?? []), `engine: ${error.message}`, ...here];
    }
    throw error;
  }
}

interface Exposing {
  readonly metrics: Metrics;
  readonly lag: EventLoopLag;
  readonly remote: EngineApi;
  readonly observer: LogAndCount;
  /** Absent on a machine that may not be that of an engine. */
  readonly disk: DiskWatch | undefined;
}

/** Of both processes; without the engine's while it does not answer. */
function exposition({ metrics, lag, remote, observer, disk }: Exposing): () => Promise<string> {
  const ofEngine = sharedText(() => remote.state.metrics(), METRICS_MS);
  return async () => {
    const { p50Sec, p99Sec, maxSec, utilization } = lag.read();
    metrics.eventLoopLag.set({ stat: 'p50' }, p50Sec);
    metrics.eventLoopLag.set({ stat: 'p99' }, p99Sec);
    metrics.eventLoopLag.set({ stat: 'max' }, maxSec);
    metrics.eventLoopUtilization.set(utilization);
    setSpaces(metrics, disk?.spaces() ?? []);
    const engine = await ofEngine().catch((error: unknown) => {
      if (!isPeerAway(error)) observer.observe({ event: 'failed', where: 'scrape', error });
      return '';
    });
    const gateway = await metrics.registry.metrics();
    return mergeParts([
      { part: 'engine', text: onlyFamilies(engine, isOfEngine) },
      { part: 'gateway', text: onlyFamilies(gateway, isOfGateway) },
    ]);
  };
}

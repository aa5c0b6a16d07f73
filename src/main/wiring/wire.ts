// Chooses the adapter for each port: the only module that knows all of them. Opens in order of dependency and
// closes in reverse; a failure on the way closes what was opened before it.

import { BullmqQueue } from '../../adapters/bullmq/bullmq-queue.ts';
import {
  openPostgresLedger,
  type PostgresLedger,
} from '../../adapters/postgres/postgres-ledger.ts';
import { PostgresCostRecord } from '../../adapters/postgres/records/postgres-cost-record.ts';
import { PostgresShardLeases } from '../../adapters/postgres/records/postgres-shard-leases.ts';
import { PostgresSwitchRecords } from '../../adapters/postgres/records/postgres-switch-records.ts';
import { RedisEventBus } from '../../adapters/redis/redis-event-bus.ts';
import { SystemClock } from '../../adapters/system/system-clock.ts';
import { NODE_TIME, type TimeSource } from '../../adapters/system/wall-offset.ts';
import type { Log } from '../../adapters/telemetry/log/logger.ts';
import { gatewayCounts } from '../../adapters/telemetry/metrics/gateway-counts.ts';
import type { LogAndCount } from '../../adapters/telemetry/observer/log-and-count.ts';
import { shardOf } from '../../core/ownership/shards.ts';
import { instrumentChooser } from '../../engine/api/choose-instruments.ts';
import { EngineOperations } from '../../engine/api/engine-operations.ts';
import { tradingApi } from '../../engine/api/switch-operations.ts';
import { assembleEngine } from '../../engine/assemble-engine.ts';
import type { Auditor } from '../../engine/audit/auditor.ts';
import type { DiskWatch } from '../../engine/disk/disk-watch.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Operations } from '../../engine/interface/operations.ts';
import type { TradingApi } from '../../engine/interface/trading-api.ts';
import { TradingSwitches } from '../../engine/kill-switch/trading-switches.ts';
import { AccountHandOvers } from '../../engine/link/account-hand-overs.ts';
import { answerCalls, HOLD_WAKES } from '../../engine/link/answer-calls.ts';
import { FollowedNotices } from '../../engine/link/followed-notices.ts';
import { OwnerCalls } from '../../engine/link/owner-calls.ts';
import { OwnerDispatch } from '../../engine/link/owner-dispatch.ts';
import { serveNotices } from '../../engine/link/serve-notices.ts';
import { MmpGuard } from '../../engine/mmp/mmp-guard.ts';
import { NewsFeed } from '../../engine/news/news-feed.ts';
import { OrderDesk } from '../../engine/order-entry/order-desk.ts';
import type { OrderOperations } from '../../engine/order-entry/order-operations.ts';
import { Absences } from '../../engine/ownership/absences.ts';
import { AccountConnections } from '../../engine/ownership/account-connections.ts';
import { sharedLimits } from '../../engine/ownership/deployment-limit-shares.ts';
import { ShardOwnership } from '../../engine/ownership/shard-ownership.ts';
import type { RecoveryBarrier } from '../../engine/recovery/recovery-barrier.ts';
import type { Gate } from '../../engine/risk/gate.ts';
import { WatchedGate } from '../../engine/risk/watch-gate.ts';
import { SnapshotKeeper } from '../../engine/snapshots/snapshot-keeper.ts';
import type { GatewayCounts } from '../../gateway/wire/gateway-counts-port.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CostReads } from '../../ports/costs/cost-record.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import type { Observer } from '../../ports/observer.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import type { Config } from '../config/config.ts';
import { LEAD_MS, SWEEP_MS } from '../config/engine-settings.ts';
import { venueSecrets } from '../config/secrets/venue-secrets.ts';
import type { DataDir } from '../data-dir.ts';
import { type Closer, closeInReverse } from '../lifecycle/closers.ts';
import { Shutdown } from '../lifecycle/shutdown.ts';
import { openConfiguredArchive } from '../open-configured-archive.ts';
import { type OpenedWitness, openWitness, witnessSecrets } from '../witness/open-witness.ts';
import { bindPaperVenues, venueBinding } from './bind-venue.ts';
import { LimitsInForce } from './limits-in-force.ts';
import { LiveTrading } from './live-trading.ts';
import { claimLedgerId, openAudit } from './open-audit.ts';
import { openDiskWatch, writtenFolders } from './open-disk-watch.ts';
import type { GatewayStores, GatewayStoresOptions } from './open-gateway-stores.ts';
import { type OpenedKeys, openSealedKeys } from './open-keys.ts';
import { openNotify } from './open-notify.ts';
import { type OpenedPeers, openPeers } from './open-peers.ts';
import { databaseAwayTo, openStores, type Stores } from './open-stores.ts';
import { openTelemetry } from './open-telemetry.ts';
import { openVenues } from './open-venues.ts';
import { redisPrefix } from './redis-prefix.ts';

export interface Wired {
  readonly clock: Clock;
  readonly ledger: PostgresLedger;
  readonly queue: BullmqQueue;
  readonly bus: EventBus;
  readonly news: NewsFeed;
  readonly venues: VenueDirectory;
  /** As they were opened: a request for an account that is not connected is refused. */
  readonly opened: VenueDirectory;
  readonly ownership: Pick<ShardOwnership, 'announceLeave'>;
  readonly observer: LogAndCount;
  readonly engine: Engine;
  readonly barrier: RecoveryBarrier;
  readonly disk: DiskWatch;
  readonly operations: Operations;
  /** The desks of this daemon, and where calls and notices of its accounts and those of others come from. */
  readonly orders: OrderOperations;
  readonly dispatch: OwnerDispatch;
  readonly notices: FollowedNotices;
  readonly trading: TradingApi;
  readonly limits: LimitsInForce;
  readonly keys: Pick<OpenedKeys, 'reload' | 'all' | 'watch' | 'refresh'>;
  /** What a gateway of this process needs; absent if it is elsewhere. */
  readonly gateway: GatewayStores | undefined;
  /** The links to other engines, and to gateways of other processes. */
  readonly links: Pick<OpenedPeers, 'address' | 'serveGateways'>;
  readonly costRecord: CostReads;
  readonly switches: TradingSwitches;
  readonly live: LiveTrading;
  readonly gate: Gate;
  readonly auditor: Auditor;
  readonly witness: Pick<OpenedWitness, 'start'>;
  readonly counts: GatewayCounts;
  /** The text of GET /metrics. */
  readonly exposition: () => Promise<string>;
  /** Closes everything in reverse, each within its time limit. */
  close(ending?: Shutdown): Promise<void>;
}

export interface WireOptions {
  readonly config: Config;
  readonly dataDir: DataDir;
  readonly log: Log;
  /** Called for a failure that only a restart can repair. */
  readonly onFatal: (error: unknown) => void;
  /** Whether `--live` was typed: without it nothing is connected that trades real money. */
  readonly allowsLive?: boolean;
  /** Whether a gateway of another process serves clients: this one then has none of their secrets. */
  readonly isGatewayElsewhere?: boolean | undefined;
  /** Called once the stores are up and their schema is current. */
  readonly onStores?: ((stores: Pick<Stores, 'databaseUrl' | 'redisUrl'>) => void) | undefined;
  /** Both clocks; absent: those of this machine. A ledger of the past is continued at its own time. */
  readonly time?: TimeSource | undefined;
}

/** How often open orders at the venues are compared with ours. */
const COMPARE_MS = 30_000;

export async function wire(parts: WireOptions): Promise<Wired> {
  const closers: Closer[] = [];
  const alone = (): Shutdown =>
    new Shutdown({ log: parts.log.logger, budgetMs: OPENING_BUDGET_MS });
  const close = async (ending = alone()): Promise<void> => {
    await closeInReverse(closers.splice(0), ending);
  };
  try {
    return { ...(await assemble({ ...parts, closers })), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Budget for closing without an `Shutdown`, as after a start that fails half way. */
const OPENING_BUDGET_MS = 5_000;

/** What every step is given: the options, and where to leave what has to be closed. */
interface Opening extends WireOptions {
  readonly closers: Closer[];
}

async function assemble(opening: Opening): Promise<Omit<Wired, 'close'>> {
  const machine = await openMachine(opening);
  const storage = await openStorage(opening, machine);
  const market = await connectVenues(opening, machine, storage);
  const messages = await openMessages(opening, machine, storage);
  const base: Base = { ...machine, ...storage, ...market, ...messages };
  const accounts = guardAccounts(opening, base);
  const engine = runEngine(opening, base, accounts);
  const watched = await watchEngine(opening, base, { ...accounts, ...engine });
  const served = serveEngine(opening, base, { ...accounts, ...engine });
  return {
    clock: base.clock,
    ledger: base.ledger,
    queue: base.queue,
    bus: base.bus,
    venues: base.venues,
    opened: base.opened,
    ownership: accounts.ownership,
    observer: base.observer,
    engine: engine.engine,
    barrier: engine.barrier,
    disk: base.disk,
    limits: accounts.limits,
    ...served,
    counts: gatewayCounts(base.telemetry.metrics),
    exposition: watched.exposition,
    keys: base.keys,
    gateway: base.gateway,
    costRecord: base.costRecord,
    links: base.peers,
    switches: base.switches,
    live: base.live,
    gate: accounts.gate.gate,
    auditor: watched.auditor,
    witness: watched.witness,
  };
}

type Machine = Awaited<ReturnType<typeof openMachine>>;
type Storage = Awaited<ReturnType<typeof openStorage>>;
type Market = Awaited<ReturnType<typeof connectVenues>>;
type Messages = Awaited<ReturnType<typeof openMessages>>;
type Base = Machine & Storage & Market & Messages;
type Accounts = ReturnType<typeof guardAccounts>;
type Running = ReturnType<typeof runEngine>;

/** The clock, and what observes this process and its disk. */
async function openMachine(opening: Opening) {
  const { config, log, closers, time = NODE_TIME } = opening;
  const clock = new SystemClock({ source: time, onStep: (deltaMs) => clockStepped(deltaMs) });
  const notify = openNotify({ config, clock, log });
  const telemetry = await openTelemetry(config, log, notify.observer);
  closers.push({ name: 'telemetry', close: () => telemetry.close() });
  const { observer, process } = telemetry;
  const clockStepped = (deltaMs: number): void => {
    process.clockStepped(deltaMs);
    log.logger.warn({ deltaMs }, 'the wall clock jumped');
  };
  const disk = await openDiskWatch({ clock, observer, folders: writtenFolders(config) });
  closers.push({ name: 'disk watch', close: () => disk.stop() });
  return { clock, notify, telemetry, observer, disk };
}

/** The servers, what is read of them and written to them, and how their faults are reported. */
async function openStorage(opening: Opening, { clock, observer, telemetry }: Machine) {
  const { config, dataDir, log, closers, isGatewayElsewhere = false } = opening;
  const { stores, report } = await openServers(opening, observer);
  const { databaseUrl, redisUrl } = stores;
  // Where gateways are other processes, nothing that executes reads files.
  const archive = isGatewayElsewhere ? undefined : await openConfiguredArchive(config);
  const ledger = await openPostgresLedger({
    connectionString: databaseUrl,
    maxReadConnections: Math.max(1, config.database.connectionsMax - 2),
    archive,
    onAway: databaseAwayTo(log.logger),
    onCommit: telemetry.groupWritten,
    onFault: report('ledger'),
  });
  closers.push({ name: 'ledger', close: () => ledger.close() });
  opening.onStores?.(stores);
  const leases = new PostgresShardLeases({
    connectionString: databaseUrl,
    onFault: report('leases'),
  });
  closers.push({ name: 'leases', close: () => leases.close() });
  const absences = new Absences(clock, dataDir.former);
  leases.view().then((view) => absences.note(view), report('leases'));
  const around = { config, clock, log, databaseUrl };
  const gateway = isGatewayElsewhere
    ? undefined
    : await gatewayStores({ ...around, redisUrl, report, closers });
  const keys = gateway?.keys ?? (await openSealedKeys({ ...around, report: report('keys') }));
  if (gateway === undefined) closers.push({ name: 'keys', close: () => keys.close() });
  const costRecord = new PostgresCostRecord({
    connectionString: databaseUrl,
    archive,
    onFault: report('costs'),
  });
  closers.push({ name: 'costs', close: () => costRecord.close() });
  const opened = await openSwitches({ clock, observer, databaseUrl, onFault: report('switch') });
  closers.push({ name: 'switches', close: () => opened.close() });
  const switches = opened.inForce;
  return { stores, report, ledger, leases, absences, gateway, keys, costRecord, switches };
}

/** PostgreSQL and Redis, private or named; faults of their connections are not reported once we stop them. */
async function openServers(opening: Opening, observer: LogAndCount) {
  const { config, dataDir, log, closers, onFatal } = opening;
  let areStopping = false;
  const report = (where: string) => (error: unknown) => {
    // A pool that did not close within its limit loses its connections when we stop the servers; that is not a
    // fault of the servers.
    if (areStopping) {
      log.logger.warn(
        { where, err: error },
        'a connection was cut by stopping the private servers',
      );
    } else observer.observe({ event: 'failed', where, error });
  };
  const stores = await openStores({
    config,
    dataDir,
    onLost: onFatal,
    log: {
      info: (message) => log.logger.info(message),
      warn: (message) => log.logger.warn(message),
    },
  });
  const stop = (): Promise<void> => {
    areStopping = true;
    return stores.stop();
  };
  closers.push({ name: 'private servers', isSure: true, close: stop });
  log.hide(...[config.redis.url, config.database.url].flatMap((url) => url?.reveal() ?? []));
  return { stores, report };
}

/** The venues. An account of theirs is connected by the daemon that owns it. */
async function connectVenues(
  opening: Opening,
  { clock, observer }: Machine,
  { ledger, switches, keys, report }: Storage,
) {
  const { config, dataDir, log, closers, onFatal, allowsLive = false } = opening;
  await bindPaperVenues(config, dataDir, ledger);
  log.hide(...venueSecrets(config.venues), ...witnessSecrets(config));
  const live = new LiveTrading({ config, ledger, clock, log: log.logger, switches });
  const opened = await openVenues({
    config,
    dataDir,
    clock,
    report,
    closers,
    keys,
    allowsLive,
    // Its owner connects an account.
    attaches: false,
    binding: (name) => venueBinding(ledger, name),
    onLive: (name) => live.found(name),
    onFault: onFatal,
  });
  closers.push(() => Promise.all(opened.all().map((venue) => venue.close())));
  const connections = new AccountConnections({ clock, observer, venues: opened });
  return { live, opened, connections, venues: connections.venues };
}

/** What carries news, wake-ups, and calls between daemons. */
async function openMessages(
  { config, log, closers }: Opening,
  { clock, observer }: Machine,
  { stores, ledger, report }: Storage,
) {
  const prefix = redisPrefix(config);
  const bus = new RedisEventBus({
    url: stores.redisUrl,
    prefix,
    onFault: report('bus'),
    onDropped: (count) => report('bus')(new Error(`${count} messages dropped: Redis was away`)),
    onBadMessage: (why) => report('bus')(new Error(why)),
  });
  closers.push({ name: 'bus', close: () => bus.close() });
  const queue = new BullmqQueue(clock, {
    url: stores.redisUrl,
    prefix,
    leadMs: LEAD_MS,
    report: (where, error) => observer.observe({ event: 'failed', where: `queue.${where}`, error }),
    warn: (message) => log.logger.warn(message),
  });
  closers.push({ name: 'queue', close: () => queue.close() });
  const peers = await openPeers({ config, ledger, log, report: report('link') });
  closers.push({ name: 'links', close: () => peers.close() });
  return { bus, queue, peers };
}

/** Which accounts this daemon owns, what every order of them has to pass, and the desk of manual orders. */
function guardAccounts({ config, dataDir }: Opening, base: Base) {
  const { clock, observer, ledger, leases, absences, switches, bus, peers } = base;
  const { venues, connections } = base;
  const ownership = new ShardOwnership({
    clock,
    leases,
    absences,
    observer,
    nudges: bus,
    address: peers.address,
    name: dataDir.member,
    accounts: () => venues.accounts?.() ?? [],
  });
  const calls = new OwnerCalls({ ownership, peers, observer });
  const limits = new LimitsInForce(config);
  const mmp = new MmpGuard({
    clock,
    ledger,
    observer,
    venues,
    connections,
    isElsewhere: (account) => !calls.isHere(shardOf(account)),
    records: ledger.mmpRecords,
    deployment: limits.settings.deployment,
    nudges: bus,
  });
  const gate = new WatchedGate({
    clock,
    observer,
    venues,
    ownership,
    connections,
    limits: sharedLimits(() => limits.controls, ownership),
  });
  const handOvers = new AccountHandOvers({
    clock,
    ownership,
    calls,
    venues,
    connections,
    gate: gate.gate,
  });
  const orders = new OrderDesk({
    gate: gate.gate,
    mmp,
    venues,
    settings: limits.settings,
    clock,
    observer,
    limits: () => limits.submit,
    switches,
  });
  return { ownership, calls, limits, mmp, gate, handOvers, orders };
}

/** The engine over the ports opened so far. */
function runEngine({ config, onFatal }: Opening, base: Base, accounts: Accounts) {
  const { ledger, bus, queue, switches } = base;
  const { limits, gate, mmp, calls, orders, ownership } = accounts;
  const assembled = assembleEngine({
    gate,
    mmp,
    clock: base.clock,
    ledger,
    snapshots: new SnapshotKeeper({ snapshots: ledger.snapshots, observer: base.observer }),
    costRecord: base.costRecord,
    disk: base.disk,
    bus,
    queue,
    venues: base.venues,
    choose: instrumentChooser(base),
    rfqsFor: (account) => orders.rfqsFor(account),
    observer: base.observer,
    settings: limits.settings,
    limits: () => limits.submit,
    sweepMs: SWEEP_MS,
    stateBytesMax: config.engine.stateMemoryMb * 1_000_000,
    compareMs: COMPARE_MS,
    onBroken: onFatal,
    switches,
    findsUnaccounted: true,
    ownership,
    connections: base.connections,
    nudges: bus,
    turnLog: ledger.turnLog,
    passWakes: (shard, passed) => calls.atOwner(shard, HOLD_WAKES, [passed]),
  });
  const { engine, submission, barrier, wakes } = assembled;
  return { assembled, engine, submission, barrier, wakes };
}

/** What checks the engine and reports on it: audits, the witness, gauges, notifications. */
async function watchEngine(opening: Opening, base: Base, parts: Accounts & Running) {
  const { config, dataDir, log, closers } = opening;
  const { clock, observer, ledger, queue, venues, switches, report, stores } = base;
  const { engine, wakes, ownership, limits, mmp, gate } = parts;
  const { databaseUrl } = stores;
  const audit = await openAudit({
    config,
    clock,
    ledger,
    venues,
    ownership,
    observer,
    assembled: parts.assembled,
    settings: limits.settings,
    switches,
    databaseUrl,
    folder: dataDir.path,
    onFault: report('audit'),
  });
  closers.push({ name: 'audit', close: () => audit.close() });
  const witness = await openHeads(opening, base);
  queue.onReset((why) => {
    const what = why === 'refused' ? 'refused' : 'all';
    log.logger.warn({ why }, `the queue was reset; scheduling ${what} wakes again`);
    wakes.due.rearm(what);
  });
  const watching = base.telemetry.watch({
    clock,
    engine,
    barrier: parts.barrier,
    disk: base.disk,
    ledger,
    mmp,
    observer,
    queue,
    venues,
    witness,
    messages: gate.gate,
  });
  closers.push({ name: 'watching', close: () => watching.close() });
  const endNotify = await base.notify.start({
    observer,
    venues,
    ledger,
    member: dataDir.member,
    databaseUrl,
    onFault: report('notify'),
    follow: (listener) => engine.turns.follow(listener),
  });
  closers.push({ name: 'notifications', close: endNotify });
  return { auditor: audit.auditor, witness, exposition: watching.exposition };
}

/** Heads of the ledger, signed for a witness and published to the log. */
async function openHeads(
  { config, log, closers }: Opening,
  { clock, ledger, report, stores }: Base,
): Promise<OpenedWitness> {
  const witness = openWitness({
    config,
    clock,
    databaseUrl: stores.databaseUrl,
    ledgerId: await claimLedgerId(ledger),
    onFault: report('witness'),
    onHead: (head) =>
      log.logger.info(
        { event: 'ledger_head', ...head },
        `head ${head.number} of the ledger is signed`,
      ),
  });
  closers.push({ name: 'witness', close: () => witness.close() });
  return witness;
}

/** What gateways and other daemons may ask of the engine. */
function serveEngine({ dataDir, closers }: Opening, base: Base, parts: Accounts & Running) {
  const { clock, observer, ledger, peers, bus, report } = base;
  const { engine, submission, wakes, ownership, calls, gate, handOvers, orders } = parts;
  const here = new EngineOperations({ engine, submission, ledger, clock });
  const trading = tradingApi({
    switches: base.switches,
    overrides: gate.gate.overrides,
    limitUseOf: (account, at) => gate.limitUseOf(account, at),
    idPrefix: `${dataDir.member.slice(0, 4)}-`,
  });
  peers.serve(
    answerCalls({ operations: here, orders, trading, handOvers, wakes, onFault: report('link') }),
    serveNotices({ orders, ownership, onFault: report('link') }),
  );
  const notices = new FollowedNotices({ here: orders, ownership, peers, clock, observer });
  closers.push({ name: 'notices', close: () => notices.close() });
  const dispatch = new OwnerDispatch({ calls, ledger });
  const news = new NewsFeed({ bus, ledger, log: ledger.turnLog, clock, observer });
  closers.push({ name: 'news', close: () => news.drain() });
  return {
    operations: dispatch.over('portfolios', here),
    orders,
    dispatch,
    notices,
    trading: dispatch.over('trading', trading),
    news,
  };
}

/** Loaded for a gateway of this process alone. */
async function gatewayStores(parts: GatewayStoresOptions): Promise<GatewayStores> {
  const opened = await (await import('./open-gateway-stores.ts')).openGatewayStores(parts);
  // Not while orders are sent.
  await opened.loadBoard();
  return opened;
}

/** Opens the trading switches of a daemon, stored in the ledger's database. */
interface OpenSwitchesOptions {
  /** Address of a database whose schema is up to date. */
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly onFault: (error: unknown) => void;
}

interface OpenedSwitches {
  readonly inForce: TradingSwitches;
  close(): Promise<void>;
}

async function openSwitches(parts: OpenSwitchesOptions): Promise<OpenedSwitches> {
  const { clock, observer, databaseUrl, onFault } = parts;
  const records = new PostgresSwitchRecords({ connectionString: databaseUrl, onFault });
  try {
    const inForce = await TradingSwitches.open({ records, clock, observer });
    const close = async (): Promise<void> => {
      await inForce.drain();
      await records.close();
    };
    return { inForce, close };
  } catch (error) {
    await records.close();
    throw error;
  }
}

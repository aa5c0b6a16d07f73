// Puts the engine together: its components in the order in which they receive turns and are started. Nothing is used
// before it exists: what an earlier component needs from a later one, it publishes, and the later one subscribes.

import type { VenueTrade } from '../core/order/venue-report.ts';
import type { SubmitLimits } from '../core/portfolio/admission/submit-limits.ts';
import type { PortfolioState } from '../core/portfolio/aggregate/portfolio-state.ts';
import type { Decide } from '../core/portfolio/decide.ts';
import { CONTROL_ACTOR } from '../core/risk/gate/repeated-execution.ts';
import type { SwitchSetting } from '../core/risk/trading-switch.ts';
import type { Settings } from '../core/terms/settings.ts';
import type { Clock } from '../ports/clock.ts';
import type { CostRecord } from '../ports/costs/cost-record.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import type { Ledger } from '../ports/ledger.ts';
import { NO_NUDGES, type Nudges } from '../ports/nudges.ts';
import type { Observer } from '../ports/observer.ts';
import { NO_TURN_LOG, type TurnLog } from '../ports/turn-log.ts';
import type { VenueDirectory } from '../ports/venue.ts';
import { type ChildLabel, parseRfqLabel } from '../values/ids.ts';
import { type ChooseInstruments, NO_CHOICES } from './api/choose-instruments.ts';
import { Submission } from './api/submit-portfolio.ts';
import { CostRecorder } from './costs/cost-recorder.ts';
import { AMPLE_DISK, type DiskWatch } from './disk/disk-watch.ts';
import { Engine } from './engine.ts';
import type { EngineComponent } from './engine-component.ts';
import { gatherInputs } from './gather-inputs.ts';
import { ImbalanceReport } from './imbalance-report.ts';
import { SwitchWatch } from './kill-switch/apply-trading-switches.ts';
import { NEVER_SWITCHED, type SwitchesInForce } from './kill-switch/trading-switches.ts';
import { MarketSubscriptions } from './market-subscriptions.ts';
import { ShadowNotifier } from './mirrors/notify-shadows.ts';
import { type MmpProtecting, NO_PROTECTION } from './mmp/mmp-guard.ts';
import { MmpPortfolios } from './mmp/mmp-portfolios.ts';
import { NewsPublisher } from './news/news-publisher.ts';
import { NO_RFQ_DESKS, type RfqDesks } from './order-entry/gated-rfq-desk.ts';
import { ChildOrderExecutor } from './orders/child-order-executor.ts';
import { ALL_ACCOUNTED, ExecutionReports } from './orders/execution-reports.ts';
import { OpenOrderReconciliation } from './orders/open-order-reconciliation.ts';
import { Yielding } from './overload/overload-deferral.ts';
import { OverloadWatch } from './overload/overload-watch.ts';
import { ALL_CONNECTED, type Connections } from './ownership/account-connections.ts';
import { ForeignTurns } from './ownership/foreign-turns.ts';
import { ownedConnections } from './ownership/owned-connections.ts';
import { type EngineOwnership, ownsAccount, SOLE_OWNER } from './ownership/ownership.ts';
import { venueOf } from './portfolio-venue.ts';
import { FindUnaccounted } from './recovery/find-unaccounted.ts';
import { RecordRepair } from './recovery/record-repair.ts';
import { Recovery } from './recovery/recover.ts';
import { RecoveryBarrier } from './recovery/recovery-barrier.ts';
import { ResidualRfqExecutor } from './residual-rfq/residual-rfq-executor.ts';
import { RestStates } from './resting/rest-states.ts';
import type { Gate } from './risk/gate.ts';
import { PromisedMessages } from './risk/promised-messages.ts';
import type { EngineGate } from './risk/watch-gate.ts';
import { ForeignCompletions } from './scheduling/foreign-completions.ts';
import { OverdueSweeper } from './scheduling/overdue-sweeper.ts';
import { NO_OWNER_REACHED, type PassWakes, Wakes } from './scheduling/wake-portfolio.ts';
import { NO_SNAPSHOTS, type SnapshotKeeping } from './snapshots/snapshot-keeper.ts';
import type { EngineStats } from './turns/engine-stats.ts';

export interface AssemblyOptions {
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly ledger: Ledger;
  readonly snapshots: SnapshotKeeping;
  /** The estimated bytes of states beyond which some leave memory. */
  readonly stateBytesMax: number;
  /** How long before it is due a state is in memory at the latest; there is a default. */
  readonly restHorizonMs?: number | undefined;
  /** How long before it is due a wake-up is requested from the queue; there is a default. */
  readonly wakesAheadMs?: number | undefined;
  readonly bus: EventBus;
  readonly venues: VenueDirectory;
  /** Started and stopped with the engine. */
  readonly mmp: MmpProtecting;
  readonly switches: SwitchesInForce;
  /** Shared with the order methods, started and stopped with the engine. */
  readonly gate: EngineGate;
  /** For the end action `rfq`. */
  readonly rfqsFor: RfqDesks;
  /** Where the market is recorded for cost reports; absent: nowhere. */
  readonly costRecord?: CostRecord | undefined;
  readonly disk: Pick<DiskWatch, 'refusal'>;
  readonly observer: Observer;
  readonly settings: Settings;
  /** The limits in force at the moment: a reload may change them. */
  readonly limits: () => SubmitLimits;
  /** How often the ledger is searched for overdue portfolios that were not woken. */
  readonly sweepMs: number;
  /** How often open orders at the venue are compared with ours. */
  readonly compareMs: number;
  readonly ownership: EngineOwnership;
  /** Of the accounts, over which `venues` are reached. */
  readonly connections: Connections;
  /** Where turns are found that other processes committed. */
  readonly turnLog: TurnLog;
  /** Tells the other processes what concerns them. */
  readonly nudges: Nudges;
  readonly passWakes: PassWakes;
  /** Replaces the instrument choices of what is submitted or planned by names. */
  readonly choose: ChooseInstruments;
  /** Whether a start looks for what the venues have and the ledger does not, and halts its account by `switches`. */
  readonly findsUnaccounted: boolean;
  /** The maximum number of finished portfolios kept in memory; default 200. */
  readonly retiredMax?: number | undefined;
  /** The decision about portfolios. Default: that of the core. */
  readonly decide?: Decide | undefined;
  /** Called when an invariant is broken: the process must end, and the next start recovers. */
  readonly onBroken: (error: unknown) => void;
}

/** A state is loaded this long before it is due. */
const REST_HORIZON_MS = 60_000;

/** For an engine in virtual time: alone, and without anything that keeps it from trading but its gate. */
export const ALONE = {
  snapshots: NO_SNAPSHOTS,
  stateBytesMax: 128_000_000,
  mmp: NO_PROTECTION,
  switches: NEVER_SWITCHED,
  rfqsFor: NO_RFQ_DESKS,
  disk: AMPLE_DISK,
  ownership: SOLE_OWNER,
  connections: ALL_CONNECTED,
  turnLog: NO_TURN_LOG,
  nudges: NO_NUDGES,
  passWakes: NO_OWNER_REACHED,
  choose: NO_CHOICES,
  findsUnaccounted: false,
} as const satisfies Partial<AssemblyOptions>;

export interface AssembledEngine {
  readonly engine: Engine;
  readonly submission: Submission;
  /** Everything that this process sends must pass this gate. */
  readonly gate: Gate;
  readonly barrier: RecoveryBarrier;
  readonly wakes: Wakes;
  /** Whether new portfolios are refused because there is too much to do. */
  readonly overload: Pick<OverloadWatch, 'isOverloaded'>;
  /** Books a trade that a venue lists and whose notice has not come. */
  readonly recordMissed: (trade: VenueTrade) => void;
  /** Whether the ledger is known not to have the order with this label. */
  readonly isUnaccounted: (label: string) => boolean;
  /** The number of objects in memory at the moment. */
  readonly stats: () => EngineStats;
}

export function assembleEngine(options: AssemblyOptions): AssembledEngine {
  const cancelling = (): ReadonlySet<ChildLabel> => orders.executor.cancelling;
  const core = createEngine(options, cancelling);
  const { engine, barrier, markets } = core;
  const costs = addCostRecorder(options, engine);
  addGuards(options, core);
  const orders: OrderComponents = addOrders(options, core);
  const shadows = addPublishers(options, engine);
  addOwnership(options, engine);
  const { restHorizonMs = REST_HORIZON_MS, gate: watched } = options;
  // A portfolio that is not in memory does not follow its markets.
  const horizonMs = (): number => Math.max(restHorizonMs, watched.followedBeforeMs());
  addRecovery(options, core, { orders, shadows, horizonMs });
  const { overload, wakes } = addScheduling(options, core, horizonMs);
  addReconciliation(options, core, { orders, overload, wakes });
  const { executor, reports, rfqs, unaccounted } = orders;
  return {
    engine,
    gate: watched.gate,
    barrier,
    wakes,
    overload,
    submission: new Submission({
      ...options,
      costs,
      overload,
      onCreated: (state, events) => engine.adopt(state, events),
    }),
    recordMissed: (trade) => {
      if (parseRfqLabel(trade.label) === undefined) reports.recordMissed(trade);
      else rfqs.query(trade.label);
    },
    isUnaccounted: (label) => unaccounted?.isUnaccounted(label) ?? false,
    stats: () => ({
      ...engine.turns.stats,
      alarms: wakes.count,
      watched: markets.size,
      underWay: executor.inFlight.count,
      asking: executor.asking,
      notices: reports.waiting,
    }),
  };
}

/** The engine, and what components share with its decisions. */
interface EngineCore {
  readonly engine: Engine;
  readonly barrier: RecoveryBarrier;
  readonly markets: MarketSubscriptions;
}

function createEngine(
  options: AssemblyOptions,
  cancelling: () => ReadonlySet<ChildLabel>,
): EngineCore {
  const { settings, venues, mmp, switches, snapshots } = options;
  const { gate } = options.gate;
  const barrier = new RecoveryBarrier();
  const markets = new MarketSubscriptions({
    venues,
    follow: (venue, instrument) => options.gate.follow(venue, instrument),
  });
  const isOwned = (state: PortfolioState): boolean => engine.homes.isOwned(state);
  const sources = { settings, venues, gate, mmp, switches, barrier, isOwned, cancelling };
  const engine: Engine = new Engine({
    ...options,
    inputsOf: (state, now) => {
      markets.need(state);
      return gatherInputs(sources, state, now);
    },
    onDeferred: (state) => {
      if (isOwned(state)) barrier.deferred(state);
    },
    promises: new PromisedMessages({ venues, gate }),
    venueOf: (state) => venueOf(venues, state).name,
  });
  engine.add(snapshots);
  return { engine, barrier, markets };
}

/** Before all that sends orders, while the market is nearly that of the decision. */
function addCostRecorder(options: AssemblyOptions, engine: Engine): CostRecorder | undefined {
  const costs =
    options.costRecord && new CostRecorder({ ...options, record: options.costRecord, engine });
  if (costs !== undefined) engine.add(costs);
  return costs;
}

/** What may keep an order from being sent: limits, recovery and market maker protection. */
function addGuards(
  { gate, mmp, ownership }: AssemblyOptions,
  { engine, barrier }: EngineCore,
): void {
  // Reservations of refused children are released before the orders of the same turn make new ones.
  engine.add({ committed: (turn) => gate.committed(turn) });
  engine.add(barrier);
  barrier.onRelease((portfolio) => void engine.advance(portfolio));
  gate.gate.hold = {
    objectionTo: (account) =>
      ownsAccount(ownership, account)
        ? barrier.objectionTo(account)
        : `another daemon of the deployment works account ${account}, or is about to`,
  };
  engine.add(new MmpPortfolios({ mmp, engine }));
}

interface OrderComponents {
  readonly executor: ChildOrderExecutor;
  readonly reports: ExecutionReports;
  readonly rfqs: ResidualRfqExecutor;
  readonly unaccounted: FindUnaccounted | undefined;
}

/** Sends orders and residual RFQs, and receives what venues report on them. */
function addOrders(options: AssemblyOptions, { engine }: EngineCore): OrderComponents {
  const { gate } = options.gate;
  const executor = new ChildOrderExecutor({ ...options, gate, engine });
  engine.add(executor);
  const unaccounted = options.findsUnaccounted
    ? new FindUnaccounted({ ...options, replayed: (portfolio) => engine.replayed(portfolio) })
    : undefined;
  const reports = new ExecutionReports({
    ...options,
    engine,
    executor,
    unaccounted: unaccounted ?? ALL_ACCOUNTED,
  });
  engine.add(reports);
  const rfqs = new ResidualRfqExecutor({ ...options, engine });
  engine.add(rfqs);
  return { executor, reports, rfqs, unaccounted };
}

/** Publishes turns: to operators, to clients and to shadow portfolios. */
function addPublishers(
  { clock, observer, venues, bus }: AssemblyOptions,
  engine: Engine,
): ShadowNotifier {
  engine.add(new ImbalanceReport({ observer, venues }));
  engine.add(new NewsPublisher(bus));
  const shadows = new ShadowNotifier({ clock, engine });
  engine.add(shadows);
  return shadows;
}

/** Acquires shards and connects their accounts, after the gate has begun to read accounts. */
function addOwnership(options: AssemblyOptions, engine: Engine): void {
  engine.add(gateLifetime(options.gate));
  engine.add(ownedLifetime(options.ownership, engine));
  engine.add(ownedConnections(options));
}

interface RecoveryNeeds {
  readonly orders: OrderComponents;
  readonly shadows: ShadowNotifier;
  readonly horizonMs: () => number;
}

function addRecovery(
  options: AssemblyOptions,
  { engine, barrier }: EngineCore,
  { orders: { executor, reports, unaccounted }, shadows, horizonMs }: RecoveryNeeds,
): void {
  const recovering = { barrier, engine, executor, reports, shadows, horizonMs };
  // Before anything of this start is written.
  if (unaccounted !== undefined) engine.add(unaccounted);
  engine.add(new Recovery({ ...options, ...recovering }));
  engine.add(driftWatch(options, engine));
  engine.startNextOnceRecovered();
}

interface Scheduling {
  readonly overload: OverloadWatch;
  readonly wakes: Wakes;
}

/** Brings portfolios into memory and wakes them when they are due, and takes over turns of other processes. */
function addScheduling(
  options: AssemblyOptions,
  { engine, markets }: EngineCore,
  horizonMs: () => number,
): Scheduling {
  const { stateBytesMax: bytesMax } = options;
  const overload = new OverloadWatch(options);
  engine.add(overload);
  engine.add(new RecordRepair({ ...options, engine }));
  engine.add(new ForeignTurns({ ...options, engine }));
  const wakes = new Wakes({ ...options, overload, engine });
  engine.add(wakes);
  engine.add(markets);
  engine.add(new RestStates({ ...options, bytesMax, horizonMs, engine }));
  engine.add(new OverdueSweeper({ ...options, engine, wakes }));
  return { overload, wakes };
}

/** Applies trading switches, and compares open orders with the venues and portfolios with the ledger at intervals. */
function addReconciliation(
  options: AssemblyOptions,
  { engine, barrier }: EngineCore,
  {
    orders: { reports, unaccounted },
    overload,
    wakes,
  }: Scheduling & { readonly orders: OrderComponents },
): void {
  const spares = (setting: SwitchSetting): boolean => unaccounted?.spares(setting) ?? false;
  engine.add(new SwitchWatch({ ...options, engine, spares }));
  const yielding = new Yielding(options.clock, overload);
  engine.add(new OpenOrderReconciliation({ ...options, reports, barrier, yielding }));
  engine.add(new ForeignCompletions({ ...options, everyMs: options.compareMs, engine, wakes }));
}

/** Shards are given up once nothing of them is under way; a daemon that cannot wait for that loses its connection. */
const ownedLifetime = (ownership: EngineOwnership, engine: Engine): EngineComponent => ({
  start: () => ownership.start(),
  drain: async () => {
    await ownership.drain();
    await engine.idle();
    await ownership.leave();
  },
  stop: () => ownership.stop(),
});

/** Begins once portfolios may be paused. */
const driftWatch = (
  { gate, clock, ownership }: AssemblyOptions,
  engine: Engine,
): EngineComponent => ({
  start: () => {
    const { uid: by } = CONTROL_ACTOR;
    gate.watchDrift({
      ownership,
      pause: (portfolio, about) =>
        engine.turns.run(portfolio, { kind: 'pause', now: clock.now(), by, about }),
    });
    return Promise.resolve();
  },
});

/** The gate reads accounts once execution reports are received; it has taken part in turns from the beginning. */
const gateLifetime = (gate: EngineGate): EngineComponent => ({
  start: () => gate.start(),
  drain: () => gate.drain(),
  stop: () => gate.stop(),
});

// One daemon of a simulated deployment: successive lives of the production engine, each on ports that
// share ledger, queue, bus and venue with the other daemons and have faults of their own.

import { shardOf } from '../../../src/core/ownership/shards.ts';
import type { SubmitLimits } from '../../../src/core/portfolio/admission/submit-limits.ts';
import type { ControlLimits } from '../../../src/core/risk/gate/control-limits.ts';
import type { Override } from '../../../src/core/risk/gate/overrides.ts';
import type { Settings } from '../../../src/core/terms/settings.ts';
import { EngineOperations } from '../../../src/engine/api/engine-operations.ts';
import { methodApi } from '../../../src/engine/api/method-api.ts';
import {
  ALONE,
  type AssembledEngine,
  type AssemblyOptions,
  assembleEngine,
} from '../../../src/engine/assemble-engine.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { MethodApi } from '../../../src/engine/interface/engine-api.ts';
import type { Operations } from '../../../src/engine/interface/operations.ts';
import {
  NEVER_SWITCHED,
  TradingSwitches,
} from '../../../src/engine/kill-switch/trading-switches.ts';
import { MmpGuard, NO_PROTECTION } from '../../../src/engine/mmp/mmp-guard.ts';
import { OrderDesk } from '../../../src/engine/order-entry/order-desk.ts';
import {
  AccountConnections,
  ALL_CONNECTED,
} from '../../../src/engine/ownership/account-connections.ts';
import { sharedLimits } from '../../../src/engine/ownership/deployment-limit-shares.ts';
import { SOLE_OWNER } from '../../../src/engine/ownership/ownership.ts';
import type { Gate } from '../../../src/engine/risk/gate.ts';
import { unlimitedGate, WatchedGate } from '../../../src/engine/risk/watch-gate.ts';
import {
  NO_SNAPSHOTS,
  SnapshotKeeper,
  type SnapshotKeeping,
} from '../../../src/engine/snapshots/snapshot-keeper.ts';
import type { EventBus } from '../../../src/ports/event-bus.ts';
import type { Ledger, Turn } from '../../../src/ports/ledger.ts';
import type { MmpRecords } from '../../../src/ports/mmp-records.ts';
import { NO_NUDGES, type Nudges } from '../../../src/ports/nudges.ts';
import { observing } from '../../../src/ports/observer.ts';
import type { StateSnapshots } from '../../../src/ports/snapshots/state-snapshots.ts';
import type { SwitchRecords } from '../../../src/ports/switch-records.ts';
import { NO_TURN_LOG, type TurnLog } from '../../../src/ports/turn-log.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import type { AccountId, InstrumentName, OrderId } from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import type { MemoryNudges } from '../../doubles/memory/memory-nudges.ts';
import type { MemoryPeers } from '../../doubles/memory/memory-peers.ts';
import type { MemoryShardLeases } from '../../doubles/memory/memory-shard-leases.ts';
import type { AuditRun } from '../actors/audit-run.ts';
import type { DoorRun } from '../actors/door-run.ts';
import type { FrontDoor } from '../actors/front-door.ts';
import { COMPARE_MS, SWEEP_MS } from '../checks/bounds.ts';
import type { Decider } from '../checks/check-event.ts';
import type { ConnectionsOracle } from '../oracles/connections.oracle.ts';
import type { StartOracle } from '../oracles/start.oracle.ts';
import type { DaemonPlan, SnapshotPlan } from '../plan/plan.ts';
import { connectedByLife } from './connections/connections-of-life.ts';
import { DaemonClock } from './daemon-clock.ts';
import { Membership, nudgesOf } from './daemon-ownership.ts';
import type { DeploymentQueue } from './deployment-queue.ts';
import { Life } from './life.ts';
import { troubledSnapshots } from './snapshots/troubled-snapshots.ts';
import type { StrategyRun } from './strategy-run.ts';
import type { Trouble } from './trouble.ts';
import { troubledLedger, troubledTurnLog } from './troubled-ledger.ts';
import { type Requested, venueOfLife } from './venue-of-life.ts';

/** What all daemons of a run share, and who looks on. */
export interface Surroundings {
  readonly clock: VirtualClock;
  readonly trouble: Trouble;
  readonly ledger: Ledger;
  /** Absent: in runs with stores that have none. */
  readonly turnLog: TurnLog | undefined;
  readonly queue: DeploymentQueue;
  readonly bus: EventBus;
  readonly venue: Venue;
  /** Absent: every daemon of the run takes everything for its own. */
  readonly leases: MemoryShardLeases | undefined;
  readonly connections: ConnectionsOracle;
  readonly nudges: MemoryNudges;
  readonly peers: MemoryPeers;
  /** The label of an order at the exchange. */
  readonly labelOf: (orderId: OrderId) => string | undefined;
  readonly refusalCode: number;
  readonly settings: Settings;
  readonly limits: () => SubmitLimits;
  /** Portfolios that are over and stay in memory at most. */
  readonly retiredMax: number;
  /** Dummies included. */
  readonly accounts: ReadonlySet<AccountId>;
  readonly tradingAccounts: readonly AccountId[];
  /** Absent: states are loaded from all their events. */
  readonly snapshots: (SnapshotPlan & { readonly store: StateSnapshots }) | undefined;
  /** Absent: the run sets none, and no daemon polls them. */
  readonly switchRecords: SwitchRecords | undefined;
  /** Absent: no account of this run has protection. */
  readonly mmpRecords: MmpRecords | undefined;
  /** Portfolios request Block RFQs in this run. */
  readonly hasEndRfqs: boolean;
  /** Limits of the gate in force at the moment; absent: nothing is limited. */
  readonly controls: (() => ControlLimits) | undefined;
  /** Decides about portfolios; absent: the core does. */
  readonly decide: AssemblyOptions['decide'];
  /** Absent: no auditor runs. */
  readonly audit: Pick<AuditRun, 'begin'> | undefined;
  /** Absent: there are none. */
  readonly strategies: Pick<StrategyRun, 'begin'> | undefined;
  /** Absent: no client uses the gateway. */
  readonly doors: DoorRun | undefined;
  readonly onWritten: (daemon: Decider, turns: readonly Turn[]) => void;
  readonly onRequest: (daemon: SimulatedDaemon, request: Requested) => void;
  /** What no daemon may send yet since its start. */
  readonly starts: StartOracle;
  readonly onBroken: (error: unknown) => void;
  readonly onFailed: (where: string, error: unknown) => void;
  readonly onForeign: (label: string) => void;
  /** An order may pass a control: granted at its door. */
  readonly onLetPast: (daemon: SimulatedDaemon, override: Override) => void;
  readonly onEnd: (daemon: number, where: string) => void;
}

interface LifePorts
  extends Pick<AssemblyOptions, 'clock' | 'ledger' | 'turnLog' | 'venues' | 'observer'>,
    Partial<Pick<AssemblyOptions, 'stateBytesMax' | 'restHorizonMs'>> {
  /** Absent: states are loaded from all their events. */
  readonly snapshots?: StateSnapshots;
}

const SWITCH_CALLS = new Set(['after', 'add']);
const SNAPSHOT_CALLS = new Set(['save', 'load', 'of', 'delete']);
const MMP_CALLS = new Set(['commit', 'load', 'all', 'versions']);
const LEDGER_CALLS = new Set([
  'commit',
  'load',
  'active',
  'atWork',
  'shardOf',
  'overdue',
  'withOldRecord',
  'changedAt',
  'findByKey',
  'row',
  'page',
  'claimOnce',
  'getMetadata',
  'setMetadata',
]);

export class SimulatedDaemon {
  readonly index: number;
  readonly #around: Surroundings;
  readonly #plan: DaemonPlan;
  offsetMs: number;
  settings: Settings;
  life: Life;
  assembled: AssembledEngine;
  operations: Operations;
  /** Lives begun. */
  lives = 0;
  isBuried = false;
  diedAt: Instant | undefined;
  /** True time at which its present life began. */
  bornAtMs = 0;
  switches: TradingSwitches | undefined;
  mmp: MmpGuard | undefined;
  #ports: LifePorts;
  /** Of its accounts in this life; absent: each is connected from the start on. */
  #connections: AccountConnections | undefined;
  /** Its name among the owners of shards, in this life. */
  #member = '';
  #desk: OrderDesk | undefined;
  #methods: MethodApi | undefined;
  /** Absent: it takes everything for its own. */
  #membership: Membership | undefined;
  #door: FrontDoor | undefined;

  constructor(index: number, plan: DaemonPlan, around: Surroundings) {
    this.index = index;
    this.#plan = plan;
    this.#around = around;
    this.offsetMs = plan.offsetMs;
    this.settings = around.settings;
    this.life = this.#newLife();
    this.#ports = this.#newPorts();
    this.mmp = this.#newGuard();
    this.assembled = this.#newEngine();
    this.operations = this.#newOperations();
    this.#begin();
  }

  get engine(): Engine {
    return this.assembled.engine;
  }

  /** The order methods as people at this daemon have them. */
  get methods(): MethodApi {
    this.#methods ??= methodApi({
      orders: this.desk,
      dispatch: this.#membership?.dispatch,
      clock: this.#clock(),
      notReady: () => [],
    });
    return this.#methods;
  }

  /** The desks of this daemon alone. */
  get desk(): OrderDesk {
    this.#desk ??= this.#newDesk(this.assembled.gate);
    return this.#desk;
  }

  /** Where the bytes of clients come in; absent where none do. */
  get door(): FrontDoor | undefined {
    const { doors, onFailed } = this.#around;
    if (!this.engine.isReady) return undefined;
    const { life, operations } = this;
    this.#door ??= doors?.open({
      life,
      operations,
      methods: this.methods,
      switches: this.switches,
      clock: this.#clock(),
      overrides: this.assembled.gate.overrides,
      onLetPast: (override) => this.#around.onLetPast(this, override),
      claimNonce: (key, until) => this.#ports.ledger.claimOnce(key, until),
      report: (error, where) => {
        if (!life.isOver) onFailed(where, error);
      },
    });
    return this.#door;
  }

  get isAlive(): boolean {
    return !this.life.isOver;
  }

  get isStanding(): boolean {
    return this.life.isStanding;
  }

  /** Its clock as it is set, in this life. */
  get clockName(): string {
    return `${this.index}.${this.lives}@${this.offsetMs}`;
  }

  /** Whether it takes the account for its own. */
  owns(account: AccountId): boolean {
    const ownership = this.#membership?.ownership;
    return ownership === undefined || ownership.owns(shardOf(account));
  }

  /** Its wall clock. */
  now(): Instant {
    return this.#clock().now();
  }

  /** Whether it has a quote of the instrument at this moment. */
  isQuoted(name: InstrumentName): boolean {
    return this.#ports.venues.all().some((venue) => venue.quote(name) !== undefined);
  }

  kill(): void {
    if (this.life.isOver) return;
    this.life.end();
    this.#around.leases?.disconnect(this.#member);
    this.#around.peers.remove(this.#member);
    this.diedAt = this.#around.clock.now();
    this.#around.onEnd(this.index, 'killed');
  }

  /** Starts again when it is dead and its rest is over. */
  restIfOver(): void {
    if (this.isAlive || this.isBuried || this.diedAt === undefined) return;
    if (this.#around.clock.now() - this.diedAt >= this.#plan.restMs) this.restart();
  }

  restart(): void {
    this.diedAt = undefined;
    this.settings = { ...this.#around.settings, ...this.#plan.settings[this.lives] };
    this.life = this.#newLife();
    this.#ports = this.#newPorts();
    this.#assemble();
    this.#begin();
  }

  #assemble(): void {
    this.mmp = this.#newGuard();
    this.#desk = undefined;
    this.#methods = undefined;
    this.#door = undefined;
    this.assembled = this.#newEngine();
    this.operations = this.#newOperations();
  }

  #begin(): void {
    this.lives += 1;
    this.bornAtMs = this.#around.clock.now();
    const { onFailed, starts } = this.#around;
    const { life } = this;
    starts.begun(this.index);
    this.#around.connections.begun(this);
    this.#start(life).catch((error: unknown) => {
      onFailed('start', error);
      // The daemon cannot come up: its supervisor starts it again.
      if (!life.isOver) this.kill();
    });
  }

  /** Switches are known before anything trades. */
  async #start(life: Life): Promise<void> {
    const { switchRecords } = this.#around;
    this.switches = undefined;
    if (switchRecords !== undefined) {
      const records = life.behind(switchRecords, SWITCH_CALLS);
      this.switches = await TradingSwitches.open({ ...this.#ports, records });
      // Those of the engine that was not started have its listeners.
      if (this.#connections !== undefined) this.#ports = this.#newPorts();
      this.#assemble();
    }
    const { engine, settings, index } = this;
    const { recordMissed } = this.assembled;
    await engine.start();
    const ownership = this.#membership?.ownership ?? SOLE_OWNER;
    const audited = { daemon: index, life, engine, recordMissed, settings, ownership };
    this.#around.audit?.begin({ ...this.#ports, ...audited });
    const { operations, lives: start } = this;
    const followed = { ...this.#ports, operations, start, isOver: () => life.isOver };
    this.#around.strategies?.begin(followed, (where, error) => {
      if (!life.isOver) this.#around.onFailed(where, error);
    });
  }

  #newLife(): Life {
    const { clock, trouble, onEnd, leases, peers } = this.#around;
    const member = `${this.index}.${this.lives}`;
    this.#member = member;
    return new Life({
      clock,
      trouble,
      endsAt: this.#plan.crashes[this.lives],
      onEnd: (where) => {
        leases?.disconnect(member);
        peers.remove(member);
        this.diedAt = clock.now();
        onEnd(this.index, where);
      },
    });
  }

  #clock(): DaemonClock {
    return new DaemonClock(this.#around.clock, this.life, () => this.offsetMs);
  }

  #ledger(): Ledger {
    const { ledger, clock, trouble, onWritten } = this.#around;
    // A commit can still be under way when its daemon is dead and another life of it has begun.
    const { index, settings, lives } = this;
    const written = (turns: readonly Turn[]): void => {
      const clockName = `${index}.${lives}@${this.offsetMs}`;
      onWritten({ index, settings, clockName }, turns);
    };
    const troubled = troubledLedger({ ledger, clock, trouble, onWritten: written });
    return this.life.behind(troubled, LEDGER_CALLS);
  }

  #snapshots(): Partial<LifePorts> {
    const { snapshots: kept, trouble } = this.#around;
    if (kept === undefined) return {};
    const troubled = troubledSnapshots({ snapshots: kept.store, trouble });
    const snapshots = this.life.behind(troubled, SNAPSHOT_CALLS);
    const { stateBytesMax = ALONE.stateBytesMax, restHorizonMs } = kept;
    return { snapshots, stateBytesMax, restHorizonMs };
  }

  /** A new one for each engine: it knows what the engine has in memory. */
  #newSnapshots(): SnapshotKeeping {
    const { snapshots, observer } = this.#ports;
    if (snapshots === undefined) return NO_SNAPSHOTS;
    const everyEvents = this.#around.snapshots?.everyEvents;
    return new SnapshotKeeper({ snapshots, observer, everyEvents });
  }

  /** What this life has of the world; requested once. */
  #newPorts(): LifePorts {
    const { life } = this;
    const around = this.#around;
    const venue = venueOfLife({
      ...around,
      life,
      onRequest: (requested) => {
        around.starts.requested(this.index, requested);
        around.onRequest(this, requested);
      },
      onListed: (account) => around.starts.listed(this.index, account),
    });
    const { accounts, tradingAccounts, connections: oracle, clock, leases } = around;
    const opened =
      leases === undefined
        ? venue
        : connectedByLife(venue, {
            clock,
            life,
            oracle,
            daemon: this.index,
            trouble: around.trouble,
          });
    const directory = {
      forAccount: (account: AccountId) => (accounts.has(account) ? opened : undefined),
      all: () => [opened],
      accounts: () => tradingAccounts,
    };
    const observer = observing({
      failed: ({ where, error }) => {
        if (!life.isOver) around.onFailed(where, error);
      },
      foreign_order: ({ label }) => around.onForeign(label),
      control_refused: ({ control }) => around.trouble.note(`control ${control}`),
      control_overridden: ({ control }) => around.trouble.note(`override ${control}`),
    });
    const own = { clock: this.#clock(), observer, venues: directory };
    this.#connections = leases && new AccountConnections(own);
    return {
      ...own,
      venues: this.#connections?.venues ?? directory,
      ledger: this.#ledger(),
      turnLog:
        around.turnLog === undefined
          ? NO_TURN_LOG
          : troubledTurnLog(around.turnLog, { ...around, life }),
      ...this.#snapshots(),
    };
  }

  #newGuard(): MmpGuard | undefined {
    const { mmpRecords } = this.#around;
    if (mmpRecords === undefined) return undefined;
    const { deployment } = this.settings;
    const records = this.life.behind(mmpRecords, MMP_CALLS);
    return new MmpGuard({
      ...this.#ports,
      records,
      deployment,
      nudges: NO_NUDGES,
      connections: this.#connections ?? ALL_CONNECTED,
      isElsewhere: (account) => this.#membership?.isElsewhere(account) === true,
    });
  }

  /** The order desk for manual orders at this daemon. */
  #newDesk(gate: Gate): OrderDesk {
    return new OrderDesk({
      ...this.#ports,
      settings: this.settings,
      limits: this.#around.limits,
      mmp: this.mmp ?? NO_PROTECTION,
      switches: this.switches ?? NEVER_SWITCHED,
      gate,
    });
  }

  #newEngine(): AssembledEngine {
    const { queue, bus, limits, retiredMax, controls, hasEndRfqs, onBroken, decide } = this.#around;
    const { life } = this;
    const nudges = nudgesOf(life, this.#around.nudges);
    this.#membership = this.#newMembership(nudges);
    const gate = controls ? this.#watchedGate(controls) : unlimitedGate(this.#ports);
    const connections = this.#connections ?? ALL_CONNECTED;
    this.#membership?.handsOver(gate.gate, this.#ports.venues, connections);
    const desk = hasEndRfqs ? this.#newDesk(gate.gate) : undefined;
    this.#desk = desk;
    const assembled = assembleEngine({
      ...ALONE,
      ...this.#ports,
      snapshots: this.#newSnapshots(),
      mmp: this.mmp ?? NO_PROTECTION,
      gate,
      queue: queue.seat(life, () => this.offsetMs),
      nudges,
      ownership: this.#membership?.ownership ?? SOLE_OWNER,
      connections,
      passWakes: (shard, wakes) => (this.#membership ?? ALONE).passWakes(shard, wakes),
      bus: {
        publish: (news) => {
          if (!life.isOver) bus.publish(news);
        },
        subscribe: (listener) => bus.subscribe(listener),
        close: () => Promise.resolve(),
      },
      rfqsFor: (account) => desk?.rfqsFor(account),
      settings: this.settings,
      switches: this.switches ?? NEVER_SWITCHED,
      limits,
      retiredMax,
      decide,
      sweepMs: SWEEP_MS,
      compareMs: COMPARE_MS,
      onBroken: (error) => {
        if (!life.isOver) onBroken(error);
      },
    });
    const { trouble } = this.#around;
    assembled.engine.turns.follow(({ before, resting, woken }) => {
      if (resting !== undefined) trouble.note(before === undefined ? 'not loaded' : 'let go');
      if (woken !== undefined) trouble.note(`woken ${woken.status}`);
    });
    return assembled;
  }

  #watchedGate(limits: () => ControlLimits): WatchedGate {
    const ownership = this.#membership?.ownership ?? SOLE_OWNER;
    return new WatchedGate({
      ...this.#ports,
      ownership,
      connections: this.#connections ?? ALL_CONNECTED,
      limits: sharedLimits(limits, ownership),
    });
  }

  #newMembership(nudges: Nudges): Membership | undefined {
    const { leases, peers, trouble, tradingAccounts } = this.#around;
    if (leases === undefined) return undefined;
    const { life } = this;
    const own = { life, name: this.#member, nudges, leases, peers, trouble, tradingAccounts };
    return new Membership({ ...this.#ports, ...own });
  }

  /** The operations of the deployment at this daemon. */
  #newOperations(): Operations {
    const here = new EngineOperations({ ...this.#ports, ...this.assembled });
    this.#membership?.serve(here, this.desk, this.assembled.wakes);
    return this.#membership?.operations(here) ?? here;
  }
}

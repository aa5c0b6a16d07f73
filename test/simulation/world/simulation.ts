// One simulated run: several daemons of the production engine on a common ledger and the paper exchange, in virtual
// time. Planned faults first, then healing, then every portfolio ends; the first broken invariant ends the run.
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { CATCH_MS } from '../../../src/engine/scheduling/due-wakes.ts';
import type { EventBus } from '../../../src/ports/event-bus.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import type { TurnLog } from '../../../src/ports/turn-log.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { type Settle, VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { MemoryNudges } from '../../doubles/memory/memory-nudges.ts';
import { MemoryPeers } from '../../doubles/memory/memory-peers.ts';
import { MemoryShardLeases } from '../../doubles/memory/memory-shard-leases.ts';
import { MemoryStateSnapshots } from '../../doubles/memory/memory-state-snapshots.ts';
import { AuditRun } from '../actors/audit-run.ts';
import { ControlRun } from '../actors/control-run.ts';
import { DoorRun } from '../actors/door-run.ts';
import { performAct } from '../actors/perform-act.ts';
import { ResidualRfqRun } from '../actors/residual-rfq-run.ts';
import { COMPARE_MS, SIMULATED_LIMITS, SIMULATED_SETTINGS } from '../checks/bounds.ts';
import { type Breach, told } from '../checks/breach.ts';
import { ConnectionsOracle } from '../oracles/connections.oracle.ts';
import { DaemonWitness } from '../oracles/daemon-witness.ts';
import { ExchangeOracle, type TrueOrder } from '../oracles/exchange.oracle.ts';
import { finalAudit } from '../oracles/final-audit.ts';
import { MemoryOracle } from '../oracles/memory.oracle.ts';
import { fromMemory, fromText, recordIn } from '../oracles/read-portfolios.ts';
import { Referee } from '../oracles/referee.ts';
import { SwitchesOracle } from '../oracles/switches.oracle.ts';
import { Asked } from '../own-books/asked.ts';
import { Calm } from '../own-books/calm.ts';
import type { ControlsPlan } from '../plan/controls-plan.ts';
import { People } from '../plan/people.ts';
import type { Act, SimulationPlan } from '../plan/plan.ts';
import {
  clockSpreadMs,
  hasEndRfqs,
  isQueueOnly,
  isReadable,
  lineMs,
  schedulesMs,
  startOf,
} from '../plan/plan-kinds.ts';
import { ACCOUNTS, DUMMY } from '../plan/simulated-accounts.ts';
import { DeploymentQueue } from './deployment-queue.ts';
import { offsetClock } from './exchange/offset-clock.ts';
import { laggingVenue, OWN_PREFIX } from './lagging-venue.ts';
import { openSimulatedVenue, type SimulatedVenue } from './open-simulated-venue.ts';
import { SimulatedClient } from './simulated-client.ts';
import { SimulatedDaemon, type Surroundings } from './simulated-daemon.ts';
import { SimulatedMarket } from './simulated-market.ts';
import type { SimulatedStores } from './simulated-stores.ts';
import type { SimulationOptions, SimulationResult } from './simulation-run.ts';
import { StrategyRun } from './strategy-run.ts';
import { Trace } from './trace.ts';
import { Trouble } from './trouble.ts';

/** How often clients act, and dead daemons are looked after. */
const BEAT_MS = 250;
/** After healing everything has to be over within this, alongside the schedules that still run. */
const LIVENESS_MS = 60_000;
/** What was on its way may still arrive. */
const TAIL_MS = 2_500;
/** Every daemon lets go of what others ended. */
const LETS_GO_MS = 2 * COMPARE_MS;
/**
 * Every daemon closes the connections of accounts that it does not own: 15 s after it has expected them for the last time, as it
 * does once more when another daemon ends meanwhile.
 */
const CLOSES_MS = 60_000;

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  return await new Simulation(options).run();
}

class Simulation {
  readonly #plan: SimulationPlan;
  readonly #settle: Settle;
  readonly #startAt: Instant;
  readonly #clock: VirtualClock;
  readonly #trouble: Trouble;
  readonly #trace: Trace;
  readonly #market: SimulatedMarket;
  readonly #ledger: Ledger;
  readonly #turnLog: TurnLog | undefined;
  readonly #leases: MemoryShardLeases | undefined;
  readonly #stores: SimulatedStores;
  readonly #truth: ExchangeOracle;
  readonly #paper: PaperVenue;
  readonly #venue: SimulatedVenue;
  readonly #referee: Referee;
  readonly #asked = new Asked();
  readonly #calm: Calm;
  readonly #memories: MemoryOracle;
  readonly #connections: ConnectionsOracle;
  readonly #queue: DeploymentQueue;
  readonly #switches: SwitchesOracle;
  readonly #people: People;
  readonly #doors: DoorRun | undefined;
  readonly #controls: ControlRun | undefined;
  readonly #endRfqs: ResidualRfqRun | undefined;
  readonly #audits: AuditRun | undefined;
  readonly #strategies: StrategyRun | undefined;
  readonly #witness: DaemonWitness;
  readonly #draw: Rng;
  readonly #daemons: SimulatedDaemon[] = [];
  readonly #clients: readonly SimulatedClient[];
  readonly #foreign = new Set<string>();
  #legsMax = SIMULATED_LIMITS.legsMax;
  #breach: Breach | undefined;

  constructor(options: SimulationOptions) {
    const { plan, settle, gateway, openStores, keepsTrace = false } = options;
    this.#plan = plan;
    this.#startAt = startOf(plan);
    this.#clock = new VirtualClock(this.#startAt);
    this.#settle = settle;
    this.#draw = rng(`${plan.seed}/beat`);
    this.#trouble = new Trouble(plan);
    this.#trace = new Trace(keepsTrace);
    this.#calm = new Calm({ plan, daemons: this.#daemons, now: () => this.#clock.now() });
    this.#trouble.struck = (fault, lastsMs) => this.#calm.struck(fault, lastsMs);
    this.#market = new SimulatedMarket(plan, this.#startAt, this.#trouble);
    const now = (): Instant => this.#clock.now();
    this.#stores = openStores?.(now) ?? {};
    this.#leases = plan.hasLeases ? new MemoryShardLeases(now) : undefined;
    const memory = new MemoryLedger({ now, leases: this.#leases });
    this.#ledger = this.#stores.ledger ?? memory;
    this.#turnLog = this.#stores.ledger === undefined ? memory.turnLog : undefined;
    this.#truth = new ExchangeOracle({
      changed: (known, isNew) => this.#changed(known, isNew),
      traded: (trade) => this.#referee.traded(trade),
    });
    this.#venue = this.#openPaper();
    this.#paper = this.#venue.venue;
    this.#switches = new SwitchesOracle({
      clock: this.#clock,
      trouble: this.#trouble,
      isReadable: isReadable(plan),
      records: this.#stores.switchRecords,
    });
    const shared = { plan, gateway, clock: this.#clock, trouble: this.#trouble };
    const doors = { ...shared, reportBreach: this.#reportBreach, kept: this.#stores.kept };
    this.#doors = plan.door && new DoorRun(doors, plan.door);
    this.#people = new People({
      doors: this.#doors?.doors,
      plan,
      clock: this.#clock,
      trouble: this.#trouble,
      truth: this.#truth,
      market: this.#market,
      switches: this.#switches,
      isReadable: isReadable(plan),
      records: this.#stores.mmpRecords,
      reportBreach: this.#reportBreach,
    });
    this.#referee = new Referee({
      switches: this.#switches,
      market: this.#market,
      ...this.#venue,
      plan,
      asked: this.#asked,
      calm: this.#calm,
      trouble: this.#trouble,
      venueNow: () => this.#paper.venueNow(),
      startAt: this.#startAt,
      now: () => this.#clock.now(),
      lineMs: lineMs(plan),
      lateMaxMs: isQueueOnly(plan) ? CATCH_MS + 50 + clockSpreadMs(plan) : undefined,
      reportBreach: this.#reportBreach,
    });
    this.#memories = new MemoryOracle(this.#reportBreach, plan.retiredMax);
    this.#connections = new ConnectionsOracle({
      nowMs: () => this.#clock.monotonicMs(),
      areLeasesTrue: plan.faults.every(({ kind }) => !kind.startsWith('leases_')),
      reportBreach: this.#reportBreach,
    });
    const onFault = (error: unknown): void =>
      this.#reportBreach('crash', `listener: ${told(error)}`);
    this.#queue = new DeploymentQueue({
      clock: this.#clock,
      trouble: this.#trouble,
      onFault,
      draw: this.#draw.split('queue'),
    });
    this.#controls = plan.controls && this.#newControls(plan.controls);
    this.#endRfqs = hasEndRfqs(plan) ? this.#newEndRfqs() : undefined;
    const { strays, submits } = this.#referee;
    const own = { plan, startAt: this.#startAt, clock: this.#clock, calm: this.#calm, now };
    const world = {
      truth: this.#truth,
      trouble: this.#trouble,
      reportBreach: this.#reportBreach,
      ...own,
    };
    this.#audits = AuditRun.of({ ...world, market: this.#market, paper: this.#paper, strays });
    const { followStrategies: follow } = options;
    this.#strategies = StrategyRun.of({ ...world, asked: this.#asked, submits, follow });
    this.#witness = new DaemonWitness({
      trouble: this.#trouble,
      trace: this.#trace,
      referee: this.#referee,
      people: this.#people,
      controls: this.#controls,
      endRfqs: this.#endRfqs,
      nowMs: () => this.#clock.now() - this.#startAt,
      reportBreach: this.#reportBreach,
    });
    const bus = this.#stores.bus ?? new MemoryEventBus(onFault);
    const around = { ...this.#surroundings(bus), decide: options.decide };
    plan.daemons.forEach((daemon, index) => {
      this.#daemons.push(new SimulatedDaemon(index, daemon, around));
    });
    this.#clients = plan.clients.map(
      (client, index) =>
        new SimulatedClient(index, {
          plan: client,
          asked: this.#asked,
          doors: this.#doors?.doors,
          strategy: plan.controls?.isOfStrategy ? 'simulated' : undefined,
          isDurable: (id) => this.#referee.books.has(id),
          reportBreach: this.#reportBreach,
        }),
    );
  }

  async run(): Promise<SimulationResult> {
    for (const act of this.#plan.acts) {
      this.#clock.at(later(this.#startAt, act.atMs), () => this.#act(act));
    }
    for (const death of this.#plan.exchangeDeaths ?? []) {
      this.#clock.at(later(this.#startAt, death.atMs), () => this.#venue.doom?.(death));
    }
    this.#beat();
    await this.#pass(this.#plan.stormMs, () => false);
    this.#heal();
    await this.#pass(schedulesMs(this.#plan) + LIVENESS_MS, () => this.#isOver());
    await this.#pass(TAIL_MS, () => false);
    await this.#pass(LETS_GO_MS, () => this.#memories.isAtRest(this.#daemons));
    await this.#pass(CLOSES_MS, () => this.#connections.isAtRest);
    if (this.#breach === undefined) this.#connections.judgeEnd();
    if (this.#breach === undefined) await this.#audit();
    return {
      breach: this.#breach,
      traceHash: this.#trace.hash,
      trace: this.#trace.lines,
      counts: this.#trouble.counts,
      children: this.#witness.children,
      virtualMs: this.#clock.now() - this.#startAt,
    };
  }

  readonly #reportBreach = (invariant: string, what: string): void => {
    this.#trace.add(this.#clock.now() - this.#startAt, `breach ${invariant}`, what);
    this.#breach ??= { invariant, what };
  };

  async #pass(forMs: number, isDone: () => boolean): Promise<void> {
    const until = later(this.#clock.now(), forMs);
    await this.#settle();
    while (this.#breach === undefined && !isDone() && this.#clock.runNext(until)) {
      await this.#settle();
      this.#referee.judge();
      this.#memories.judge(this.#daemons);
      this.#connections.judge();
    }
    if (this.#breach === undefined && !isDone()) this.#clock.advanceTo(until);
  }

  #openPaper(): SimulatedVenue {
    return openSimulatedVenue({
      clock: offsetClock(this.#clock, this.#plan.venueOffsetMs),
      accounts: ACCOUNTS,
      market: this.#market,
      latencyMs: this.#plan.latencyMs,
      quietWindow: this.#plan.quietWindow,
      witness: (event) => {
        if (this.#endRfqs?.heard(event) !== true) this.#people.heard(event);
        this.#controls?.heard(event);
        this.#truth.take(event);
        if (event.kind === 'position_settled') this.#trouble.note(event.settled.type);
      },
      deaths: this.#plan.exchangeDeaths && { onDeath: (restMs) => this.#exchangeDied(restMs) },
      onFault: (error) => this.#reportBreach('crash', `exchange: ${told(error)}`),
    });
  }

  #exchangeDied(restMs: number): void {
    this.#trouble.note('exchange died');
    this.#trace.add(this.#clock.now() - this.#startAt, 'exchange died', restMs);
    this.#calm.broken(restMs);
  }

  #newControls(controls: ControlsPlan): ControlRun {
    const [plan, { books }] = [this.#plan, this.#referee];
    const parts = { plan, books, truth: this.#truth, market: this.#market, trouble: this.#trouble };
    const own = { clock: this.#clock, daemons: this.#daemons, reportBreach: this.#reportBreach };
    const venueNow = (): Instant => this.#paper.venueNow();
    const doors = this.#doors?.doors;
    const run = { ...parts, ...own, venueNow, doors, isReadable: isReadable(plan) };
    return new ControlRun(run, controls);
  }

  #newEndRfqs(): ResidualRfqRun {
    return new ResidualRfqRun({
      plan: this.#plan,
      reportBreach: this.#reportBreach,
      trouble: this.#trouble,
      books: this.#referee.books,
      market: this.#market,
      switches: this.#switches,
      venueNow: () => this.#paper.venueNow(),
    });
  }

  #surroundings(bus: EventBus): Omit<Surroundings, 'decide'> {
    bus.subscribe((news) => this.#referee.told(news));
    const witness = this.#witness;
    return {
      clock: this.#clock,
      trouble: this.#trouble,
      ledger: this.#ledger,
      turnLog: this.#turnLog,
      queue: this.#queue,
      snapshots: this.#snapshots(),
      leases: this.#leases,
      connections: this.#connections,
      peers: new MemoryPeers(),
      nudges: new MemoryNudges((error) => this.#reportBreach('crash', `nudge: ${told(error)}`)),
      bus,
      venue: laggingVenue(this.#paper, {
        truth: this.#truth,
        trouble: this.#trouble,
        readLagMs: this.#plan.margins.readLagMs,
      }),
      labelOf: (orderId) => this.#truth.labelOf(orderId),
      refusalCode: this.#plan.refusalCode,
      settings: { ...SIMULATED_SETTINGS, ...this.#plan.margins, ...this.#plan.settings },
      retiredMax: this.#plan.retiredMax,
      limits: () => ({ ...SIMULATED_LIMITS, legsMax: this.#legsMax }),
      accounts: new Set([...ACCOUNTS, DUMMY]),
      tradingAccounts: ACCOUNTS,
      switchRecords: this.#plan.acts.some(({ kind }) => kind === 'set_switch')
        ? this.#switches.records()
        : undefined,
      mmpRecords: this.#people.mmp?.records(),
      audit: this.#audits,
      strategies: this.#strategies,
      doors: this.#doors,
      hasEndRfqs: hasEndRfqs(this.#plan),
      controls: this.#controls?.inForce.limits,
      starts: this.#referee.starts,
      onWritten: witness.onWritten,
      onRequest: witness.onRequest,
      onBroken: witness.onBroken,
      onFailed: witness.onFailed,
      onForeign: witness.onForeign,
      onLetPast: (daemon, override) => this.#controls?.letPast(daemon, override),
      onEnd: (daemon, where) => {
        this.#calm.disturbed(0);
        witness.onEnd(daemon, where);
      },
    };
  }

  #snapshots(): Surroundings['snapshots'] {
    const { snapshots } = this.#plan;
    const store = this.#stores.snapshots ?? new MemoryStateSnapshots(this.#ledger);
    return snapshots && { ...snapshots, store };
  }

  #changed(known: TrueOrder, isNew: boolean): void {
    const { order } = known;
    const { label, state } = order;
    this.#trace.add(this.#clock.now() - this.#startAt, 'order', [
      label,
      state,
      order.filledQuantity,
    ]);
    this.#referee.changed(known, { isNew, labelled: this.#truth.labelled(label) });
  }

  /** Clients, and what looks after dead daemons. */
  #beat(): void {
    const nowMs = this.#clock.now() - this.#startAt;
    for (const daemon of this.#daemons) daemon.restIfOver();
    const alive = this.#daemons.filter(({ isAlive, engine }) => isAlive && engine.isReady);
    for (const client of this.#clients) client.act(nowMs, alive, this.#draw.below(60));
    this.#people.act(nowMs, alive, Math.floor(nowMs / BEAT_MS));
    this.#endRfqs?.act(alive);
    this.#doors?.act(nowMs, alive, Math.floor(nowMs / BEAT_MS));
    this.#controls?.act(nowMs);
    this.#audits?.act(nowMs);
    this.#clock.at(later(this.#clock.now(), BEAT_MS), () => this.#beat());
  }

  #act(act: Act): void {
    this.#trace.add(act.atMs, 'act', act);
    this.#calm.acted(act);
    if (act.kind === 'reload_limits') this.#legsMax = act.legsMax;
    performAct(act, {
      clock: this.#clock,
      queue: this.#queue,
      daemons: this.#daemons,
      paper: this.#paper,
      truth: this.#truth,
      referee: this.#referee,
      switches: this.#switches,
      asked: this.#asked,
      doors: this.#doors?.doors,
      foreign: this.#foreign,
      onRefused: this.#witness.onActRefused,
      reportBreach: this.#reportBreach,
    });
  }

  #heal(): void {
    this.#trouble.heal();
    this.#venue.doom?.(undefined);
    this.#referee.progress.calm();
    this.#trace.add(this.#clock.now() - this.#startAt, 'healed', '');
    for (const daemon of this.#daemons) if (!daemon.isAlive && !daemon.isBuried) daemon.restart();
  }

  #isOver(): boolean {
    if (!this.#clients.every(({ isSettled }) => isSettled)) return false;
    if (!this.#people.isDone(this.#clock.now() - this.#startAt)) return false;
    if (this.#audits?.isDone === false || this.#strategies?.isDone === false) return false;
    for (const book of this.#referee.books.values()) if (!book.isOver) return false;
    for (const { order } of this.#truth.all()) {
      if (order.state === 'open' && order.label.startsWith(OWN_PREFIX)) return false;
    }
    // One still in flight has to be found and cancelled too.
    return [...this.#referee.strays].every((label) => this.#truth.labelled(label).length > 0);
  }

  #audit(): Promise<void> {
    const { faults } = this.#plan;
    this.#people.audit(this.#witness.deaths > 0 || faults.length > 0);
    this.#memories.judgeRest(this.#daemons);
    this.#audits?.audit();
    this.#strategies?.audit();
    return finalAudit({
      referee: this.#referee,
      truth: this.#truth,
      stored: (this.#stores.ledger === undefined ? fromMemory : fromText)(this.#ledger),
      texts: (book) => this.#trace.textsOf(book.id),
      shown: recordIn(this.#ledger),
      foreign: this.#foreign,
      refusedKeys: [
        ...this.#clients.flatMap(({ refusedKey }) => refusedKey ?? []),
        ...(this.#doors?.refusedKeys ?? []),
      ],
      keyed: (key) => this.#ledger.findByKey(key),
      everHalted: (account) => this.#switches.everHalted(account),
      hadDeaths: this.#witness.deaths > 0,
      daemons: this.#plan.daemons.length,
      reportBreach: this.#reportBreach,
    });
  }
}

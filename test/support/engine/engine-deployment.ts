// Engines of several daemons on one ledger and one venue, each of which owns its share of the shards, in virtual time.
// They pass each other commands, wake-ups and news; the test decides which of them the queue gives a wake-up to.

import type { ControlLimits } from '../../../src/core/risk/gate/control-limits.ts';
import type { Operations } from '../../../src/engine/interface/operations.ts';
import { AccountHandOvers } from '../../../src/engine/link/account-hand-overs.ts';
import { answerCalls, HOLD_WAKES } from '../../../src/engine/link/answer-calls.ts';
import { OwnerCalls } from '../../../src/engine/link/owner-calls.ts';
import { OwnerDispatch } from '../../../src/engine/link/owner-dispatch.ts';
import type { OrderOperations } from '../../../src/engine/order-entry/order-operations.ts';
import { Absences } from '../../../src/engine/ownership/absences.ts';
import { ALL_CONNECTED } from '../../../src/engine/ownership/account-connections.ts';
import { sharedLimits } from '../../../src/engine/ownership/deployment-limit-shares.ts';
import { ShardOwnership } from '../../../src/engine/ownership/shard-ownership.ts';
import { WatchedGate } from '../../../src/engine/risk/watch-gate.ts';
import type { ShardLeases } from '../../../src/ports/deployment/shard-leases.ts';
import type { JobQueue, Wake } from '../../../src/ports/job-queue.ts';
import type { Nudges } from '../../../src/ports/nudges.ts';
import { type Observation, observing } from '../../../src/ports/observer.ts';
import type { TurnLog } from '../../../src/ports/turn-log.ts';
import { type AccountId, accountId, type PortfolioId } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { VirtualQueue } from '../../../src/virtual/virtual-queue.ts';
import { lonePeer } from '../../doubles/lone-api.ts';
import { MemoryNudges } from '../../doubles/memory/memory-nudges.ts';
import { MemoryPeers } from '../../doubles/memory/memory-peers.ts';
import { MemoryShardLeases } from '../../doubles/memory/memory-shard-leases.ts';
import { type Life, life, mortal } from '../daemon/mortal.ts';
import { SETTINGS, settle, type World, world } from './engine-world.ts';
import { NOON, perpetual, quote } from './markets.ts';
import { openOrderDesk } from './open-order-desk.ts';
import { witness } from './quiet-observer.ts';
import { ScriptVenue } from './script-venue.ts';

/** In two shards: of two daemons `a` and `b`, `a` owns the one of 10002, and `b` that of 10001. */
export const OF_B = accountId('10001');
export const OF_A = accountId('10002');
const ACCOUNTS: readonly AccountId[] = [OF_B, OF_A];

/** A request that reached the venue. */
export interface Sent {
  readonly by: string;
  readonly method: 'place' | 'edit' | 'cancel';
  readonly label: string;
  readonly at: Instant;
}

export interface EngineDaemon {
  readonly name: string;
  readonly world: World;
  readonly ownership: ShardOwnership;
  /** Its operations, which pass what belongs to another daemon on to it. */
  readonly operations: Operations;
  /** Its own order desks, which pass nothing on. */
  readonly orders: OrderOperations;
  /** Portfolios for which it found that another daemon had committed first. */
  readonly conflicts: PortfolioId[];
  /** Portfolios of which it committed a turn. */
  readonly committed: Set<PortfolioId>;
  /** With the limits of the deployment; absent if it has none. */
  readonly gate: WatchedGate | undefined;
  /** What its controls refused or paused. */
  readonly refusals: Observation<'control_refused'>[];
}

export class EngineDeployment {
  readonly clock = new VirtualClock(NOON);
  readonly leases = new MemoryShardLeases(() => this.clock.now());
  readonly ledger = new MemoryLedger({ now: () => this.clock.now(), leases: this.leases });
  readonly venue = new ScriptVenue(this.clock, [perpetual()]);
  readonly peers = new MemoryPeers();
  readonly sent: Sent[] = [];
  readonly faults: unknown[] = [];
  /** Which of the daemons that accept wake-ups the queue gives one to. */
  recipientOf: (wake: Wake, names: readonly string[]) => string | undefined = (_, names) =>
    names[0];
  /** False: nothing passes between the daemons but calls. */
  hasNews = true;
  /** Whether a daemon offers the wake-ups that it gets from the queue to their owners, before they are due. */
  passesWakes = false;
  readonly #nudges = new MemoryNudges((error) => this.faults.push(error));
  readonly #bus = new MemoryEventBus((error) => this.faults.push(error));
  readonly #jobs = new VirtualQueue(this.clock, { onFault: (error) => this.faults.push(error) });
  readonly #recipients = new Map<string, (wake: Wake) => Promise<void>>();
  readonly #lives = new Map<EngineDaemon, Life>();

  readonly #limits: ControlLimits | undefined;

  /** `limits`: those of the gate of each daemon; absent: nothing is limited. */
  constructor({ limits }: { readonly limits?: ControlLimits } = {}) {
    this.#limits = limits;
    const publish = this.#bus.publish.bind(this.#bus);
    this.#bus.publish = (news) => {
      if (this.hasNews) publish(news);
    };
    this.venue.isTalkative = true;
    this.venue.show(quote(perpetual(), [99_999.5, 100_000]));
    void this.#jobs.start(async (wake) => {
      const name = this.recipientOf(wake, [...this.#recipients.keys()]);
      await this.#recipients.get(name ?? '')?.(wake);
    });
  }

  run(forMs: number): Promise<void> {
    return this.clock.run(later(this.clock.now(), forMs), settle);
  }

  /** Starts a daemon, and lets the others hand over its share. */
  async started(name: string, dummies: readonly string[] = []): Promise<EngineDaemon> {
    const daemon = this.#daemon(name, dummies);
    let isStarted = false;
    void daemon.world.engine.start().then(() => {
      isStarted = true;
    });
    await this.run(1_600);
    if (!isStarted) throw new Error(`${name} has not started`);
    return daemon;
  }

  /** Starts a daemon, and kills the other one when this one has seen it and was handed nothing yet. */
  async startedAsKilled(name: string, other: EngineDaemon): Promise<EngineDaemon> {
    this.clock.at(later(this.clock.now(), 1), () => this.kill(other));
    return await this.started(name);
  }

  /** Ends the process at once: nothing of it leaves any more, and its connections break. */
  kill(daemon: EngineDaemon): void {
    const own = this.#lives.get(daemon);
    if (own !== undefined) own.isDead = true;
    this.#recipients.delete(daemon.name);
    daemon.world.engine.stop();
    this.peers.remove(daemon.name);
    this.leases.disconnect(daemon.name);
  }

  /** Ends it as a shutdown does. */
  async shutDown(daemon: EngineDaemon): Promise<void> {
    this.#recipients.delete(daemon.name);
    await daemon.world.engine.drain();
    daemon.world.engine.stop();
    this.peers.remove(daemon.name);
  }

  /** The number of orders that each daemon placed, by name. */
  placed(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { by, method } of this.sent) {
      if (method === 'place') counts[by] = (counts[by] ?? 0) + 1;
    }
    return counts;
  }

  #daemon(name: string, dummies: readonly string[]): EngineDaemon {
    const own = life(0);
    const { clock, ledger } = this;
    const conflicts: PortfolioId[] = [];
    const committed = new Set<PortfolioId>();
    const refusals: EngineDaemon['refusals'] = [];
    const seen = witness();
    const recorded = observing(
      {
        turn_conflicted: ({ portfolio }) => conflicts.push(portfolio),
        turn_committed: (turn) => {
          committed.add(turn.portfolio);
          seen.observe(turn);
        },
        control_refused: (one) => refusals.push(one),
      },
      seen,
    );
    const observer = { ...seen, ...recorded };
    const nudges = this.#nudgesOf(own);
    const ownership = new ShardOwnership({
      clock,
      observer,
      name,
      nudges,
      absences: new Absences(clock),
      address: name,
      accounts: () => ACCOUNTS,
      leases: mortal<ShardLeases>(this.leases, own, ['renew', 'view', 'take', 'release', 'leave']),
    });
    const calls = new OwnerCalls({ ownership, peers: this.peers, observer });
    const venue = this.#venueOf(name);
    const limits = this.#limits;
    const gate =
      limits &&
      new WatchedGate({
        clock,
        observer,
        ownership,
        connections: ALL_CONNECTED,
        limits: sharedLimits(() => limits, ownership),
        venues: { forAccount: () => venue, all: () => [venue], accounts: () => ACCOUNTS },
      });
    const one = world({
      clock,
      ledger,
      observer,
      ownership,
      nudges,
      dummies,
      venue,
      life: own,
      turnLog: mortal<TurnLog>(ledger.turnLog, own, ['newestPosition', 'groupsFrom']),
      ...(gate && { gate }),
      bus: this.#bus,
      jobs: this.#jobsOf(name),
      passWakes: (shard, wakes) => calls.atOwner(shard, HOLD_WAKES, [wakes]),
    });
    const here = one.operations;
    const orders = openOrderDesk({
      clock,
      observer,
      settings: SETTINGS,
      gate: one.assembled.gate,
      venues: { all: () => [one.venue], forAccount: () => one.venue },
      limits: () => ({ dummyAccounts: new Set() }),
    });
    const handOvers =
      gate &&
      new AccountHandOvers({
        clock,
        ownership,
        calls,
        connections: ALL_CONNECTED,
        gate: gate.gate,
        venues: { forAccount: () => venue, all: () => [venue], accounts: () => ACCOUNTS },
      });
    this.peers.add(
      name,
      answerCalls({
        ...lonePeer(),
        operations: here,
        orders,
        ...(handOvers && { handOvers }),
        wakes: one.assembled.wakes,
        onFault: (error) => observer.observe({ event: 'failed', where: 'link', error }),
      }),
    );
    const operations = new OwnerDispatch({ calls, ledger }).over('portfolios', here);
    const daemon = {
      name,
      world: one,
      ownership,
      operations,
      orders,
      conflicts,
      committed,
      gate,
      refusals,
    };
    this.#lives.set(daemon, own);
    return daemon;
  }

  /** The venue, which notes who sends what. */
  #venueOf(name: string): ScriptVenue {
    const { sent, clock } = this;
    const note = (method: Sent['method'], label: string): void => {
      sent.push({ by: name, method, label, at: clock.now() });
    };
    return new Proxy(this.venue, {
      get: (venue, property) => {
        const found: unknown = Reflect.get(venue, property, venue);
        if (typeof found !== 'function') return found;
        return (...given: readonly unknown[]): unknown => {
          if (property === 'place') note('place', (given[0] as { label: string }).label);
          if (property === 'edit' || property === 'cancel') note(property, '');
          return found.apply(venue, given);
        };
      },
      set: (venue, property, value) => Reflect.set(venue, property, value, venue),
    });
  }

  #nudgesOf(own: Life): Nudges {
    const end = this.#nudges.open();
    return {
      nudge: (topic, text) => {
        if (!own.isDead && this.hasNews) end.nudge(topic, text);
      },
      onNudge: (topic, listener) => end.onNudge(topic, (text) => own.isDead || listener(text)),
    };
  }

  #jobsOf(name: string): JobQueue {
    let held: ((wake: Wake) => Promise<void>) | undefined;
    return {
      schedule: (wake) => this.#jobs.schedule(wake),
      depth: () => this.#jobs.depth(),
      close: () => Promise.resolve(),
      start: (onWake, passOn) => {
        held = onWake;
        this.#recipients.set(name, async (wake) => {
          if (this.passesWakes && (await passOn?.([wake])) === true) return;
          await onWake(wake);
        });
        return Promise.resolve();
      },
      hold: (wake) => {
        this.clock.at(wake.dueAt, () => {
          if (this.#recipients.has(name)) void held?.(wake);
        });
      },
    };
  }
}

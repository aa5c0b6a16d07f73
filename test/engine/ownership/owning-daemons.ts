// Daemons that own shards by leases of one store, in virtual time. Each can be killed, stopped and continued as a process
// is, and cut off from the store.

import { shardOf } from '../../../src/core/ownership/shards.ts';
import { Absences } from '../../../src/engine/ownership/absences.ts';
import { ShardOwnership } from '../../../src/engine/ownership/shard-ownership.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { ShardLeases } from '../../../src/ports/deployment/shard-leases.ts';
import type { Nudges } from '../../../src/ports/nudges.ts';
import { NO_NUDGES } from '../../../src/ports/nudges.ts';
import { type Observation, observing } from '../../../src/ports/observer.ts';
import { accountId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { MemoryNudges } from '../../doubles/memory/memory-nudges.ts';
import { MemoryShardLeases } from '../../doubles/memory/memory-shard-leases.ts';
import { settle } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';

/** In ten different shards. */
const ACCOUNTS = Array.from({ length: 10 }, (_, index) => accountId(`1000${index}`));
export const OCCUPIED: ReadonlySet<number> = new Set(ACCOUNTS.map(shardOf));

type Moved = Observation<'shards_moved'>;

interface DaemonParts {
  readonly clock: VirtualClock;
  readonly leases: MemoryShardLeases;
  readonly name: string;
  readonly nudges?: Nudges | undefined;
  readonly absences?: Absences | undefined;
}

export class OwningDaemon {
  readonly name: string;
  readonly ownership: ShardOwnership;
  /** What it reported, with the virtual milliseconds since the beginning. */
  readonly moved: (Moved & { readonly atMs: number })[] = [];
  readonly failures: unknown[] = [];
  /** What its listeners were called with. */
  readonly gains: (readonly number[])[] = [];
  readonly losses: (readonly number[])[] = [];
  /** Awaited by the ownership before it gives up a shard. */
  beforeLoss: () => Promise<void> = () => Promise.resolve();
  /** Called before a call of the store is made; its exception is that of the call. */
  onCall: (method: string) => void = () => undefined;
  /** Called after a call was carried out, before its answer is there. */
  onAnswer: (method: string) => void = () => undefined;
  isDead = false;
  isStopped = false;
  readonly #parts: DaemonParts;
  /** What is due in a stopped process. */
  readonly #overdue: (() => void)[] = [];

  constructor(parts: DaemonParts) {
    const { clock, leases, name, nudges = NO_NUDGES, absences } = parts;
    this.#parts = parts;
    this.name = name;
    const own = this.#own(clock);
    this.ownership = new ShardOwnership({
      clock: own,
      leases: this.#reached(leases),
      observer: observing({
        failed: ({ error }) => this.failures.push(error),
        shards_moved: (moved) => this.moved.push({ ...moved, atMs: clock.monotonicMs() }),
      }),
      name,
      absences: absences ?? new Absences(own),
      address: `ws://${name}`,
      accounts: () => ACCOUNTS,
      nudges: {
        nudge: (topic, text) => this.isDead || nudges.nudge(topic, text),
        onNudge: (topic, listener) =>
          nudges.onNudge(topic, (text) => this.#do(() => listener(text))),
      },
    });
    this.ownership.onGain((shards) => void this.gains.push(shards));
    this.ownership.onLoss(async (shards) => {
      this.losses.push(shards);
      await this.beforeLoss();
    });
  }

  get owned(): readonly number[] {
    return [...this.ownership.shards()].sort((a, b) => a - b);
  }

  /** The process ends at once, and its connection with it. */
  kill(): void {
    this.isDead = true;
    this.#parts.leases.disconnect(this.name);
  }

  /** As by SIGSTOP: its connection stays. */
  stop(): void {
    this.isStopped = true;
  }

  /** As by SIGCONT: everything that was due meanwhile happens now. */
  resume(): void {
    this.isStopped = false;
    for (const call of this.#overdue.splice(0)) this.#do(call);
  }

  #do(call: () => void): void {
    if (this.isDead) return;
    if (this.isStopped) this.#overdue.push(call);
    else call();
  }

  #own(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      monotonicMs: () => clock.monotonicMs(),
      at: (due, call) => {
        let isOff = false;
        const stopTimer = clock.at(due, () => this.#do(() => isOff || call()));
        return () => {
          isOff = true;
          stopTimer();
        };
      },
    };
  }

  #reached(leases: ShardLeases): ShardLeases {
    const call = async <T>(method: string, made: () => Promise<T>): Promise<T> => {
      this.onCall(method);
      const answer = await made();
      this.onAnswer(method);
      return answer;
    };
    return {
      renew: (self) => call('renew', () => leases.renew(self)),
      view: () => call('view', () => leases.view()),
      take: (name, wanted) => call('take', () => leases.take(name, wanted)),
      release: (name, shards) => call('release', () => leases.release(name, shards)),
      leave: (name) => call('leave', () => leases.leave(name)),
      close: () => leases.close(),
    };
  }
}

/** A store of leases, and daemons on it; `hasNudges`: they notify each other of changes. */
export function deployment({ hasNudges = true } = {}) {
  const clock = new VirtualClock(NOON);
  const leases = new MemoryShardLeases(() => clock.now());
  const faults: unknown[] = [];
  const nudges = new MemoryNudges((error) => faults.push(error));
  const run = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  return {
    clock,
    leases,
    run,
    faults,
    sleep: (forMs: number): Promise<void> =>
      new Promise((done) => clock.at(later(clock.now(), forMs), done)),
    open: (name: string, absences?: Absences): OwningDaemon => {
      const own = hasNudges ? nudges.open() : undefined;
      return new OwningDaemon({ clock, leases, name, absences, nudges: own });
    },
    /** Whose the shards are by the store, in order of shard. */
    owners: async (): Promise<readonly (string | undefined)[]> =>
      (await leases.view()).leases.map(({ owner }) => owner),
  };
}

export type Deployment = ReturnType<typeof deployment>;

/** Starts the daemon and lets the time pass that this takes; returns the virtual milliseconds. */
export async function started({ clock, run }: Deployment, daemon: OwningDaemon): Promise<number> {
  const from = clock.monotonicMs();
  let endedAt: number | undefined;
  void daemon.ownership.start().then(() => {
    endedAt = clock.monotonicMs();
  });
  await run(0);
  for (let i = 0; i < 100 && endedAt === undefined; i += 1) await run(100);
  if (endedAt === undefined) throw new Error(`${daemon.name} has not started within ten seconds`);
  return endedAt - from;
}

/** How many shards with accounts, and how many without, are among these. */
export function counted(shards: readonly number[]): { occupied: number; empty: number } {
  const occupied = shards.filter((shard) => OCCUPIED.has(shard)).length;
  return { occupied, empty: shards.length - occupied };
}

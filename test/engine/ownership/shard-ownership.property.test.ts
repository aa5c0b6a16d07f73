// Daemons that join, leave, are killed, stopped and cut off from the store in any order: when all is quiet, every shard has
// one owner who is there, in equal shares; and no daemon continues for longer than one look with a shard that the store
// gives to another, except while it is stopped or cut off.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALL_SHARDS } from '../../../src/core/ownership/shards.ts';
import { cases } from '../../support/cases.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { counted, deployment, type OwningDaemon } from './owning-daemons.ts';

const LOOK_MS = 500;
/** What giving up shards takes at a daemon that is slow at it; its next look is later by that. */
const SLOW_MS = 200;
const TICK_MS = 50;
const SLOTS = 4;
/** Longer than a lease, a few looks of everybody, and the longest wait of a listener. */
const QUIET_MS = 12_000;

const EVENTS = ['join', 'kill', 'leave', 'stop', 'resume', 'cut', 'heal', 'slow'] as const;

interface Step {
  readonly event: (typeof EVENTS)[number];
  readonly slot: number;
  readonly thenMs: number;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    event: fc.oneof(fc.constant('join' as const), fc.constantFrom(...EVENTS)),
    slot: fc.nat(SLOTS - 1),
    thenMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900 }), fc.constant(7_000)),
  }),
  { minLength: 3, maxLength: 14, size: 'max' },
);

/** What runs in each slot, and whether it can know what the store says. */
class Course {
  readonly #d = deployment();
  readonly #slots = new Map<number, OwningDaemon>();
  readonly #cut = new Set<OwningDaemon>();
  /** Since when a daemon continues with a shard of another, by daemon and shard, in virtual milliseconds. */
  readonly #wrong = new Map<string, number>();
  #lives = 0;

  get here(): readonly OwningDaemon[] {
    return [...this.#slots.values()];
  }

  async take({ event, slot, thenMs }: Step): Promise<void> {
    const daemon = this.#slots.get(slot);
    if (event === 'join' && daemon === undefined) this.#join(slot);
    else if (daemon !== undefined) await this.#happen(event, slot, daemon);
    await this.pass(thenMs);
  }

  /** Lets time pass, and watches every daemon that can know better. */
  async pass(forMs: number): Promise<void> {
    await this.#d.run(0);
    for (let left = forMs; left > 0; left -= TICK_MS) {
      await this.#d.run(Math.min(left, TICK_MS));
      await this.#watch();
    }
  }

  /** Everything that is still there works again. */
  async quiet(): Promise<void> {
    for (const daemon of this.here) {
      this.#heal(daemon);
      daemon.resume();
    }
    if (this.here.length === 0) this.#join(0);
    await this.pass(QUIET_MS);
  }

  owners(): Promise<readonly (string | undefined)[]> {
    return this.#d.owners();
  }

  #join(slot: number): void {
    this.#lives += 1;
    const daemon = this.#d.open(`daemon ${slot} life ${this.#lives}`);
    this.#slots.set(slot, daemon);
    void daemon.ownership.start();
  }

  async #happen(event: Step['event'], slot: number, daemon: OwningDaemon): Promise<void> {
    if (event === 'kill') this.#end(slot, daemon);
    if (event === 'stop') daemon.stop();
    if (event === 'resume') daemon.resume();
    if (event === 'cut') this.#cutOff(daemon);
    if (event === 'heal') this.#heal(daemon);
    if (event === 'slow') daemon.beforeLoss = () => this.#d.sleep(SLOW_MS);
    // A stopped process does nothing, and one that gives up shards may need a while for that.
    if (event === 'leave' && !daemon.isStopped) {
      const left = daemon.ownership.leave();
      await this.pass(300);
      await left;
      expect(daemon.owned).toEqual([]);
      this.#end(slot, daemon);
    }
  }

  #end(slot: number, daemon: OwningDaemon): void {
    daemon.kill();
    this.#slots.delete(slot);
    this.#cut.delete(daemon);
  }

  #cutOff(daemon: OwningDaemon): void {
    this.#cut.add(daemon);
    this.#d.leases.disconnect(daemon.name);
    daemon.onCall = () => {
      throw new Error('the store cannot be reached');
    };
  }

  #heal(daemon: OwningDaemon): void {
    this.#cut.delete(daemon);
    daemon.onCall = () => undefined;
  }

  async #watch(): Promise<void> {
    const owners = await this.#d.owners();
    const nowMs = this.#d.clock.monotonicMs();
    const wrong = this.here
      .filter((one) => !one.isStopped && !this.#cut.has(one))
      .flatMap(({ name, owned }) =>
        owned.flatMap((shard) => (owners[shard] === name ? [] : [`${name} shard ${shard}`])),
      );
    for (const one of this.#wrong.keys()) if (!wrong.includes(one)) this.#wrong.delete(one);
    for (const one of wrong) {
      const sinceMs = this.#wrong.get(one) ?? nowMs;
      this.#wrong.set(one, sinceMs);
      const forMs = nowMs - sinceMs;
      expect(forMs, `${one}, of another in the store`).toBeLessThanOrEqual(LOOK_MS + SLOW_MS);
    }
  }
}

const spread = (counts: readonly number[]): number => Math.max(...counts) - Math.min(...counts);

test('whatever becomes of the daemons, each shard comes to one owner who is there, in equal shares', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (course) => {
      const d = new Course();
      for (const step of course) await d.take(step);
      await d.quiet();
      const owners = await d.owners();
      for (const shard of ALL_SHARDS) {
        const believing = nonEmpty(d.here)
          .filter(({ ownership }) => ownership.owns(shard))
          .map(({ name }) => name);
        expect(believing, `shard ${shard}`).toEqual([owners[shard]]);
      }
      const shares = d.here.map(({ owned }) => counted(owned));
      expect(spread(shares.map(({ occupied }) => occupied))).toBeLessThanOrEqual(1);
      expect(spread(shares.map(({ empty }) => empty))).toBeLessThanOrEqual(1);
    }),
    { numRuns: cases(40) },
  );
});

// Rate limits shared by all gateways of a deployment: each takes from its own buckets at once and periodically
// publishes what it took, and the others charge theirs. A limit can be exceeded by at most what is taken
// between two publications.
import type { Lifetime } from '../../lifetime/lifetime.ts';
import type { PeerCounts } from '../../ports/peer-counts.ts';
import type { Instant } from '../../values/instant.ts';
import type { Buckets, TakeListener } from './buckets.ts';
import type { BucketRule } from './token-bucket.ts';

const PUBLISH_EVERY_MS = 100;
/**
 * Most names per publication, so that a flood of unauthenticated clients does not become a flood between
 * processes.
 */
const NAMES_MAX = 2_000;
const SEPARATOR = ' ';

interface Shared {
  readonly buckets: Buckets;
  /** The rule of a bucket; `undefined` for a name without one. */
  readonly ruleOf: (name: string) => BucketRule | undefined;
}

export class PeerTakes implements Lifetime {
  readonly #counts: PeerCounts;
  readonly #now: () => Instant;
  readonly #shared = new Map<string, Shared>();
  /** Tokens taken since the last publication, by kind, then by name. */
  readonly #taken = new Map<string, Map<string, number>>();
  #names = 0;
  #unlisten: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(counts: PeerCounts, now: () => Instant) {
    this.#counts = counts;
    this.#now = now;
  }

  start(): Promise<void> {
    this.#unlisten = this.#counts.listen((heard) => {
      for (const [name, count] of Object.entries(heard)) this.#charge(name, count);
    });
    this.#timer = setInterval(() => this.#publish(), PUBLISH_EVERY_MS);
    this.#timer.unref();
    return Promise.resolve();
  }

  /** Nothing is in flight: counts are published without an answer. */
  drain(): Promise<void> {
    this.stop();
    return Promise.resolve();
  }

  /** Shares what is taken from `buckets` under `kind`, the same word in every process. */
  share(kind: string, shared: Shared): void {
    this.#shared.set(kind, shared);
    shared.buckets.onTake(this.#counter(kind));
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#unlisten();
  }

  #counter(kind: string): TakeListener {
    const taken = new Map<string, number>();
    this.#taken.set(kind, taken);
    return (name) => {
      const count = taken.get(name);
      if (count === undefined) {
        if (this.#names >= NAMES_MAX) return;
        this.#names += 1;
      }
      taken.set(name, (count ?? 0) + 1);
    };
  }

  #publish(): void {
    if (this.#names === 0) return;
    const told: Record<string, number> = {};
    for (const [kind, taken] of this.#taken) {
      for (const [name, count] of taken) told[`${kind}${SEPARATOR}${name}`] = count;
      taken.clear();
    }
    this.#names = 0;
    this.#counts.publish(told);
  }

  #charge(full: string, count: number): void {
    const at = full.indexOf(SEPARATOR);
    const name = full.slice(at + 1);
    const shared = this.#shared.get(full.slice(0, at));
    const rule = shared?.ruleOf(name);
    if (shared !== undefined && rule !== undefined) {
      shared.buckets.charge(name, { rule, count, nowMs: this.#now() });
    }
  }
}

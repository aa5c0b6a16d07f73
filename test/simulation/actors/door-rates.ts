// Counts the requests that one gateway accepts per key and operation since the limits were reloaded: never more than
// a full bucket plus the refill since.
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { DoorPlan } from '../plan/plan.ts';
import type { FrontDoor, WireRequest } from './front-door.ts';

/** Upper bound on the requests of a run. */
const REMEMBERED_MAX = 60;
const SECOND_MS = 1_000;

export interface RateTruthParts {
  readonly clock: VirtualClock;
  /** Gateways act at once, and their clocks are not stepped. */
  readonly isSteady: boolean;
  readonly reportBreach: ReportBreach;
}

/** One request that has reached a gateway. */
export interface Passage {
  /** It was executed, so its rate limit admitted it. */
  wasLet(): void;
}

export class RateTruth {
  readonly #parts: RateTruthParts;
  readonly #startMs: number;
  readonly #later: DoorPlan['later'];
  /** Arrival times of admitted requests, by gateway and kind. */
  readonly #let = new WeakMap<FrontDoor, Map<string, number[]>>();

  constructor(parts: RateTruthParts, { later }: DoorPlan) {
    this.#parts = parts;
    this.#later = later;
    this.#startMs = parts.clock.now();
  }

  /** The limits in force now. */
  rate(first: DoorPlan['rate']): DoorPlan['rate'] {
    const later = this.#later;
    return later !== undefined && this.#nowMs >= later.atMs ? later.rate : first;
  }

  /** `undefined` if nothing is checked. */
  arrived(door: FrontDoor, keyId: string, { target }: WireRequest): Passage | undefined {
    const rate = this.#later?.rate;
    if (rate === undefined || !this.#parts.isSteady || this.rate(undefined) === undefined) return;
    const atMs = this.#nowMs;
    const [path = ''] = target.split('?', 1);
    return { wasLet: () => this.#judge(this.#listOf(door, `${keyId} ${path}`), atMs, path) };
  }

  #judge(times: number[], atMs: number, path: string): void {
    const rate = this.#later?.rate;
    if (rate === undefined) return;
    times.push(atMs);
    times.sort((a, b) => a - b);
    if (times.length > REMEMBERED_MAX) times.shift();
    const last = times.at(-1) ?? atMs;
    times.forEach((firstMs, index) => {
      const most = rate.burst + ((last - firstMs) * rate.perSecond) / SECOND_MS;
      const count = times.length - index;
      if (count <= most + 1e-6) return;
      this.#parts.reportBreach(
        'I20',
        `${path} was let pass ${count} times in ${last - firstMs} ms`,
      );
    });
  }

  #listOf(door: FrontDoor, kind: string): number[] {
    const ofDoor = this.#let.get(door) ?? new Map<string, number[]>();
    this.#let.set(door, ofDoor);
    const times = ofDoor.get(kind) ?? [];
    ofDoor.set(kind, times);
    return times;
  }

  get #nowMs(): number {
    return this.#parts.clock.now() - this.#startMs;
  }
}

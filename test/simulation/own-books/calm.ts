// The time since which no fault, death, clock step or switch has hindered the daemons of a run.
// Work that must happen without delay can be checked only then.
import type { Act, FaultKind, SimulationPlan } from '../plan/plan.ts';

/** What a fault, a death or a start leaves behind is made up for within this. */
const AFTER_MS = 4_000;
/** Nothing is open yet when a run begins. */
const FIRST_MS = 200;

/** What must be known of a daemon. */
interface Follower {
  readonly isAlive: boolean;
  readonly isBuried: boolean;
  readonly engine: { readonly isReady: boolean };
  readonly bornAtMs: number;
  readonly lives: number;
}

export interface CalmParts {
  readonly plan: SimulationPlan;
  readonly daemons: readonly Follower[];
  /** True time. */
  readonly now: () => number;
}

export class Calm {
  readonly #parts: CalmParts;
  #since = 0;
  /** Until then a fault lasted, or an operator was in the way. */
  #troubledUntil = 0;

  constructor(parts: CalmParts) {
    this.#parts = parts;
    const { mmp, controls, settings } = parts.plan;
    // Protection, limits and a small largest order hold orders back for reasons of their own.
    const isHeld =
      mmp !== undefined || controls !== undefined || settings.orderUsdMax !== undefined;
    if (isHeld) this.#since = Number.POSITIVE_INFINITY;
  }

  /** A fault happens, and lasts. */
  struck(kind: FaultKind, lastsMs: number): void {
    if (kind.startsWith('market_')) return;
    this.broken(lastsMs);
  }

  acted({ kind }: Act): void {
    this.#troubledUntil = Math.max(this.#troubledUntil, this.#parts.now());
    if (kind === 'set_switch') {
      this.#since = Number.POSITIVE_INFINITY;
      this.#troubledUntil = Number.POSITIVE_INFINITY;
    } else if (kind !== 'reload_limits' && kind !== 'foreign_order') this.disturbed(0);
  }

  /** The venue is away for so long. */
  broken(lastsMs: number): void {
    this.#troubledUntil = Math.max(this.#troubledUntil, this.#parts.now() + lastsMs);
    this.disturbed(lastsMs);
  }

  disturbed(lastsMs: number): void {
    this.#since = Math.max(this.#since, this.#parts.now() + lastsMs + AFTER_MS);
  }

  /** Nothing has happened since that a daemon which lives through it would notice; others may have died. */
  isUntroubledSince(from: number): boolean {
    return this.#troubledUntil < from;
  }

  /** From `from` until now nothing was in the way. */
  isSince(from: number): boolean {
    if (from < this.#since) return false;
    return this.#parts.daemons.every(
      ({ isAlive, isBuried, engine, bornAtMs, lives }) =>
        isBuried ||
        (isAlive && engine.isReady && bornAtMs + (lives > 1 ? AFTER_MS : FIRST_MS) <= from),
    );
  }
}

// What one simulated run needs, and its result.
import type { Decide } from '../../../src/core/portfolio/decide.ts';
import type { Settle } from '../../../src/virtual/virtual-clock.ts';
import type { Gateway } from '../actors/front-door.ts';
import type { Breach } from '../checks/breach.ts';
import type { SimulationPlan } from '../plan/plan.ts';
import type { OpenStores } from './simulated-stores.ts';
import type { FollowStrategies } from './strategy-seam.ts';

export interface SimulationOptions {
  readonly plan: SimulationPlan;
  /** Lets everything that was begun come to rest: one turn of the event loop does. */
  readonly settle: Settle;
  /** The production gateway. */
  readonly gateway: Gateway;
  /** The production runner of strategies. */
  readonly followStrategies: FollowStrategies;
  /** Other stores than those in memory; `settle` has to wait for them. */
  readonly openStores?: OpenStores | undefined;
  /** Decides in place of the core, for a run whose decisions are recorded. */
  readonly decide?: Decide | undefined;
  /** Keeps the lines of the trace, for debugging. */
  readonly keepsTrace?: boolean | undefined;
}

export interface SimulationResult {
  readonly breach: Breach | undefined;
  readonly traceHash: string;
  readonly trace: readonly string[];
  /** Faults and rare happenings, with how often they were met. */
  readonly counts: ReadonlyMap<string, number>;
  readonly children: number;
  readonly virtualMs: number;
}

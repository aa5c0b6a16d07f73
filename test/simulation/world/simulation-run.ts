// The result of one simulated run.
import type { Breach } from '../checks/breach.ts';

export interface SimulationResult {
  readonly breach: Breach | undefined;
  readonly traceHash: string;
  readonly trace: readonly string[];
  /** Faults and rare happenings, with how often they were met. */
  readonly counts: ReadonlyMap<string, number>;
  readonly children: number;
  readonly virtualMs: number;
}

// Runs seeds one after the other until one fails or all are done.
import { drawPlan } from '../../src/virtual/simulation/draw-plan.ts';
import type { Profile } from '../../src/virtual/simulation/plan.ts';
import type { SimulationResult } from '../../src/virtual/simulation/simulation.ts';
import type { Simulation } from './load-simulation.ts';
import { settle } from './settle.ts';

export interface SeedRun {
  readonly simulation: Simulation;
  readonly profile: Profile;
  readonly seeds: Iterable<string>;
  /** After each seed. */
  readonly onDone?: (seed: string, result: SimulationResult) => void;
}

export interface Failure {
  readonly seed: string;
  /** Seeds run, this one included. */
  readonly after: number;
  readonly result: SimulationResult;
}

/** The first failure; `undefined` when there was none. */
export async function runSeeds(run: SeedRun): Promise<Failure | undefined> {
  let after = 0;
  for (const seed of run.seeds) {
    after += 1;
    const plan = drawPlan(seed, run.profile);
    const { simulate, gateway } = run.simulation;
    const result = await simulate({ plan, settle, gateway });
    run.onDone?.(seed, result);
    if (result.breach !== undefined) return { seed, after, result };
  }
  return undefined;
}

/** `count` seeds from number `from` on. */
export function* seedsFrom(from: number, count: number): IterableIterator<string> {
  for (let i = 0; i < count; i += 1) yield String(from + i);
}

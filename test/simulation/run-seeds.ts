// Runs seeds in sequence until one fails or all are done.

import type { Simulation } from './load-simulation.ts';
import { drawPlan } from './plan/draw-plan.ts';
import type { Profile } from './plan/plan.ts';
import type { RealServers } from './real-stores.ts';
import { settle } from './settle.ts';
import { drawWirePlan } from './wire/wire-plan.ts';
import type { SimulationOptions, SimulationResult } from './world/simulation-run.ts';

type Runner = Pick<Simulation, 'simulate' | 'gateway' | 'followStrategies'>;

/** Runs one seed to its end. */
export type RunSeed = (seed: string) => Promise<SimulationResult>;

export interface SeedRun {
  readonly run: RunSeed;
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

/** Runs of the engine, on real servers where some are given, and else in memory. */
export const engineRun =
  (simulation: Runner, profile: Profile, servers?: RealServers): RunSeed =>
  (seed) => {
    const plan = drawPlan(seed, profile);
    const { simulate, gateway, followStrategies } = simulation;
    return servers === undefined
      ? simulate({ plan, settle, gateway, followStrategies })
      : simulateOn(servers, simulation, { plan });
  };

export const wireRun =
  ({ simulateWire }: Pick<Simulation, 'simulateWire'>): RunSeed =>
  (seed) =>
    simulateWire({ plan: drawWirePlan(seed), settle });

/** The first failure; `undefined` when there was none. */
export async function runSeeds(run: SeedRun): Promise<Failure | undefined> {
  const { stackTraceLimit } = Error;
  // Stacks of failures that are meant would cost more than the failures; one seed alone has them.
  Error.stackTraceLimit = 0;
  try {
    return await firstFailure(run);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function firstFailure({ run, seeds, onDone }: SeedRun): Promise<Failure | undefined> {
  let after = 0;
  for (const seed of seeds) {
    after += 1;
    const result = await run(seed);
    onDone?.(seed, result);
    if (result.breach !== undefined) return { seed, after, result };
  }
  return undefined;
}

/** One run on real servers; what does not hold of the stores themselves is a breach too. */
export async function simulateOn(
  servers: RealServers,
  { simulate, gateway, followStrategies }: Runner,
  run: Pick<SimulationOptions, 'plan' | 'keepsTrace'>,
): Promise<SimulationResult> {
  const stores = await servers.begin();
  const { settle: settled, open: openStores } = stores;
  const result = await simulate({ ...run, settle: settled, gateway, followStrategies, openStores });
  const [fault] = await stores.close();
  await servers.end();
  if (fault === undefined || result.breach !== undefined) return result;
  return { ...result, breach: { invariant: 'stores', what: fault } };
}

/** `count` seeds from number `from` on. */
export function* seedsFrom(from: number, count: number): IterableIterator<string> {
  for (let i = 0; i < count; i += 1) yield String(from + i);
}

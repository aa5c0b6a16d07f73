// Shrinks the plan of a failing run: leaves out parts, many at a time and then fewer, as long
// as the same invariant still breaks.
import type { Settle } from '../../../src/virtual/virtual-clock.ts';
import type { Gateway } from '../actors/front-door.ts';
import { simulate } from '../world/simulation.ts';
import type { FollowStrategies } from '../world/strategy-seam.ts';
import type { SimulationPlan } from './plan.ts';
import { partsOf, withoutParts } from './simulation-inputs.ts';

export interface ShrinkOptions {
  readonly plan: SimulationPlan;
  /** The invariant that has to break still. */
  readonly invariant: string;
  readonly settle: Settle;
  readonly gateway: Gateway;
  readonly followStrategies: FollowStrategies;
  /** Runs at most. */
  readonly runsMax: number;
}

export interface Shrunk {
  readonly plan: SimulationPlan;
  /** Names of what was left out. */
  readonly without: readonly string[];
  readonly runs: number;
}

export async function shrink(options: ShrinkOptions): Promise<Shrunk> {
  const { plan, invariant, settle, gateway, followStrategies, runsMax } = options;
  let runs = 0;
  const breaks = async (without: readonly string[]): Promise<boolean> => {
    runs += 1;
    const { breach } = await simulate({
      plan: withoutParts(plan, without),
      settle,
      gateway,
      followStrategies,
    });
    return breach?.invariant === invariant;
  };
  let without: readonly string[] = [];
  let left = partsOf(plan);
  for (
    let size = Math.ceil(left.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < left.length && runs < runsMax; ) {
      const tried = left.slice(from, from + size);
      if (await breaks([...without, ...tried])) {
        without = [...without, ...tried];
        left = left.filter((name) => !tried.includes(name));
      } else from += size;
    }
  }
  return { plan: withoutParts(plan, without), without, runs };
}

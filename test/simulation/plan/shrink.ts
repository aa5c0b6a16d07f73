// Shrinks the plan of a failing run: leaves out parts, many at a time and then fewer, as long
// as the same invariant still breaks.
import type { SimulationResult } from '../world/simulation-run.ts';

export interface ShrinkOptions<Plan> {
  readonly plan: Plan;
  /** The invariant that has to break still. */
  readonly invariant: string;
  /** What can be left out, the coarsest first. */
  readonly partsOf: (plan: Plan) => readonly string[];
  readonly withoutParts: (plan: Plan, names: readonly string[]) => Plan;
  readonly run: (plan: Plan) => Promise<SimulationResult>;
  /** Runs at most. */
  readonly runsMax: number;
}

export interface Shrunk<Plan> {
  readonly plan: Plan;
  /** Names of what was left out. */
  readonly without: readonly string[];
  readonly runs: number;
}

export async function shrink<Plan>(options: ShrinkOptions<Plan>): Promise<Shrunk<Plan>> {
  const { plan, invariant, partsOf, withoutParts, run, runsMax } = options;
  let runs = 0;
  const breaks = async (without: readonly string[]): Promise<boolean> => {
    runs += 1;
    const { breach } = await run(withoutParts(plan, without));
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

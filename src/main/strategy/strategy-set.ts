// The strategies in force. A faulty file leaves its last good version in force; deleting a file removes its
// strategy; of two files with the same name, the first by path wins.
import type { Fault, Reading } from '../fault.ts';
import type { Strategy } from './strategy.ts';

export interface StrategySet {
  /** Keyed by name. */
  readonly inForce: ReadonlyMap<string, Strategy>;
  readonly faults: readonly Fault[];
}

export const NO_STRATEGIES: StrategySet = { inForce: new Map(), faults: [] };

/** Returns the set after reading every file of the folder, keyed by path. */
export function nextStrategySet(
  previous: StrategySet,
  files: ReadonlyMap<string, Reading<Strategy>>,
): StrategySet {
  const running = new Map([...previous.inForce.values()].map((each) => [each.path, each]));
  const inForce = new Map<string, Strategy>();
  const faults: Fault[] = [];
  for (const path of [...files.keys()].sort()) {
    const reading = files.get(path);
    if (reading?.kind === 'faulty') faults.push(...reading.faults);
    const strategy = reading?.kind === 'read' ? reading.value : running.get(path);
    if (strategy === undefined) continue;
    const holder = inForce.get(strategy.name);
    if (holder === undefined) inForce.set(strategy.name, strategy);
    else {
      const message = `repeats "${strategy.name}" of ${holder.path}; accepted: each name once`;
      faults.push({ source: path, field: 'name', message });
    }
  }
  return { inForce, faults };
}

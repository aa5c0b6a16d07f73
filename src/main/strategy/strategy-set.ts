// The strategies in force. A file with faults leaves its last good version in force; a file that is
// gone takes its strategy with it; of two files with one name the first by path holds it.
import type { Fault, Reading } from '../fault.ts';
import type { Strategy } from './strategy.ts';

export interface StrategySet {
  /** By name. */
  readonly inForce: ReadonlyMap<string, Strategy>;
  readonly faults: readonly Fault[];
}

export const NO_STRATEGIES: StrategySet = { inForce: new Map(), faults: [] };

/** The set after looking at every file of the folder, keyed by path. */
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

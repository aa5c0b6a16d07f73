// Runs mutants on the same seeds, each until the simulation notices it, and prints one line of JSON each:
// node test/simulation/kill-mutants.ts [name …]
import process from 'node:process';
import { loadSimulation } from './load-simulation.ts';
import { MUTANTS } from './mutants.ts';
import { runSeeds, seedsFrom } from './run-seeds.ts';

const names = new Set(process.argv.slice(2));
for (const mutant of MUTANTS) {
  if (names.size > 0 && !names.has(mutant.name)) continue;
  const simulation = await loadSimulation(mutant);
  const killed = await runSeeds({
    simulation,
    profile: mutant.profile ?? 'cheap',
    seeds: seedsFrom(0, mutant.within),
  });
  const { name } = mutant;
  const found = killed && { after: killed.after, ...killed.result.breach };
  process.stdout.write(`${JSON.stringify({ name, ...found })}\n`);
}

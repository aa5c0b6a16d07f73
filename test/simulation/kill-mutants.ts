// Runs mutants on the same seeds, each until the simulation detects it, and prints one line of JSON each; exits with 1 if one
// was not detected within its number of seeds: node test/simulation/kill-mutants.ts [name …] | --share K/N
import process from 'node:process';
import { parseArgs } from 'node:util';
import { loadSimulation } from './load-simulation.ts';
import { MUTANTS } from './mutants/mutants.ts';
import { engineRun, runSeeds, seedsFrom, wireRun } from './run-seeds.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { share: { type: 'string', default: '1/1' } },
});
const [part = 1, parts = 1] = values.share.split('/').map(Number);
const shared = MUTANTS.filter((_, index) => index % parts === part - 1);
const names = new Set(positionals);
const unknown = positionals.filter((name) => !MUTANTS.some((mutant) => mutant.name === name));
if (unknown.length > 0) throw new Error(`there are no mutants named ${unknown.join(', ')}`);

for (const mutant of shared) {
  if (names.size > 0 && !names.has(mutant.name)) continue;
  const simulation = await loadSimulation(mutant);
  const { profile = 'cheap' } = mutant;
  const killed = await runSeeds({
    run: profile === 'wire' ? wireRun(simulation) : engineRun(simulation, profile),
    seeds: seedsFrom(0, mutant.within),
  });
  const { name } = mutant;
  const found = killed && { after: killed.after, ...killed.result.breach };
  if (killed === undefined) process.exitCode = 1;
  process.stdout.write(`${JSON.stringify({ name, ...found })}\n`);
}

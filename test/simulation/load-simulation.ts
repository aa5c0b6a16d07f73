// Loads the simulation, unchanged or with a mutant: a mutant gets its own copies of all modules,
// with one change made while they load.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { changed, type Mutant } from './mutants/mutant.ts';

export type Simulation = typeof import('./world/simulation.ts') &
  typeof import('./wire/simulate-wire.ts') &
  typeof import('./gateway-door.ts') &
  typeof import('./strategy-follower.ts');

const ROOT = new URL('../../', import.meta.url);
/** Where the modules are of which a mutant gets copies of its own. */
const COPIED = ['src/', 'test/simulation/'].map((folder) => new URL(folder, ROOT).href);
const isCopied = (url: string): boolean => COPIED.some((folder) => url.startsWith(folder));
const loaded = new Map<string, Mutant>();
const stripped = new Map<string, string>();
let isHooked = false;

export async function loadSimulation(mutant?: Mutant): Promise<Simulation> {
  if (mutant !== undefined) {
    loaded.set(mutant.name, mutant);
    hook();
  }
  const query = mutant === undefined ? '' : `?mutant=${mutant.name}`;
  const [run, wire, door, follower] = await Promise.all([
    import(`./world/simulation.ts${query}`),
    import(`./wire/simulate-wire.ts${query}`),
    import(`./gateway-door.ts${query}`),
    import(`./strategy-follower.ts${query}`),
  ]);
  return { ...run, ...wire, ...door, ...follower } as Simulation;
}

/** Copies for the mutant that imports, and its change where the file is the one. */
function hook(): void {
  if (isHooked) return;
  isHooked = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context);
      const mutant = context.parentURL === undefined ? null : mutantOf(context.parentURL);
      if (mutant === null || !isCopied(found.url)) return found;
      return { ...found, url: `${found.url}?mutant=${mutant}` };
    },
    load: (url, context, next) => {
      const mutant = isCopied(url) ? loaded.get(mutantOf(url) ?? '') : undefined;
      if (mutant === undefined) return next(url, context);
      return { format: 'module', source: mutated(mutant, url), shortCircuit: true };
    },
  });
}

const mutantOf = (url: string): string | null => new URL(url).searchParams.get('mutant');

function mutated(mutant: Mutant, url: string): string {
  const path = fileURLToPath(new URL(url.split('?')[0] ?? url));
  const changes = mutant.changes.filter(
    ({ file }) => new URL(file, ROOT).href === url.split('?')[0],
  );
  if (changes.length > 0) {
    const text = changes.reduce(changed, readFileSync(path, 'utf8'));
    return stripTypeScriptTypes(text);
  }
  const known = stripped.get(path) ?? stripTypeScriptTypes(readFileSync(path, 'utf8'));
  stripped.set(path, known);
  return known;
}

// Collects the lists of source-text mutants: every file of this folder that exports an array named <SUBJECT>_MUTANTS.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceMutant } from './source-mutant.ts';

const LIST = /^export const [A-Z_]+_MUTANTS\b/m;

export async function sourceMutants(): Promise<readonly SourceMutant[]> {
  const found: SourceMutant[] = [];
  for (const name of readdirSync(import.meta.dirname).sort()) {
    if (!name.endsWith('.ts')) continue;
    if (!LIST.test(readFileSync(join(import.meta.dirname, name), 'utf8'))) continue;
    const exported: Record<string, unknown> = await import(/* @vite-ignore */ `./${name}`);
    for (const [key, list] of Object.entries(exported)) {
      if (key.endsWith('_MUTANTS')) found.push(...(list as readonly SourceMutant[]));
    }
  }
  return found;
}

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { packages: Record<string, LockEntry> };

/** Where Node would find a dependency of the package at `path`. */
function located(path: string, name: string): string | undefined {
  for (
    let from = path;
    ;
    from = from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1))
  ) {
    const candidate = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
    if (candidate in lock.packages) return candidate;
    if (from === '') return undefined;
  }
}

test('holds every package its packages name, those for other systems too: npm ci refuses it otherwise', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => located(path, name) === undefined)
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

test('names no registry, so it installs from whichever one a machine is set to', () => {
  const bound = Object.entries(lock.packages).filter(([, entry]) => entry.resolved !== undefined);
  expect(bound.map(([path]) => path)).toEqual([]);
});

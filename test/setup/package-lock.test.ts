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

test('the lock file contains every package its packages name, including those for other systems, as npm ci requires', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => located(path, name) === undefined)
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

test('the lock file names no registry, so it installs from the registry a machine is configured for', () => {
  const bound = Object.entries(lock.packages).filter(([, entry]) => entry.resolved !== undefined);
  expect(bound.map(([path]) => path)).toEqual([]);
});

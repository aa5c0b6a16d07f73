// The corridors: how files are grouped below the floors. Folders stay small enough to read with `ls`, sibling
// folders form an acyclic graph, and a file name has one meaning.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

const FILES_MAX = 25;

interface Import {
  readonly from: string;
  readonly to: string;
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const SOURCES = filesBelow('src').filter((path) => /\.(ts|mjs)$/.test(path));

/** Relative imports, including types, static and dynamic. */
function importsOf(path: string): Import[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, specifier = '']) => ({
    from: path,
    to: normalize(join(dirname(path), specifier)),
  }));
}

/**
 * The sub-folder of `parent` that contains the file; undefined for a file of `parent` itself or from
 * elsewhere.
 */
function corridorOf(path: string, parent: string): string | undefined {
  if (!path.startsWith(`${parent}/`)) return undefined;
  const [first, ...rest] = path.slice(parent.length + 1).split('/');
  return rest.length === 0 ? undefined : first;
}

/**
 * Cycles between the sub-folders of one folder, each as the imports that close it. The files of the folder
 * itself are its entrance and its vocabulary: they may import from sub-folders and be imported by them.
 */
function cyclesBelow(parent: string, imports: readonly Import[]): string[] {
  const graph = new Map<string, Map<string, Import>>();
  for (const each of imports) {
    const from = corridorOf(each.from, parent);
    const to = corridorOf(each.to, parent);
    if (from === undefined || to === undefined || from === to) continue;
    const next = graph.get(from) ?? new Map<string, Import>();
    graph.set(from, next.set(to, next.get(to) ?? each));
  }
  // Folders that import nothing from the remaining folders are removed repeatedly; what remains is a cycle.
  for (;;) {
    const free = [...graph].filter(([, next]) => ![...next.keys()].some((to) => graph.has(to)));
    if (free.length === 0) break;
    for (const [name] of free) graph.delete(name);
  }
  return [...graph].flatMap(([from, next]) =>
    [...next]
      .filter(([to]) => graph.has(to))
      .map(
        ([to, { from: file, to: imported }]) =>
          `${parent}: ${from} → ${to}, ${file} imports ${imported}`,
      ),
  );
}

function parentsOf(paths: readonly string[]): string[] {
  const parents = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== 'src' && folder !== '.'; folder = dirname(folder)) {
      parents.add(dirname(folder));
    }
  }
  // The floors and the adapters have rules of their own: .dependency-cruiser.cjs.
  return [...parents].filter((folder) => folder !== 'src' && folder !== 'src/adapters').toSorted();
}

/** Files of one name that mean the same thing on two floors. */
const SAME_THING: ReadonlySet<string> = new Set(['market-view.ts', 'turn-log.ts']);

describe('the corridors', () => {
  test(`no folder of src or test holds more than ${FILES_MAX} files`, () => {
    const counts = new Map<string, number>();
    for (const path of [...SOURCES, ...filesBelow('test')]) {
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }
    expect(counts.size).toBeGreaterThan(100);
    expect([...counts].filter(([, count]) => count > FILES_MAX)).toEqual([]);
  });

  test('the sub-folders of each folder of src form an acyclic graph', () => {
    const imports = SOURCES.flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(4_000);
    const parents = parentsOf(SOURCES);
    expect(parents).toContain('src/engine');
    expect(parents.flatMap((parent) => cyclesBelow(parent, imports))).toEqual([]);
  });

  test('an import that closes a cycle between two sub-folders is found', () => {
    const imports = SOURCES.flatMap(importsOf);
    const wrong = { from: 'src/engine/risk/gate.ts', to: 'src/engine/api/plan-verdict.ts' };
    const [inEngine = ''] = cyclesBelow('src/engine', [...imports, wrong]);
    expect(inEngine).toContain('src/engine: ');
  });

  test('no two files of src have one name unless they are the same thing on two floors', () => {
    const named = Map.groupBy(SOURCES, (path) => basename(path));
    const twice = [...named].filter(([name, paths]) => paths.length > 1 && !SAME_THING.has(name));
    expect(twice).toEqual([]);
    for (const name of SAME_THING) expect(named.get(name)?.length, name).toBe(2);
  });
});

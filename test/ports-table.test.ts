// The tables of ports in docs/testing.md against the sources: no port, implementing class or suite is missing, every
// implementation is named where its suite is run, and so is every file whose object literals stand for a port.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { must } from '../src/values/assert.ts';
import { nonEmpty } from './support/non-empty.ts';

const textOf = new Map(
  [...globSync('src/**/*.ts'), ...globSync('test/**/*.ts')].map((path) => [
    path,
    readFileSync(path, 'utf8'),
  ]),
);
const textsOf = (folder: string): readonly string[] =>
  nonEmpty(textOf).flatMap(([path, text]) => (path.startsWith(folder) ? [text] : []));

interface Implementation {
  readonly name: string;
  /** What the suite is given. */
  readonly run: string;
}

interface Row {
  readonly ports: readonly string[];
  readonly implementations: readonly Implementation[];
  readonly suites: readonly string[];
}

const section = must(
  readFileSync('docs/testing.md', 'utf8')
    .split('\n## ')
    .find((part) => part.startsWith('Ports, implementations, suites')),
  'docs/testing.md has the section',
);
const [first = '', others = ''] = section.split('These run no suite:');
const [second = '', third = ''] = others.split('Object literals that stand for a whole port');
const cellsIn = (table: string): readonly (readonly string[])[] =>
  nonEmpty(
    table
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.slice(2, -2).split(' | ')),
  );
const quoted = (text: string): readonly string[] =>
  [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

const rows: readonly Row[] = cellsIn(first).map(([ports = '', those = '', suites = '']) => ({
  ports: quoted(ports),
  implementations: those.split(', ').map((one) => {
    const [name = '', run = name] = quoted(one);
    return { name, run };
  }),
  suites: quoted(suites),
}));

/** Implementation and port, or `*` for all of its ports. */
const withoutSuite: readonly (readonly [name: string, port: string])[] = cellsIn(second).flatMap(
  ([those = '']) => {
    const [names = '', port = '*'] = those.split(' as ');
    return quoted(names).map((name) => [name, quoted(port)[0] ?? '*'] as const);
  },
);

/** A method, or a property that is a function. */
const METHOD = /^ {2}\w+\??(?:<[^(]*>)?\(|^ {2}readonly \w+\??: (?:<[^(]*>)?\(.*=>/m;

/** Interfaces of `src/ports` with a method. */
const ports: readonly string[] = textsOf('src/ports/').flatMap((text) =>
  [...text.matchAll(/^export interface (\w+)[^{]*\{\n(.*?)^\}/gms)]
    .filter(([, , body = '']) => METHOD.test(body))
    .map(([, name = '']) => name),
);

const suites: readonly string[] = textsOf('test/conformance/').flatMap((text) =>
  [...text.matchAll(/^export function (\w+Conformance)\(/gm)].map(([, name = '']) => name),
);

/** Every class that implements a port, with the port. */
const classes: readonly (readonly [name: string, port: string])[] = textsOf('').flatMap((text) =>
  [...text.matchAll(/\bclass (\w+)[^{;]*?\bimplements\s+([^{]+)\{/g)].flatMap(
    ([, name = '', clause = '']) =>
      [...clause.matchAll(/\w+/g)].flatMap(([port]) =>
        ports.includes(port) ? [[name, port] as const] : [],
      ),
  ),
);

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort();

test('the table names every port of src/ports once, and nothing else', () => {
  expect(rows.flatMap((row) => row.ports).toSorted()).toEqual(nonEmpty(ports).toSorted());
});

test('the table names every class that implements a port, in the row of the port', () => {
  const missing = nonEmpty(classes).filter(
    ([name, port]) =>
      !rows.some(
        (row) => row.ports.includes(port) && row.implementations.some((one) => one.name === name),
      ),
  );
  expect(missing).toEqual([]);
});

test('every implementation of the table is declared in the sources', () => {
  const names = rows.flatMap((row) => row.implementations.flatMap(({ name, run }) => [name, run]));
  const declared = new Set(
    textsOf('').flatMap((text) =>
      [...text.matchAll(/\b(?:class|function|const) (\w+)/g)].map(([, name = '']) => name),
    ),
  );
  const listed = [...names, ...withoutSuite.map(([name]) => name)];
  expect(nonEmpty(listed).filter((name) => !declared.has(name))).toEqual([]);
});

test('the table names every suite of test/conformance, and no other', () => {
  expect(sorted(rows.flatMap((row) => row.suites))).toEqual(sorted(nonEmpty(suites)));
});

/** The text of a file and of what it imports from the tests. */
function withImports(path: string): string {
  const text = must(textOf.get(path), `${path} is there`);
  const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, to = '']) =>
    join(dirname(path), to),
  );
  const helpers = imported.filter(
    (one) => one.startsWith('test/') && !one.startsWith('test/conformance/'),
  );
  return [text, ...helpers.map((one) => textOf.get(one) ?? '')].join('\n');
}

test('every implementation is named where a suite of its port is run, or it is said why not', () => {
  const runs = suites.map((suite) => {
    const callers = [...textOf].filter(
      ([path, text]) => !path.startsWith('test/conformance/') && text.includes(`${suite}(`),
    );
    return [suite, callers.map(([path]) => withImports(path)).join('\n')] as const;
  });
  const runOf = new Map(runs);
  const isExcused = (row: Row, name: string): boolean =>
    withoutSuite.some(([one, port]) => one === name && (port === '*' || row.ports.includes(port)));
  const notRun = rows.flatMap((row) =>
    row.implementations
      .filter(({ name }) => !isExcused(row, name))
      .filter(
        ({ run }) =>
          !row.suites.some((suite) => new RegExp(`\\b${run}\\b`).test(runOf.get(suite) ?? '')),
      )
      .map(({ name }) => `${row.ports[0]}: ${name}`),
  );
  expect(notRun).toEqual([]);
});

/** An object literal typed as a port, or an object that is cast to one. */
const LITERAL =
  /(?:: (\w+) = \{$|\): (\w+) => \(\{|\bsatisfies (\w+)|\bas (?:unknown as )?(\w+)\b(?!\[))/gm;

test('every test file whose object literals stand for a port is listed with those ports', () => {
  const found = [...textOf].flatMap(([path, text]) => {
    if (!path.startsWith('test/') || path.startsWith('test/conformance/')) return [];
    const code = text.replaceAll(/^import .*?;$|'[^'\n]*'/gms, '');
    const typed = [...code.matchAll(LITERAL)].map((names) => names.slice(1).join(''));
    const stoodFor = sorted(typed.filter((name) => ports.includes(name)));
    return stoodFor.length === 0 ? [] : [`${path}: ${stoodFor.join(', ')}`];
  });
  const listed = cellsIn(third).map(
    ([path = '', stoodFor = '']) =>
      `${path.replaceAll('`', '')}: ${sorted(quoted(stoodFor)).join(', ')}`,
  );
  expect(nonEmpty(found).toSorted()).toEqual(listed.toSorted());
});

// The counts of a small tree, each counted in the text below, and the command that prints them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { countTree } from './count-tree.ts';

const root = mkdtempSync(join(tmpdir(), 'twapd-census-'));
afterAll(() => rmSync(root, { recursive: true }));

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);

/** A tree as this one is laid out, with few of each thing. */
const TREE: Readonly<Record<string, string>> = {
  // Two importers, so none of its own: 61 lines of a function, 1 line besides.
  'src/core/long.ts': `export function long(): void {\n${lines(59, '  step();')}}\nlong();\n`,
  // Exactly at the limit of functions, and over that of files: 60 + 541 lines.
  'src/core/full.ts': `const full = () => {\n${lines(58, '  step();')}};\n${lines(541, '')}`,
  // One importer and 39 lines: a satellite. One importer and 40 lines: none.
  'src/core/near.ts': lines(39, '// Near.'),
  'src/core/far.ts': lines(40, '// Far.'),
  // 7 lines; a spread of a literal, three optional members and two comments.
  'src/core/optional.ts': [
    "import './long.ts';",
    "import { far } from './far.ts';",
    "const near = await import('./near.ts');",
    '/** Absent: none. */',
    'interface A { b?: string; readonly c?: number; d?(): void; e: 1 }',
    'const all = { ...{ near, far } }; // Absent words in the middle are no comment that',
    'const text = "begins so."; function f(g?: number) {}',
    '',
  ].join('\n'),
  // 14 lines; twelve optional members, seven of which are called.
  'src/values/amounts.ts': 'export class Price { plus(other: Price): Price {} }\n',
  'src/engine/parts.ts': [
    'export interface Port extends Base { readonly name?: string; }',
    'interface Base { send(text: string): void }',
    'interface Row { readonly id: string; readonly note?: string; readonly onRead?: () => void }',
    'type Listener = (row: Row) => void;',
    'export class Watch { stop(): void {} }',
    'export interface Parts {',
    '  readonly port?: Pick<Port, "send"> | undefined;',
    '  readonly watch?: Watch;',
    '  readonly listener?: Listener | undefined;',
    '  readonly then?: ((row: Row) => void) | undefined;',
    '  readonly row?: Row; readonly rows?: readonly Row[]; readonly of?: { find(): Row };',
    '  readonly price?: Price;',
    '  close?(): void;',
    '}',
  ].join('\n'),
  // 5 lines.
  'src/main/commands/all-commands.ts': [
    "import '../../core/long.ts';",
    'export const ALL = [',
    "  {\n    name: 'plan',\n  },",
    '];',
    '',
  ].join('\n'),
  // 7 lines: a row of each kind, between what is none.
  'src/gateway/method-rows.ts':
    "const both = 1;\n  a: both('x'),\n  s: shared(\n  b: pair('x', 'y'),\n  c: ownOnly('x'),\n  d: deribitOnly('y'),\n  e: deribitOnly('z'),\n",
  // 3 lines.
  'src/adapters/telemetry/metrics.ts':
    "m.counter('twapd_a', '');\nm.gauge(\n  'twapd_b'); m.counter(name);\n",
  // A migration is no satellite.
  'src/adapters/postgres/migrations/0001-ledger.ts': lines(2, '//'),
  'src/adapters/postgres/migrations.ts': "import one from './migrations/0001-ledger.ts';\n",
  'test/core/long.test.ts': 'test({ ...{ a, b } });\n[...[1]];\n',
  'bench/run.ts': 'run(...[1, 2]);\n',
  'docs/decisions/0001-one.md': '# One of each\n\nBecause two are more.\n',
  'docs/decisions/0002-two.md': '# Two\n',
  'docs/decisions/picture.svg': '<svg/>',
  'config/config.schema.json': JSON.stringify({
    properties: {
      name: { type: 'string' },
      stores: { properties: { url: {}, maxMb: {} } },
      venues: { additionalProperties: { anyOf: [{ properties: { kind: {} } }, { type: 'null' }] } },
      properties: { items: { type: 'string' } },
    },
  }),
  'strategies/strategy.schema.json': JSON.stringify({
    properties: {
      schedule: {},
      portfolio: { properties: { legs: { items: { properties: { side: {}, quantity: {} } } } } },
    },
  }),
};

for (const [path, text] of Object.entries(TREE)) {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const COUNTED = {
  'spreads of literals in src, test and bench': 4,
  'functions of src over 60 lines': 1,
  'files of src over 600 lines': 1,
  'satellites: files of src with one importer and under 40 lines': 1,
  'optional properties of src': 15,
  'optional dependencies of src': 8,
  'comments of src that begin with "Absent"': 2,
  options: 5,
  commands: 1,
  'submit fields': 2,
  'metric families': 2,
  'methods of our own wire': 4,
  'methods of the Deribit wire': 5,
  decisions: 2,
  'words of decisions': 10,
  migrations: 1,
  'lines of src': 62 + 601 + 39 + 40 + 7 + 1 + 14 + 6 + 7 + 3 + 2 + 1,
  'lines of test': 2,
};

test('the counts of a small tree are those that its text has', () => {
  const counted = countTree(root).map(({ name, count }) => [name, count] as const);
  expect(Object.fromEntries(counted)).toEqual(COUNTED);
});

test('the command prints a line for each count', () => {
  const command = join(import.meta.dirname, 'print-census.ts');
  const printed = execFileSync(process.execPath, [command, root], { encoding: 'utf8' });
  const named = printed.trimEnd().split('\n');
  const lineOf = ([name, count]: readonly [string, number]): string =>
    `${String(count).padStart(7)}  ${name}`;
  expect(named).toEqual(Object.entries(COUNTED).map(lineOf));
});

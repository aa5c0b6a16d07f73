// Counts what a small team has to hold of a tree: its lines, and what stands in it more often than it should.
import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';
import ts from 'typescript';
import { literalSpreads } from '../support/literal-spreads.ts';
import { longFunctions } from '../support/long-functions.ts';
import { optionalDependencies } from './optional-dependencies.ts';

export const FUNCTION_LINES_MAX = 60;
export const FILE_LINES_MAX = 600;
const SATELLITE_LINES_BELOW = 40;
const MIGRATIONS = 'src/adapters/postgres/migrations/';
const METHOD_ROWS = 'src/gateway/method-rows.ts';

export interface Count {
  readonly name: string;
  readonly count: number;
}

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

interface Tree {
  readonly root: string;
  readonly src: readonly SourceFile[];
  readonly test: readonly SourceFile[];
  readonly bench: readonly SourceFile[];
  readonly decisions: readonly SourceFile[];
}

/** Every count of the tree below `root`, in the order in which they are printed. */
export function countTree(root: string): readonly Count[] {
  const tree: Tree = {
    root,
    src: sourcesBelow(root, 'src'),
    test: sourcesBelow(root, 'test'),
    bench: sourcesBelow(root, 'bench'),
    decisions: filesBelow(root, 'docs/decisions').filter(({ path }) => path.endsWith('.md')),
  };
  return Object.entries(COUNTS).map(([name, count]) => ({ name, count: count(tree) }));
}

const COUNTS: Readonly<Record<string, (tree: Tree) => number>> = {
  'spreads of literals in src, test and bench': ({ src, test, bench }) =>
    sum([...src, ...test, ...bench], ({ path, text }) => literalSpreads(path, text).length),
  [`functions of src over ${FUNCTION_LINES_MAX} lines`]: ({ src }) =>
    sum(src, ({ path, text }) => longFunctions(path, text, FUNCTION_LINES_MAX).length),
  [`files of src over ${FILE_LINES_MAX} lines`]: ({ src }) =>
    src.filter(({ text }) => linesOf(text) > FILE_LINES_MAX).length,
  [`satellites: files of src with one importer and under ${SATELLITE_LINES_BELOW} lines`]: ({
    src,
  }) => satellites(src).length,
  'optional properties of src': ({ src }) => sum(src, optionalProperties),
  'optional dependencies of src': ({ src }) =>
    optionalDependencies(
      src.map(({ path, text }) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)),
    ),
  'comments of src that begin with "Absent"': ({ src }) =>
    sum(src, ({ text }) => matches(text, /(?:\/\/|^\s*\/?\*+) Absent\b/gm)),
  options: ({ root }) => schemaFields(readJson(root, 'config/config.schema.json')),
  commands: ({ src }) => entriesNamed(src, /^src\/main\/commands\/all-commands\.ts$/),
  'submit fields': ({ root }) => schemaFields(submitSchema(root)),
  'metric families': ({ src }) =>
    sum(src, ({ text }) => matches(text, /\.(?:counter|gauge|histogram)\(\s*'twapd_/g)),
  'methods of our own wire': ({ src }) =>
    methodRows(src, /^ {2}\w+: (?:both|shared|pair|ownOnly)\(/gm),
  'methods of the Deribit wire': ({ src }) =>
    methodRows(src, /^ {2}\w+: (?:both|shared|pair|deribitOnly)\(/gm),
  decisions: ({ decisions }) => decisions.length,
  'words of decisions': ({ decisions }) => sum(decisions, ({ text }) => matches(text, /\S+/g)),
  migrations: ({ src }) => src.filter(({ path }) => path.startsWith(MIGRATIONS)).length,
  'lines of src': ({ src }) => sum(src, ({ text }) => linesOf(text)),
  'lines of test': ({ test }) => sum(test, ({ text }) => linesOf(text)),
};

/** Files with one importer that are so short that they could stand in it. A migration is a file by itself, however short. */
export function satellites(src: readonly SourceFile[]): readonly string[] {
  const importers = new Map<string, Set<string>>();
  for (const { path, text } of src) {
    for (const imported of importsOf(path, text)) {
      const known = importers.get(imported) ?? new Set();
      importers.set(imported, known.add(path));
    }
  }
  return src
    .filter(({ path }) => !path.startsWith(MIGRATIONS))
    .filter(({ path }) => importers.get(path)?.size === 1)
    .filter(({ text }) => linesOf(text) < SATELLITE_LINES_BELOW)
    .map(({ path }) => path);
}

function importsOf(path: string, text: string): readonly string[] {
  const quoted = text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g);
  return [...quoted].map(([, from = '']) => normalize(join(path, '..', from)));
}

function optionalProperties({ path, text }: SourceFile): number {
  if (!text.includes('?')) return 0;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  let count = 0;
  const visit = (node: ts.Node): void => {
    const isMember = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node);
    if ((isMember || ts.isMethodSignature(node)) && node.questionToken !== undefined) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return count;
}

/** Entries with a field `name: '…'` in the files. */
function entriesNamed(src: readonly SourceFile[], files: RegExp): number {
  return sum(
    src.filter(({ path }) => files.test(path)),
    ({ text }) => matches(text, /^\s+name: '[^']+'/gm),
  );
}

const methodRows = (src: readonly SourceFile[], row: RegExp): number =>
  sum(
    src.filter(({ path }) => path === METHOD_ROWS),
    ({ text }) => matches(text, row),
  );

/** The fields of a JSON Schema, at any depth, that have no fields themselves. */
function schemaFields(schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 0;
  const { properties, ...around } = schema as { readonly properties?: object };
  const fields = Object.values(properties ?? {}).map((field) => Math.max(1, schemaFields(field)));
  const nested = Object.values(around).map(schemaFields);
  return [...fields, ...nested].reduce((total, one) => total + one, 0);
}

function submitSchema(root: string): unknown {
  const strategy = readJson(root, 'strategies/strategy.schema.json');
  return (strategy as { readonly properties: { readonly portfolio: unknown } }).properties
    .portfolio;
}

function sourcesBelow(root: string, folder: string): readonly SourceFile[] {
  return filesBelow(root, folder).filter(({ path }) => /\.(?:tsx?|mjs)$/.test(path));
}

function filesBelow(root: string, folder: string): readonly SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: relative(root, file), text: readFileSync(file, 'utf8') }));
}

const readJson = (root: string, path: string): unknown =>
  JSON.parse(readFileSync(join(root, path), 'utf8'));

const matches = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

const linesOf = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const sum = (files: readonly SourceFile[], of: (file: SourceFile) => number): number =>
  files.reduce((total, file) => total + of(file), 0);

// Reads YAML (and JSON, which is YAML) as plain values, with the line and column of every field. A number
// that a float cannot represent digit for digit stays text, so that no amount is rounded.

import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { throwProgrammingError } from '../values/errors/programming-error.ts';
import { type Fault, faulty, type Reading } from './fault.ts';
import { yamlExcess } from './yaml-bounds.ts';

interface Position {
  readonly line: number;
  readonly column: number;
}

export interface YamlDocument {
  readonly source: string;
  readonly value: unknown;
  /** Position of the field, or of the nearest existing ancestor. */
  positionOf(path: readonly PropertyKey[]): Position;
}

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Same as {@link readYaml}, for a text that others may have written; it is refused before it is parsed if that takes long. */
export function readBoundedYaml(text: string, source: string): Reading<YamlDocument> {
  const excess = yamlExcess(text);
  if (excess === undefined) return readYaml(text, source);
  return faulty([{ source, line: excess.line, column: 1, field: '', message: excess.what }]);
}

export function readYaml(text: string, source: string): Reading<YamlDocument> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    return faulty(document.errors.map((error) => syntaxFault(error, lines, source)));
  }
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'number' && node.source !== undefined) {
        node.value = isCarried(node.source, node.value) ? node.value : node.source;
      }
    },
  });
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    // The library's word for too many aliases.
    if (!(error instanceof ReferenceError)) throwProgrammingError(error);
    return faulty([{ source, field: '', message: `cannot be read: ${(error as Error).message}` }]);
  }
  const root = document.contents as Node | null;
  return {
    kind: 'read',
    value: { source, value, positionOf: (path) => positionIn(root, path, lines) },
  };
}

/** True if formatting the float gives the digits that were read. */
function isCarried(source: string, value: number): boolean {
  if (!PLAIN_NUMBER.test(source)) return false;
  const trimmed = source.includes('.') ? source.replace(/\.?0+$/, '') : source;
  return String(value) === (trimmed === '-0' ? '0' : trimmed);
}

function positionIn(root: Node | null, path: readonly PropertyKey[], lines: LineCounter): Position {
  let node = root;
  let offset = root?.range?.[0] ?? 0;
  for (const step of path) {
    const found = childOf(node, step);
    if (found === undefined) break;
    offset = found.offset ?? offset;
    node = found.node;
  }
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

interface Child {
  readonly node: Node | null;
  readonly offset: number | undefined;
}

function childOf(node: Node | null, step: PropertyKey): Child | undefined {
  if (isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === step);
    if (pair === undefined) return undefined;
    return { node: pair.value as Node | null, offset: (pair.key as Node).range?.[0] };
  }
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step] as Node | undefined;
    return item === undefined ? undefined : { node: item, offset: item.range?.[0] };
  }
  return undefined;
}

function syntaxFault(
  error: { readonly message: string; readonly pos: readonly [number, number] },
  lines: LineCounter,
  source: string,
): Fault {
  const { line, col } = lines.linePos(error.pos[0]);
  return { source, line, column: col, field: '', message: `is not YAML: ${error.message}` };
}

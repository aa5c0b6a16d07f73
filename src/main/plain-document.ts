// A document as plain values, which may pass between threads.
import type { YamlDocument } from './yaml-document.ts';

interface Position {
  readonly line: number;
  readonly column: number;
}

export interface PlainDocument {
  readonly source: string;
  readonly value: unknown;
  /** Keyed by the path as JSON. */
  readonly positions: ReadonlyMap<string, Position>;
}

/** Aliases can make a small text a large value: what comes after so many fields has the position of its parent. */
const POSITIONS_MAX = 20_000;

export function plainDocument({ source, value, positionOf }: YamlDocument): PlainDocument {
  const positions = new Map<string, Position>();
  const add = (path: readonly PropertyKey[], node: unknown): void => {
    if (positions.size >= POSITIONS_MAX) return;
    positions.set(JSON.stringify(path), positionOf(path));
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node))
      for (const [index, each] of node.entries()) add([...path, index], each);
    else for (const [key, each] of Object.entries(node)) add([...path, key], each);
  };
  add([], value);
  return { source, value, positions };
}

export const documentOf = ({ source, value, positions }: PlainDocument): YamlDocument => ({
  source,
  value,
  positionOf: (path) => {
    for (let steps = path.length; steps > 0; steps -= 1) {
      const found = positions.get(JSON.stringify(path.slice(0, steps)));
      if (found !== undefined) return found;
    }
    return positions.get('[]') ?? { line: 1, column: 1 };
  },
});

// Translates a submit body as people write it in a file into the one that the daemon accepts: sides, kinds and other choices
// by name in either case, times as ISO 8601. Requests are not translated.
import type { z } from 'zod';
import { fileNotation } from '../../gateway/wire/file-notation.ts';

type Path = readonly PropertyKey[];

interface WordFault {
  readonly path: Path;
  readonly message: string;
}

export interface PlainBody {
  readonly value: unknown;
  /** Texts that are certainly meant for a field and cannot be read. */
  readonly faults: readonly WordFault[];
}

/** What the schema does not know stays as it is, for the schema to refuse. */
export function plainBody(schema: z.ZodType, value: unknown): PlainBody {
  const faults: WordFault[] = [];
  return { value: translated(schema, value, { path: [], faults }), faults };
}

interface Place {
  readonly path: Path;
  readonly faults: WordFault[];
}

function translated(schema: z.core.$ZodType, value: unknown, place: Place): unknown {
  const notation = fileNotation(schema);
  if (notation !== undefined) {
    const written = typeof value === 'string' ? notation.read(value) : undefined;
    if (written?.kind === 'faulty') {
      place.faults.push({ path: place.path, message: written.message });
    }
    return written?.kind === 'value' ? written.value : value;
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return translatedFields(def.shape, value, place);
    case 'array':
      if (!Array.isArray(value)) return value;
      return value.map((item, index) => translated(def.element, item, within(place, index)));
    case 'optional':
    case 'nullable':
      return translated(def.innerType, value, place);
    case 'pipe':
      return translated(def.in, value, place);
    default:
      return value;
  }
}

function translatedFields(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  value: unknown,
  place: Place,
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, schema === undefined ? field : translated(schema, field, within(place, name))];
    }),
  );
}

const within = ({ path, faults }: Place, step: PropertyKey): Place => ({
  path: [...path, step],
  faults,
});

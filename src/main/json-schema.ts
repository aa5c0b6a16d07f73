// The subset of JSON Schema that the project's schemas generate.
import { z } from 'zod';
import { fileNotation } from '../gateway/wire/file-notation.ts';

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Wanted {
  /** Describes what a file may have in place of the values of the wire: names and ISO 8601. */
  readonly inFiles?: boolean;
}

/** Describes the schema's input, before defaults and transformations. */
export function jsonSchemaOf(schema: z.ZodType, { inFiles = false }: Wanted = {}): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The converter leaves out the default of what is preprocessed.
      const { default: shown } = z.globalRegistry.get(zodSchema) ?? {};
      if (shown !== undefined) Object.assign(jsonSchema, { default: shown });
      const notation = inFiles ? fileNotation(zodSchema) : undefined;
      if (notation === undefined) return;
      for (const name of ['type', 'enum', 'minimum', 'maximum'] as const) delete jsonSchema[name];
      Object.assign(jsonSchema, notation.schema);
    },
  });
  return rest as JsonSchema;
}

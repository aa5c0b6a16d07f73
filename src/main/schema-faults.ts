// Validates a document against a zod schema and reports every fault at once, with its line, what was found
// and what is accepted. Values of secret fields are never repeated.

import type { z } from 'zod';
import { didYouMean } from '../gateway/wire/did-you-mean.ts';
import { charactersOf, shortened } from '../values/text/text-length.ts';
import { type Fault, faulty, fieldText, type Reading } from './fault.ts';
import type { YamlDocument } from './yaml-document.ts';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Returns the schema's output for the document. */
export function checkDocument<S extends z.ZodType>(
  schema: S,
  document: YamlDocument,
): Reading<z.output<S>> {
  return checkPart(schema, document, { value: document.value, path: (path) => path });
}

/**
 * The same for a part of the document, or a rearrangement: `path` maps the value's fields to the
 * document's.
 */
export function checkPart<S extends z.ZodType>(
  schema: S,
  document: YamlDocument,
  part: { readonly value: unknown; readonly path: (path: Path) => Path },
): Reading<z.output<S>> {
  const checked = schema.safeParse(part.value, { error: explain });
  if (checked.success) return { kind: 'read', value: checked.data };
  return faulty(
    checked.error.issues.flatMap((issue) =>
      pathsOf(issue).map((path) => faultAt(document, part.path(path), issue.message)),
    ),
  );
}

type Path = readonly PropertyKey[];

const pathsOf = (issue: z.core.$ZodIssue): readonly Path[] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

export function faultAt(
  document: YamlDocument,
  path: readonly PropertyKey[],
  message: string,
): Fault {
  return {
    source: document.source,
    ...document.positionOf(path),
    field: fieldText(path),
    message,
  };
}

const EXPECTED: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a block of fields',
  record: 'a block of fields',
};

/** zod identifies a whole number only by its format. */
function expected(issue: Extract<RawIssue, { code: 'invalid_type' }>): string {
  const definition = (issue.inst as z.ZodType | undefined)?._zod.def;
  const isWhole = definition !== undefined && 'format' in definition;
  return EXPECTED[isWhole ? 'int' : issue.expected] ?? issue.expected;
}

function explain(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys': {
      const keys = keysOf(issue.inst);
      return `unknown key${didYouMean(issue.keys, keys)}; accepted here: ${keys.join(', ')}`;
    }
    case 'invalid_type':
      return `${found(issue.input)}; accepted: ${expected(issue)}`;
    case 'invalid_value':
      return `${found(issue.input)}; accepted: ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `${measured(issue)}; accepted: at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `${measured(issue)}; accepted: at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_union':
      return `${found(decisive(issue))}; accepted: ${choices(issue)}`;
    default:
      return undefined;
  }
}

/** Of a block whose kind decides what it may have, the kind. */
function decisive({ input, discriminator }: Extract<RawIssue, { code: 'invalid_union' }>): unknown {
  if (typeof discriminator !== 'string') return input;
  return (input as Readonly<Record<string, unknown>>)[discriminator] ?? undefined;
}

function keysOf(schema: unknown): readonly string[] {
  const definition = (schema as z.ZodObject | undefined)?._zod?.def;
  return definition === undefined ? [] : Object.keys(definition.shape);
}

function choices(issue: RawIssue): string {
  // One of the kinds may be left out.
  const { options = [] } = issue as { options?: readonly unknown[] };
  const words = options.filter((option) => option !== undefined);
  if (words.length > 0) return words.map(String).join(', ');
  const errors = (issue as { errors?: readonly (readonly z.core.$ZodIssue[])[] }).errors ?? [];
  const each = errors.map((branch) => branch.map((one) => one.message).join(' and '));
  return each.map((text) => text.replace(/^.*accepted: /, '')).join(', or ');
}

function measured(issue: { readonly origin: string; readonly input?: unknown }): string {
  const { input, origin } = issue;
  if (origin === 'string') return `has ${charactersOf(input as string)} characters`;
  if (origin === 'array') return `has ${(input as readonly unknown[]).length} entries`;
  return found(input);
}

const unitOf = (origin: string): string =>
  origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '';

function found(input: unknown): string {
  if (input === undefined) return 'is missing';
  if (input === null) return 'is empty';
  if (Array.isArray(input)) return 'is a list';
  if (typeof input === 'object') return 'is a block of fields';
  const text = JSON.stringify(input);
  return `is ${shortened(text, 41)}`;
}

// Builders of schemas: every field has a JSON Schema, states what it accepts, and is refused with that
// sentence. `null` in an optional field means absent.

import { z } from 'zod';
import type { RejectionKind } from '../../core/rejection.ts';
import { shortened } from '../../values/text/text-length.ts';
import { didYouMean } from './did-you-mean.ts';
import { NumberText } from './json.ts';

export interface FieldRule<T> {
  /** For JSON Schema: `type`, `pattern`, `enum`, … */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly description: string;
  /** Completes "…; accepted: ". */
  readonly accepted: string;
  /** Returns the value, or `undefined` if it is not accepted. */
  readonly read: (value: unknown) => T | undefined;
  readonly kind?: RejectionKind;
}

/**
 * A single value, which clients write as `In`. Missing and refused values are both answered with what would be
 * accepted.
 */
export function field<T, In>(rule: FieldRule<T>): z.ZodType<T, In> {
  const schema = z
    .unknown()
    .meta({ ...rule.schema, description: rule.description })
    .transform((value, context): T => {
      const read = value === undefined ? undefined : rule.read(value);
      if (read !== undefined) return read;
      context.addIssue({
        code: 'custom',
        message: `${wrong(value)}; accepted: ${rule.accepted}`,
        params: { kind: rule.kind ?? 'invalid_parameter' },
      });
      return z.NEVER;
    })
    .describe(rule.description);
  // `In` is the type for clients; the schema itself accepts anything and checks it.
  return schema as unknown as z.ZodType<T, In>;
}

/** An object with exactly these fields. */
export function record<S extends z.ZodRawShape>(shape: S, description: string) {
  const names = Object.keys(shape);
  const keys = names.join(', ');
  return z
    .strictObject(shape, {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `is not known here${didYouMean(issue.keys, names)}; accepted: ${keys}`
          : `${wrong(issue.input)}; accepted: an object of ${keys}`,
    })
    .describe(description);
}

export interface ListRule {
  readonly min?: number;
  readonly max: number;
  readonly description: string;
  /** Completes "a list of ". */
  readonly of: string;
}

export function list<T extends z.ZodType>(item: T, rule: ListRule) {
  const { min = 0, max } = rule;
  const accepted = `a list of ${min > 0 ? `${min} to ${max}` : `at most ${max}`} ${rule.of}`;
  const error = (issue: { readonly input?: unknown }) =>
    Array.isArray(issue.input)
      ? `has ${issue.input.length} entries; accepted: ${accepted}`
      : `${wrong(issue.input)}; accepted: ${accepted}`;
  return z
    .array(item, { error })
    .min(min, { error })
    .max(max, { error })
    .describe(rule.description);
}

/** May be absent or null. Outermost is what an absent field costs: most fields of most requests are absent. */
export function optional<T extends z.ZodType>(inner: T) {
  const bare = inner
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();
  return inner.description === undefined ? bare : bare.describe(inner.description);
}

/** May be absent or null, which means `fallback`. */
export function optionalOr<T extends z.ZodType>(inner: T, fallback: z.output<T>) {
  const bare = inner.nullish().transform((value): z.output<T> => value ?? fallback);
  return inner.description === undefined ? bare : bare.describe(inner.description);
}

/** The same field with its value converted. */
export function mapped<T extends z.ZodType, U>(inner: T, to: (value: z.output<T>) => U) {
  return inner.transform(to).describe(inner.description ?? '');
}

/** What is wrong with a field, and what would be accepted. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** The same field with its value converted, unless `faultOf` reports a fault. */
export function judged<T extends z.ZodType, U>(
  inner: T,
  faultOf: (value: z.output<T>) => FieldFault | undefined,
  to: (value: z.output<T>) => U,
) {
  return inner
    .transform((value: z.output<T>, context): U => {
      const fault = faultOf(value);
      if (fault === undefined) return to(value);
      const { field: name, message } = fault;
      context.addIssue({ code: 'custom', path: [name], message });
      return z.NEVER;
    })
    .describe(inner.description ?? '');
}

/** "is missing", or "is <the value>" with the value shortened. */
function wrong(value: unknown): string {
  return value === undefined ? 'is missing' : `is ${shown(value)}`;
}

const SHOWN_LENGTH = 40;

export function shown(value: unknown): string {
  if (value instanceof NumberText) return clip(value.source);
  if (typeof value === 'string') return clip(JSON.stringify(value));
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

const clip = (text: string): string => shortened(text, SHOWN_LENGTH);

// Params that are lists and objects. A query string has them as JSON text; members that an object does not have are
// ignored, as params are.
import { z } from 'zod';
import { type Ratio, ratio, text } from '../../../values/amounts.ts';
import { type ListRule, list, mapped, record } from '../../wire/fields.ts';
import { MalformedJson, parseJsonText } from '../../wire/json.ts';
import { amountParam, isObject, namesOf, picked } from './deribit-params.ts';

/** A list, which may be JSON text, or one value that is not in a list. */
export const listParam = <T extends z.ZodType>(item: T, rule: ListRule) =>
  before(list(item, rule), (input) => {
    const value = fromText(input);
    return value === undefined || value === null || Array.isArray(value) ? value : [value];
  });

export function objectParam<S extends z.ZodRawShape>(shape: S, description: string) {
  const names = namesOf(shape);
  return before(record(shape, description), (input) => {
    const value = fromText(input);
    return isObject(value) ? picked(value, names) : value;
  });
}

/** A decimal that counts something: contracts, the ratio of a leg. */
export const ratioParam = (rule: { readonly description: string }) =>
  mapped(amountParam(rule), (size): Ratio => ratio(text(size)));

/** The schema behind a conversion of what the client wrote. */
function before<S extends z.ZodType>(schema: S, convert: (input: unknown) => unknown) {
  return z
    .unknown()
    .transform(convert)
    .pipe(schema)
    .describe(schema.description ?? '');
}

/** Text that is no JSON stays text, which the schema refuses. */
function fromText(input: unknown): unknown {
  if (typeof input !== 'string' || !/^\s*[[{]/.test(input)) return input;
  try {
    return parseJsonText(input);
  } catch (error) {
    if (error instanceof MalformedJson) return input;
    throw error;
  }
}

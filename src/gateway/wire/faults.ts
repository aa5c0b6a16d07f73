// Converts schema errors to refusals: the path of each field as people write it, and a sentence about it.

import type { z } from 'zod';
import {
  REJECTION_CODES,
  type Rejection,
  type RejectionKind,
  reject,
} from '../../core/rejection.ts';
import { shortened } from '../../values/text/text-length.ts';

const FAULTS_MAX = 20;
const KEY_SHOWN_LENGTH = 40;

/** Thrown to end a request with a refusal; the error handler turns it into the envelope. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly rejections: readonly Rejection[];
  readonly retryAfterSec: number | undefined;
  constructor(rejections: readonly Rejection[], retryAfterSec?: number) {
    super(rejections.map((one) => `${one.field}: ${one.message}`).join('; '));
    this.rejections = rejections;
    this.retryAfterSec = retryAfterSec;
  }
}

/** `['legs', 0, 'priceOptions', 'price']` as `legs[0].priceOptions.price`. */
function fieldPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? clip(String(part)) : `.${clip(String(part))}`;
  }
  return text;
}

/** At most the first 20 faults, in the order of the schema. */
function rejectionsOf(error: z.core.$ZodError): readonly Rejection[] {
  const faults: Rejection[] = [];
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, FAULTS_MAX)) {
        faults.push(reject('invalid_parameter', fieldPath([...issue.path, key]), issue.message));
      }
    } else faults.push(reject(kindOf(issue), fieldPath(issue.path), issue.message));
  }
  return faults.slice(0, FAULTS_MAX);
}

/** The schema's output for `input`, or the refusals. */
export function readWith<T>(
  schema: z.ZodType<T>,
  input: unknown,
): { readonly value: T } | { readonly rejections: readonly Rejection[] } {
  const result = schema.safeParse(input, { reportInput: true });
  return result.success ? { value: result.data } : { rejections: rejectionsOf(result.error) };
}

function kindOf(issue: z.core.$ZodIssue): RejectionKind {
  const kind: unknown = issue.code === 'custom' ? issue.params?.['kind'] : undefined;
  return typeof kind === 'string' && Object.hasOwn(REJECTION_CODES, kind)
    ? (kind as RejectionKind)
    : 'invalid_parameter';
}

const clip = (key: string): string => shortened(key, KEY_SHOWN_LENGTH);

// Converts an error to log fields with an allow-list, because libraries attach whole commands and connections
// to their errors.

import { shortened } from '../../../values/text/text-length.ts';

const CAUSES_MAX = 5;
const TEXT_LENGTH_MAX = 4_000;

export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly code?: string | number | undefined;
  readonly cause?: ErrorFields | undefined;
  readonly errors?: readonly ErrorFields[] | undefined;
}

export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: clip(thrownText(error)) };
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  const isDeep = depth >= CAUSES_MAX;
  return {
    type: name,
    message: clip(message),
    stack: stack === undefined ? undefined : clip(stack),
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    cause: cause === undefined || isDeep ? undefined : errorFields(cause, depth + 1),
    errors:
      error instanceof AggregateError && !isDeep
        ? error.errors.slice(0, CAUSES_MAX).map((one) => errorFields(one, depth + 1))
        : undefined,
  };
}

const clip = (text: string): string => shortened(text, TEXT_LENGTH_MAX + 1);

function thrownText(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  try {
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    // Unexamined: what was thrown is circular, and is being reported: only its type can be shown.
    return Object.prototype.toString.call(thrown);
  }
}

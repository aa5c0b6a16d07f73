// Distinguishes our own mistakes from what may happen outside. A mistake is never an outcome such as `unavailable` or
// `unknown` alone: it is reported (`src/ports/observer.ts`, `failed`), so that it is logged, counted and seen by /readyz.
import { InvariantBroken } from '../assert.ts';

/** What the language throws for wrong code; `SyntaxError` where text of others is parsed is handled where it is parsed. */
const LANGUAGE_ERRORS = [
  TypeError,
  RangeError,
  ReferenceError,
  SyntaxError,
  EvalError,
  URIError,
] as const;

/** A cause deeper than this is not looked at; it also ends a cycle of causes. */
const DEPTH_MAX = 8;

/**
 * Whether the error, or what caused it, is a mistake of the program: a failed assertion or an error of the language.
 * Wrapping does not hide one. An error of the language with another cause is not one: `fetch` throws a `TypeError` for a
 * refused connection and gives the reason as its cause.
 */
export function isProgrammingError(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > DEPTH_MAX) return false;
  if (error instanceof InvariantBroken) return true;
  if (error instanceof AggregateError) {
    return error.errors.some((one) => isProgrammingError(one, depth + 1));
  }
  if (error.cause instanceof Error) return isProgrammingError(error.cause, depth + 1);
  return LANGUAGE_ERRORS.some((kind) => error instanceof kind) || isFailedAssertion(error);
}

/** Throws the error again if it is a mistake of the program; for handlers that make an outcome of any other. */
export function throwProgrammingError(error: unknown): void {
  if (isProgrammingError(error)) throw error;
}

/** Thrown by `node:assert`, which packages use for their own invariants. */
const isFailedAssertion = (error: Error): boolean =>
  'code' in error && error.code === 'ERR_ASSERTION';

// The shape of a value in JSON.
import type { Decimal } from '../decimal.ts';
import type { AnyId } from '../ids.ts';
import type { Instant } from '../instant.ts';

/**
 * `T` as JSON holds it: amounts and ids as text, instants in milliseconds since the Unix epoch, everything else as it is. A
 * record that is stored is derived from the type that it stores, so a field is declared once.
 */
export type Plain<T> = T extends Decimal | AnyId
  ? string
  : T extends Instant
    ? number
    : T extends string | number | boolean | null | undefined
      ? T
      : unknown extends T
        ? T
        : { readonly [K in keyof T]: Plain<T[K]> };

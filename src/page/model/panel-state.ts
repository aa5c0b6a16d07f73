// What a panel may say of what it shows. Nothing read yet is not the same as nothing there, and what was read before the
// gateway stopped answering is not the present.

export type Shown<T> =
  /** `fault`: why it could not be read; empty while the first answer is awaited. */
  | { readonly kind: 'unread'; readonly fault: string }
  | { readonly kind: 'read'; readonly value: T }
  /** Of some accounts; `fault` says of which it could not be read, and why. */
  | { readonly kind: 'partial'; readonly value: T; readonly fault: string }
  /** It may have changed since. */
  | {
      readonly kind: 'stale';
      readonly value: T;
      /** By `performance.now()`. */
      readonly sinceMs: number;
      readonly fault: string;
    };

export const UNREAD: Shown<never> = { kind: 'unread', fault: '' };

export const current = <T>(value: T): Shown<T> => ({ kind: 'read', value });

/** Of a value that is read periodically. */
export function shownOf<T>(
  value: T | undefined,
  { fault, readMs }: { readonly fault: string; readonly readMs: number | undefined },
): Shown<T> {
  if (value === undefined || readMs === undefined) return { kind: 'unread', fault };
  return fault === '' ? current(value) : { kind: 'stale', value, sinceMs: readMs, fault };
}

export const mapShown = <T, R>(shown: Shown<T>, change: (value: T) => R): Shown<R> =>
  shown.kind === 'unread' ? shown : { ...shown, value: change(shown.value) };

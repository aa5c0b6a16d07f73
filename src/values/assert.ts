// Broken invariants crash: an assertion that fails means our own mistake, never the caller's.

export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken';
}

/** Throws {@link InvariantBroken} unless `condition` holds. Not for input: input gets a refusal. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantBroken(message);
}

/** The value, which by construction exists; throws {@link InvariantBroken} otherwise. */
export function must<T>(value: T | undefined | null, message: string): T {
  if (value === undefined || value === null) throw new InvariantBroken(message);
  return value;
}

/** Makes a switch over a union complete at compile time. */
export function unreachable(value: never): never {
  throw new InvariantBroken(`unreachable case: ${JSON.stringify(value)}`);
}

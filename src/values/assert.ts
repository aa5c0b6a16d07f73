// Assertions for broken invariants: a failure means our own mistake, never the caller's, and crashes.

export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken';
}

/** A function if the message is costly to build; it is called only on failure. */
type Message = string | (() => string);

/** Throws {@link InvariantBroken} unless `condition` holds. Do not use it for input: input gets a refusal. */
export function assert(condition: unknown, message: Message): asserts condition {
  if (!condition) throw broken(message);
}

/** Returns a value that exists by construction; throws {@link InvariantBroken} otherwise. */
export function must<T>(value: T | undefined | null, message: Message): T {
  if (value === undefined || value === null) throw broken(message);
  return value;
}

const broken = (message: Message): InvariantBroken =>
  new InvariantBroken(typeof message === 'string' ? message : message());

/** Makes a switch over a union exhaustive at compile time. */
export function unreachable(value: never): never {
  throw new InvariantBroken(`unreachable case: ${JSON.stringify(value)}`);
}

// Broken invariants crash: an assertion that fails means our own mistake, never the caller's.

export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken';
}

/** Where it costs something to say, it is only said when needed. */
type Message = string | (() => string);

/** Throws {@link InvariantBroken} unless `condition` holds. Not for input: input gets a refusal. */
export function assert(condition: unknown, message: Message): asserts condition {
  if (!condition) throw broken(message);
}

/** The value, which by construction exists; throws {@link InvariantBroken} otherwise. */
export function must<T>(value: T | undefined | null, message: Message): T {
  if (value === undefined || value === null) throw broken(message);
  return value;
}

const broken = (message: Message): InvariantBroken =>
  new InvariantBroken(typeof message === 'string' ? message : message());

/** Makes a switch over a union complete at compile time. */
export function unreachable(value: never): never {
  throw new InvariantBroken(`unreachable case: ${JSON.stringify(value)}`);
}

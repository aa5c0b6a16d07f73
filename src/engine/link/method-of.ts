// Finds a method by its name, as the calls of other processes name it.

export type Method = (...args: readonly unknown[]) => unknown;

/** The method bound to its object; `undefined` if there is none of this name. */
export function methodOf(of: object, name: string): Method | undefined {
  const own = (of as Readonly<Record<string, Method | undefined>>)[name];
  return own && ((...args) => own.apply(of, args as unknown[]));
}

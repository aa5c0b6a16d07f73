// For tests that assert in a loop over a computed list: an empty list would pass without asserting anything.

/** The values as a list; throws if there are none. */
export function nonEmpty<T>(values: Iterable<T>): readonly T[] {
  const list = [...values];
  if (list.length === 0) throw new Error('there is nothing to loop over: the test asserts nothing');
  return list;
}

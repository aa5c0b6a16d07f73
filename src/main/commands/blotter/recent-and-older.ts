// Venues keep recent records and older ones apart; a reader wants one list.

/** Reads both and joins them; a record that both have appears once. */
export async function joined<T>(
  read: (historical: boolean) => Promise<readonly T[]>,
  keyOf: (record: T) => string,
): Promise<readonly T[]> {
  const [recent, older] = await Promise.all([read(false), read(true)]);
  const byKey = new Map(older.map((record) => [keyOf(record), record]));
  for (const record of recent) byKey.set(keyOf(record), record);
  return [...byKey.values()];
}

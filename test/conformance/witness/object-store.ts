import { expect, test } from 'vitest';
import type { ObjectStore } from '../../../src/ports/objects/object-store.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** `open` gives an empty store. */
export function objectStoreConformance(open: () => Promise<ObjectStore>): void {
  const keysOf = async (store: ObjectStore, prefix: string): Promise<readonly string[]> => {
    const keys: string[] = [];
    for await (const key of store.list(prefix)) keys.push(key);
    return keys;
  };

  test('an object is read as it was written, and is never overwritten', async () => {
    const store = await open();
    expect(await store.get('2026/a.json')).toBeUndefined();
    expect(await store.putNew('2026/a.json', bytes('first ✓'))).toBe(true);
    expect(await store.putNew('2026/a.json', bytes('second'))).toBe(false);
    expect(await store.get('2026/a.json')).toEqual(bytes('first ✓'));
  });

  test('of two writers of one key exactly one succeeds', async () => {
    const store = await open();
    const puts = ['a', 'b', 'c'].map((text) => store.putNew('one', bytes(text)));
    expect((await Promise.all(puts)).filter((isNew) => isNew)).toHaveLength(1);
  });

  test('a list has the keys with the prefix, in order, however many there are', async () => {
    const store = await open();
    const keys = ['head-3', 'head-1', 'other', 'head-2', 'day/head-9', 'head-4', 'head-5'];
    for (const key of keys) await store.putNew(key, bytes(key));
    expect(await keysOf(store, 'head-')).toEqual([
      'head-1',
      'head-2',
      'head-3',
      'head-4',
      'head-5',
    ]);
    expect(await keysOf(store, 'nothing')).toEqual([]);
  });
}

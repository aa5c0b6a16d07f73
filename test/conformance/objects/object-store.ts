import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ObjectStore } from '../../../src/ports/objects/object-store.ts';

/** Of the parts in which the store under test takes objects that are given in pieces, if it takes parts. */
export const PART_BYTES = 1_500;

function cut(whole: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < whole.length; from += size)
    pieces.push(whole.subarray(from, from + size));
  return Readable.from(pieces);
}

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

  test('an object in pieces is read as it was written, whatever its size, and is never overwritten', async () => {
    const store = await open();
    expect(await store.read('2026/none')).toBeUndefined();
    for (const size of [0, 1, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 5 * PART_BYTES, 9_001]) {
      const key = `2026/of-${size}`;
      const whole = Uint8Array.from({ length: size }, (_, n) => (n * 7) % 251);
      expect(await store.putNewFrom(key, cut(whole, 700))).toBe(true);
      expect(await store.putNewFrom(key, cut(bytes('another'), 2))).toBe(false);
      expect(await store.putNewFrom(key, cut(whole.slice(1), 700))).toBe(false);
      const read: Uint8Array[] = [];
      for await (const piece of (await store.read(key)) ?? []) read.push(piece);
      expect(Buffer.concat(read)).toEqual(Buffer.from(whole));
      expect(await store.get(key)).toEqual(whole);
    }
  });

  test('of an object whose pieces end with an error nothing is kept', async () => {
    const store = await open();
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield* cut(new Uint8Array(4 * PART_BYTES), 700);
      throw new Error('the disk is gone');
    };
    await expect(store.putNewFrom('half', broken())).rejects.toThrow('the disk is gone');
    expect(await store.get('half')).toBeUndefined();
    expect(await keysOf(store, '')).toEqual([]);
    expect(await store.putNewFrom('half', cut(bytes('whole'), 2))).toBe(true);
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

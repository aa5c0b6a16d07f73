import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyLayeredMap, type LayeredMap } from '../../src/values/layered-map.ts';

const KEYS = Array.from({ length: 21 }, (_, key) => key);
const readAll = (map: Pick<ReadonlyMap<number, number>, 'has' | 'get'>) =>
  KEYS.map((key) => [map.has(key), map.get(key)]);

test('a layered map behaves like a Map at every point of its history', () => {
  const writes = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer()), {
    maxLength: 60,
    size: 'max',
  });
  fc.assert(
    fc.property(writes, (pairs) => {
      let layered: LayeredMap<number, number> = emptyLayeredMap();
      let plain: ReadonlyMap<number, number> = new Map();
      const history = [{ layered, plain }];
      for (const [key, value] of pairs) {
        layered = layered.with(key, value);
        plain = new Map(plain).set(key, value);
        history.push({ layered, plain });
      }
      for (const moment of history) {
        expect(moment.layered.size).toBe(moment.plain.size);
        expect(new Map(moment.layered.entries())).toEqual(moment.plain);
        expect(readAll(moment.layered)).toEqual(readAll(moment.plain));
      }
    }),
  );
});

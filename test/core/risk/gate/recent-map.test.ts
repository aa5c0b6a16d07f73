// Recent entries are kept, and memory stays bounded.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentMap } from '../../../../src/core/risk/gate/recent-map.ts';

test('the map keeps at least the latest half of its capacity, with the latest values', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 20 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer()), {
        maxLength: 200,
        size: 'max',
      }),
      (max, notes) => {
        const recent = new RecentMap<number>(max);
        const all = new Map<string, number>();
        for (const [name, value] of notes) {
          recent.set(`${name}`, value);
          all.set(`${name}`, value);
        }
        const latest = notes.slice(-Math.floor(max / 2)).map(([name]) => `${name}`);
        for (const name of latest) expect(recent.get(name)).toBe(all.get(name));
        const known = [...all.keys()].filter((name) => recent.has(name));
        expect(known.length).toBeLessThanOrEqual(max);
      },
    ),
  );
});

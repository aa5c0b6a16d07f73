import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OutgoingBuffer } from '../../../src/adapters/redis/outgoing-buffer.ts';
import { SeenSequences } from '../../../src/adapters/redis/seen-sequences.ts';

type Step = { readonly add: number } | { readonly take: number } | 'confirm' | 'repeat';

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ add: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ take: fc.integer({ min: 1, max: 8 }) }),
  fc.constant('confirm' as const),
  fc.constant('repeat' as const),
);

test('the buffer stays bounded and ordered, and each message is confirmed, dropped or still buffered', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
      let dropped = 0;
      const buffer = new OutgoingBuffer<number>(10, (count) => {
        dropped += count;
      });
      let added = 0;
      let taken: readonly number[] = [];
      const arrived = new Set<number>();
      for (const each of steps) {
        if (each === 'confirm') {
          buffer.confirm();
          for (const message of taken) arrived.add(message);
          taken = [];
        } else if (each === 'repeat') {
          buffer.repeat();
          taken = [];
        } else if ('add' in each) {
          buffer.add(Array.from({ length: each.add }, () => added++));
        } else if (taken.length === 0) {
          taken = buffer.take(each.take);
        }
        expect(buffer.size).toBeLessThanOrEqual(10);
      }
      buffer.repeat();
      const left = buffer.take(100);
      expect(left).toEqual(Array.from({ length: left.length }, (_, i) => added - left.length + i));
      // A message may be dropped while in flight and still arrive; none is lost unreported.
      const gone = added - left.length;
      expect(arrived.size + dropped).toBeGreaterThanOrEqual(gone);
      expect(left.some((message) => arrived.has(message))).toBe(false);
    }),
  );
});

test('sequence numbers increase per sender, and the number of remembered senders is bounded', () => {
  const seen = new SeenSequences();
  expect([1, 2, 2, 1, 4, 3].map((sequence) => seen.isNew('a', sequence))).toEqual([
    true,
    true,
    false,
    false,
    true,
    false,
  ]);
  expect(seen.isNew('b', 1)).toBe(true);
  for (let i = 0; i < 1_000; i += 1) seen.isNew(`other ${i}`, 1);
  expect(seen.isNew('a', 1)).toBe(true);
});

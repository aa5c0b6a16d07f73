import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HeapEntry, TimerHeap } from '../../src/values/timer-heap.ts';

const nothing = (): void => undefined;

type Step = { readonly add: number } | { readonly remove: number } | { readonly takeBy: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ add: fc.integer({ min: -20, max: 20 }) }) },
  fc.record({ remove: fc.nat(40) }),
  fc.record({ takeBy: fc.integer({ min: -25, max: 25 }) }),
);

describe('TimerHeap', () => {
  test('the heap behaves like a list sorted by due time, ties by insertion order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
        const heap = new TimerHeap();
        const all: HeapEntry[] = [];
        let model: HeapEntry[] = [];
        const sorted = (): HeapEntry[] => model.toSorted((a, b) => a.dueMs - b.dueMs);
        for (const each of steps) {
          if ('add' in each) {
            const entry = heap.add(each.add, nothing);
            all.push(entry);
            model.push(entry);
          } else if ('remove' in each) {
            const entry = all[each.remove];
            if (entry === undefined) continue;
            expect(heap.remove(entry)).toBe(model.includes(entry));
            model = model.filter((other) => other !== entry);
          } else {
            const first = sorted()[0];
            const due = first !== undefined && first.dueMs <= each.takeBy ? first : undefined;
            expect(heap.takeDue(each.takeBy)).toBe(due);
            model = model.filter((other) => other !== due);
          }
          expect(heap.size).toBe(model.length);
          expect(heap.nextDueMs).toBe(sorted()[0]?.dueMs);
        }
      }),
    );
  });

  test('entries added after a mark are not taken with it', () => {
    const heap = new TimerHeap();
    const old = heap.add(5, nothing);
    const mark = heap.mark;
    heap.add(6, nothing);
    expect(heap.takeDue(10, mark)).toBe(old);
    expect(heap.takeDue(10, mark)).toBeUndefined();
    expect(heap.size).toBe(1);
  });
});

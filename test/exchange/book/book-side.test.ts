import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BookSide } from '../../../src/exchange/book/book-side.ts';
import { Resting } from '../../../src/exchange/book/price-level.ts';

const owner = {};

type Step = { readonly add: number } | { readonly remove: number };

const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: fc.integer({ min: 1, max: 300 }) }) },
    { weight: 2, arbitrary: fc.record({ remove: fc.nat() }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 400, size: 'max' },
);

describe('one side of a book', () => {
  it.each(['buy', 'sell'] as const)(
    'the %s side keeps its levels sorted and its queues in order',
    (side) => {
      fc.assert(
        fc.property(steps, (list) => {
          const book = new BookSide(side);
          let model: { entry: Resting; ticks: number }[] = [];
          for (const step of list) {
            if ('add' in step) {
              const entry = new Resting(owner, 1 + (step.add % 7));
              book.add(entry, step.add);
              model.push({ entry, ticks: step.add });
            } else if (model.length > 0) {
              const gone = model[step.remove % model.length];
              if (gone?.entry.level !== undefined) book.remove(gone.entry, gone.entry.level);
              model = model.filter((m) => m !== gone);
            }
          }
          const expected = [...Map.groupBy(model, (m) => m.ticks)].sort(([a], [b]) =>
            side === 'buy' ? b - a : a - b,
          );
          const found = [...book.levels()].map((level) => {
            const queue: Resting[] = [];
            for (let e = level.head; e !== undefined; e = e.next) queue.push(e);
            expect(level.count).toBe(queue.length);
            expect(level.lots).toBe(queue.reduce((sum, e) => sum + e.lots, 0));
            return [level.ticks, queue] as const;
          });
          expect(found).toEqual(expected.map(([ticks, ms]) => [ticks, ms.map((m) => m.entry)]));
          expect(book.best?.ticks).toBe(expected[0]?.[0]);
        }),
      );
    },
  );
});

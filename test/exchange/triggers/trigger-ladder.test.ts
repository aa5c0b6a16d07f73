import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TriggerLadder } from '../../../src/exchange/model/triggers/trigger-ladder.ts';

const ticks = fc.integer({ min: 1, max: 40 });
const action = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), ticks }),
  fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('take' as const), ticks }),
);

interface Entry {
  readonly id: number;
  readonly ticks: number;
}

const byId = (a: Entry, b: Entry): number => a.id - b.id;

describe('a ladder of trigger prices', () => {
  it.each(['rising', 'falling'] as const)(
    'a %s ladder returns the same entries as a plain list',
    (direction) => {
      fc.assert(
        fc.property(fc.array(action, { maxLength: 120, size: 'max' }), (actions) => {
          const ladder = new TriggerLadder<Entry>(direction);
          let list: Entry[] = [];
          let id = 0;
          for (const step of actions) {
            if (step.kind === 'add') {
              id += 1;
              const entry = { id, ticks: step.ticks };
              list.push(entry);
              ladder.add(entry.ticks, entry);
            } else if (step.kind === 'remove') {
              const entry = list[step.which % Math.max(1, list.length)];
              if (entry === undefined) continue;
              list = list.filter((other) => other !== entry);
              ladder.remove(entry.ticks, entry);
              ladder.remove(entry.ticks, entry);
            } else {
              const isMet = (entry: Entry): boolean =>
                direction === 'rising' ? step.ticks >= entry.ticks : step.ticks <= entry.ticks;
              expect(ladder.take(step.ticks).sort(byId)).toEqual(list.filter(isMet));
              list = list.filter((entry) => !isMet(entry));
            }
            expect(ladder.isEmpty).toBe(list.length === 0);
          }
        }),
      );
    },
  );
});

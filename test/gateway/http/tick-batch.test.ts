// Work that arrives in the same tick is executed together, in order, and none of it is lost.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inTickBatch, type Step } from '../../../src/gateway/http/tick-batch.ts';
import { EVENT_LOOP, type Loop } from '../../../src/gateway/limits/fair-turns.ts';

/** Its time stands still: on a busy machine the few milliseconds of a batch pass before its work is done. */
const STILL: Loop = { nowMs: () => 0, nextTurn: EVENT_LOOP.nextTurn };
const batch = (ahead?: Step): Step => inTickBatch(ahead, STILL);

const turned = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('batched work', () => {
  test('batched work runs after the tick in which it arrived, in order of arrival', async () => {
    const done: number[] = [];
    const { take, hasWork } = batch();
    for (const number of [1, 2, 3]) take(() => done.push(number));
    expect(done).toEqual([]);
    expect(hasWork()).toBe(true);
    await turned();
    expect(done).toEqual([1, 2, 3]);
    expect(hasWork()).toBe(false);
  });

  test('batched work that adds more work has it run in the next batch', async () => {
    const done: string[] = [];
    const { take } = batch();
    take(() => {
      done.push('first');
      take(() => done.push('second'));
    });
    await turned();
    await turned();
    expect(done).toEqual(['first', 'second']);
  });

  test('batched work yields to the batch ahead of it', async () => {
    const done: string[] = [];
    const ahead = batch();
    const behind = batch(ahead);
    behind.take(() => done.push('behind'));
    ahead.take(() => done.push('ahead'));
    await turned();
    await turned();
    expect(done).toEqual(['ahead', 'behind']);
  });

  test('batched work runs without delay if the batch ahead is empty', async () => {
    const done: string[] = [];
    batch(batch()).take(() => done.push('alone'));
    await turned();
    expect(done).toEqual(['alone']);
  });

  test('batched work runs at most two ticks later, however much arrives ahead of it', async () => {
    const turns = fc.array(fc.record({ ahead: fc.nat(2), behind: fc.nat(2) }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(turns, async (asked) => {
        const done = { ahead: 0, behind: 0 };
        const given = { ahead: 0, behind: 0 };
        const ahead = batch();
        const behind = batch(ahead);
        const givenAt: (typeof given)[] = [];
        for (const turn of asked) {
          for (let n = 0; n < turn.behind; n += 1) behind.take(() => (done.behind += 1));
          for (let n = 0; n < turn.ahead; n += 1) ahead.take(() => (done.ahead += 1));
          given.ahead += turn.ahead;
          given.behind += turn.behind;
          givenAt.push({ ...given });
          await turned();
          expect(done.ahead).toBe(given.ahead);
          expect(done.behind).toBeGreaterThanOrEqual(givenAt.at(-2)?.behind ?? 0);
        }
        await turned();
        expect(done).toEqual(given);
      }),
    );
  });
});

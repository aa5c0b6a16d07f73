// Work that arrives in the same tick is executed together, in order, and none of it is lost.
import { describe, expect, test } from 'vitest';
import { inTickBatch, type Step } from '../../../src/gateway/http/tick-batch.ts';
import { EVENT_LOOP, type Loop } from '../../../src/gateway/limits/fair-turns.ts';

/** Its time stands still: on a busy machine the few milliseconds of a batch pass before its work is done. */
const STILL: Loop = { nowMs: () => 0, nextTurn: EVENT_LOOP.nextTurn };
const batch = (): Step => inTickBatch(STILL);

const turned = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('batched work', () => {
  test('batched work runs after the tick in which it arrived, in order of arrival', async () => {
    const done: number[] = [];
    const { take } = batch();
    for (const number of [1, 2, 3]) take(() => done.push(number));
    expect(done).toEqual([]);
    await turned();
    expect(done).toEqual([1, 2, 3]);
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
});

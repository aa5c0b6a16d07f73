// What comes in together is done together, in its order, and nothing of it is lost.
import { describe, expect, test } from 'vitest';
import { inStep } from '../../src/gateway/in-step.ts';

const turned = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('work in step', () => {
  test('is done after the moment it came in, in the order it came', async () => {
    const done: number[] = [];
    const add = inStep();
    for (const number of [1, 2, 3]) add(() => done.push(number));
    expect(done).toEqual([]);
    await turned();
    expect(done).toEqual([1, 2, 3]);
  });

  test('that brings more has it done in the next step', async () => {
    const done: string[] = [];
    const add = inStep();
    add(() => {
      done.push('first');
      add(() => done.push('second'));
    });
    await turned();
    await turned();
    expect(done).toEqual(['first', 'second']);
  });
});

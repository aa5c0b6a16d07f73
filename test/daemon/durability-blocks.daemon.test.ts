// The real daemon, killed with -9 before and after each step of a residual that is asked for as a Block RFQ. The next one
// takes it from there: each is traded once or not at all, and booked as it was traded.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BLOCK_POINTS, BlockStage } from '../support/engine/block-points.ts';

let stage: BlockStage;
beforeAll(async () => {
  stage = await BlockStage.open('dpbl');
});
afterAll(() => stage.close());

const times = BLOCK_POINTS.flatMap((point) => [
  { ...point, when: 'before' as const },
  { ...point, when: 'after' as const },
]);

describe('killed', () => {
  test.each(times)(
    '$when $name, it goes on',
    async ({ when, ...point }) => {
      expect(await stage.dieAt(point, when)).toBeUndefined();
    },
    360_000,
  );

  test('all of it, each comes to its end, and what is held is what was booked', async () => {
    expect(await stage.judge()).toBeUndefined();
  }, 360_000);
});

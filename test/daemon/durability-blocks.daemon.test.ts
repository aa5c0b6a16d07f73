// The real daemon, killed with -9 before or after steps of a residual RFQ. The next process continues: each
// RFQ is traded once or not at all, and booked as traded.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killsAt } from '../support/daemon/durability-points.ts';
import { BLOCK_POINTS, BlockStage } from '../support/engine/block-points.ts';

let stage: BlockStage;
beforeAll(async () => {
  stage = await BlockStage.open('dpbl');
});
afterAll(() => stage.close());

describe('a daemon killed at a step of a residual RFQ', () => {
  test.each(killsAt(BLOCK_POINTS))(
    'a daemon killed $when $name continues',
    async ({ when, ...point }) => {
      expect(await stage.dieAt(point, when)).toBeUndefined();
    },
    360_000,
  );

  test('after all kills every portfolio ends, and the positions match the booked fills', async () => {
    expect(await stage.judge()).toBeUndefined();
  }, 360_000);
});

// The real daemon, killed with -9 before each kind of thing that becomes durable or leaves. The world stops at that
// message and the process is gone; the next one takes it from there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MortalStage, POINTS } from '../support/daemon/durability-points.ts';

let stage: MortalStage;
beforeAll(async () => {
  stage = await MortalStage.open('dpbe');
});
afterAll(() => stage.close());

describe('killed before', () => {
  test.each(POINTS)(
    '$name, it goes on',
    async (point) => {
      expect(await stage.dieAt(point, 'before')).toBeUndefined();
    },
    180_000,
  );

  test('all of it, every total is exact, and the books are the same', async () => {
    expect(await stage.judge()).toBeUndefined();
  }, 960_000);
});

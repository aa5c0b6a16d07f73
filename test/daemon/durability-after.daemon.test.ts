// The real daemon, killed with -9 after each kind of durable write or outgoing request. Everything stops at that
// message and the process is killed; the next one continues from there. `npm test` takes every second kind.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MortalStage, POINTS, pointsFor } from '../support/daemon/durability-points.ts';

let stage: MortalStage;
beforeAll(async () => {
  stage = await MortalStage.open('dpaf');
});
afterAll(() => stage.close());

describe('a daemon killed after a durability point', () => {
  test.each(pointsFor(POINTS, 'after'))(
    'a daemon killed after $name continues',
    async (point) => {
      expect(await stage.dieAt(point, 'after')).toBeUndefined();
    },
    180_000,
  );

  test('after all kills every total is exact, and ledger and exchange agree', async () => {
    expect(await stage.judge()).toBeUndefined();
  }, 960_000);
});

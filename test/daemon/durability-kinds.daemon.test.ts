// The real daemon, killed with -9 before or after each kind of durable write and outgoing request. Everything stops at that
// message and the process is killed; the next one continues from there. `npm run test:long` kills on both sides of every kind.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killsAt, MortalStage, POINTS } from '../support/daemon/durability-points.ts';

let stage: MortalStage;
beforeAll(async () => {
  stage = await MortalStage.open('dpts');
});
afterAll(() => stage.close());

describe('a daemon killed at a durability point', () => {
  test.each(killsAt(POINTS))(
    'a daemon killed $when $name continues',
    async ({ when, ...point }) => {
      expect(await stage.dieAt(point, when)).toBeUndefined();
    },
  );

  test('after all kills every total is exact, and ledger and exchange agree', async () => {
    expect(await stage.judge()).toBeUndefined();
  }, 960_000);
});

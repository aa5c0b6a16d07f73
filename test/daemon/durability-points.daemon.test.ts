// The real daemon, killed with -9 at its durability points: before and after each of the commits and orders that it
// makes from its start on, those of the recovery included. The world stops at the n-th one and the process is gone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FaultStage } from '../support/daemon/fault-stage.ts';
import { course } from '../support/engine/two-legs.ts';

/** As many points of each kind; a longer look takes more. */
const POINTS = Number(process.env['TWAPD_SOAK_POINTS'] ?? '1');
const SECONDS = 4;

let stage: FaultStage;
beforeAll(async () => {
  stage = await FaultStage.open({ deployment: 'dpts' });
});
afterAll(() => stage.close());

const points = Array.from({ length: POINTS }, (_, index) => index + 1);

test.each(['before', 'after'] as const)(
  'killed %s the n-th commit or order of each life, it ends with the exact total',
  async (when) => {
    const { database, venue } = stage.lines;
    const running: string[] = [];
    for (const line of [database, venue]) {
      for (const nth of points) {
        const death = line.strike({ nth, when, act: () => stage.kill() });
        const submitting = stage.submit(course(SECONDS), `${when} ${line.port} ${nth}`);
        await death;
        await stage.start();
        running.push(await submitting);
      }
    }
    for (const id of running) await stage.filled(id);
  },
  120_000,
);

test('after all of it the daemon is ready, and the books are the same', async () => {
  await stage.ready();
  await stage.expectSameBooks();
  expect(stage.lines.database.count).toBeGreaterThan(POINTS * 4);
});

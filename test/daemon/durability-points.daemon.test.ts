// The real daemon, killed with -9 at its durability points: before and after each of its commits and orders from
// its start on, including those of the recovery. Everything stops at the n-th one and the process is killed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FaultStage } from '../support/daemon/fault-stage.ts';
import { course } from '../support/engine/two-legs.ts';

/** The number of points of each kind; set a higher one for a soak test. */
const POINTS = Number(process.env['TWAPD_SOAK_POINTS'] ?? '1');
const SECONDS = 4;

let stage: FaultStage;
beforeAll(async () => {
  stage = await FaultStage.open({ deployment: 'dpts' });
});
afterAll(() => stage.close());

const points = Array.from({ length: POINTS }, (_, index) => index + 1);

test.each(['before', 'after'] as const)(
  'a daemon killed %s the n-th commit or order of each run ends with the exact total',
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

test('after all kills the daemon is ready, and ledger and exchange agree', async () => {
  await stage.ready();
  await stage.expectSameBooks();
  expect(stage.lines.database.count).toBeGreaterThan(POINTS * 4);
});

// The real daemon while the line to its exchange is slow, silent, cut or closed, at the worst moments, and while the
// exchange stands still. What is unknown is asked for, and each course ends with its exact total.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, test } from 'vitest';
import { FaultStage } from '../support/daemon/fault-stage.ts';
import { course } from '../support/engine/two-legs.ts';

const SECONDS = 4;
let stage: FaultStage;

beforeAll(async () => {
  stage = await FaultStage.open({ deployment: 'vflt' });
});
afterAll(() => stage.close());

async function through(name: string, fault: () => Promise<void>): Promise<void> {
  const id = await stage.submit(course(SECONDS), name);
  await sleep(500);
  await fault();
  await stage.filled(id);
}

test.each(['before', 'after'] as const)(
  'a socket that is cut %s an order is answered, and what was there is asked for',
  (when) =>
    through(`cut ${when}`, async () => {
      for (const nth of [1, 1, 2]) {
        await stage.lines.venue.strike({ nth, when });
      }
    }),
);

test.each(['before', 'after'] as const)(
  'a line on which nothing comes any more from %s an order is answered, both sockets open',
  (when) =>
    through(`silent ${when}`, async () => {
      const { venue } = stage.lines;
      await venue.strike({
        ...{ nth: 1, when },
        act: async () => {
          venue.isSilent = true;
          await sleep(2_500);
          venue.speak();
        },
      });
    }),
);

test('orders that arrive when nobody may take them any more', () =>
  through('late', async () => {
    stage.lines.venue.delayMs = 1_300;
    await sleep(3_000);
    stage.lines.venue.delayMs = 0;
  }));

test('a slow line', () =>
  through('slow', async () => {
    stage.lines.venue.delayMs = 120;
    await sleep(3_000);
    stage.lines.venue.delayMs = 0;
  }));

test('an exchange that stands still and goes on', () =>
  through('stopped', async () => {
    stage.exchange.process.kill('SIGSTOP');
    await sleep(2_500);
    stage.exchange.process.kill('SIGCONT');
  }));

test('an exchange that cannot be reached, again and again', () =>
  through('closed', async () => {
    const { venue } = stage.lines;
    for (const awayMs of [400, 900]) {
      venue.isClosed = true;
      venue.cut();
      await sleep(awayMs);
      venue.isClosed = false;
      await sleep(500);
    }
  }));

test('after all of it the daemon is ready, and the books are the same', async () => {
  await stage.ready();
  await stage.expectSameBooks();
});

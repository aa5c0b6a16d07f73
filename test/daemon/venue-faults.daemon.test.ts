// The real daemon while the connection to its exchange is slow, silent, cut or closed at the worst moments, and
// while the exchange is suspended. Unknown outcomes are queried, and each portfolio ends with its exact total.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, test } from 'vitest';
import { FaultStage } from '../support/daemon/fault-stage.ts';
import { course } from '../support/engine/two-legs.ts';

const SECONDS = 4;
/** Long enough for four orders after their connection was made again, on a slow machine too. */
const SECONDS_OF_CUTS = 12;
let stage: FaultStage;

beforeAll(async () => {
  stage = await FaultStage.open({ deployment: 'vflt' });
});
afterAll(() => stage.close());

async function through(name: string, fault: () => Promise<void>, seconds = SECONDS): Promise<void> {
  const id = await stage.submit(course(seconds), name);
  await sleep(500);
  await fault();
  await stage.filled(id);
}

test.each(['before', 'after'] as const)(
  'a portfolio ends exactly after the socket is cut %s an order is answered',
  (when) =>
    through(
      `cut ${when}`,
      async () => {
        for (const nth of [1, 1, 2]) await stage.lines.venue.strike({ nth, when });
      },
      SECONDS_OF_CUTS,
    ),
);

test.each(['before', 'after'] as const)(
  'a portfolio ends exactly after the open sockets fall silent %s an order is answered',
  (when) =>
    through(`silent ${when}`, async () => {
      const { venue } = stage.lines;
      await venue.strike({
        nth: 1,
        when,
        act: async () => {
          venue.isSilent = true;
          await sleep(2_500);
          venue.speak();
        },
      });
    }),
);

test('a portfolio ends exactly although orders arrive at the exchange after their deadline', () =>
  through('late', async () => {
    stage.lines.venue.delayMs = 1_300;
    await sleep(3_000);
    stage.lines.venue.delayMs = 0;
  }));

test('a portfolio ends exactly on a slow connection', () =>
  through('slow', async () => {
    stage.lines.venue.delayMs = 120;
    await sleep(3_000);
    stage.lines.venue.delayMs = 0;
  }));

test('a portfolio ends exactly after the exchange was suspended', () =>
  through('stopped', async () => {
    stage.exchange.process.kill('SIGSTOP');
    await sleep(2_500);
    stage.exchange.process.kill('SIGCONT');
  }));

test('a portfolio ends exactly although the exchange is unreachable repeatedly', () =>
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

test('after all venue faults the daemon is ready, and ledger and exchange agree', async () => {
  await stage.ready();
  await stage.expectSameBooks();
});

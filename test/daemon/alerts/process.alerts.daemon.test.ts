// Alerts on the process of a daemon and on its stores, each fired by what it is about: a real daemon, a real Prometheus with the
// rules of the project and, for what it holds back, a real Alertmanager. Short causes always; `npm run test:long` has all.
import { generateKeyPairSync } from 'node:crypto';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpReceiver, httpReceiver } from '../../adapters/notices/http-receiver.ts';
import { AlertmanagerServer } from '../../monitoring/alertmanager-server.ts';
import { prometheusProgram } from '../../monitoring/prometheus-program.ts';
import { course } from '../../support/engine/two-legs.ts';
import { notProved } from '../../support/reporters/not-proved.ts';
import { AlertStage, POLL, WAIT_MS } from './alert-stage.ts';

/** Causes that take minutes. */
const IS_EVERY = process.env['TWAPD_ALERTS'] === 'all';
const LONG_MS = 900_000;
const program = prometheusProgram('prometheus');
const alertmanager = prometheusProgram('alertmanager');

const { privateKey } = generateKeyPairSync('ed25519');
const WITNESS_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Has a client request portfolios until it is over; returns the number of server errors that it got. */
async function askUntil({ daemons }: AlertStage, over: () => Promise<boolean>): Promise<number> {
  let errors = 0;
  for (const end = Date.now() + WAIT_MS; Date.now() < end && !(await over()); ) {
    const answer = await daemons.daemon.client.page({ accountId: '10001' }).catch(() => undefined);
    if (answer?.kind === 'refused' && answer.status >= 500) errors += 1;
    await sleep(100);
  }
  return errors;
}

describe.runIf(program !== undefined)('alerts on the process and its stores', () => {
  let on: AlertStage;
  let witness: HttpReceiver;

  beforeAll(async () => {
    witness = await httpReceiver();
    on = await AlertStage.open(program ?? '', {
      deployment: 'proc',
      // The next head is half a day away.
      configured: (text) =>
        `${text}\nledger: { witness: { place: '${witness.url}/heads', key: env:TWAPD_WITNESS_KEY, everyMinutes: 1440 } }\n`,
      environment: { TWAPD_WITNESS_KEY: WITNESS_KEY },
    });
  });
  afterAll(async () => {
    await on?.close();
    await witness?.close();
  });

  if (IS_EVERY) {
    test(
      'a queue that is paused in Redis fires the alerts on a wedged queue and on wake-ups that the sweeper makes up for',
      async () => {
        const connection = { path: on.daemons.redis.socket };
        const queue = new Queue('twapd-wake', { connection, prefix: 'twapd-proc' });
        await queue.pause();
        try {
          // What is due within a minute is a timer of the daemon; what is due later comes through the queue.
          const form = { ...course(600), twapTrade: { durationSec: 600, frequencySec: 100 } };
          const id = await on.daemons.submitAny(form, 'wedged');
          await on.fires('QueueWedged', 'SweeperRescuing');
          expect((await on.daemons.daemon.client.cancel(id)).kind).toBe('done');
        } finally {
          await queue.resume();
          await queue.close();
        }
        await on.shows('twapd_queue_canary_age_seconds < 10');
      },
      LONG_MS,
    );

    test(
      'a ledger that does not answer fires the alert on checks of the auditor that do not finish',
      async () => {
        on.daemons.lines.database.isSilent = true;
        try {
          await on.fires('AuditSilent');
        } finally {
          on.daemons.lines.database.speak();
        }
        await on.daemons.ready();
      },
      LONG_MS,
    );
  }

  test('server errors while the ledger is away fire the alerts on both budgets of server errors', async () => {
    const { database } = on.daemons.lines;
    database.isClosed = true;
    database.cut();
    const over = async (): Promise<boolean> =>
      (await on.isFiring('HttpErrorsFast')) && (await on.isFiring('HttpErrorsSlow'));
    const errors = await askUntil(on, over).finally(() => {
      database.isClosed = false;
    });
    expect(errors).toBeGreaterThanOrEqual(3);
    expect(await over()).toBe(true);
    await on.daemons.ready();
  });

  test('a log whose reader has gone fires the alert on lines that are lost', async () => {
    on.daemons.daemon.process.stdout?.destroy();
    await askUntil(on, () => on.isFiring('LogLinesDropped'));
    await on.fires('LogLinesDropped');
  });

  test('a daemon that is killed three times fires the alert on restarts, and one whose witness has had no head for two hours that on witnesses', async () => {
    const heads = () => on.daemons.query<{ at: string }>('SELECT at FROM witness_head');
    await expect.poll(heads, { timeout: WAIT_MS }).toHaveLength(1);
    for (let times = 1; times <= 3; times += 1) {
      await on.daemons.kill();
      // As it will be in two hours.
      await on.daemons.query('UPDATE witness_head SET at = at - 7200000');
      await on.daemons.query('DELETE FROM witness_delivery');
      await on.daemons.start();
      await on.shows(`changes(process_start_time_seconds{job="twapd"}[15m]) >= ${times}`);
    }
    await on.fires('Restarting', 'WitnessOld');
  });
});

describe.runIf(IS_EVERY && program !== undefined && alertmanager !== undefined)(
  'a store that was away for a moment',
  () => {
    let on: AlertStage;
    let manager: AlertmanagerServer;
    let page: HttpReceiver;
    let ticket: HttpReceiver;

    beforeAll(async () => {
      [page, ticket] = await Promise.all([httpReceiver(), httpReceiver()]);
      const chats = { 'alert-page-url': page.url, 'alert-ticket-url': ticket.url };
      manager = await AlertmanagerServer.start(alertmanager ?? '', chats);
      on = await AlertStage.open(program ?? '', {
        deployment: 'blip',
        alertmanager: manager.host,
      });
    });
    afterAll(async () => {
      await on?.close();
      await manager?.close();
      await Promise.all([page?.close(), ticket?.close()]);
    });

    test(
      'its server errors fire their alert, which Alertmanager sends to nobody',
      async () => {
        const { database } = on.daemons.lines;
        database.isClosed = true;
        database.cut();
        const until = Date.now() + 5_000;
        const errors = await askUntil(on, async () => Date.now() > until).finally(() => {
          database.isClosed = false;
        });
        expect(errors).toBeGreaterThanOrEqual(3);
        await on.daemons.ready();
        await on.fires('BlipHealed');
        await expect
          .poll(() => on.isFiring('HttpErrorsFast'), { ...POLL, timeout: 2 * WAIT_MS })
          .toBe(true);
        const fast = async () => (await manager.states())['TwapdHttpErrorsFast'];
        await expect.poll(fast, { timeout: WAIT_MS }).toBe('suppressed');
        // Absence: longer than Alertmanager waits before it sends.
        await sleep(3_000);
        expect(page.received).toEqual([]);
      },
      LONG_MS,
    );
  },
);

test('a machine without Prometheus or Alertmanager says that no alert was fired', () => {
  if (program === undefined || alertmanager === undefined) {
    notProved(
      'the alerts on the process',
      'not installed: apt-get install prometheus prometheus-alertmanager',
    );
  }
});

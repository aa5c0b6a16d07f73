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
import { ProcessStage, WAIT_MS } from './process-stage.ts';

/** Causes that take minutes. */
const IS_EVERY = process.env['TWAPD_ALERTS'] === 'all';
const LONG_MS = 900_000;
const program = prometheusProgram('prometheus');
const alertmanager = prometheusProgram('alertmanager');

const { privateKey } = generateKeyPairSync('ed25519');
const WITNESS_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe.runIf(program !== undefined)('alerts on the process and its stores', () => {
  let on: ProcessStage;
  let witness: HttpReceiver;

  beforeAll(async () => {
    witness = await httpReceiver();
    on = await ProcessStage.open(program ?? '', {
      deployment: 'proc',
      // The next head is half a day away.
      config: `ledger: { witness: { webhook: '${witness.url}/heads', keyEnv: TWAPD_WITNESS_KEY, everyMinutes: 1440 } }`,
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
        const connection = { path: on.stage.redis.socket };
        const queue = new Queue('twapd-wake', { connection, prefix: 'twapd-proc' });
        await queue.pause();
        try {
          // What is due within a minute is a timer of the daemon; what is due later comes through the queue.
          const form = { ...course(600), twapTrade: { durationSec: 600, frequencySec: 100 } };
          const id = await on.stage.submitAny(form, 'wedged');
          await on.fires('QueueWedged');
          await on.fires('SweeperRescuing');
          expect((await on.stage.daemon.client.cancel(id)).kind).toBe('done');
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
        on.stage.lines.database.isSilent = true;
        try {
          await on.fires('AuditSilent');
        } finally {
          on.stage.lines.database.speak();
        }
        await on.stage.ready();
      },
      LONG_MS,
    );
  }

  test('server errors while the ledger is away fire the alerts on both budgets of server errors', async () => {
    const { database } = on.stage.lines;
    database.isClosed = true;
    database.cut();
    const over = async (): Promise<boolean> =>
      (await on.isFiring('HttpErrorsFast')) && (await on.isFiring('HttpErrorsSlow'));
    const errors = await on.askUntil(over).finally(() => {
      database.isClosed = false;
    });
    expect(errors).toBeGreaterThanOrEqual(3);
    expect(await over()).toBe(true);
    await on.stage.ready();
  });

  test('a log whose reader has gone fires the alert on lines that are lost', async () => {
    on.stage.daemon.process.stdout?.destroy();
    await on.askUntil(() => on.isFiring('LogLinesDropped'));
    await on.fires('LogLinesDropped');
  });

  test('a daemon that is killed three times fires the alert on restarts, and one whose witness has had no head for two hours that on witnesses', async () => {
    const heads = () => on.stage.query<{ at: string }>('SELECT at FROM witness_head');
    await expect.poll(heads, { timeout: WAIT_MS }).toHaveLength(1);
    for (let times = 1; times <= 3; times += 1) {
      await on.stage.kill();
      // As it will be in two hours.
      await on.stage.query('UPDATE witness_head SET at = at - 7200000');
      await on.stage.query('DELETE FROM witness_delivery');
      await on.stage.start();
      await on.shows(`changes(process_start_time_seconds{job="twapd"}[15m]) >= ${times}`);
    }
    await on.fires('Restarting');
    await on.fires('WitnessOld');
  });
});

describe.runIf(IS_EVERY && program !== undefined && alertmanager !== undefined)(
  'a store that was away for a moment',
  () => {
    let on: ProcessStage;
    let manager: AlertmanagerServer;
    let page: HttpReceiver;
    let ticket: HttpReceiver;

    beforeAll(async () => {
      [page, ticket] = await Promise.all([httpReceiver(), httpReceiver()]);
      const chats = { 'alert-page-url': page.url, 'alert-ticket-url': ticket.url };
      manager = await AlertmanagerServer.start(alertmanager ?? '', chats);
      on = await ProcessStage.open(program ?? '', {
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
        const { database } = on.stage.lines;
        database.isClosed = true;
        database.cut();
        const until = Date.now() + 5_000;
        const errors = await on
          .askUntil(async () => Date.now() > until)
          .finally(() => {
            database.isClosed = false;
          });
        expect(errors).toBeGreaterThanOrEqual(3);
        await on.stage.ready();
        await on.fires('BlipHealed');
        await on.fires('HttpErrorsFast', 2 * WAIT_MS);
        const fast = async () => (await manager.states())['TwapdHttpErrorsFast'];
        await expect.poll(fast, { timeout: WAIT_MS }).toBe('suppressed');
        // Longer than Alertmanager waits before it sends.
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

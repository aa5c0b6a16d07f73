// Alerts and notifications fired by what they are about: a real daemon whose venue, ledger, queue, clients, operators and process are
// disturbed, a real Prometheus with the rules of the project, and a receiver of notifications. How long a rule waits is not waited for here: test/monitoring/alert-rules.test.ts has
// promtool judge the waits and the budgets of hours and days.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childLabel, portfolioId } from '../../../src/values/ids.ts';
import { until } from '../../adapters/until.ts';
import { twapd } from '../../main/cli-world.ts';
import { prometheusProgram } from '../../monitoring/prometheus-program.ts';
import { clientOf, request } from '../../support/daemon/daemon-deployment.ts';
import type { FaultStage } from '../../support/daemon/fault-stage.ts';
import { course } from '../../support/engine/two-legs.ts';
import { notProved } from '../../support/reporters/not-proved.ts';
import { AlertStage, passive, WAIT_MS } from './alert-stage.ts';

const DEPLOYMENT = 'alrt';
/** Causes that take minutes; `npm run test:long` has them all. */
const IS_EVERY = process.env['TWAPD_ALERTS'] === 'all';
const TAKER = ['demo-taker', 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ=='] as const;

const program = prometheusProgram('prometheus');
let alerts: AlertStage;
let stage: FaultStage;

describe.runIf(program !== undefined)('alerts', () => {
  beforeAll(async () => {
    alerts = await AlertStage.open(program ?? '', { deployment: DEPLOYMENT });
    stage = alerts.daemons;
  });
  afterAll(() => alerts?.close());

  if (IS_EVERY) {
    test('a venue that does not answer fires the alerts on venue, quotes, readiness, orders of unknown outcome and the schedule', async () => {
      const id = await stage.submitAny(passive(600), 'venue-away');
      await until(async () => {
        const info = await stage.daemon.client.info(id);
        return info.kind === 'done' && info.value.legs.some((leg) => leg.filledQuantity !== '0');
      }, WAIT_MS);
      stage.lines.venue.isSilent = true;
      await alerts
        .fires('VenueDown', 'MarketDataStale', 'NotReady', 'UndecidedChildOld', 'BehindSchedule')
        .finally(() => stage.lines.venue.speak());
      await stage.ready();
      await alerts.notified('venue_away', 'unknown_outcome', 'venue_back');
      await alerts.done('cancel', id);
      await alerts.notified('residual');
    });

    test('a ledger that is away fires the alerts on reads, commits and missed slices', async () => {
      await stage.submitAny(course(120), 'ledger-away');
      stage.lines.database.isClosed = true;
      stage.lines.database.cut();
      await alerts.fires('LedgerDown', 'LedgerFailing').finally(() => {
        stage.lines.database.isClosed = false;
      });
      await stage.ready();
      await alerts.fires('SlicesMissed');
    });

    test('an order at the venue with a label of ours and no portfolio fires the alerts on foreign orders and on a breach', async () => {
      const label = childLabel({
        deployment: DEPLOYMENT,
        portfolio: portfolioId('1700000000000001'),
        leg: 0,
        slice: 0,
        attempt: 1,
      } as never);
      const query = new URLSearchParams({
        instrument_name: 'BTC-PERPETUAL',
        amount: '100',
        type: 'limit',
        price: '60000',
        label,
      });
      const place = async (): Promise<void> => {
        const answer = await fetch(`${stage.exchange.url}/api/v2/private/buy?${query}`, {
          headers: { authorization: `Basic ${Buffer.from(TAKER.join(':')).toString('base64')}` },
        });
        expect(await answer.json()).toHaveProperty('result.order.order_state', 'open');
      };
      await place();
      await alerts.fires('ForeignOrder');
      // The comparison may have canceled it before the auditor saw it twice; after one, there is time until the next.
      await place();
      await alerts.fires('AuditBreach');
      await alerts.notified('foreign_order', 'breach');
    });

    test('files of strategies that are wrong, or come due and are refused, fire their alerts', async () => {
      const folder = join(dirname(stage.configPath), 'strategies');
      writeFileSync(join(folder, 'broken.yaml'), 'portfolio: 5\n');
      await alerts.fires('StrategyFaults');
      const at = new Date(Date.now() + 8_000).toISOString();
      const { legs, ...rest } = course(60);
      const portfolio = { ...rest, legs: legs.map((leg) => ({ ...leg, quantity: '99999999990' })) };
      const strategy = { name: 'too-large', schedule: { at }, portfolio };
      writeFileSync(join(folder, 'too-large.yaml'), JSON.stringify(strategy));
      await alerts.fires('StrategyFailed');
      await alerts.notified('strategy_failed');
    });

    test('a backup that was taken days ago fires the alert on old backups', async () => {
      const to = join(dirname(stage.configPath), 'backups');
      const { code } = await twapd(['backup', '--config', stage.configPath, '--to', to], {
        env: { ...stage.environment },
      });
      expect(code).toBe(0);
      // As it will be in two days.
      const { length } = await stage.query(
        "UPDATE mark SET value = replace(value, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), to_char((now() - interval '3 days') AT TIME ZONE 'UTC', 'YYYY-MM-DD')) WHERE name = 'newest backup' RETURNING value",
      );
      expect(length).toBe(1);
      await alerts.fires('BackupOld');
      await alerts.notified('backup_old');
    });

    test('a process that is suspended every half second fires the alert on the event loop', async () => {
      let isOver = false;
      const stalls = (async (): Promise<void> => {
        while (!isOver) {
          stage.daemon.signal('SIGSTOP');
          await sleep(300);
          stage.daemon.signal('SIGCONT');
          await sleep(200);
        }
      })();
      try {
        await alerts.fires('EventLoopLag');
      } finally {
        isOver = true;
        await stalls;
      }
      await until(
        async () =>
          (await clientOf(stage.daemon, 10001).page({ accountId: '10001' })).kind === 'done',
        WAIT_MS,
      );
    });
  }

  test('a venue that answers late fires the alert on slow requests', async () => {
    stage.lines.venue.delayMs = 700;
    const id = await stage.submitAny(course(120), 'venue-slow');
    await alerts.fires('VenueSlow').finally(() => {
      stage.lines.venue.delayMs = 0;
    });
    await alerts.done('cancel', id);
  });

  test('a ledger that commits late fires the alert on slow commits', async () => {
    stage.lines.database.delayMs = 150;
    const id = await stage.submitAny(course(120), 'ledger-slow');
    await alerts.fires('LedgerSlow').finally(() => {
      stage.lines.database.delayMs = 0;
    });
    await alerts.done('cancel', id);
  });

  test('a queue that is away fires the alerts on the queue and on failures', async () => {
    stage.lines.redis.isClosed = true;
    stage.lines.redis.cut();
    await alerts.fires('QueueDown', 'Failures').finally(() => {
      stage.lines.redis.isClosed = false;
    });
    await stage.ready();
  });

  test('switches that are set fire the alert of their scope', async () => {
    await alerts.done('switch', 'halt', '--account', '10002', '--reason', 'a drill');
    await alerts.fires('SwitchHeld');
    await alerts.done('switch', 'reduce', '--reason', 'a drill');
    await alerts.fires('TradingHeld');
    await alerts.done('switch', 'activate', '--reason', 'drill over');
    await alerts.done('switch', 'activate', '--account', '10002', '--reason', 'drill over');
    await alerts.notified('switch_set');
  });

  test('orders beyond a limit fire the alert on a control that keeps refusing', async () => {
    const order = { instrumentName: 'BTC-PERPETUAL', quantity: '900000000', price: '50000' };
    for (let at = 0; at < 30; at += 1) {
      const answer = await request(stage.daemon, 10001, 'private/buy', order);
      expect(answer).toHaveProperty('error');
    }
    await alerts.fires('ControlsRefusing');
  });

  test('signatures that are wrong, one after the other, fire the alert on authentication', async () => {
    const wrong = { 'Service-API-Nonce': 'x', 'Service-API-Signature': 'AAAA' };
    const giveUp = Date.now() + WAIT_MS;
    for (let at = 0; Date.now() < giveUp; at += 1) {
      await fetch(`${stage.daemon.url}/tt/broker/openapi/portfolios/page?accountId=10001`, {
        headers: {
          ...wrong,
          authorization: `Bearer ${TAKER[0]}`,
          'Service-API-Timestamp': String(Date.now()),
          'Service-API-Nonce': `wrong-${at}`,
        },
      });
      if (at % 100 === 0 && (await alerts.isFiring('AuthFailures'))) return;
    }
    await alerts.fires('AuthFailures');
  });

  test('a daemon that is killed fires the alert on its absence', async () => {
    await stage.kill();
    await alerts.fires('Down');
  });
});

test('a machine without Prometheus says that no alert was fired', () => {
  if (program === undefined) {
    notProved('the alerts', 'prometheus is not installed; apt-get install prometheus');
  }
});

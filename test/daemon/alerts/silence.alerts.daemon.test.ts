// Alerts that take minutes of a venue that does not answer: part of `npm run test:long` only.
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prometheusProgram } from '../../monitoring/prometheus-program.ts';
import type { FaultStage } from '../../support/daemon/fault-stage.ts';
import { course } from '../../support/engine/two-legs.ts';
import { AlertStage, POLL } from './alert-stage.ts';

const IS_EVERY = process.env['TWAPD_ALERTS'] === 'all';
const PORTFOLIOS = 6;
/** A portfolio is stuck after two minutes, on top of the start of the stage and the waits for the alerts. */
const SILENCE_MS_MAX = 900_000;

const program = IS_EVERY ? prometheusProgram('prometheus') : undefined;

describe.runIf(program !== undefined)('alerts on a venue that is silent', () => {
  let alerts: AlertStage;
  let stage: FaultStage;
  beforeAll(async () => {
    alerts = await AlertStage.open(program ?? '', { deployment: 'alrv' });
    stage = alerts.daemons;
  });
  afterAll(() => alerts?.close());

  test(
    'a venue that is silent for minutes fires the alerts on requests without an answer, on portfolios that do not end, and on orders whose outcome is known late',
    async () => {
      const names = Array.from({ length: PORTFOLIOS }, (_, n) => `silent-${n}`);
      const ids = await Promise.all(names.map((name) => stage.submitAny(course(600), name)));
      for (const id of ids) {
        const isTraded = async (): Promise<boolean> => {
          const info = await stage.daemon.client.info(id);
          return info.kind === 'done' && info.value.legs.some((leg) => leg.filledQuantity !== '0');
        };
        await expect.poll(isTraded, POLL).toBe(true);
      }
      stage.lines.venue.isSilent = true;
      try {
        await alerts.fires('VenueUnanswered');
        for (const id of ids) await alerts.done('cancel', id);
        await alerts.fires('PortfolioStuck');
      } finally {
        stage.lines.venue.speak();
      }
      await stage.ready();
      await alerts.fires('UnknownSettledLateFast', 'UnknownSettledLateSlow');
    },
    SILENCE_MS_MAX,
  );

  test('a halt that the venue does not answer fires the alert on orders that are left', async () => {
    stage.lines.venue.isSilent = true;
    try {
      await alerts.done('switch', 'halt', '--account', '10002', '--reason', 'a drill');
      await alerts.fires('HaltOrdersLeft');
    } finally {
      stage.lines.venue.speak();
    }
    await alerts.done('switch', 'activate', '--account', '10002', '--reason', 'drill over');
    await stage.ready();
  });
});

// The notification of a daemon that follows another one after hours, which takes minutes: part of
// `npm run test:long` only.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prometheusProgram } from '../../monitoring/prometheus-program.ts';
import type { FaultStage } from '../../support/daemon/fault-stage.ts';
import { course } from '../../support/engine/two-legs.ts';
import { AlertStage, POLL } from './alert-stage.ts';

const IS_EVERY = process.env['TWAPD_ALERTS'] === 'all';

const program = IS_EVERY ? prometheusProgram('prometheus') : undefined;

describe.runIf(program !== undefined)(
  'a daemon that starts hours after the last notification',
  () => {
    let alerts: AlertStage;
    let stage: FaultStage;
    beforeAll(async () => {
      alerts = await AlertStage.open(program ?? '', { deployment: 'alrs' });
      stage = alerts.daemons;
    });
    afterAll(() => alerts?.close());

    test('people are notified that events were not looked at, where no daemon notified for longer than the turn log goes back', async () => {
      const text = readFileSync(stage.configPath, 'utf8');
      const position = async (): Promise<bigint> => {
        const [row] = await stage.query<{ position: string }>(
          "SELECT position::text FROM notice_cursor WHERE source = 'turns'",
        );
        return BigInt(row?.position ?? 0);
      };
      await stage.terminate();
      writeFileSync(stage.configPath, text.replace(/^notify:\n(?: .*\n)+/m, ''));
      await stage.start();
      await stage.filled(await stage.submit(course(60), 'unseen'));
      const read = await position();
      // As it will be in two hours.
      await stage.query('UPDATE turn_log SET at = at - 7200000');
      const oldest = async (): Promise<boolean> => {
        const [row] = await stage.query<{ position: string }>(
          'SELECT min(position)::text AS position FROM turn_log',
        );
        return BigInt(row?.position ?? 0) > read;
      };
      await expect.poll(oldest, POLL).toBe(true);
      await stage.terminate();
      writeFileSync(stage.configPath, text);
      await stage.start();
      await alerts.notified('unread');
    });
  },
);

// The alerts on clocks, fired by a wall clock that is stepped under a real daemon.
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { prometheusProgram } from '../../monitoring/prometheus-program.ts';
import { fakeTime } from '../../support/fake-time.ts';
import { notProved } from '../../support/reporters/not-proved.ts';
import { AlertStage } from './alert-stage.ts';

/** More than what counts as a step, less than what the proofs about lost orders allow. */
const STEP_SEC = 0.4;

const stepsPath = join(tmpdir(), `twapd-alerts-faketime-${process.pid}`);
const clock = fakeTime(stepsPath);
const program = prometheusProgram('prometheus');

describe.runIf(program !== undefined && clock !== undefined)('alerts on clocks', () => {
  let alerts: AlertStage;
  beforeAll(async () => {
    const environment = clock?.environment ?? {};
    alerts = await AlertStage.open(program ?? '', { deployment: 'alrc', environment });
  });
  afterAll(async () => {
    await alerts?.close();
    rmSync(stepsPath, { force: true });
  });

  test('a clock that is stepped fires the alerts on steps and on its distance from that of the venue', async () => {
    clock?.step(STEP_SEC);
    await alerts.fires('ClockStepped', 'ClockOffset');
  });
});

test('a machine without Prometheus says that no alert on clocks was fired', () => {
  if (program === undefined) {
    notProved('the alerts', 'prometheus is not installed; apt-get install prometheus');
  }
});

// The alert on turns that are decided twice, by a daemon that repeatedly stands still for longer than its leases last,
// which takes minutes: part of `npm run test:long` only.
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prometheusProgram } from '../../monitoring/prometheus-program.ts';
import { ACCOUNTS, clientOf, metric } from '../../support/daemon/daemon-deployment.ts';
import type { FaultStage } from '../../support/daemon/fault-stage.ts';
import { course } from '../../support/engine/two-legs.ts';
import { AlertStage, POLL } from './alert-stage.ts';

const IS_EVERY = process.env['TWAPD_ALERTS'] === 'all';
const SHARDS = 256;
const PORTFOLIOS = 15;
const STALLS_MAX = 12;

const program = IS_EVERY ? prometheusProgram('prometheus') : undefined;

describe.runIf(program !== undefined)('a daemon that stands still beside another', () => {
  let alerts: AlertStage;
  let stage: FaultStage;
  beforeAll(async () => {
    alerts = await AlertStage.open(program ?? '', { deployment: 'alrw' });
    stage = alerts.daemons;
  });
  afterAll(() => alerts?.close());

  test('a daemon that repeatedly stands still while another takes its accounts fires the alert on turns that are decided twice', async () => {
    const slow = { ...course(600), twapTrade: { durationSec: 600, frequencySec: 10 } };
    for (let n = 0; n < PORTFOLIOS; n += 1) {
      const [account = 10001] = ACCOUNTS.slice(n % ACCOUNTS.length);
      const submits = async () =>
        await clientOf(stage.daemon, account).submit({ ...slow, accountId: account }, `slow-${n}`);
      await expect.poll(async () => (await submits()).kind, POLL).toBe('done');
    }
    const beside = await stage.startBeside();
    const owned = (of: typeof beside) => metric(of, 'twapd_shards_owned');
    try {
      for (let stalls = 0; stalls < STALLS_MAX; stalls += 1) {
        // It has its share again.
        await expect.poll(() => owned(beside), POLL).toBeLessThan(SHARDS);
        stage.daemon.signal('SIGSTOP');
        await expect.poll(() => owned(beside), POLL).toBe(SHARDS);
        stage.daemon.signal('SIGCONT');
        if (await alerts.isFiring('TurnConflicts')) break;
      }
      await alerts.fires('TurnConflicts');
    } finally {
      await beside.end('SIGTERM');
    }
    await alerts.done('cancel-all');
  });
});

// The real daemon while it is suspended and resumed, terminated under load, killed during recovery, run alongside a
// second one, and while its wall clock is stepped. Each portfolio ends with its exact total.
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../support/daemon/daemon-deployment.ts';
import { FaultStage } from '../support/daemon/fault-stage.ts';
import { course } from '../support/engine/two-legs.ts';
import { fakeTime } from '../support/fake-time.ts';

const SECONDS = 4;

const stepsPath = join(tmpdir(), `twapd-faketime-${process.pid}`);
const clock = fakeTime(stepsPath);

describe('faults of the daemon process', () => {
  let stage: FaultStage;
  beforeAll(async () => {
    stage = await FaultStage.open({ deployment: 'pflt' });
  });
  afterAll(() => stage.close());

  test('a daemon suspended across slices continues and ends with the exact total', async () => {
    const id = await stage.submit(course(SECONDS), 'stopped');
    for (const [afterMs, forMs] of [
      [300, 1_400],
      [500, 900],
    ] as const) {
      await sleep(afterMs);
      stage.daemon.signal('SIGSTOP');
      await sleep(forMs);
      stage.daemon.signal('SIGCONT');
    }
    await stage.filled(id);
  });

  test('a daemon terminated under load exits with 0, and the next one continues', async () => {
    const submits = Array.from({ length: 12 }, (_, n) =>
      stage.submit(course(SECONDS), `load ${n}`),
    );
    await Promise.race(submits);
    await sleep(700);
    expect(await stage.terminate()).toBe(0);
    await stage.start();
    for (const id of await Promise.all(submits)) await stage.filled(id);
  });

  test('a daemon terminated while no server replies exits all the same', async () => {
    const { lines } = stage;
    const id = await stage.submit(course(SECONDS), 'deaf');
    await sleep(500);
    for (const line of Object.values(lines)) line.isSilent = true;
    expect(await stage.terminate()).toBeTypeOf('number');
    for (const line of Object.values(lines)) line.speak();
    await stage.start();
    await stage.filled(id);
  });

  test('a daemon killed repeatedly during recovery ends with the exact total', async () => {
    const id = await stage.submit(course(SECONDS), 'recovery');
    await sleep(700);
    await stage.kill();
    for (const afterMs of [250, 500, 750]) await stage.startAndKill(afterMs);
    await stage.start();
    await stage.filled(id);
  });

  test('a daemon continues alone after a second one on the same ledger was killed', async () => {
    const beside = await stage.startBeside();
    const ids = await Promise.all([0, 1, 2].map((n) => stage.submit(course(SECONDS), `two ${n}`)));
    await sleep(1_500);
    await beside.end('SIGKILL');
    for (const id of ids) await stage.filled(id);
  });

  test('after all process faults the daemon is ready, and ledger and exchange agree', async () => {
    await stage.ready();
    await stage.expectSameBooks();
  });
});

if (clock !== undefined) {
  describe('steps of the wall clock', () => {
    let stage: FaultStage;
    beforeAll(async () => {
      stage = await FaultStage.open({ deployment: 'cflt', environment: clock.environment });
    });
    afterAll(async () => {
      await stage.close();
      rmSync(stepsPath);
    });

    test.each([
      ['there and back within the margin', [0.4, 0]],
      ['back and forth within the margin', [-0.4, 0]],
      ['far ahead and back', [3, 0]],
      ['back and ahead', [-3, 0]],
    ])('a wall clock stepped %s makes no order early or duplicate', async (name, steps) => {
      const seen = (): number => stage.daemon.output().split('the wall clock jumped').length;
      const before = seen();
      const id = await stage.submit(course(SECONDS), name);
      for (const [index, offsetSec] of steps.entries()) {
        await sleep(900);
        clock.step(offsetSec);
        // A step there and back that nobody looked at in between is none.
        await until(() => Promise.resolve(seen() > before + index));
      }
      await stage.filled(id);
      expect(seen() - before).toBe(steps.length);
    });

    test('after all clock steps the daemon is ready, and ledger and exchange agree', async () => {
      await stage.ready();
      await stage.expectSameBooks();
    });
  });
}

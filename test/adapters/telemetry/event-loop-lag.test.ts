// The lag of the event loop as several readers see it.
import { afterEach, expect, test } from 'vitest';
import { EventLoopLag } from '../../../src/adapters/telemetry/metrics/event-loop-lag.ts';

const RESOLUTION_MS = 5;
const BLOCKED_MS = 300;
let lag: EventLoopLag;
afterEach(() => lag.close());

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

function block(): void {
  const until = performance.now() + BLOCKED_MS;
  while (performance.now() < until);
}

/** Until the reading shows the blocked time; the sampler needs a turn of the loop to notice it. */
async function seen(): Promise<void> {
  while (lag.read().maxSec < (BLOCKED_MS - 50) / 1_000) await pause(RESOLUTION_MS);
}

test('a reading takes nothing away from the readings after it', async () => {
  lag = new EventLoopLag(RESOLUTION_MS, 3_600_000);
  await pause(4 * RESOLUTION_MS);
  block();
  await seen();
  const [one, other] = [lag.read(), lag.read()];
  expect(other.maxSec).toBeGreaterThanOrEqual(one.maxSec);
  expect(other.utilization).toBeGreaterThan(0);
});

test('what happened in a window is gone once later ones are over', async () => {
  lag = new EventLoopLag(RESOLUTION_MS, 100);
  await pause(4 * RESOLUTION_MS);
  block();
  await seen();
  while (lag.read().maxSec > (BLOCKED_MS - 100) / 1_000) await pause(20);
  expect(lag.read().maxSec).toBeLessThan(BLOCKED_MS / 1_000);
});

import { setImmediate as nextLoop } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Paced } from '../../../../src/gateway/order-api/channels/paced.ts';

it('a failed flush is reported unless the pacer was stopped meanwhile', async () => {
  const faults: unknown[] = [];
  let fail: (error: Error) => void = () => expect.unreachable('no flush runs');
  const flush = (): Promise<void> =>
    new Promise((_, reject) => {
      fail = reject;
      begun();
    });
  let begun = (): void => expect.unreachable('nobody waits');
  const begin = (paced: Paced): Promise<void> =>
    new Promise((resolve) => {
      begun = resolve;
      paced.mark();
    });
  const paced = new Paced({ intervalMs: 1, flush, onFault: (error) => faults.push(error) });
  // The timer of a flush alone keeps no process alive.
  const alive = setInterval(() => undefined, 1_000);
  await begin(paced);
  fail(new Error('heard'));
  await nextLoop();
  expect(faults).toEqual([new Error('heard')]);
  await begin(paced);
  paced.stop();
  fail(new Error('unheard'));
  await nextLoop();
  expect(faults).toEqual([new Error('heard')]);
  clearInterval(alive);
});

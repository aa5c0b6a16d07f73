// What requests cost is the work of this process, not what else the machine was busy with.
import { expect, test } from 'vitest';
import { WorkLimits } from '../../src/gateway/work-limits.ts';
import { instant } from '../../src/values/instant.ts';

const RULE = { perSecond: 1, burst: 100 };

test('time in which the process was given no processor is charged to nobody', () => {
  const rules = { key: RULE, address: RULE, strangers: RULE };
  const limits = new WorkLimits({ now: () => instant(0), rules, rememberedMax: 10 });
  const payer = { key: undefined, from: '127.0.0.1' };
  const first = limits.start(payer, 'question', 1);
  if (first.kind !== 'started') throw new Error('a new address is refused');
  const fromMs = limits.stopwatch();
  // The thread stands still, as it does while other programs have the processor.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  first.done(limits.stopwatch() - fromMs, 0);
  expect(limits.start(payer, 'question', 1).kind).toBe('started');
});

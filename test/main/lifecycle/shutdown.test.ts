// The end of a process proceeds whatever one of its steps does.
import { expect, test } from 'vitest';
import { Shutdown } from '../../../src/main/lifecycle/shutdown.ts';

const NEVER = (): Promise<never> => new Promise(() => undefined);

interface Line {
  readonly step: string;
  readonly message: string;
}

function stage(budgetMs: number) {
  const lines: Line[] = [];
  const told = (fields: object, message: string): void => {
    lines.push({ step: (fields as { step: string }).step, message });
  };
  const ending = new Shutdown({ log: { warn: told, error: told }, budgetMs });
  return { ending, lines, steps: () => lines.map(({ step }) => step) };
}

test('a step that never ends is logged by its name, and later steps run', async () => {
  const { ending, lines } = stage(10_000);
  const ran: string[] = [];
  await ending.step('gateway', { limitMs: 20 }, NEVER);
  await ending.step('ledger', { limitMs: 20_000 }, () => void ran.push('ledger'));
  expect(ran).toEqual(['ledger']);
  expect(lines).toEqual([
    { step: 'gateway', message: expect.stringContaining('longer than its time limit') },
  ]);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('broken');
    },
  ],
  ['rejects', () => Promise.reject(new Error('broken'))],
])('a step that %s is logged, and later steps run', async (_how, run) => {
  const { ending, steps } = stage(10_000);
  let isRun = false;
  await ending.step('queue', { limitMs: 20_000 }, run);
  await ending.step('ledger', { limitMs: 20_000 }, () => {
    isRun = true;
  });
  expect([isRun, steps()]).toEqual([true, ['queue']]);
});

test('steps that never end use no more than the budget, and a mandatory step still gets its time', async () => {
  const { ending, steps } = stage(100);
  const names = ['gateway', 'engine', 'queue', 'board'];
  for (const name of names) await ending.step(name, { limitMs: 60_000 }, NEVER);
  expect(ending.leftMs).toBe(0);
  let isStopped = false;
  await ending.step('private servers', { limitMs: 60_000, isSure: true }, async () => {
    await new Promise((done) => setTimeout(done, 150));
    isStopped = true;
  });
  expect(isStopped).toBe(true);
  expect(steps()).toEqual(names);
});

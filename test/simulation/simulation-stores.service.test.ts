// The production engine under planned faults on the real PostgreSQL and Redis, which the command starts itself: fresh
// ones, so that their transaction numbers pass a thousand within the run.
import { expect, test } from 'vitest';
import { runScript } from './child.ts';

test('a seed without a breach in memory has none on real stores', async () => {
  const words = ['--stores', 'real', '--seeds', '6'];
  const { code, output, complaint } = await runScript('simulate.ts', words);
  expect(code, `${output.slice(-6_000)}\n${complaint}`).toBe(0);
}, 900_000);

test('a mutant that breaks a run in memory breaks it on real stores too', async () => {
  const words = ['--seeds', '6', '--mutant', MUTANT];
  const memory = await runScript('simulate.ts', words);
  const real = await runScript('simulate.ts', [...words, '--stores', 'real']);
  expect([memory.code, real.code], real.output + real.complaint).toEqual([1, 1]);
  const brokenIn = (output: string): string | undefined =>
    /seed \d+ at .*?: I\d+/.exec(output)?.[0];
  expect(brokenIn(real.output)).toBe(brokenIn(memory.output));
}, 900_000);

/** Breaks an invariant in one of the first seeds. */
const MUTANT = 'doubt-is-success';

// Prints at the end of a run what it cost: the most expensive test files by wall time and by processor time, each folder, and
// the processes that the tests started, by program.
import { relative } from 'node:path';
import process from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';
import type { ProgramCost } from './file-cost.ts';

const SHOWN = 25;
/** A run of a few files needs no table. */
const FILES_MIN = 40;

export class CostReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length >= FILES_MIN) process.stdout.write(costTables(modules.map(costOf)));
  }
}

export interface FileCost {
  readonly file: string;
  readonly wallMs: number;
  readonly processorMs: number;
  readonly programs: Readonly<Record<string, ProgramCost>>;
}

function costOf(module: TestModule): FileCost {
  const { collectDuration, duration, prepareDuration, setupDuration } = module.diagnostic();
  return {
    file: relative(process.cwd(), module.moduleId),
    wallMs: collectDuration + duration + prepareDuration + setupDuration,
    processorMs: module.meta().processorMs ?? 0,
    programs: module.meta().programs ?? {},
  };
}

export function costTables(costs: readonly FileCost[]): string {
  const files = (by: (cost: FileCost) => number): readonly string[] =>
    costs
      .toSorted((a, b) => by(b) - by(a))
      .slice(0, SHOWN)
      .map(({ wallMs, processorMs, file }) => line([wallMs, processorMs], file));
  const sums = summed(costs, ({ file }) => file.split('/').slice(0, 2).join('/'));
  return [
    '\n   wall s    cpu s  the slowest test files\n',
    ...files(({ wallMs }) => wallMs),
    '\n   wall s    cpu s  the test files that need the processor most\n',
    ...files(({ processorMs }) => processorMs),
    '\n   wall s    cpu s  the folders\n',
    ...[...sums]
      .toSorted(([, a], [, b]) => b.processorMs - a.processorMs)
      .map(([folder, { wallMs, processorMs }]) => line([wallMs, processorMs], folder)),
    ...summed(costs, () => `all ${costs.length} files`)
      .entries()
      .map(([all, { wallMs, processorMs }]) => line([wallMs, processorMs], all)),
    '\n  started    cpu s  the programs that tests started\n',
    ...programsOf(costs).map(
      ([program, { started, processorMs }]) =>
        `${String(started).padStart(9)} ${inSeconds(processorMs)}  ${program}\n`,
    ),
  ].join('');
}

type Sum = Pick<FileCost, 'wallMs' | 'processorMs'>;

function summed(
  costs: readonly FileCost[],
  nameOf: (cost: FileCost) => string,
): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const cost of costs) {
    const { wallMs, processorMs } = sums.get(nameOf(cost)) ?? { wallMs: 0, processorMs: 0 };
    sums.set(nameOf(cost), {
      wallMs: wallMs + cost.wallMs,
      processorMs: processorMs + cost.processorMs,
    });
  }
  return sums;
}

function programsOf(costs: readonly FileCost[]): readonly (readonly [string, ProgramCost])[] {
  const sums = new Map<string, ProgramCost>();
  for (const [program, cost] of costs.flatMap(({ programs }) => Object.entries(programs))) {
    const { started, processorMs } = sums.get(program) ?? { started: 0, processorMs: 0 };
    sums.set(program, {
      started: started + cost.started,
      processorMs: processorMs + cost.processorMs,
    });
  }
  return [...sums].toSorted(([, a], [, b]) => b.processorMs - a.processorMs);
}

const line = (times: readonly number[], what: string): string =>
  `${times.map(inSeconds).join(' ')}  ${what}\n`;

const inSeconds = (ms: number): string => (ms / 1_000).toFixed(1).padStart(9);

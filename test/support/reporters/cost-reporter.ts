// Prints the cost of the test files at the end of a run: the most expensive by wall time, with their processor
// seconds.
import { relative } from 'node:path';
import process from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 25;
/** A run of a few files needs no table. */
const FILES_MIN = 40;

export class CostReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length >= FILES_MIN) process.stdout.write(costTable(modules.map(costOf)));
  }
}

export interface FileCost {
  readonly file: string;
  readonly wallMs: number;
  readonly processorMs: number;
}

function costOf(module: TestModule): FileCost {
  const { collectDuration, duration, prepareDuration, setupDuration } = module.diagnostic();
  return {
    file: relative(process.cwd(), module.moduleId),
    wallMs: collectDuration + duration + prepareDuration + setupDuration,
    processorMs: module.meta().processorMs ?? 0,
  };
}

export function costTable(costs: readonly FileCost[], shown = SHOWN): string {
  const dearest = costs.toSorted((a, b) => b.wallMs - a.wallMs).slice(0, shown);
  const all = (pick: (cost: FileCost) => number): number =>
    costs.reduce((sum, cost) => sum + pick(cost), 0);
  const line = (wallMs: number, processorMs: number, what: string): string =>
    `${inSeconds(wallMs)} ${inSeconds(processorMs)}  ${what}\n`;
  return [
    '\n   wall s    cpu s  the most expensive test files\n',
    ...dearest.map(({ wallMs, processorMs, file }) => line(wallMs, processorMs, file)),
    line(
      all((cost) => cost.wallMs),
      all((cost) => cost.processorMs),
      `all ${costs.length} files`,
    ),
  ].join('');
}

const inSeconds = (ms: number): string => (ms / 1_000).toFixed(1).padStart(9);

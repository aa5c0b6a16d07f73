// Measures the processor time a test file costs: that of its worker, modules loaded for it included, and of processes it started
// and waited for. Loaded before each file; the reporter in test/support/reporters/cost-reporter.ts prints it.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Milliseconds. */
    processorMs?: number;
  }
}

/** Linux counts in ticks of a hundredth of a second, whatever the kernel's own clock. */
const TICK_MS = 10;

/** What a worker that runs several files had spent when the file before was over. */
const counted = globalThis as { twapdSpentMs?: number };

function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
}

/** Nothing where there is no /proc: only Linux tells what ended children cost. */
function childrenMs(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // Behind the program's name, which may hold anything: state is the first, cutime and cstime the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

const beforeMs = counted.twapdSpentMs ?? 0;

// biome-ignore lint/correctness/noEmptyPattern: Vitest wants the fixtures destructured, though none is used.
afterAll(({}, { file }) => {
  const nowMs = spentMs();
  file.meta.processorMs = nowMs - beforeMs;
  counted.twapdSpentMs = nowMs;
});

// Measures the processor time of a test file: that of its worker, including loaded modules, and of the processes it
// started and waited for. Loaded before each file; the reporter in test/support/reporters/cost-reporter.ts prints
// it.
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

/** The time that a worker running several files had used at the end of the previous one. */
const counted = globalThis as { twapdSpentMs?: number };

function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
}

/** Nothing without /proc: only Linux reports the cost of ended children. */
function childrenMs(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // After the program's name, which may contain anything: state comes first, cutime and cstime are 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

const beforeMs = counted.twapdSpentMs ?? 0;

// biome-ignore lint/correctness/noEmptyPattern: Vitest requires destructured fixtures, though none is used.
afterAll(({}, { file }) => {
  const nowMs = spentMs();
  file.meta.processorMs = nowMs - beforeMs;
  counted.twapdSpentMs = nowMs;
});

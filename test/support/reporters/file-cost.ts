// Measures the processor time of a test file: that of its worker, including loaded modules, and of the processes it
// started and waited for, by program. Loaded before each file; the reporter in test/support/reporters/cost-reporter.ts
// prints it.
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { afterAll } from 'vitest';
import { programOf } from './program-name.ts';

export interface ProgramCost {
  readonly started: number;
  /** Of those that have ended, with what they in turn started and waited for. */
  readonly processorMs: number;
}

declare module 'vitest' {
  interface TaskMeta {
    /** Milliseconds. */
    processorMs?: number;
    /** By the program's name; without those that a test starts and waits for at once. */
    programs?: Readonly<Record<string, ProgramCost>>;
  }
}

/** Linux counts in ticks of a hundredth of a second, whatever the kernel's own clock. */
const TICK_MS = 10;

interface Counted {
  /** The time that a worker running several files had used at the end of the previous one. */
  spentMs: number;
  programs: Map<string, ProgramCost>;
}

const worker = globalThis as { twapdCounted?: Counted };

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

/** Counts what this worker starts from now on; what has ended between two ends of processes is the later one's cost. */
function countPrograms(): Counted {
  const counted: Counted = { spentMs: 0, programs: new Map() };
  let knownMs = childrenMs();
  const add = (program: string, started: number, processorMs: number): void => {
    const before = counted.programs.get(program) ?? { started: 0, processorMs: 0 };
    counted.programs.set(program, {
      started: before.started + started,
      processorMs: before.processorMs + processorMs,
    });
  };
  subscribe('child_process', (message) => {
    const { process: child } = message as { readonly process: ChildProcess };
    // What the process is said to run is known once it has been spawned.
    child.once('spawn', () => add(programOf(child.spawnargs), 1, 0));
    child.once('exit', () => {
      const nowMs = childrenMs();
      add(programOf(child.spawnargs), 0, nowMs - knownMs);
      knownMs = nowMs;
    });
  });
  return counted;
}

worker.twapdCounted ??= countPrograms();
const counted = worker.twapdCounted;

// biome-ignore lint/correctness/noEmptyPattern: Vitest requires destructured fixtures, though none is used.
afterAll(({}, { file }) => {
  const nowMs = spentMs();
  file.meta.processorMs = nowMs - counted.spentMs;
  file.meta.programs = Object.fromEntries(counted.programs);
  counted.spentMs = nowMs;
  counted.programs.clear();
});

// Measures the processor time of a test file: that of its worker, including loaded modules, and of the processes it
// started and waited for, by program. Loaded before each file; the reporter in test/support/reporters/cost-reporter.ts
// prints it.
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import process from 'node:process';
import { afterAll } from 'vitest';
import { childrenMs } from './processor-time.ts';
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

interface Counted {
  /** The time that a worker running several files had used at the end of the previous one. */
  spentMs: number;
  programs: Map<string, ProgramCost>;
}

const worker = globalThis as { twapdCounted?: Counted };

function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs('self');
}

/** Counts what this worker starts from now on; what has ended between two ends of processes is the later one's cost. */
function countPrograms(): Counted {
  const counted: Counted = { spentMs: 0, programs: new Map() };
  let knownMs = childrenMs('self');
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
      const nowMs = childrenMs('self');
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

// Measures the processor time of a test file: that of its worker, including loaded modules, and of the processes it
// started and waited for, by program. Loaded before each file; the reporter in test/support/reporters/cost-reporter.ts
// prints it.
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import process from 'node:process';
import { afterAll } from 'vitest';
import { childrenMs, processorMs } from './processor-time.ts';
import { programOf } from './program-name.ts';

export interface ProgramCost {
  readonly started: number;
  /** With what they in turn started and waited for. */
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
  /** What was counted already of each process that serves several files, and still runs. */
  readonly running: Map<ChildProcess, number>;
}

const worker = globalThis as { twapdCounted?: Counted };

function spentMs(): number {
  const { user, system } = process.cpuUsage();
  const ofRunning = [...counted.running.keys()].reduce((sum, child) => sum + soFarMs(child), 0);
  return (user + system) / 1_000 + childrenMs('self') + ofRunning;
}

const soFarMs = ({ pid }: ChildProcess): number => (pid === undefined ? 0 : processorMs(pid));

function add(to: Counted, program: string, started: number, ms: number): void {
  const before = to.programs.get(program) ?? { started: 0, processorMs: 0 };
  to.programs.set(program, {
    started: before.started + started,
    processorMs: before.processorMs + ms,
  });
}

/** Counts what this worker starts from now on; what has ended between two ends of processes is the later one's cost. */
function countPrograms(): Counted {
  const counted: Counted = { spentMs: 0, programs: new Map(), running: new Map() };
  let knownMs = childrenMs('self');
  subscribe('child_process', (message) => {
    const { process: child } = message as { readonly process: ChildProcess };
    // What the process is said to run is known once it has been spawned.
    child.once('spawn', () => {
      add(counted, programOf(child.spawnargs), 1, 0);
      counted.running.set(child, 0);
    });
    child.once('exit', () => {
      const nowMs = childrenMs('self');
      const countedMs = counted.running.get(child) ?? 0;
      counted.running.delete(child);
      add(counted, programOf(child.spawnargs), 0, nowMs - knownMs - countedMs);
      knownMs = nowMs;
    });
  });
  return counted;
}

worker.twapdCounted ??= countPrograms();
const counted = worker.twapdCounted;

// biome-ignore lint/correctness/noEmptyPattern: Vitest requires destructured fixtures, though none is used.
afterAll(({}, { file }) => {
  for (const [child, countedMs] of counted.running) {
    const soFar = soFarMs(child);
    add(counted, programOf(child.spawnargs), 0, soFar - countedMs);
    counted.running.set(child, soFar);
  }
  const nowMs = spentMs();
  file.meta.processorMs = nowMs - counted.spentMs;
  file.meta.programs = Object.fromEntries(counted.programs);
  counted.spentMs = nowMs;
  counted.programs.clear();
});

// The processes of a resident: daemon, exchange and command line as an operator starts them. Their logs are read
// line by line, their memory is read from the system, and at the end it is checked that none of them is left.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LogLine {
  readonly atMs: number;
  readonly level: string;
  readonly text: string;
}

export interface RunningProcess {
  readonly name: string;
  readonly child: ChildProcess;
  readonly url: string;
  readonly startedMs: number;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

const START_MS_MAX = 120_000;
const LOOK_MS = 25;
const SERIOUS = new Set(['warn', 'error', 'fatal']);

/** Runs `twapd …` and reads its output line by line. */
export function command(
  words: readonly string[],
  onLine: (line: string) => void,
  environment: Readonly<Record<string, string>> = {},
): { readonly child: ChildProcess; readonly ended: Promise<number | string> } {
  const args = [resolve('src/setup/run.mjs'), '--quiet', resolve('src/main/cli.ts'), ...words];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', onLine);
  }
  const ended = new Promise<number | string>((done) => {
    child.once('close', (code, signal) => done(code ?? signal ?? ''));
  });
  return { child, ended };
}

/** The warnings and errors of all processes, and the latest few lines of any level. */
export class Logs {
  readonly serious: (LogLine & { readonly process: string })[] = [];
  readonly latest: string[] = [];
  lines = 0;

  take(from: string, text: string): void {
    this.lines += 1;
    this.latest.push(`${from}: ${text}`);
    if (this.latest.length > 40) this.latest.shift();
    const level = levelOf(text);
    if (SERIOUS.has(level)) this.serious.push({ process: from, atMs: Date.now(), level, text });
  }
}

/** A line that is not JSON was not written by the logger: it counts as an error. */
function levelOf(text: string): string {
  try {
    return String(JSON.parse(text).level);
  } catch {
    return 'error';
  }
}

export interface Starting {
  readonly name: string;
  readonly words: readonly string[];
  readonly logs: Logs;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts the process and waits until it prints its ready address. */
export async function startProcess(starting: Starting): Promise<RunningProcess> {
  const { name, words, logs, environment } = starting;
  let url: string | undefined;
  const onLine = (line: string): void => {
    url ??= /ready on (http:\/\/[\d.:]+)/.exec(line)?.[1];
    logs.take(name, line);
  };
  const startedMs = Date.now();
  const { child, ended } = command(words, onLine, environment);
  while (url === undefined) {
    if (child.exitCode !== null || Date.now() - startedMs > START_MS_MAX) {
      child.kill('SIGKILL');
      throw new Error(`${name} did not get ready:\n${logs.latest.join('\n')}`);
    }
    await sleep(LOOK_MS);
  }
  return { name, child, url, startedMs, ended };
}

/** A process and those that it started as its parts. */
function family(pid: number | undefined): readonly (number | undefined)[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return [pid, ...text.split(' ').filter(Boolean).map(Number)];
  } catch {
    return [pid];
  }
}

/** Resident memory of a process and its parts in MB; `undefined` if it has ended. */
export function memoryMb(pid: number | undefined): number | undefined {
  const each = family(pid).map(ownMemoryMb);
  return each[0] === undefined ? undefined : each.reduce<number>((sum, mb) => sum + (mb ?? 0), 0);
}

function ownMemoryMb(pid: number | undefined): number | undefined {
  try {
    const kB = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kB === undefined ? undefined : Number(kB) / 1024;
  } catch {
    return undefined;
  }
}

const TICKS_A_SECOND = 100;

/** Processor seconds used by a process and its parts; 0 if it has ended. */
export const processorSec = (pid: number | undefined): number =>
  family(pid).reduce<number>((sum, one) => sum + ownProcessorSec(one), 0);

function ownProcessorSec(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  } catch {
    return 0;
  }
}

/** Processes that have `folder` in their command line or work in it, as "pid command line". */
export function processesOf(folder: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (Number(pid) === process.pid) continue;
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const place = readlinkSync(`/proc/${pid}/cwd`);
      if (line.includes(folder) || place.startsWith(folder)) found.push(`${pid} ${line}`);
    } catch {
      // The process ended meanwhile.
    }
  }
  return found;
}

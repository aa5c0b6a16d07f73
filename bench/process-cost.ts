// What a process has cost so far, as Linux reports it.
import { readFileSync } from 'node:fs';

/** Kernel clock ticks per second, as Linux reports process times. */
const TICKS_PER_SEC = 100;

/** Seconds of processor time that the process has used. */
export function cpuSec(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SEC;
}

/** Megabytes of it in memory. */
export function residentMb(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1_024;
}

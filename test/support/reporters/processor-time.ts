// The processor time of a process, as Linux counts it; elsewhere nothing is known of it.
import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Linux counts in ticks of a hundredth of a second, whatever the kernel's own clock. */
const TICK_MS = 10;

/** Of the children that the process has waited for. */
export const childrenMs = (of: number | 'self'): number => sumOf(of, [13, 14]);

/** Of the process and the children that it has waited for. */
export const processorMs = (of: number): number => sumOf(of, [11, 12, 13, 14]);

function sumOf(of: number | 'self', places: readonly number[]): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync(`/proc/${of}/stat`, 'utf8');
  // After the program's name, which may contain anything. The state comes first there, then utime, stime, cutime and cstime are
  // 12th to 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return places.reduce((sum, place) => sum + Number(fields[place]), 0) * TICK_MS;
}

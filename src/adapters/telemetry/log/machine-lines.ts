// Lines about what the machine has left: space on a disk, time of a processor.
import type { Logger } from 'pino';
import { isAtLeast, spaceText } from '../../../core/disk/disk-space.ts';
import type { Observation } from '../../../ports/observer.ts';
import { shownMs } from './shown-ms.ts';

const CONSEQUENCES = {
  ample: '',
  low: '',
  critical: '; the daemon is not ready',
  exhausted: '; the daemon is not ready, and new portfolios are refused',
} as const;

export function logDiskSpace(log: Logger, change: Observation<'disk_space_changed'>): void {
  const { paths, space, before, level } = change;
  const isWorse = !isAtLeast(before, level);
  const severity = isWorse ? (level === 'low' ? 'warn' : 'error') : 'info';
  const what = `the disk of ${paths.join(', ')} has ${spaceText(space)}${CONSEQUENCES[level]}`;
  log[severity]({ event: 'disk_space', level, before, paths, ...space }, what);
}

export function logOverload(log: Logger, change: Observation<'overload_changed'>): void {
  const { isOverloaded, lagMs, lateMs } = change;
  const fields = { lagMs: shownMs(lagMs), lateMs: shownMs(lateMs) };
  if (isOverloaded) {
    const what = 'overloaded: new portfolios are refused until slices are in time again';
    log.warn({ event: 'overload_began', ...fields }, what);
  } else log.info({ event: 'overload_ended', ...fields }, 'no longer overloaded');
}

// Gives memory back to the system that nothing uses any more. V8 collects when it allocates, so a process that is idle after a
// large report keeps the heap of that report for good. Only for a process whose pause of some tens of milliseconds delays no
// slice: the gateway.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface HeapReading {
  /** What the heap takes of the system, used or not. */
  readonly heapBytes: number;
  /** The same after the last return; 0 before the first. */
  readonly keptBytes: number;
  /** Share of the time since the last look in which the event loop was busy, 0 to 1. */
  readonly utilization: number;
}

/** A collection costs 10 to 50 ms, so less than this is not worth one. */
const GROWN_BYTES = 128 * 1024 * 1024;
const IDLE_UTILIZATION = 0.05;
const LOOK_EVERY_MS = 10_000;

export const isWorthReturning = ({ heapBytes, keptBytes, utilization }: HeapReading): boolean =>
  utilization < IDLE_UTILIZATION && heapBytes - keptBytes >= GROWN_BYTES;

/** Collects everything and returns the free pages; the size of the heap after it, in bytes. */
export function returnHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  return process.memoryUsage().heapTotal;
}

/** Looks every ten seconds for as long as the process runs, which it does not keep alive. */
export function returnHeapWhenIdle(): void {
  let since = performance.eventLoopUtilization();
  let keptBytes = 0;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, since);
    since = now;
    const { heapTotal: heapBytes } = process.memoryUsage();
    if (isWorthReturning({ heapBytes, keptBytes, utilization })) keptBytes = returnHeap();
  }, LOOK_EVERY_MS).unref();
}

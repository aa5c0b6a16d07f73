// The lifetime contract of every component that runs for as long as the process: start, drain, stop, in this order.
// What is merely opened, such as a store or a venue, has `close` instead.
import type { Clock, StopTimer } from '../ports/clock.ts';
import { later } from '../values/instant.ts';

export interface Lifetime {
  /** Resolves once the component is in operation; rejects if it cannot be. */
  start(): Promise<void>;
  /**
   * Begins nothing new at once and resolves when everything in flight has ended, which may take for ever: the caller
   * bounds the wait. Does not reject; failures are reported as at any other time.
   */
  drain(): Promise<void>;
  /** Releases timers and subscriptions. What is still in flight has no further effect. */
  stop(): void;
}

/** Drains for at most `graceMs`, then stops. */
export async function drainAndStop(
  component: Pick<Lifetime, 'drain' | 'stop'>,
  { clock, graceMs }: { readonly clock: Clock; readonly graceMs: number },
): Promise<void> {
  const drained = component.drain();
  let stopTimer: StopTimer = () => undefined;
  const late = new Promise<void>((resolve) => {
    if (graceMs <= 0) resolve();
    else stopTimer = clock.at(later(clock.now(), graceMs), resolve);
  });
  try {
    await Promise.race([drained, late]);
  } finally {
    stopTimer();
    component.stop();
  }
}

// The time that everything on the page is shown by: a second that ticks.
import { effect, signal } from '@preact/signals';
import { serverNow } from '../link/page-session.ts';

/** By the gateway's clock, Unix milliseconds. */
export const nowMs = signal(Date.now());
/** By the browser's own, for ages. */
export const tickMs = signal(performance.now());

export function startClock(): void {
  const tick = (): void => {
    nowMs.value = serverNow();
    tickMs.value = performance.now();
  };
  setInterval(tick, 500);
  // At once, and as soon as the gateway's clock is known: until the next tick, times would be by the browser's.
  effect(tick);
}

// Waits for events of the outside world.
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves once the condition holds; throws if it still does not after `withinMs`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`still not so after ${withinMs} ms`);
    await sleep(5);
  }
}

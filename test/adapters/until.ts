// Waits for what the world outside does in its own time.
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns when the condition holds; throws when it still does not after `withinMs`. */
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

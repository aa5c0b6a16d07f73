// Batches the work that arrives in one event-loop tick. Interleaved with system calls the same work costs twice
// as much, because caches go cold.
import { EVENT_LOOP, type Loop } from '../limits/fair-turns.ts';

type Work = () => void;

export interface Step {
  readonly take: (work: Work) => void;
}

/**
 * Milliseconds after which the remaining work is deferred to the next turn of the event loop, so that execution
 * is not delayed.
 */
const BUDGET_MS = 4;

/** Runs work in order of arrival, right after the sockets of the current tick have been read. */
export function inTickBatch(loop: Loop = EVENT_LOOP): Step {
  let waiting: Work[] = [];
  const run = (): void => {
    const all = waiting;
    waiting = [];
    const untilMs = loop.nowMs() + BUDGET_MS;
    let done = 0;
    while (done < all.length && (done === 0 || loop.nowMs() < untilMs)) {
      all[done]?.();
      done += 1;
    }
    if (done === all.length) return;
    const begun = waiting.length > 0;
    waiting = [...all.slice(done), ...waiting];
    // Work that arrived meanwhile has already scheduled its turn.
    if (!begun) loop.nextTurn(run);
  };
  return {
    take: (work) => {
      if (waiting.push(work) === 1) loop.nextTurn(run);
    },
  };
}

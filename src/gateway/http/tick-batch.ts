// Work that came in with one look at the sockets, done piece after piece once all of it is there. Between
// two system calls the same work costs twice as much as in a row, for nothing it needs is at hand any more.
import { EVENT_LOOP, type Loop } from '../limits/fair-turns.ts';

type Work = () => void;

export interface Step {
  readonly take: (work: Work) => void;
  readonly hasWork: () => boolean;
}

/** Milliseconds after which the rest waits for the next turn of the event loop, so that execution is not held up. */
const BUDGET_MS = 4;

/**
 * Runs what it is given right after the sockets of this moment were read, in the order it came. A step lets
 * the work `ahead` of it go first where there is some, once: so it waits for one look at the sockets at most.
 */
export function inTickBatch(ahead?: Step, loop: Loop = EVENT_LOOP): Step {
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
    // What came in meanwhile has asked for its turn already.
    if (!begun) loop.nextTurn(run);
  };
  const begin = (): void => {
    if (ahead?.hasWork()) loop.nextTurn(run);
    else run();
  };
  return {
    take: (work) => {
      if (waiting.push(work) === 1) loop.nextTurn(begin);
    },
    hasWork: () => waiting.length > 0,
  };
}

// Work that came in with one look at the sockets, done piece after piece once all of it is there. Between
// two system calls the same work costs twice as much as in a row, for nothing it needs is at hand any more.

type Work = () => void;

export interface Step {
  readonly take: (work: Work) => void;
  readonly hasWork: () => boolean;
}

/**
 * Runs what it is given right after the sockets of this moment were read, in the order it came. A step lets
 * the work `ahead` of it go first where there is some, once: so it waits for one look at the sockets at most.
 */
export function inStep(ahead?: Step): Step {
  let waiting: Work[] = [];
  const run = (): void => {
    const all = waiting;
    waiting = [];
    for (const work of all) work();
  };
  const begin = (): void => {
    if (ahead?.hasWork()) setImmediate(run);
    else run();
  };
  return {
    take: (work) => {
      if (waiting.push(work) === 1) setImmediate(begin);
    },
    hasWork: () => waiting.length > 0,
  };
}

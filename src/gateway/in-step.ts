// Work that came in with one look at the sockets, done piece after piece once all of it is there. Between
// two system calls the same work costs twice as much as in a row, for nothing it needs is at hand any more.

type Work = () => void;

/** Runs what it is given right after the sockets of this moment were read, in the order it came. */
export function inStep(): (work: Work) => void {
  let waiting: Work[] = [];
  const run = (): void => {
    const all = waiting;
    waiting = [];
    for (const work of all) work();
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(run);
  };
}

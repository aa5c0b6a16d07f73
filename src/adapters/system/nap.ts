// Puts the thread to sleep for a fraction of a millisecond. A timer of Node counts whole ones, and waiting by immediates
// costs a processor all the time that it lasts.

const CELL = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Nothing else runs in this thread meanwhile; it may sleep some 0.1 ms longer. */
export function nap(ms: number): void {
  // Nobody changes or notifies the cell: only time ends the wait.
  Atomics.wait(CELL, 0, 0, ms);
}

// Guards loops that end because something shrinks or a deadline advances: a round that changes nothing is an error at
// once instead of a process that hangs.

/** A loop iteration made no progress. */
export class NoProgress extends Error {
  override readonly name = 'NoProgress';
}

/** Throws {@link NoProgress} unless the last iteration brought `loop` closer to its end. */
export function assertProgress(isCloser: boolean, loop: string): void {
  if (!isCloser) throw new NoProgress(`${loop} would never end`);
}

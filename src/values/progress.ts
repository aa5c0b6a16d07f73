// Loops that end because something gets less or a deadline moves on: a round that changes nothing is an
// error at once, instead of a process that hangs.

/** A loop went round without getting any further. */
export class NoProgress extends Error {
  override readonly name = 'NoProgress';
}

/** Throws {@link NoProgress} unless the round just made brought `loop` closer to its end. */
export function assertProgress(isCloser: boolean, loop: string): void {
  if (!isCloser) throw new NoProgress(`${loop} would never end`);
}

// Pieces of any size as parts of one size: an object store takes parts, all but the last equally large.

export interface ObjectPart {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

/** Nothing in pieces is one empty part. A part is overwritten by the next: it is used before the next is requested. */
export async function* partsOf(
  pieces: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<ObjectPart> {
  const part = new Uint8Array(partBytes);
  let filled = 0;
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      // A full part is given only once there is more: the last one is known as such.
      if (filled === partBytes) {
        yield { bytes: part, isLast: false };
        filled = 0;
      }
      const taken = piece.subarray(from, from + partBytes - filled);
      part.set(taken, filled);
      filled += taken.length;
      from += taken.length;
    }
  }
  yield { bytes: part.subarray(0, filled), isLast: true };
}

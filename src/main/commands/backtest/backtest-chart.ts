// Draws a schedule against its fills as two lines of block characters, one column per time interval.

const BLOCKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** The value of `shareAt` at the end of each of `width` equal intervals, each in [0, 1]. */
export function blockLine(shareAt: (position: number) => number, width: number): string {
  let line = '';
  for (let column = 1; column <= width; column += 1) {
    const share = Math.min(1, Math.max(0, shareAt(column / width)));
    line += BLOCKS[Math.round(share * (BLOCKS.length - 1))];
  }
  return line;
}

interface PathPoint {
  readonly at: number;
  readonly share: number;
}

/** Returns a step function through points sorted by time: the share reached at a given time. */
export function stepFunction(
  path: readonly PathPoint[],
  { from, to }: { readonly from: number; readonly to: number },
): (position: number) => number {
  return (position) => {
    const at = from + position * (to - from);
    const reached = path.findLast((point) => point.at <= at);
    return reached?.share ?? 0;
  };
}

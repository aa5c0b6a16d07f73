// A schedule against its fills as two lines of blocks, one column per stretch of time.

const BLOCKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** `share` at the end of each of `width` equal stretches, each in [0, 1]. */
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

/** A step function through points in the order of their time: the share reached by then. */
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

// Results of other engines for the same six parents, measured side by side with the same fill rule. For each:
// percent filled by the end, mean distance from the straight line in percent of the parent, largest slice
// divided by the even one, orders sent; absent if the engine refused the parent.
import { must } from '../src/values/assert.ts';

export type PeerCell = readonly [filled: number, offLine: number, largest: number, orders: number];

export interface PeerRow {
  readonly name: string;
  /** Whether the system itself ran, only its sizes were used, or the rule stated in its documents. */
  readonly how: 'real code' | 'sizes' | 'rule';
  /** Its first order is due at the start, and it sends one order per interval. */
  readonly isStartOfInterval: boolean;
  readonly cells: Readonly<Record<string, PeerCell | undefined>>;
}

const cells = (...[A, B, C, D, E, F]: readonly (PeerCell | undefined)[]): PeerRow['cells'] => ({
  A,
  B,
  C,
  D,
  E,
  F,
});

export const PEERS: readonly PeerRow[] = [
  {
    name: 'vn.py',
    how: 'real code',
    isStartOfInterval: false,
    cells: cells(
      [90, 4.9, 1, 9],
      [90, 7.2, 1, 6],
      [60, 20, 0.7, 6],
      [0, 50, 0, 0],
      [70, 19.9, 1, 9],
      [80, 11.9, 1, 9],
    ),
  },
  {
    name: 'Hummingbot, taker',
    how: 'real code',
    isStartOfInterval: true,
    cells: cells(
      [100, 3.3, 1, 11],
      [100, 5.1, 1, 7],
      [100, 9.9, 1.4, 8],
      [0, 50, 0, 2],
      [100, 10.2, 1.2, 11],
      [27, 27.7, 0.9, 5],
    ),
  },
  {
    name: 'NautilusTrader',
    how: 'real code',
    isStartOfInterval: true,
    cells: cells(
      [100, 5.1, 1, 10],
      [100, 10.5, 1.1, 7],
      [100, 11.3, 2.1, 8],
      [100, 50, 10, 1],
      [80, 12, 1, 10],
      [100, 5, 2, 10],
    ),
  },
  {
    name: 'bfx-hf-algo 4.21.3',
    how: 'real code',
    isStartOfInterval: true,
    cells: cells(
      [100, 5.1, 1, 10],
      [90, 7.3, 1, 6],
      [80, 11.3, 0.7, 10],
      undefined,
      [90, 12, 1, 12],
      [100, 5, 1, 11],
    ),
  },
  {
    name: 'qlib',
    how: 'real code',
    isStartOfInterval: true,
    cells: cells(
      [100, 5.1, 1, 10],
      [100, 12.6, 1.1, 6],
      [100, 7.5, 1.4, 7],
      [100, 9.1, 2, 5],
      [100, 6, 3, 10],
      [100, 5.1, 2, 10],
    ),
  },
  {
    name: 'CoW',
    how: 'sizes',
    isStartOfInterval: true,
    cells: cells(
      [100, 5.1, 1, 10],
      [100, 12.6, 1.1, 6],
      [100, 7.2, 1, 7],
      undefined,
      [80, 12, 1, 10],
      [90, 5, 1, 10],
    ),
  },
  {
    name: 'dYdX v4',
    how: 'rule',
    isStartOfInterval: true,
    cells: cells(
      [100, 5.1, 1, 10],
      [100, 12, 1.1, 6],
      [100, 5.6, 1.4, 7],
      [100, 20.9, 2, 5],
      [100, 6.8, 1.4, 10],
      [100, 4.1, 1.2, 10],
    ),
  },
  {
    name: 'Pacifica, Hyperliquid (an order each 30 s)',
    how: 'rule',
    isStartOfInterval: false,
    cells: cells(
      [100, 2.2, 0.5, 21],
      [100, 2.2, 0.3, 21],
      [100, 3.5, 0.7, 10],
      [100, 7.5, 2, 5],
      [100, 11.3, 0.7, 21],
      [100, 6.7, 0.6, 21],
    ),
  },
  {
    name: 'Bybit',
    how: 'rule',
    isStartOfInterval: true,
    cells: cells(
      [100, 5.1, 1, 10],
      undefined,
      [70, 11.3, 0.7, 7],
      undefined,
      [80, 12, 1, 10],
      [90, 5, 1, 10],
    ),
  },
  {
    name: 'bbgo xfundingv2',
    how: 'rule',
    isStartOfInterval: true,
    cells: cells(
      [100, 5.1, 1, 10],
      [100, 7.8, 1.1, 6],
      [100, 5.6, 1.4, 7],
      [100, 20.9, 2, 5],
      [100, 6.8, 1.4, 10],
      [100, 4.1, 1.2, 10],
    ),
  },
  {
    name: 'WonderTrader',
    how: 'rule',
    isStartOfInterval: true,
    cells: cells(
      [100, 5.1, 1, 10],
      [100, 12.7, 1.1, 6],
      [100, 7.5, 1.4, 7],
      [100, 30, 2, 5],
      [100, 6.7, 1.4, 10],
      [100, 4.1, 1.2, 10],
    ),
  },
];

/** Slices in the middle of their interval, cumulative rounding to the lot, slices of at most twice the even one. */
export const MIDDLE_REFERENCE: PeerRow['cells'] = cells(
  [100, 2.5, 1, 10],
  [100, 3.6, 1, 7],
  [100, 4.1, 1.4, 7],
  [100, 5, 2, 5],
  [100, 5.7, 2, 10],
  [100, 3.2, 2, 10],
);

/**
 * Of the engines that send at the start of each interval and fill the parent, the smallest distance from the
 * line in one case.
 */
export function bestAtStart(name: string): number {
  const found = PEERS.flatMap((peer) => {
    const cell = peer.cells[name];
    return peer.isStartOfInterval && cell?.[0] === 100 ? [cell[1]] : [];
  });
  return Math.min(...found);
}

const meanOffLine = ({ cells: of }: PeerRow): number => {
  const all = Object.values(of).map((cell) => cell?.[1] ?? Number.POSITIVE_INFINITY);
  return all.reduce((sum, one) => sum + one, 0) / all.length;
};

const fillsAll = (peer: PeerRow): boolean =>
  Object.values(peer.cells).every((cell) => cell?.[0] === 100);

/**
 * Of the engines that send at the start of each interval and fill every parent, the one closest to the line
 * over all cases.
 */
export function bestEngineAtStart(): PeerRow {
  const whole = PEERS.filter((peer) => peer.isStartOfInterval && fillsAll(peer));
  const [best] = whole.toSorted((a, b) => meanOffLine(a) - meanOffLine(b));
  return must(best, 'there are such engines');
}

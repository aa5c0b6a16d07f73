// Pairs the slices of one leg in two reports. Slices of one number belong together where their plans agree; otherwise those
// that are due equally long after the start of their schedules, which may lie at different times.
import type { PortfolioReport, SliceShown } from '../report-shapes.ts';
import type { PairedLeg } from './comparison-shapes.ts';

export interface SlicePair {
  readonly first: SliceShown;
  readonly other: SliceShown;
}

export interface PairedSlices extends Omit<PairedLeg, 'report' | 'pairs' | 'figures'> {
  readonly pairs: readonly SlicePair[];
}

export function pairSlices(
  [first, other]: readonly [PortfolioReport, PortfolioReport],
  leg: number,
): PairedSlices {
  const ofFirst = slicesOf(first, leg);
  const ofOther = slicesOf(other, leg);
  const isByNumber = plansAgree(ofFirst, ofOther);
  const key = ({ slice, offsetMs }: PlannedSlice): number | string =>
    isByNumber ? slice.slice : (offsetMs ?? `number ${slice.slice}`);
  const partners = new Map(ofOther.map((one) => [key(one), one.slice]));
  const pairs = ofFirst.flatMap((one): SlicePair[] => {
    const partner = partners.get(key(one));
    return partner === undefined ? [] : [{ first: one.slice, other: partner }];
  });
  return {
    pairedBy: isByNumber ? 'slice number' : 'planned instant',
    pairs,
    unpairedFirst: ofFirst.length - pairs.length,
    unpaired: ofOther.length - pairs.length,
  };
}

interface PlannedSlice {
  readonly slice: SliceShown;
  /** From the start of the schedule to the planned instant; absent: there is none. */
  readonly offsetMs: number | undefined;
}

const slicesOf = ({ slices, start }: PortfolioReport, leg: number): readonly PlannedSlice[] =>
  slices
    .filter((slice) => slice.leg === leg)
    .map((slice) => ({
      slice,
      offsetMs: slice.due === null ? undefined : Date.parse(slice.due) - Date.parse(start),
    }));

/** No two slices of a number are planned further apart than half an interval. */
function plansAgree(first: readonly PlannedSlice[], other: readonly PlannedSlice[]): boolean {
  const mostMs = Math.min(intervalMs(first), intervalMs(other)) / 2;
  const offsets = new Map(other.map(({ slice, offsetMs }) => [slice.slice, offsetMs]));
  return first.every(({ slice, offsetMs }) => {
    const partner = offsets.get(slice.slice);
    return (
      offsetMs === undefined || partner === undefined || Math.abs(offsetMs - partner) <= mostMs
    );
  });
}

/** The mean distance of two consecutive slices. */
function intervalMs(slices: readonly PlannedSlice[]): number {
  const planned = slices.filter(({ offsetMs }) => offsetMs !== undefined);
  const [first, last] = [planned[0], planned.at(-1)];
  if (first === undefined || last === undefined || first === last) return Number.POSITIVE_INFINITY;
  const numbers = last.slice.slice - first.slice.slice;
  return ((last.offsetMs ?? 0) - (first.offsetMs ?? 0)) / numbers;
}

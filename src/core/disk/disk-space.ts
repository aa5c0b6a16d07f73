// How much space a disk has left, as a level: what is reported, refused and notified depends on it alone. A level is left only
// with a margin, so that a disk at a bound does not flap.

export interface DiskSpace {
  /** What this process may still use; reserves of the system are not included. */
  readonly freeBytes: number;
  readonly sizeBytes: number;
  /** Absent where the file system has no fixed number of them. */
  readonly inodes?: { readonly free: number; readonly total: number } | undefined;
}

/** As of the last reading. */
export interface FolderSpace {
  /** Label of its metrics, such as `data`. */
  readonly name: string;
  readonly space: DiskSpace;
}

/** From the best to the worst. */
const LEVELS = ['ample', 'low', 'critical', 'exhausted'] as const;

/**
 * `low`: people are notified. `critical`: they are notified urgently, and the daemon is not ready. `exhausted`: new portfolios are
 * refused as well; what is left is for those at work, and for cancels.
 */
export type SpaceLevel = (typeof LEVELS)[number];

interface Bound {
  /** Of the disk. */
  readonly share: number;
  /** So much is enough on any disk. */
  readonly bytesMax: number;
  readonly inodesMax: number;
}

const GIB = 2 ** 30;
const BOUNDS: Readonly<Record<Exclude<SpaceLevel, 'ample'>, Bound>> = {
  low: { share: 0.1, bytesMax: 20 * GIB, inodesMax: 200_000 },
  critical: { share: 0.02, bytesMax: 4 * GIB, inodesMax: 40_000 },
  exhausted: { share: 0.01, bytesMax: 2 * GIB, inodesMax: 20_000 },
};
/** A level ends at its bound times this. */
const MARGIN = 1.2;

/** What a disk runs out of: bytes, or inodes. */
interface Amount {
  readonly free: number;
  readonly total: number;
  readonly most: 'bytesMax' | 'inodesMax';
}

const bytesOf = ({ freeBytes, sizeBytes }: DiskSpace): Amount => ({
  free: freeBytes,
  total: sizeBytes,
  most: 'bytesMax',
});

const amountsOf = (space: DiskSpace): readonly Amount[] =>
  space.inodes === undefined
    ? [bytesOf(space)]
    : [bytesOf(space), { ...space.inodes, most: 'inodesMax' }];

/** With less than this free, a disk has the level. */
function boundOf(level: Exclude<SpaceLevel, 'ample'>, { total, most }: Amount): number {
  const bound = BOUNDS[level];
  return Math.min(bound.share * total, bound[most]);
}

/** So much has to be free for the level to end. */
const endOf = (level: Exclude<SpaceLevel, 'ample'>, amount: Amount): number =>
  MARGIN * boundOf(level, amount);

export const isAtLeast = (level: SpaceLevel, worst: SpaceLevel): boolean =>
  LEVELS.indexOf(level) >= LEVELS.indexOf(worst);

/** The level after another reading: the worse of its bytes and its inodes. */
export function nextSpaceLevel(before: SpaceLevel, space: DiskSpace): SpaceLevel {
  const holds = (level: SpaceLevel): boolean => {
    if (level === 'ample') return true;
    const has = isAtLeast(before, level) ? endOf : boundOf;
    return amountsOf(space).some((amount) => amount.free < has(level, amount));
  };
  return LEVELS.findLast(holds) ?? 'ample';
}

/** The one that is closer to its bound. */
function scarcest(space: DiskSpace): Amount {
  const left = (amount: Amount): number => amount.free / boundOf('low', amount);
  return amountsOf(space).reduce((worst, each) => (left(each) < left(worst) ? each : worst));
}

/** Of what there is least: `1.2 % free (312 MiB of 25 GiB)`, `0.4 % of its inodes free (2621 of 655360)`. */
export function spaceText(space: DiskSpace): string {
  const { free, total, most } = scarcest(space);
  const percent = (Math.floor((1_000 * free) / total) / 10).toFixed(1);
  return most === 'bytesMax'
    ? `${percent} % free (${binaryText(free)} of ${binaryText(total)})`
    : `${percent} % of its inodes free (${free} of ${total})`;
}

/** What has to be free for a level to end: `1.2 GiB`, `24000 inodes`. */
export function enoughText(level: Exclude<SpaceLevel, 'ample'>, space: DiskSpace): string {
  const amount = scarcest(space);
  const enough = endOf(level, amount);
  return amount.most === 'bytesMax' ? binaryText(enough) : `${Math.ceil(enough)} inodes`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Two significant digits at least: `18 MiB`, `1.5 GiB`. */
export function binaryText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1_024 ** power;
  // Rounded down: a bound that was missed by little is not shown as reached.
  const tenths = Math.floor(10 * value) / 10;
  return `${value < 10 && power > 0 ? tenths.toFixed(1) : Math.floor(value)} ${UNITS[power]}`;
}

// How much space a disk has left, as a level: what is reported, refused and notified depends on it alone. A level is left only
// with a margin, so that a disk at a bound does not flap.

export interface DiskSpace {
  /** What this process may still use; reserves of the system are not included. */
  readonly freeBytes: number;
  readonly sizeBytes: number;
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
  /** Of the size of the disk. */
  readonly share: number;
  /** So much is enough on any disk. */
  readonly bytesMax: number;
}

const GIB = 2 ** 30;
const BOUNDS: Readonly<Record<Exclude<SpaceLevel, 'ample'>, Bound>> = {
  low: { share: 0.1, bytesMax: 20 * GIB },
  critical: { share: 0.02, bytesMax: 4 * GIB },
  exhausted: { share: 0.01, bytesMax: 2 * GIB },
};
/** A level ends at its bound times this. */
const MARGIN = 1.2;

/** Below so many free bytes a disk of this size has the level. */
function boundOf(level: Exclude<SpaceLevel, 'ample'>, sizeBytes: number): number {
  const { share, bytesMax } = BOUNDS[level];
  return Math.min(share * sizeBytes, bytesMax);
}

/** So many bytes have to be free for the level to end. */
export const endOf = (level: Exclude<SpaceLevel, 'ample'>, sizeBytes: number): number =>
  MARGIN * boundOf(level, sizeBytes);

export const isAtLeast = (level: SpaceLevel, worst: SpaceLevel): boolean =>
  LEVELS.indexOf(level) >= LEVELS.indexOf(worst);

/** The level after another reading. */
export function nextSpaceLevel(before: SpaceLevel, space: DiskSpace): SpaceLevel {
  const holds = (level: SpaceLevel): boolean => {
    if (level === 'ample') return true;
    const has = isAtLeast(before, level) ? endOf : boundOf;
    return space.freeBytes < has(level, space.sizeBytes);
  };
  return LEVELS.findLast(holds) ?? 'ample';
}

/** `1.2 % free (312 MiB of 25 GiB)`. */
export function spaceText({ freeBytes, sizeBytes }: DiskSpace): string {
  const percent = (Math.floor((1_000 * freeBytes) / sizeBytes) / 10).toFixed(1);
  return `${percent} % free (${binaryText(freeBytes)} of ${binaryText(sizeBytes)})`;
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

// Bounds of free space: 10, 2 and 1 % of the disk, at most 20, 4 and 2 GiB; a level ends at 1.2 times its bound.
import { expect, test } from 'vitest';
import {
  binaryText,
  nextSpaceLevel,
  type SpaceLevel,
  spaceText,
} from '../../../src/core/disk/disk-space.ts';

const GIB = 1_073_741_824;
const TIB = 1_024 * GIB;

/** The levels of readings one after the other, in thousandths of a disk of 100 GiB. */
function levels(...thousandths: number[]): SpaceLevel[] {
  let level: SpaceLevel = 'ample';
  return thousandths.map((free) => {
    level = nextSpaceLevel(level, { freeBytes: (free * 100 * GIB) / 1_000, sizeBytes: 100 * GIB });
    return level;
  });
}

test('levels begin below a tenth, a fiftieth and a hundredth of the disk', () => {
  expect(levels(100, 99, 20, 19, 10, 9)).toEqual([
    'ample',
    'low',
    'low',
    'critical',
    'critical',
    'exhausted',
  ]);
});

test('a level ends with a fifth more space than it began with', () => {
  expect(levels(9, 11, 12, 23, 24, 119, 120)).toEqual([
    'exhausted',
    'exhausted',
    'critical',
    'critical',
    'low',
    'low',
    'ample',
  ]);
});

test('a disk that stays about a bound keeps its level', () => {
  expect(levels(101, 99, 101, 99, 119, 99)).toEqual(['ample', 'low', 'low', 'low', 'low', 'low']);
});

test('a disk that is filled or freed at once skips the levels between', () => {
  expect(levels(500, 0, 500)).toEqual(['ample', 'exhausted', 'ample']);
});

test.each([
  [21, 'ample'],
  [19, 'low'],
  [5, 'low'],
  [3.9, 'critical'],
  [1.9, 'exhausted'],
] as const)('a disk of 4 TiB with %d GiB free is %s', (gib, level) => {
  const space = { freeBytes: gib * GIB, sizeBytes: 4 * TIB };
  expect(nextSpaceLevel('ample', space)).toBe(level);
});

test('the reading before counts only within the margins', () => {
  for (const before of ['ample', 'low', 'critical', 'exhausted'] as const) {
    const found = [0.13, 0.05, 0.015, 0.005].map((share) =>
      nextSpaceLevel(before, { freeBytes: share * GIB, sizeBytes: GIB }),
    );
    expect(found).toEqual(['ample', 'low', 'critical', 'exhausted']);
  }
});

test.each([
  [100_000, 1_000_000, 'ample'],
  [99_999, 1_000_000, 'low'],
  [19_999, 1_000_000, 'critical'],
  [9_999, 1_000_000, 'exhausted'],
  [200_000, 60_000_000, 'ample'],
  [199_999, 60_000_000, 'low'],
  [39_999, 60_000_000, 'critical'],
  [19_999, 60_000_000, 'exhausted'],
] as const)('with %d of %d inodes free an empty disk is %s', (free, total, level) => {
  const space = { freeBytes: TIB, sizeBytes: TIB, inodes: { free, total } };
  expect(nextSpaceLevel('ample', space)).toBe(level);
  const margins = { ...space, inodes: { free: 1.19 * free, total } };
  expect(nextSpaceLevel(level, margins)).toBe(level);
});

test('a disk has the worse level of its bytes and its inodes, and is named by what it has least of', () => {
  const left = (freeBytes: number, free: number) => {
    const space = { freeBytes, sizeBytes: GIB, inodes: { free, total: 655_360 } };
    return [nextSpaceLevel('ample', space), spaceText(space)];
  };
  expect(left(0.9 * GIB, 655_360)).toEqual(['ample', '90.0 % free (921 MiB of 1.0 GiB)']);
  expect(left(0.015 * GIB, 60_000)).toEqual(['critical', '1.5 % free (15 MiB of 1.0 GiB)']);
  expect(left(0.05 * GIB, 2_621)).toEqual([
    'exhausted',
    '0.3 % of its inodes free (2621 of 655360)',
  ]);
});

test('space is shown as a share and in binary units', () => {
  const space = { freeBytes: 327_155_712, sizeBytes: 25 * GIB };
  expect(spaceText(space)).toBe('1.2 % free (312 MiB of 25 GiB)');
  expect(spaceText({ freeBytes: 0, sizeBytes: 1.5 * GIB })).toBe('0.0 % free (0 B of 1.5 GiB)');
});

test.each([
  [1, '1 B'],
  [1_023, '1023 B'],
  [1_024, '1.0 KiB'],
  [10_239, '9.9 KiB'],
  [10_240, '10 KiB'],
  [3 * TIB, '3.0 TiB'],
  [4_000 * TIB, '4000 TiB'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(binaryText(bytes)).toBe(shown);
});

// Six parent orders that other engines handle poorly, through the production engine in virtual time.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MANNERS } from '../../bench/peers.ts';
import { PEER_CASES, peerCourse } from '../../bench/peers-course.ts';
import { bestAtStart, MIDDLE_REFERENCE, PEERS } from '../../bench/peers-figures.ts';
import { must } from '../../src/values/assert.ts';

/** The figures of other engines are published to one decimal. */
const toTenth = (value: number): number => Math.round(value * 10) / 10;

describe.each(PEER_CASES)('parent order $name', (each) => {
  test.each(MANNERS)(
    'the parent order is filled completely and within its cap: $what',
    async ({ execution, target }) => {
      const figures = await peerCourse(each, execution);
      expect(figures.filledPercent).toBe(100);
      expect(figures.isOver).toBe(true);
      expect(figures.largestOverPlanned).toBeLessThanOrEqual(3 + 1e-9);
      const bound = target?.(each.name);
      if (bound !== undefined) expect(toTenth(figures.offLinePercent)).toBeLessThanOrEqual(bound);
    },
  );

  test('a cap of two slices is kept, and the deviation does not exceed the reference', async () => {
    const capped = { catchUp: 'front', maxCatchUp: 2 } as const;
    const half = await peerCourse(each, { ...capped, phase: 0.5 });
    const start = await peerCourse(each, { ...capped, phase: 0, aim: 'middle' });
    expect(half.largestOverPlanned).toBeLessThanOrEqual(2);
    expect(start.largestOverPlanned).toBeLessThanOrEqual(2);
    const reference = must(MIDDLE_REFERENCE[each.name], 'every case has a reference');
    expect(toTenth(half.offLinePercent)).toBeLessThanOrEqual(reference[1]);
    expect(toTenth(start.offLinePercent)).toBeLessThanOrEqual(bestAtStart(each.name));
    expect(half.slicesSent).toBe(reference[3]);
  });
});

test('the same parent order always takes the same course', async () => {
  const [first] = PEER_CASES;
  const once = await peerCourse(must(first, 'there is a case'), {});
  expect(await peerCourse(must(first, 'there is a case'), {})).toEqual(once);
});

/** Rows of the README's table by engine: the cells of A to F. */
function readmeRows(): ReadonlyMap<string, readonly string[]> {
  const [, section = ''] = readFileSync('README.md', 'utf8').split('## Beside other engines');
  const [table = ''] = section.split('\n## ');
  const lines = table.split('\n').filter((line) => /^\| [a-z]/i.test(line));
  return new Map(
    lines.map((line) => {
      const [name = '', ...cells] = line.slice(2, -2).split(' | ');
      return [name, cells];
    }),
  );
}

const shown = (filled: number, offLine: number): string =>
  `${Math.round(filled)} · ${offLine.toFixed(1)}`;

test('the table of engines in the README has the figures of this engine, and of those whose code was run', async () => {
  const ours = await Promise.all(PEER_CASES.map((each) => peerCourse(each, {})));
  const theirs = PEERS.filter(({ how }) => how === 'real code').map(({ name, cells }) => {
    const row = PEER_CASES.map((each) => cells[each.name]);
    const [engine = ''] = name.split(/,| \d/);
    return [engine, row.map((cell) => (cell ? shown(cell[0], cell[1]) : 'refused'))] as const;
  });
  const own = ours.map(({ filledPercent, offLinePercent }) => shown(filledPercent, offLinePercent));
  expect([...readmeRows()]).toEqual([['twapd', own], ...theirs]);
});

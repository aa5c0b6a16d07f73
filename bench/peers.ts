// Six parents through the production engine in virtual time, compared with the results of other engines.
import process from 'node:process';
import type { PortfolioForm } from '../src/core/terms/form.ts';
import { type CourseFigures, PEER_CASES, peerCourse } from './peers-course.ts';
import {
  bestAtStart,
  bestEngineAtStart,
  MIDDLE_REFERENCE,
  PEERS,
  type PeerRow,
} from './peers-figures.ts';
import type { Row } from './row.ts';

interface Manner {
  readonly what: string;
  readonly execution: PortfolioForm['execution'];
  /** In percent of the parent. */
  readonly target?: ((name: string) => number | undefined) | undefined;
  readonly whose?: string;
}

const BEST = bestEngineAtStart();

/** Our settings: those compared with other engines' figures, and the defaults alone. */
export const MANNERS: readonly Manner[] = [
  {
    what: 'twapd, phase 0.5',
    execution: { phase: 0.5, catchUp: 'front' },
    target: (name) => MIDDLE_REFERENCE[name]?.[1],
    whose: 'the reference',
  },
  {
    what: 'twapd, phase 0, aimed at the middle',
    execution: { phase: 0, aim: 'middle', catchUp: 'front' },
    target: bestAtStart,
    whose: 'the best of those that start at once, case by case',
  },
  {
    what: 'twapd, phase 0',
    execution: { phase: 0, catchUp: 'front' },
    target: (name) => BEST.cells[name]?.[1],
    whose: `${BEST.name}, the best engine that starts at once and fills all six`,
  },
  { what: 'twapd, every option at its default', execution: {} },
];

/** The most cells per line. */
const CELLS_PER_LINE = 2;

export async function benchPeers(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { what, execution, target, whose } of MANNERS) {
    const cells: string[] = [];
    const targets: string[] = [];
    for (const each of PEER_CASES) {
      const figures = await peerCourse(each, execution);
      cells.push(cellText(each.name, figures));
      const bound = target?.(each.name);
      if (bound !== undefined) targets.push(`${each.name} ${bound}`);
    }
    const held =
      targets.length === 0 ? {} : { yardstick: `no further than ${whose}: ${targets.join(', ')}` };
    rows.push({ what, value: inLines(cells), ...held });
  }
  rows.push({
    what: 'reference: middle of the interval, cap 2x',
    value: inLines(peerCells(MIDDLE_REFERENCE)),
    yardstick:
      'cells: % filled · mean distance from the line in % of the parent · largest slice over the even one · orders; – refused or without meaning there',
  });
  for (const { name, how, cells } of PEERS) {
    rows.push({ what: name, value: inLines(peerCells(cells)), yardstick: how });
  }
  return rows;
}

const cellText = (name: string, figures: CourseFigures): string =>
  `${name} ${figures.filledPercent.toFixed(0)}·${figures.offLinePercent.toFixed(1)}·${figures.largestOverNominal.toFixed(1)}x·${figures.ordersSent}`;

const peerCells = (cells: PeerRow['cells']): string[] =>
  PEER_CASES.map(({ name }) => {
    const cell = cells[name];
    if (cell === undefined) return `${name} –`;
    const [filled, offLine, largest, orders] = cell;
    return `${name} ${filled}·${offLine.toFixed(1)}·${largest}x·${orders}`;
  });

function inLines(cells: readonly string[]): string {
  const lines: string[] = [];
  for (let at = 0; at < cells.length; at += CELLS_PER_LINE) {
    lines.push(
      cells
        .slice(at, at + CELLS_PER_LINE)
        .map((cell) => cell.padEnd(20))
        .join('  ')
        .trimEnd(),
    );
  }
  return lines.join('\n');
}

if (import.meta.main) {
  for (const { what, value, yardstick = '' } of await benchPeers()) {
    process.stdout.write(`${what}  ${yardstick}\n${value}\n`);
  }
}

// Keeps what a capture found: a file of answers for each point that was tested, and a table of all of them.
import { join } from 'node:path';
import { fileNameOf } from '../../../adapters/deribit/capture/capture-point.ts';
import { POINTS_LEFT } from '../../../adapters/deribit/capture/open-points.ts';
import { writeWhole } from '../../../adapters/files/whole-file.ts';
import { printable } from '../../../values/printable.ts';
import type { CapturedPoint } from './capture-venue.ts';

export interface CapturedAt {
  /** The address of the venue. */
  readonly url: string;
  /** The day of it, as in `2026-11-30`. */
  readonly day: string;
}

export const TABLE_FILE = 'points.md';

/** @throws the error of the file system */
export function writeCapture(
  folder: string,
  captured: readonly CapturedPoint[],
  at: CapturedAt,
): void {
  for (const { point, answers } of captured) {
    if (answers.length === 0) continue;
    const kept = { point: point.name, ...at, answers };
    writeWhole(join(folder, fileNameOf(point)), `${JSON.stringify(kept, null, 2)}\n`, {
      mode: 0o644,
    });
  }
  writeWhole(join(folder, TABLE_FILE), tableOf(captured, at), { mode: 0o644 });
}

function tableOf(captured: readonly CapturedPoint[], { url, day }: CapturedAt): string {
  const rows = [
    ...captured.map(({ point, verdict }) => [
      point.name,
      point.assumed,
      verdict.seen,
      verdict.kind,
    ]),
    ...POINTS_LEFT.map(({ name, assumed, whyNot }) => [
      name,
      assumed,
      `not tested: ${whyNot}`,
      'undecided',
    ]),
  ];
  return [
    `# Open points at ${url}, ${day}`,
    '',
    '| Point | Assumed | Seen | |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
    '',
  ].join('\n');
}

/** Words of the venue are shown as they are, on one line of one cell. */
const cell = (text: string): string => printable(text.replace(/\s+/g, ' ')).replaceAll('|', '\\|');

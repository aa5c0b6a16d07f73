// The files of an audit trail: one folder of numbered files, of which the highest is written to. Reading
// needs no lock and does not disturb a process that writes there.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Action, ActionQuery } from '../../ports/action-log.ts';
import { readActionLine } from './action-line.ts';

const NAME = /^(\d{6,9})\.jsonl$/;

export const actionFile = (folder: string, number: number): string =>
  join(folder, `${String(number).padStart(6, '0')}.jsonl`);

/** Ascending; empty if the folder does not exist. */
export async function actionFileNumbers(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

export interface ActionReading {
  readonly folder: string;
  readonly query: ActionQuery;
  /** Called with `FILE:LINE` for each line that is not an action. */
  readonly onDamaged: (place: string) => void;
}

/** Newest first. A line that is still being written is not included. */
export async function readActions({
  folder,
  query,
  onDamaged,
}: ActionReading): Promise<readonly Action[]> {
  const found: Action[] = [];
  const numbers = await actionFileNumbers(folder);
  for (const number of numbers.toReversed()) {
    const path = actionFile(folder, number);
    const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
    for (let at = lines.length - 1; at >= 0 && found.length < query.limit; at -= 1) {
      const line = lines[at] ?? '';
      const action = readActionLine(line);
      if (action === undefined) {
        if (line !== '') onDamaged(`${path}:${at + 1}`);
      } else if (isWanted(action, query)) found.push(action);
    }
    if (found.length >= query.limit) break;
  }
  return found;
}

const isWanted = (action: Action, { keyId, account, from }: ActionQuery): boolean =>
  (keyId === undefined || action.keyId === keyId) &&
  (account === undefined || action.account === account) &&
  (from === undefined || action.at >= from);

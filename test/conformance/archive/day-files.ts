// Contract of every DayFiles: a day that is kept is read as it was written, and no other day is read in its place.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ARCHIVE_TABLE_NAMES } from '../../../src/ports/archive/archive-tables.ts';
import type { DayArchive } from '../../../src/ports/archive/archived-reads.ts';
import type { DayFiles } from '../../../src/ports/archive/day-files.ts';
import { dayOf } from '../../../src/ports/archive/submit-day.ts';
import { must } from '../../../src/values/assert.ts';
import { instant } from '../../../src/values/instant.ts';

export interface DayFilesStage {
  readonly files: DayFiles;
  /** A day that is written into its folder, and not kept yet. */
  readonly of: DayArchive;
}

const NAMES = ['manifest.json', ...ARCHIVE_TABLE_NAMES.map((name) => `${name}.parquet`)];
const contentOf = (path: string): readonly Buffer[] =>
  NAMES.map((name) => readFileSync(join(path, name)));

/** `open` returns an empty place; every test has its own. */
export function dayFilesConformance(open: () => Promise<DayFilesStage>): void {
  test('a day that is kept is fetched as it was written, however often it was kept', async () => {
    const { files, of } = await open();
    const content = contentOf(files.stage(of.day));
    await files.keep(of);
    await files.keep(of);
    await files.leaveStage(of.day);
    await files.leaveStage(of.day);
    for (const isAfresh of [false, true]) {
      expect(contentOf(await files.fetch(of, { isAfresh }))).toEqual(content);
    }
    for (const [index, table] of ARCHIVE_TABLE_NAMES.entries()) {
      const path = must(await files.fetchTable(of, table), 'the day has the table');
      expect(readFileSync(path)).toEqual(content[index + 1]);
    }
    expect(files.placeOf(of)).toContain(of.day);
  });

  test('a day that is not there, or is another one than was kept, is refused', async () => {
    const { files, of } = await open();
    await files.keep(of);
    const absent = { ...of, day: dayOf(instant(0)) };
    const replaced = { ...of, digest: '0'.repeat(64) };
    for (const wrong of [absent, replaced]) {
      await expect(files.keep(wrong)).rejects.toThrow(Error);
      await expect(files.fetch(wrong)).rejects.toThrow(Error);
      await expect(files.fetch(wrong, { isAfresh: true })).rejects.toThrow(Error);
      await expect(files.fetchTable(wrong, 'turns')).rejects.toThrow(Error);
    }
  });
}

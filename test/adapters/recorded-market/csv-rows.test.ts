// How recordings are cut into rows and fields.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { csvRows } from '../../../src/adapters/recorded-market/csv-rows.ts';
import { RecordingFolder } from './recorded-market-files.ts';

let folder: RecordingFolder;
beforeEach(() => {
  folder = new RecordingFolder();
});
afterEach(() => folder.remove());

async function read(lines: readonly string[]): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  for await (const batch of csvRows(folder.write('rows.csv', lines))) {
    rows.push(...batch.map(({ line, fields }) => [line, ...fields]));
  }
  return rows;
}

test('fields in quotation marks may have commas, and empty lines are counted and left out', async () => {
  expect(await read(['\ufeffa,b', '1,"2,""3"""', '', '4,5\r'])).toEqual([
    [1, 'a', 'b'],
    [2, '1', '2,"3"'],
    [4, '4', '5'],
  ]);
});

test('a quotation mark without its end is refused with the line', async () => {
  await expect(read(['a,b', '1,2', '3,"4'])).rejects.toThrow(/rows\.csv:3: is not valid CSV/);
});

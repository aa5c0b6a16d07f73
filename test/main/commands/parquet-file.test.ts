// Parquet files that are written are read back by a reader of their own: any decimal comes back to its last digit.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { writeParquet } from '../../../src/main/commands/export/parquet-file.ts';
import type { TableRow } from '../../../src/main/ledger/rows/ledger-columns.ts';
import { readParquet } from '../../support/read-parquet.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-parquet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
async function back(
  rows: readonly TableRow[],
  columns: Parameters<typeof writeParquet>[1]['columns'],
) {
  files += 1;
  const name = join(folder, `${files}.parquet`);
  await writeParquet({ option: '--out', name }, { name: 'some', columns, rows });
  return await readParquet(name);
}

/** As twapd writes decimals: at most 20 digits before the point here, 18 after it, no trailing zeros. */
const decimal = fc
  .tuple(fc.boolean(), fc.bigInt(0n, 10n ** 20n - 1n), fc.bigInt(0n, 10n ** 18n - 1n))
  .map(([isNegative, whole, part]) => {
    const places = part.toString().padStart(18, '0').replace(/0+$/, '');
    const text = `${whole}${places === '' ? '' : `.${places}`}`;
    return isNegative && text !== '0' ? `-${text}` : text;
  });

test('every decimal comes back exactly, beside texts, times, counts and what is not known', async () => {
  const columns = {
    a: 'amount',
    t: 'time',
    c: 'count',
    n: 'number',
    s: 'text',
    f: 'flag',
  } as const;
  const row = fc.record({
    a: fc.option(decimal),
    t: fc.option(fc.integer({ min: 0, max: Date.UTC(2199, 11, 31) })),
    c: fc.option(fc.maxSafeNat()),
    n: fc.option(fc.double({ noNaN: true })),
    s: fc.option(fc.string({ unit: 'grapheme' })),
    f: fc.option(fc.boolean()),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 40, size: 'max' }), async (rows) => {
      const { rows: read } = await back(rows, columns);
      const expected = rows.map((one) => ({
        ...one,
        t: one.t === null ? null : new Date(one.t),
        c: one.c === null ? null : BigInt(one.c),
      }));
      expect(read.map((one) => ({ ...columns, ...one }))).toEqual(
        expected.map((one) => ({ ...one })),
      );
    }),
    { numRuns: 60 },
  );
});

test('rows beyond a group are written in the next one, and an endless decimal is refused by the name of its column', async () => {
  const many = Array.from({ length: 45_000 }, (_, at) => ({ at: `${at}.5` }));
  const { rows, rowGroups } = await back(many, { at: 'amount' });
  expect(rowGroups).toBe(3);
  expect(rows).toEqual(many);
  await expect(back([{ fee: `0.${'3'.repeat(19)}` }], { fee: 'amount' })).rejects.toMatchObject({
    lines: [expect.stringContaining('fee: 0.333')],
  });
});

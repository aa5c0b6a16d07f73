// The tables of a report as Parquet files: the same rows as in CSV, with exact amounts, instants and numbers.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, expect, test } from 'vitest';
import { compareReports } from '../../../src/core/report/comparison/compare-reports.ts';
import { CostSummaries } from '../../../src/core/report/summary/cost-summary.ts';
import { comparisonCsv, comparisonTables } from '../../../src/main/commands/report/compare-text.ts';
import {
  REPORT_TABLES,
  reportCsv,
  reportTables,
} from '../../../src/main/commands/report/report-csv.ts';
import {
  type ReportTableRows,
  writeReportFolder,
} from '../../../src/main/commands/report/report-folder.ts';
import { summaryCsv, summaryTables } from '../../../src/main/commands/report/summary-text.ts';
import { MINUTE_MS } from '../../../src/values/instant.ts';
import { MemoryCostRecord } from '../../../src/virtual/memory/memory-cost-record.ts';
import { form, legForm, submitted, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';
import { reported } from '../../support/engine/reported.ts';
import { readParquet } from '../../support/read-parquet.ts';
import { silentTerminal } from '../captured-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function filledReport() {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record, instruments: [perpetual()] });
  one.venue.show(quote(perpetual(), [99_990, 100_000]));
  await one.engine.start();
  const portfolio = await submitted(one, form({ legs: [legForm()] }));
  await one.run(40 * MINUTE_MS);
  return reported(one, record, portfolio);
}

/** Compares files with the CSV of the same tables, which an independent parser reads. */
async function expectSame(
  name: string,
  tables: readonly ReportTableRows[],
  csv: (table: string) => string,
): Promise<void> {
  const path = join(folder, name);
  await writeReportFolder(path, tables, silentTerminal);
  expect(readdirSync(path).sort()).toEqual(tables.map((one) => `${one.name}.parquet`).sort());
  for (const { name: table, rows } of tables) {
    const { rows: read, schema } = await readParquet(join(path, `${table}.parquet`));
    const text = csv(table);
    expect([...schema.keys()].join(',')).toBe(text.split('\n')[0]);
    for (const row of rows)
      expect([...schema.keys()]).toEqual(expect.arrayContaining(Object.keys(row)));
    const expected = parse<Record<string, string>>(text, { columns: true });
    expect(read.length).toBe(expected.length);
    for (const [at, row] of expected.entries()) {
      for (const [column, cell] of Object.entries(row)) {
        const found = read[at]?.[column];
        const place = `${table} ${at} ${column}`;
        if (cell === '') expect(found ?? '', place).toBe('');
        else if (typeof found === 'number') expect(found, place).toBe(Number(cell));
        else if (found instanceof Date) expect(found.toISOString(), place).toBe(cell);
        // A spreadsheet would take it for a formula.
        else expect(String(found), place).toBe(cell.replace(/^'(?=[-=+@])/, ''));
      }
    }
  }
}

test('a folder has legs, slices, children, fills and markouts of a portfolio, each as in CSV', async () => {
  const report = await filledReport();
  expect(report.fills.length).toBeGreaterThan(0);
  await expectSame('one', reportTables(report), (table) =>
    reportCsv(report, REPORT_TABLES.find((one) => one === table) ?? 'legs'),
  );
});

test('a comparison and a summary of many are folders with one table each', async () => {
  const report = await filledReport();
  const comparison = compareReports([
    { source: 'a', report },
    { source: 'b', report },
  ]);
  await expectSame('compared', comparisonTables(comparison), () => comparisonCsv(comparison));
  const summaries = new CostSummaries();
  summaries.add(report);
  const summary = summaries.summary({ active: 0, mirrors: 0, older: 0 });
  await expectSame('many', summaryTables(summary), () => summaryCsv(summary));
});

test('a folder that exists is not written into', async () => {
  const report = await filledReport();
  await expect(
    writeReportFolder(folder, reportTables(report), silentTerminal),
  ).rejects.toMatchObject({
    lines: [expect.stringContaining('accepted: a folder that does not exist')],
  });
});

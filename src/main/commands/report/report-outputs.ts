// What a report is written to besides the terminal: one HTML page, and its tables as Parquet files in a new folder.
import type { Terminal } from '../command.ts';
import { outputFile, requireNewFolder } from '../output-path.ts';
import { type ReportTableRows, writeReportFolder } from './report-folder.ts';

export interface OutputOptions {
  readonly html?: string;
  readonly parquet?: string;
}

interface Written {
  readonly page: () => string;
  readonly tables: () => readonly ReportTableRows[];
}

interface ReportOutputs {
  /** Nothing is written: the report is for the terminal. */
  readonly areNone: boolean;
  write(report: Written): Promise<void>;
}

/** Tries the paths before the report is read. @throws CommandFailure */
export function reportOutputs({ html, parquet }: OutputOptions, terminal: Terminal): ReportOutputs {
  const file = html === undefined ? undefined : outputFile({ option: '--html', name: html });
  if (parquet !== undefined) requireNewFolder({ option: '--parquet', name: parquet });
  return {
    areNone: html === undefined && parquet === undefined,
    write: async ({ page, tables }) => {
      if (file !== undefined) {
        file.write(page());
        terminal.complain(`written: ${file.path}`);
      }
      if (parquet !== undefined) await writeReportFolder(parquet, tables(), terminal);
    },
  };
}

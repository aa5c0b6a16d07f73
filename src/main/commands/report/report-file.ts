// Writes the report on costs to a file: one HTML page, or the JSON document that `report compare` reads.
import { extname } from 'node:path';
import type { PortfolioReport } from '../../../core/report/report-shapes.ts';
import { reportPage } from '../../../gateway/report/report-page.ts';
import { CommandFailure } from '../../command-failure.ts';
import { jsonText } from '../command.ts';
import { outputFile } from '../output-path.ts';

const FORMS: Readonly<Record<string, (report: PortfolioReport) => string>> = {
  '.html': reportPage,
  '.json': (report) => `${jsonText(report)}\n`,
};

/** Before the work, so that a long run does not end without its file. @throws CommandFailure */
export function reportFile(option: string, path: string): (report: PortfolioReport) => string {
  const form = FORMS[extname(path).toLowerCase()];
  if (form === undefined) {
    const accepted = Object.keys(FORMS).join(' or ');
    throw new CommandFailure('usage', [
      `${option} is ${JSON.stringify(path)}; accepted: a name that ends in ${accepted}`,
    ]);
  }
  const file = outputFile({ option, name: path });
  return (report) => {
    file.write(form(report));
    return file.path;
  };
}

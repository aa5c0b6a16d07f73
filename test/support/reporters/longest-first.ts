// Orders a test run so that the longest files start first: a long file that starts last would run alone beside an
// idle core. The order does not depend on earlier runs, which a fresh clone does not have.
import { relative } from 'node:path';
import process from 'node:process';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than their names suggest, the longest first. */
const LONG: readonly RegExp[] = [
  /\/resident[^/]*$/,
  /durability-[^/]*$/,
  /embedded-postgres\.pg/,
  /(watched|process-faults|ledger-faults|redis-faults|venue-faults)\.daemon/,
  /\.daemon\.test\.ts$/,
  /postgres-(ledger|faults|pages)\.pg/,
  /redis-trouble\.redis/,
  /(hostile-ledger|keys-killed|export|simulation-stores)\.service/,
  /simulation\/simulation\.test/,
  /engine\/orders\/faults\.test/,
  /main\/cli\.test/,
  /gateway\/examples\.test/,
  /(deribit|paper)-(rfq-)?conformance/,
  /deribit-storm/,
  /day-orders\.test/,
  /(alert-rules|backtest-command|floors|broken-line|openapi-fuzz)\.test/,
];

export class LongestFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(specs);
    const place = ({ moduleId, project }: TestSpecification): number =>
      (project.config.sequence.groupOrder ?? 0) * 1_000 +
      placeOf(relative(process.cwd(), moduleId));
    return bySize.toSorted((a, b) => place(a) - place(b));
  }
}

function placeOf(file: string): number {
  const found = LONG.findIndex((pattern) => pattern.test(file));
  return found < 0 ? LONG.length : found;
}

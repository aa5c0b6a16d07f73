// Orders a test run so that the longest files start first: a long file that starts last would run alone alongside an
// idle core. Files that wait for servers and daemons are spread evenly among those that compute. The order does not depend
// on earlier runs, which a fresh clone does not have.
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import process from 'node:process';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than their names suggest, the longest first. */
const LONG: readonly RegExp[] = [
  /\/resident[^/]*$/,
  /durability-[^/]*$/,
  /embedded-postgres\.pg/,
  /(watched|process-faults|ledger-faults|redis-faults|venue-faults)\.daemon/,
  /(several\/parts|clients)\.daemon/,
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
    const ordered = bySize.toSorted((a, b) => place(a) - place(b));
    const waits = ({ moduleId }: TestSpecification): boolean => WAITING.test(moduleId);
    const rest = ordered.filter((spec) => !isAlone(spec));
    const { shuffle, seed } = this.ctx.config.sequence;
    if (shuffle) return [...ordered.filter(isAlone), ...shuffled(rest, seed)];
    return [
      ...ordered.filter(isAlone),
      ...evenly(
        rest.filter(waits),
        rest.filter((spec) => !waits(spec)),
      ),
    ];
  }
}

/** Files that need the run's servers, most of which start processes. */
const WAITING = /\.(redis|pg|service|daemon)\.test\.ts$/;

const isAlone = ({ project }: TestSpecification): boolean =>
  (project.config.sequence.groupOrder ?? 0) === 0;

/** In an order that the seed decides. */
function shuffled(specs: readonly TestSpecification[], seed: number): TestSpecification[] {
  const place = ({ moduleId }: TestSpecification): string =>
    createHash('sha256').update(`${seed} ${moduleId}`).digest('hex');
  return specs.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}

/** Both lists in their order, each spread over the whole. */
function evenly<T>(some: readonly T[], others: readonly T[]): T[] {
  const placed = [some, others].flatMap((list) =>
    list.map((item, index) => ({ item, at: (index + 0.5) / list.length })),
  );
  return placed.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}

function placeOf(file: string): number {
  const found = LONG.findIndex((pattern) => pattern.test(file));
  return found < 0 ? LONG.length : found;
}

// Compares the paper market with recordings, statistic by statistic, and prints the ratios. Reads the recordings from the
// folder given as argument or in TWAPD_RECORDINGS; without one it says so and prints nothing else.
import { existsSync } from 'node:fs';
import process from 'node:process';
import Table from 'cli-table3';
import { BOOKS, type CalibratedBook } from './books.ts';
import { generatedSeries, type Regime } from './generated.ts';
import { generatedWidths, recordedWidths } from './option-widths.ts';
import { type Recording, recordedSeries } from './recordings.ts';
import { type Statistics, statisticsOf } from './statistics.ts';

const FACTOR = 1.5;
const SETTINGS: Regime = { correlation: 0.9 };

const folder = process.argv[2] ?? process.env['TWAPD_RECORDINGS'];
if (folder === undefined || !existsSync(folder)) {
  process.stderr.write(
    `no recordings${folder === undefined ? '' : ` at ${folder}`}: give their folder as an argument or in TWAPD_RECORDINGS\n`,
  );
  process.exit(2);
}

const figure = (value: number | undefined): string => {
  if (value === undefined) return '';
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en');
  return Number(value.toPrecision(3)).toString();
};
const ratio = (value: number | undefined, to: number | undefined): string =>
  value === undefined || to === undefined || to === 0 ? '' : (value / to).toFixed(2);
const isNear = (value: number, to: number): boolean =>
  value === to || (value / to <= FACTOR && to / value <= FACTOR);
const isCorrelation = (name: string): boolean => name.startsWith('acf');

const filesOf = (recordings: readonly Recording[]): string =>
  recordings
    .map(({ quotes, trades, part }) => {
      const files = [quotes, trades].filter((file) => file !== undefined).join(', ');
      return part === undefined
        ? files
        : `${files} (${part.map((share) => share * 100).join(' to ')} %)`;
    })
    .join('; ') || 'none left';

interface Count {
  near: number;
  of: number;
}

function compare(book: CalibratedBook, from: string, total: Count): void {
  const { symbol, spreadIn, fittedTo, heldAgainst } = book;
  const statistics = (recordings: readonly Recording[]): Statistics =>
    statisticsOf(
      recordings.map((recording) => recordedSeries(from, recording)),
      spreadIn,
    );
  const paper = statisticsOf(generatedSeries(symbol, SETTINGS), spreadIn);
  const fitted = statistics(fittedTo);
  const held = heldAgainst.map((recording) => statistics([recording]));
  const table = new Table({
    head: [symbol, 'fitted to', 'paper', 'ratio', ...held.flatMap(() => ['held against', 'ratio'])],
  });
  for (const name of paper.keys()) {
    const [value, to] = [paper.get(name), fitted.get(name)];
    const references = [to, ...held.map((each) => each.get(name))];
    if (value === undefined || references.every((each) => each === undefined)) continue;
    if (!isCorrelation(name) && to !== undefined) {
      total.of += 1;
      if (isNear(value, to)) total.near += 1;
    }
    table.push([
      name,
      ...[figure(to), figure(value), ratio(value, to)],
      ...held.flatMap((each) => [figure(each.get(name)), ratio(value, each.get(name))]),
    ]);
  }
  process.stdout.write(`${table.toString()}\n`);
  process.stdout.write(
    `fitted to: ${filesOf(fittedTo)}\nheld against: ${filesOf(heldAgainst)}\n\n`,
  );
}

function compareOptions(from: string): void {
  const paper = generatedWidths(SETTINGS);
  const [fitted, held] = [recordedWidths(from, 0), recordedWidths(from, 1)];
  const table = new Table({
    head: ['median width, coins', 'fitted to', 'paper', 'ratio', 'held against', 'ratio'],
  });
  const count = { near: 0, held: 0, of: 0 };
  for (const [cell, to] of [...fitted].toSorted(([a], [b]) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )) {
    const [value, other] = [paper.get(cell), held.get(cell)];
    if (value === undefined || other === undefined) continue;
    count.of += 1;
    if (isNear(value, to)) count.near += 1;
    if (isNear(value, other)) count.held += 1;
    table.push([
      cell,
      figure(to),
      figure(value),
      ratio(value, to),
      figure(other),
      ratio(value, other),
    ]);
  }
  process.stdout.write(`${table.toString()}\n`);
  process.stdout.write(
    'fitted to: every second day of deribit_option_chain; held against: the days between\n' +
      `option cells within a factor of ${FACTOR}: ${count.near} of ${count.of} fitted, ${count.held} of ${count.of} held out\n`,
  );
}

const total: Count = { near: 0, of: 0 };
for (const book of BOOKS) compare(book, folder, total);
compareOptions(folder);
process.stdout.write(
  `book statistics within a factor of ${FACTOR}: ${total.near} of ${total.of}\n`,
);

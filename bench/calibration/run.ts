// Compares the paper market with recordings, statistic by statistic, and prints the ratios. Reads the recordings from the
// folder given as argument or in TWAPD_RECORDINGS; without one it says so and prints nothing else.
import { existsSync } from 'node:fs';
import process from 'node:process';
import Table from 'cli-table3';
import { REGIMES } from '../../src/exchange/market/regimes.ts';
import { BOOKS, type CalibratedBook } from './books.ts';
import { DAYS, generatedMinutes, minutesOfDays, recordedMinutes } from './candles.ts';
import { DERIBIT_FIGURES } from './deribit-figures.ts';
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
/** Widths are differences of decimals: three ticks are 1.5 times two, whatever their last bits. */
const ROUNDING = 1e-9;
const isNear = (value: number, to: number): boolean =>
  value === to || Math.max(value / to, to / value) <= FACTOR + ROUNDING;
const isCorrelation = (name: string): boolean => name.startsWith('acf');

const filesOf = (recordings: readonly Recording[]): string =>
  recordings
    .map(({ quotes, trades, part, stretches }) => {
      const files = [quotes, trades].filter((file) => file !== undefined).join(', ');
      if (stretches !== undefined) {
        return `${files} (every second stretch of six minutes, from the ${stretches} on)`;
      }
      return part === undefined
        ? files
        : `${files} (${part.map((share) => share * 100).join(' to ')} %)`;
    })
    .join('; ') || 'none left';

interface Measured {
  readonly book: CalibratedBook;
  readonly paper: Statistics;
  readonly fitted: Statistics;
  readonly held: readonly Statistics[];
}

function measured(book: CalibratedBook, from: string): Measured {
  const { symbol, spreadIn, fittedTo, heldAgainst } = book;
  const statistics = (recordings: readonly Recording[]): Statistics =>
    statisticsOf(
      recordings.flatMap((recording) => recordedSeries(from, recording)),
      spreadIn,
    );
  return {
    book,
    paper: statisticsOf(generatedSeries(symbol, SETTINGS), spreadIn),
    fitted: statistics(fittedTo),
    held: heldAgainst.map((recording) => statistics([recording])),
  };
}

/** The least and the greatest of a statistic in recordings. */
function rangeOf(name: string, recordings: readonly Statistics[]): readonly number[] {
  const values = recordings.flatMap((each) => each.get(name) ?? []);
  return values.length === 0 ? [] : [Math.min(...values), Math.max(...values)];
}

const isWithin = (value: number, [least, greatest]: readonly number[]): boolean =>
  least !== undefined && greatest !== undefined && value >= least && value <= greatest;

const recordingsOf = ({ fitted, held }: Measured): readonly Statistics[] => [fitted, ...held];

const total = {
  near: 0,
  of: 0,
  inOwnRange: 0,
  inRange: 0,
  correlations: 0,
  nearFigures: 0,
  figures: 0,
};

function compare(one: Measured, all: readonly Measured[]): void {
  const { book, paper, fitted, held } = one;
  const sameKind = all.filter((other) => other.book.kind === book.kind).flatMap(recordingsOf);
  const table = new Table({
    head: [
      book.symbol,
      'fitted to',
      'paper',
      'ratio',
      'within',
      ...held.flatMap(() => ['held against', 'ratio']),
    ],
  });
  for (const [name, value] of paper) {
    const to = fitted.get(name);
    if (recordingsOf(one).every((each) => each.get(name) === undefined)) continue;
    let within = '';
    if (isCorrelation(name)) {
      const range = rangeOf(name, sameKind);
      total.correlations += 1;
      if (isWithin(value, rangeOf(name, recordingsOf(one)))) total.inOwnRange += 1;
      if (isWithin(value, range)) total.inRange += 1;
      within = `${range.map(figure).join(' to ')}${isWithin(value, range) ? '' : ': no'}`;
    } else if (to !== undefined) {
      total.of += 1;
      if (isNear(value, to)) total.near += 1;
      within = isNear(value, to) ? `${FACTOR}` : `${FACTOR}: no`;
    }
    table.push([
      name,
      figure(to),
      figure(value),
      isCorrelation(name) ? '' : ratio(value, to),
      within,
      ...held.flatMap((each) => [
        figure(each.get(name)),
        isCorrelation(name) ? '' : ratio(value, each.get(name)),
      ]),
    ]);
  }
  process.stdout.write(`${table.toString()}\n`);
  process.stdout.write(
    `fitted to: ${filesOf(book.fittedTo)}\nheld against: ${filesOf(book.heldAgainst)}\n\n`,
  );
}

/** A figure of the paper market next to what it is fitted to and what was held out. */
const heldOutRow = (
  name: string,
  of: Readonly<Record<'to' | 'value' | 'other', number | undefined>>,
): string[] => [
  name,
  figure(of.to),
  figure(of.value),
  ratio(of.value, of.to),
  figure(of.other),
  ratio(of.value, of.other),
];

/** Perpetuals against Deribit's own minutes and figures. */
function compareMinutes(symbol: keyof typeof DERIBIT_FIGURES, from: string): void {
  const series = generatedSeries(symbol, SETTINGS);
  const paper = new Map([...statisticsOf(series, 'ticks'), ...generatedMinutes(series)]);
  const [fitted, held] = [recordedMinutes(from, symbol, 0), recordedMinutes(from, symbol, 1)];
  const figures = DERIBIT_FIGURES[symbol];
  const table = new Table({
    head: [
      `${symbol}, Deribit 2026`,
      'even days',
      'paper',
      'ratio',
      'odd days',
      'ratio',
      'figures',
      'ratio',
    ],
  });
  for (const name of new Set([...fitted.keys(), ...figures.keys()])) {
    const [to, other, third, value] = [fitted, held, figures, paper].map((each) => each.get(name));
    if (third !== undefined) {
      total.figures += 1;
      if (value !== undefined && isNear(value, third)) total.nearFigures += 1;
    }
    table.push([...heldOutRow(name, { to, value, other }), figure(third), ratio(value, third)]);
  }
  process.stdout.write(`${table.toString()}\n`);
}

/** Each regime against the days that it is named after. */
function compareRegimes(symbol: string, from: string): void {
  const table = new Table({
    head: [`${symbol} by regime`, ...REGIMES.flatMap((regime) => [regime, 'those days', 'ratio'])],
  });
  const found = REGIMES.map((regime) => ({
    paper: generatedMinutes(generatedSeries(symbol, { ...SETTINGS, regime })),
    days: minutesOfDays(from, symbol, DAYS[regime]),
  }));
  for (const name of found[0]?.days.keys() ?? []) {
    table.push([
      name,
      ...found.flatMap(({ paper, days }) => [
        figure(paper.get(name)),
        figure(days.get(name)),
        ratio(paper.get(name), days.get(name)),
      ]),
    ]);
  }
  process.stdout.write(`${table.toString()}\n`);
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
    table.push(heldOutRow(cell, { to, value, other }));
  }
  process.stdout.write(`${table.toString()}\n`);
  process.stdout.write(
    'fitted to: every second day of deribit_option_chain; held against: the days between\n' +
      `option cells within a factor of ${FACTOR}: ${count.near} of ${count.of} fitted, ${count.held} of ${count.of} held out\n`,
  );
}

const all = BOOKS.map((book) => measured(book, folder));
for (const one of all) compare(one, all);
for (const symbol of ['BTC-PERPETUAL', 'ETH-PERPETUAL'] as const) compareMinutes(symbol, folder);
compareOptions(folder);
for (const symbol of ['BTC-PERPETUAL', 'ETH-PERPETUAL']) compareRegimes(symbol, folder);
process.stdout.write(
  `figures of Deribit's perpetuals within a factor of ${FACTOR}: ${total.nearFigures} of ${total.figures}\n` +
    `book statistics within a factor of ${FACTOR} of what they are fitted to: ${total.near} of ${total.of}\n` +
    `autocorrelations within the range of the recordings of the same kind of book: ${total.inRange} of ${total.correlations}; ` +
    `of the same book: ${total.inOwnRange}\n`,
);

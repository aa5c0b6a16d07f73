// Reads recordings in the columns of tardis.dev (quotes and trades, csv.gz) from a folder.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { must } from '../../src/values/assert.ts';
import type { Print, Series, Touch } from './series.ts';

export interface Recording {
  /** Paths in the folder of recordings. */
  readonly quotes?: string | undefined;
  readonly trades?: string | undefined;
  readonly tick: number;
  /** USD per unit of the recorded amounts; one coin at the price of the row if absent. */
  readonly contractUsd?: number | undefined;
  /** Only this part of the file, as shares of its span. Default all of it. */
  readonly part?: readonly [from: number, until: number] | undefined;
  /**
   * Only every second stretch of six minutes, beginning with the first or the second. Both then have every hour of a day, of which
   * one half may have a participant that the other has not. Default all of it.
   */
  readonly stretches?: 'first' | 'second' | undefined;
}

const STRETCH_MS = 360_000;

export type Row = ReadonlyMap<string, string>;

/** The rows of a file as objects by column. @throws if the file cannot be read. */
export function rowsOf(folder: string, file: string): readonly Row[] {
  const [head = '', ...lines] = gunzipSync(readFileSync(path.join(folder, file)))
    .toString()
    .trimEnd()
    .split('\n');
  const columns = head.split(',');
  return lines.map((line) => {
    const fields = line.split(',');
    return new Map(columns.map((column, at) => [column, fields[at] ?? '']));
  });
}

const numberIn = (row: Row, column: string): number => {
  const text = row.get(column);
  return text === undefined || text === '' ? Number.NaN : Number(text);
};

const SIDES: Readonly<Record<string, number>> = { buy: 1, sell: -1 };

/** One series, or one for each stretch. */
export function recordedSeries(folder: string, recording: Recording): readonly Series[] {
  const { quotes, trades, tick, contractUsd } = recording;
  const usdOf = (amount: number, price: number): number => amount * (contractUsd ?? price);
  const touches: readonly Touch[] = (quotes === undefined ? [] : rowsOf(folder, quotes)).map(
    (row) => {
      const [bid, ask] = [numberIn(row, 'bid_price'), numberIn(row, 'ask_price')];
      return {
        atMs: numberIn(row, 'timestamp') / 1_000,
        bid,
        ask,
        bidUsd: usdOf(numberIn(row, 'bid_amount'), bid),
        askUsd: usdOf(numberIn(row, 'ask_amount'), ask),
      };
    },
  );
  const prints: readonly Print[] = (trades === undefined ? [] : rowsOf(folder, trades)).map(
    (row) => ({
      atMs: numberIn(row, 'timestamp') / 1_000,
      side: SIDES[row.get('side') ?? ''] ?? 0,
      price: numberIn(row, 'price'),
      usd: usdOf(numberIn(row, 'amount'), numberIn(row, 'price')),
    }),
  );
  const inOrder = (a: { atMs: number }, b: { atMs: number }): number => a.atMs - b.atMs;
  const whole = {
    touches: touches.filter(({ bid, ask }) => ask > bid).toSorted(inOrder),
    prints: prints.toSorted(inOrder),
  };
  const part = partOf({ ...whole, tick }, recording.part ?? [0, 1]);
  return recording.stretches === undefined ? [part] : stretchesOf(part, recording.stretches);
}

/** Whole stretches only: a shorter one at the end is left out. */
function stretchesOf(of: Series, from: 'first' | 'second'): readonly Series[] {
  const cut: Series[] = [];
  const firstMs = of.fromMs + (from === 'first' ? 0 : STRETCH_MS);
  for (let fromMs = firstMs; fromMs + STRETCH_MS <= of.untilMs; fromMs += 2 * STRETCH_MS) {
    const untilMs = fromMs + STRETCH_MS;
    const isIn = ({ atMs }: { atMs: number }): boolean => atMs >= fromMs && atMs < untilMs;
    const [touches, prints] = [of.touches.filter(isIn), of.prints.filter(isIn)];
    cut.push({ ...of, fromMs, untilMs, touches, prints });
  }
  return cut;
}

function partOf(
  whole: Omit<Series, 'fromMs' | 'untilMs'>,
  [from, until]: readonly [number, number],
): Series {
  const times = [...whole.touches, ...whole.prints].map(({ atMs }) => atMs);
  const first = must(
    times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    'a row',
  );
  const last = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const [fromMs, untilMs] = [first + from * (last - first), first + until * (last - first)];
  const isIn = ({ atMs }: { atMs: number }): boolean => atMs >= fromMs && atMs <= untilMs;
  const { tick, touches, prints } = whole;
  return { fromMs, untilMs, tick, touches: touches.filter(isIn), prints: prints.filter(isIn) };
}

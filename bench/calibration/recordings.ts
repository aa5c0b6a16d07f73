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
}

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

export function recordedSeries(folder: string, recording: Recording): Series {
  const { quotes, trades, tick, contractUsd } = recording;
  const usdOf = (amount: number, price: number): number => amount * (contractUsd ?? price);
  const touches: readonly Touch[] = (quotes === undefined ? [] : rowsOf(folder, quotes)).map(
    (row) => {
      const [bid, ask] = [numberIn(row, 'bid_price'), numberIn(row, 'ask_price')];
      return {
        ...{ atMs: numberIn(row, 'timestamp') / 1_000, bid, ask },
        bidUsd: usdOf(numberIn(row, 'bid_amount'), bid),
        askUsd: usdOf(numberIn(row, 'ask_amount'), ask),
      };
    },
  );
  const prints: readonly Print[] = (trades === undefined ? [] : rowsOf(folder, trades)).map(
    (row) => ({
      atMs: numberIn(row, 'timestamp') / 1_000,
      side: SIDES[row.get('side') ?? ''] ?? 0,
      usd: usdOf(numberIn(row, 'amount'), numberIn(row, 'price')),
    }),
  );
  const inOrder = (a: { atMs: number }, b: { atMs: number }): number => a.atMs - b.atMs;
  const whole = {
    touches: touches.filter(({ bid, ask }) => ask > bid).toSorted(inOrder),
    prints: prints.toSorted(inOrder),
  };
  return partOf({ ...whole, tick }, recording.part ?? [0, 1]);
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

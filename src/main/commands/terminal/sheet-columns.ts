// Columns of a sheet: text, amounts to the right, profit and loss in colour. Each is `[name, head, rank]` and its cell.
import { paintedProfit } from './paint.ts';
import type { SheetColumn } from './sheet.ts';
import { type ZoneName, zonedIso, zonedText } from './time-zone.ts';

type Names = readonly [name: string, head: string, rank: number];

export const amountColumn = <T>(
  [name, head, rank]: Names,
  cell: (row: T) => string | undefined,
): SheetColumn<T> => ({ name, head, rank, cell, align: 'right' });

export const profitColumn = <T>(
  names: Names,
  cell: (row: T) => string | undefined,
): SheetColumn<T> => ({
  ...amountColumn(names, cell),
  shown: (row) => paintedProfit(cell(row) ?? ''),
});

export const textColumn = <T>(
  [name, head, rank]: Names,
  cell: (row: T) => string | undefined,
): SheetColumn<T> => ({ name, head, rank, cell });

/** Text that all rows often share. */
export const sharedColumn = <T>(
  names: Names,
  cell: (row: T) => string | undefined,
): SheetColumn<T> => ({ ...textColumn(names, cell), mayRepeat: true });

/** Unix milliseconds, in the zone, which the head names; ISO 8601 with an offset in CSV. */
export const timeColumn = <T>(
  [name, head, rank]: Names,
  zone: ZoneName,
  at: (row: T) => number | null | undefined,
): SheetColumn<T> => {
  const inZone = (row: T, form: typeof zonedIso): string => {
    const epochMs = at(row);
    return epochMs === null || epochMs === undefined ? '' : form(epochMs, zone);
  };
  return {
    name,
    head: `${head} (${zone})`,
    rank,
    cell: (row) => inZone(row, zonedIso),
    shown: (row) => inZone(row, zonedText),
  };
};

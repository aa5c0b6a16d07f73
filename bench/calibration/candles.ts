// Minutes of Deribit's own perpetuals: a candle of one minute alongside each snapshot of its option chains, four a day. They
// say what is turned over in a minute and how far it trades, which recordings of other venues cannot.
import path from 'node:path';
import type { Regime } from '../../src/exchange/market/regimes.ts';
import { type Row, rowsOf } from './recordings.ts';
import type { Series } from './series.ts';
import { quantile } from './statistics.ts';

const CANDLES = path.join(
  'deribit_option_chain',
  'extra_perpetual_futures_prices_1m_candles.csv.gz',
);
const MINUTE_MS = 60_000;
const BASIS_POINTS = 10_000;
const QUARTILES = [0.25, 0.5, 0.75] as const;

interface Minute {
  readonly usd: number;
  /** Highest less lowest trade, basis points of the lowest; not a number without a trade. */
  readonly range: number;
}

/** Days of the recording by how much their prices moved. */
export const DAYS: Readonly<Record<Regime, readonly [from: number, until: number]>> = {
  'quiet-days': [0, 0.25],
  'all-days': [0, 1],
  'busy-days': [0.75, 1],
  'wild-days': [0.95, 1],
};

/** Quartiles by name. */
export type MinuteStatistics = ReadonlyMap<string, number>;

/** Days whose place among those of the file is `remainder` modulo 2: even days are fitted, odd ones are held out. */
export function recordedMinutes(
  folder: string,
  symbol: string,
  remainder: number,
): MinuteStatistics {
  const rows = rowsOf(folder, CANDLES).filter((row) => row.get('candle_found') === 'True');
  const days = [...new Set(rows.map(dayOf))].toSorted();
  return statisticsOfMinutes(
    rows
      .filter((row) => row.get('instrument_name') === symbol)
      .filter((row) => days.indexOf(dayOf(row)) % 2 === remainder)
      .map(minuteOf),
  );
}

/** Minutes of a share of the days, from the quietest to the wildest by the squares of the moves from one snapshot to the next. */
export function minutesOfDays(
  folder: string,
  symbol: string,
  [from, until]: readonly [number, number],
): MinuteStatistics {
  const rows = rowsOf(folder, CANDLES)
    .filter((row) => row.get('candle_found') === 'True' && row.get('instrument_name') === symbol)
    .toSorted((a, b) => timeOf(a) - timeOf(b));
  const moves = new Map<string, { sum: number; count: number }>();
  for (const [at, row] of rows.entries()) {
    const next = rows[at + 1];
    if (next === undefined) continue;
    const of = moves.get(dayOf(row)) ?? { sum: 0, count: 0 };
    const move = Math.log(Number(next.get('candle_close')) / Number(row.get('candle_close')));
    of.sum += move ** 2 / (timeOf(next) - timeOf(row));
    of.count += 1;
    moves.set(dayOf(row), of);
  }
  const days = [...moves].toSorted(([, a], [, b]) => a.sum / a.count - b.sum / b.count);
  const chosen = new Set(
    days.slice(Math.floor(from * days.length), Math.ceil(until * days.length)).map(([day]) => day),
  );
  return statisticsOfMinutes(rows.filter((row) => chosen.has(dayOf(row))).map(minuteOf));
}

const timeOf = (row: Row): number => Number(row.get('snapshot_timestamp_ms'));
const minuteOf = (row: Row): Minute => ({
  usd: Number(row.get('candle_cost')),
  range: (Number(row.get('candle_high')) / Number(row.get('candle_low')) - 1) * BASIS_POINTS,
});
const dayOf = (row: Row): string => (row.get('obs_datetime') ?? '').split('T')[0] ?? '';

export const generatedMinutes = (pieces: readonly Series[]): MinuteStatistics =>
  statisticsOfMinutes(pieces.flatMap(minutesIn));

function minutesIn({ fromMs, untilMs, prints }: Series): readonly Minute[] {
  const minutes: Minute[] = [];
  for (let atMs = fromMs; atMs + MINUTE_MS <= untilMs; atMs += MINUTE_MS) {
    const own = prints.filter((print) => print.atMs >= atMs && print.atMs < atMs + MINUTE_MS);
    const prices = own.map(({ price }) => price);
    const range = (Math.max(...prices) / Math.min(...prices) - 1) * BASIS_POINTS;
    minutes.push({ usd: own.reduce((sum, { usd }) => sum + usd, 0), range });
  }
  return minutes;
}

function statisticsOfMinutes(minutes: readonly Minute[]): MinuteStatistics {
  const ranges = minutes.map(({ range }) => range).filter(Number.isFinite);
  return new Map([
    ...QUARTILES.map(
      (share) =>
        [
          `turnover of a minute, USD, ${share * 100} %`,
          quantile(
            minutes.map(({ usd }) => usd),
            share,
          ),
        ] as const,
    ),
    ...QUARTILES.map(
      (share) =>
        [
          `range of a minute's trades, basis points, ${share * 100} %`,
          quantile(ranges, share),
        ] as const,
    ),
  ]);
}

// The statistics by which a generated market is compared with recorded ones. All are computed the same way for both.
import { changesIn, everySecond, middleOf, type Series, takersIn } from './series.ts';

/** By name; without those a series has no data for. */
export type Statistics = ReadonlyMap<string, number>;

const MINUTE_SECONDS = 60;
const BASIS_POINTS = 10_000;
const QUARTILES = [0.25, 0.5, 0.75] as const;

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Statistics of several stretches of one market together.
 *
 * @param unit unit of the spread: ticks for books that are a tick wide, otherwise basis points.
 */
export function statisticsOf(
  pieces: readonly Series[],
  unit: 'ticks' | 'basis points',
): Statistics {
  const found = new Map<string, number>();
  const note = (name: string, value: number): void => {
    if (Number.isFinite(value)) found.set(name, value);
  };
  const quartiles = (name: string, values: readonly number[]): void => {
    for (const share of QUARTILES) note(`${name} ${share * 100} %`, quantile(values, share));
  };
  const quoted = pieces
    .filter(({ touches }) => touches.length > 0)
    .map((piece) => ({ piece, seconds: everySecond(piece) }));
  const seconds = quoted.flatMap((each) => each.seconds);
  quartiles(
    `spread, ${unit},`,
    quoted.flatMap(({ piece, seconds: own }) =>
      own.map((touch) =>
        unit === 'ticks'
          ? Math.round((touch.ask - touch.bid) / piece.tick)
          : ((touch.ask - touch.bid) / middleOf(touch)) * BASIS_POINTS,
      ),
    ),
  );
  quartiles(
    'touch size, USD,',
    seconds.flatMap(({ bidUsd, askUsd }) => [bidUsd, askUsd]).filter(Number.isFinite),
  );
  const quotedMinutes = quoted.reduce((sum, { piece }) => sum + minutesOf(piece), 0);
  const changes = quoted.reduce((sum, { piece }) => sum + changesIn(piece), 0);
  if (quotedMinutes > 0) note('changes of bid and offer a minute', changes / quotedMinutes);
  const printed = pieces.filter(({ prints }) => prints.length > 0);
  const minutes = printed.reduce((sum, piece) => sum + minutesOf(piece), 0);
  const prints = printed.flatMap((piece) => piece.prints);
  quartiles('taker size, USD,', printed.flatMap(takersIn));
  if (minutes > 0) {
    note('prints a minute', prints.length / minutes);
    note('turnover, USD a minute', prints.reduce((sum, { usd }) => sum + usd, 0) / minutes);
  }
  const middles = quoted.map(({ seconds: own }) => own.map(middleOf));
  note('range of a minute, basis points', quantile(middles.flatMap(rangesOf), 0.5));
  const returns = middles.map(returnsOf);
  const all = returns.flat();
  note('still seconds', all.filter((each) => each === 0).length / all.length);
  note('acf of returns, 1 s', autocorrelation(returns, 1));
  note('acf of returns, 5 s', autocorrelation(returns, 5));
  const absolute = returns.map((piece) => piece.map(Math.abs));
  note('acf of absolute returns, 1 s', autocorrelation(absolute, 1));
  note('acf of absolute returns, 10 s', autocorrelation(absolute, 10));
  const sides = printed.map((piece) => piece.prints.map(({ side }) => side).filter(Boolean));
  note('acf of sides, 1 print', autocorrelation(sides, 1));
  note('acf of sides, 10 prints', autocorrelation(sides, 10));
  return found;
}

const minutesOf = ({ fromMs, untilMs }: Series): number => (untilMs - fromMs) / 60_000;

const returnsOf = (middles: readonly number[]): readonly number[] =>
  middles.slice(1).map((middle, at) => Math.log(middle / (middles[at] ?? middle)));

/** Highest less lowest mid price of each whole minute, basis points of the lowest. */
function rangesOf(middles: readonly number[]): readonly number[] {
  const ranges: number[] = [];
  for (let from = 0; from + MINUTE_SECONDS <= middles.length; from += MINUTE_SECONDS) {
    const minute = middles.slice(from, from + MINUTE_SECONDS);
    const lowest = Math.min(...minute);
    ranges.push((Math.max(...minute) / lowest - 1) * BASIS_POINTS);
  }
  return ranges;
}

/** Of several pieces with one mean and variance; not a number without data. */
function autocorrelation(pieces: readonly (readonly number[])[], lag: number): number {
  const all = pieces.flat();
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
  const variance = all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length;
  let [sum, count] = [0, 0];
  for (const piece of pieces) {
    for (let at = lag; at < piece.length; at += 1) {
      sum += ((piece[at] ?? mean) - mean) * ((piece[at - lag] ?? mean) - mean);
      count += 1;
    }
  }
  return sum / count / variance;
}

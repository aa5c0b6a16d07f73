// Distribution of a sample, and its trend over time. Floats: these are statistics, not money.
import { round } from '../fill-costs.ts';
import { sampleFigures } from '../sample-figures.ts';
import type { Distribution } from './cost-summary-shapes.ts';

const orNull = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : round(value);

export function distributionOf(values: readonly number[]): Distribution {
  const sorted = values.toSorted((a, b) => a - b);
  const { count, mean, standardError } = sampleFigures(sorted);
  return {
    count,
    mean: orNull(mean),
    standardError: orNull(standardError),
    least: orNull(sorted[0]),
    lowerQuartile: orNull(quantile(sorted, 0.25)),
    median: orNull(quantile(sorted, 0.5)),
    upperQuartile: orNull(quantile(sorted, 0.75)),
    greatest: orNull(sorted.at(-1)),
  };
}

/** Interpolated between the two nearest of n values, at the place share · (n − 1). */
function quantile(sorted: readonly number[], share: number): number | undefined {
  const place = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (below === undefined || above === undefined) return undefined;
  return below + (above - below) * (place - Math.floor(place));
}

interface Trend {
  readonly slope: number | null;
  readonly standardError: number | null;
}

/** The slope of y over x by least squares, and its standard error. */
export function trendOf(points: readonly (readonly [x: number, y: number])[]): Trend {
  const count = points.length;
  const mean = (of: 0 | 1): number => points.reduce((sum, point) => sum + point[of], 0) / count;
  const [meanX, meanY] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (count < 3 || spread === 0) return { slope: null, standardError: null };
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const squares = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope: round(slope), standardError: round(Math.sqrt(squares / (count - 2) / spread)) };
}

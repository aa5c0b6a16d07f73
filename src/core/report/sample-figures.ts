// Mean and error of a sample of measurements. Floats: these are statistics, not money.

export interface SampleFigures {
  readonly count: number;
  readonly mean: number | null;
  /** Of the mean: standard deviation (n − 1) over √n; `null` with fewer than two. */
  readonly standardError: number | null;
}

/** The error holds for independent measurements. */
export function sampleFigures(values: readonly number[]): SampleFigures {
  const count = values.length;
  if (count === 0) return { count, mean: null, standardError: null };
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count < 2) return { count, mean, standardError: null };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { count, mean, standardError: Math.sqrt(squares / (count - 1) / count) };
}

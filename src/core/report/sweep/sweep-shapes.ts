// What a sweep found: one portfolio run with several settings on the same windows.

/** Of the run of one leg. Costs are in basis points, positive is worse for the portfolio; shares lie between 0 and 1. */
export const SWEEP_MEASURES = ['arrival', 'twap', 'vwap', 'filled', 'maker'] as const;
export type SweepMeasure = (typeof SWEEP_MEASURES)[number];

/** `null`: not known, as the slippage of a leg without a fill. */
export type Measured = Readonly<Record<SweepMeasure, number | null>>;

/** One run: a variant on a window. */
export interface SweptRun {
  readonly variant: number;
  readonly window: number;
  /** One entry per leg; `undefined` if the portfolio was refused. */
  readonly legs: readonly SweptRunLeg[] | undefined;
  /** Why it was refused. */
  readonly reasons?: readonly string[] | undefined;
}

export interface SweptRunLeg {
  readonly instrument: string;
  readonly side: string;
  readonly measured: Measured;
}

export interface SweepTable {
  readonly format: 'twapd.sweep/1';
  /** The variant that the others are compared with. */
  readonly base: string;
  readonly variants: readonly SweptVariant[];
  readonly windows: number;
  readonly legs: readonly SweptLeg[];
  readonly notes: readonly string[];
}

/** A table with what it was made from. */
export interface Sweep extends SweepTable {
  readonly origin: SweepOrigin;
}

export interface SweepOrigin {
  readonly version: string;
  /** Digest of the inputs of every run, in the order of settings and windows: 64 hexadecimal digits. */
  readonly inputs: string;
  /** Digest of the trace hashes in the same order; a refused run has none and counts as `null`. */
  readonly trace: string;
}

export interface SweptVariant {
  readonly name: string;
  readonly runs: number;
  readonly refused: number;
}

export interface SweptLeg {
  readonly leg: number;
  readonly side: string;
  readonly instrument: string;
  readonly rows: readonly SweptFigures[];
}

/** One measure of one variant over its windows. */
export interface SweptFigures {
  readonly variant: string;
  readonly measure: SweepMeasure;
  /** Windows in which it is known. */
  readonly count: number;
  readonly mean: number | null;
  /** Of the mean: standard deviation (n − 1) over √n. */
  readonly standardError: number | null;
  /** Windows in which it is known for the base as well; 0 for the base itself. */
  readonly pairs: number;
  /** The mean over these pairs of the variant's figure minus that of the base. */
  readonly difference: number | null;
  readonly differenceError: number | null;
}

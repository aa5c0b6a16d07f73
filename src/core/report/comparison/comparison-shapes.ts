// Several reports on costs side by side, as plain JSON. Signs are those of the reports: positive is a cost, and a positive
// difference is dearer than the first report. `null` is unknown and never zero.

export interface ComparedReport {
  /** A, B, … in the order given; A is what the others are compared with. */
  readonly name: string;
  /** The portfolio or file that it was read from. */
  readonly source: string;
  readonly portfolio: string;
  readonly account: string;
  readonly strategy: string | null;
  readonly status: string;
  readonly start: string;
  readonly end: string;
  readonly isProvisional: boolean;
}

/** The whole of a leg in one report, without regard to which slices pair. */
export interface WholeLeg {
  readonly report: string;
  readonly instrument: string;
  readonly filled: string;
  readonly asked: string;
  readonly averagePrice: string | null;
  readonly arrivalBps: number | null;
  readonly twapBps: number | null;
  readonly vwapBps: number | null;
  readonly executionBps: number | null;
  readonly shortfallBps: number | null;
  readonly shortfallUsd: number | null;
  readonly makerShare: number | null;
  readonly slices: number;
}

/** cost and price in basis points, lateness in milliseconds, filled and maker as shares. */
export type PairedMeasure = 'cost' | 'price' | 'lateness' | 'filled' | 'maker';

export interface PairedFigures {
  readonly measure: PairedMeasure;
  /** Slices in which both reports have it. */
  readonly pairs: number;
  /** Plain means over those slices; `null` for price, which is only compared. */
  readonly first: number | null;
  readonly mean: number | null;
  /** Mean of the differences, this report minus the first. */
  readonly difference: number | null;
  /** Of `difference`. */
  readonly standardError: number | null;
}

export interface PairedLeg {
  readonly report: string;
  readonly pairedBy: 'slice number' | 'planned instant';
  readonly pairs: number;
  /** Slices without a partner. */
  readonly unpairedFirst: number;
  readonly unpaired: number;
  readonly figures: readonly PairedFigures[];
}

export interface ComparedLeg {
  readonly leg: number;
  readonly side: 'buy' | 'sell';
  /** Of the reports that have the leg. */
  readonly whole: readonly WholeLeg[];
  /** Of the reports after the first. */
  readonly paired: readonly PairedLeg[];
}

export interface Comparison {
  readonly schema: 'twapd.compare/1';
  readonly reports: readonly ComparedReport[];
  readonly legs: readonly ComparedLeg[];
  /** How to read it, and what is missing. */
  readonly notes: readonly string[];
}

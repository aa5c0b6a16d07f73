// An invariant that a run found broken.

export interface Breach {
  /** I1 to I24, or `crash` where the engine's own assertion was faster. */
  readonly invariant: string;
  readonly what: string;
}

export type ReportBreach = (invariant: string, what: string) => void;

/** What an error says of itself, for {@link Breach.what}. */
export const told = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

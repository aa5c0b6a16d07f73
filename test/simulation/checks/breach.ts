// An invariant that a run found broken.

export interface Breach {
  /** I1 to I24, or `crash` where the engine's own assertion was faster. */
  readonly invariant: string;
  readonly what: string;
}

export type ReportBreach = (invariant: string, what: string) => void;

/** What an error and its causes say, for {@link Breach.what}. */
export function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by ${told(error.cause)}`;
}

// An invariant that a run found broken.

export interface Breach {
  /** I1 to I20, or `crash` where the engine's own assertion was faster. */
  readonly invariant: string;
  readonly what: string;
}

export type Accuse = (invariant: string, what: string) => void;

// One line of a bench table: what was measured, the figure, and what to hold it against.

export interface Row {
  readonly what: string;
  readonly value: string;
  readonly yardstick?: string;
}

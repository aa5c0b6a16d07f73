// One line of a bench table: what was measured, the figure, and its reference value.

export interface Row {
  readonly what: string;
  readonly value: string;
  readonly yardstick?: string;
}

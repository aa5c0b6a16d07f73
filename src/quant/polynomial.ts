// Evaluation of the tabulated approximations: one rule (Horner) for all of them.

/** Value of the polynomial whose coefficients are given from the highest power down. */
export function polynomial(coefficients: readonly number[], at: number): number {
  let value = 0;
  for (const coefficient of coefficients) value = value * at + coefficient;
  return value;
}

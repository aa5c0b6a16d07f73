// Evaluates the tabulated approximations by Horner's rule.

/** Value of the polynomial with the given coefficients, highest power first. */
export function polynomial(coefficients: readonly number[], at: number): number {
  let value = 0;
  for (const coefficient of coefficients) value = value * at + coefficient;
  return value;
}

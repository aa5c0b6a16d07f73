// Splits whole numbers without remainder: every share is within one of its exact value, and each claim is
// reduced by exactly its share, so that all claims are zero after the last round.

/**
 * Splits `amount` in proportion to `claims`, whose sum is at least `amount`. The shares add up to `amount`
 * and none exceeds its claim.
 */
export function sharedOut(amount: number, claims: readonly number[]): number[] {
  const total = claims.reduce((sum, claim) => sum + claim, 0);
  if (total === 0) return claims.map(() => 0);
  let claimed = 0;
  let given = 0;
  return claims.map((claim) => {
    claimed += claim;
    const upToHere = Number((BigInt(amount) * BigInt(claimed)) / BigInt(total));
    const share = upToHere - given;
    given = upToHere;
    return share;
  });
}

/** Round by round: each of `amounts` in proportion to the remaining `claims`. */
export function sharedOutInRounds(
  amounts: readonly number[],
  claims: readonly number[],
): readonly (readonly number[])[] {
  let left = [...claims];
  return amounts.map((amount) => {
    const shares = sharedOut(amount, left);
    left = left.map((claim, at) => claim - (shares[at] ?? 0));
    return shares;
  });
}

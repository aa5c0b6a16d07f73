// Whole numbers shared out without a rest: every share is within one of its exact part, and what is left
// of each owner's claim goes down by just his share, so that after the last round nobody is owed anything.

/**
 * `amount` by the proportions of `claims`, whose sum is not below it. The shares add up to `amount` and
 * none exceeds its claim.
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

/** One round after the other: `amounts` by what is left of `claims`. */
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

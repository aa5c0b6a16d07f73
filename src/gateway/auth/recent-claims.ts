// Remembers what this process has claimed, in addition to the store: a claim that is deleted from the database is not accepted again
// here.
import type { Instant } from '../../values/instant.ts';
import type { ClaimNonce } from './nonces.ts';

/** A minute of 800 signed requests a second; beyond, the oldest are known to the store alone. */
const REMEMBERED_MAX = 50_000;

export function rememberingClaims(claim: ClaimNonce, now: () => Instant): ClaimNonce {
  /** Oldest first, with the instant until which each is refused. */
  const claimed = new Map<string, Instant>();
  const forget = (): void => {
    for (const [key, until] of claimed) {
      if (claimed.size <= REMEMBERED_MAX && until >= now()) return;
      claimed.delete(key);
    }
  };
  return async (key, until) => {
    const before = claimed.get(key);
    if (before !== undefined && now() <= before) return false;
    claimed.delete(key);
    claimed.set(key, until);
    forget();
    try {
      return await claim(key, until);
    } catch (error) {
      // Not claimed: the same request may be sent again.
      claimed.delete(key);
      throw error;
    }
  };
}

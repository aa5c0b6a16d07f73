// One-time keys: nonces of signed requests, each accepted once across all gateways of a deployment.
import type { Instant } from '../../values/instant.ts';

/**
 * How far ahead the end of a claim may be. A signature is accepted for its window on both sides of its timestamp, and gateways'
 * clocks differ: the gateway checks at its start that this is enough for every scheme (`requireClaimsCover`).
 */
export const CLAIM_MS_MAX = 130_000;

export const claimTooLong = (until: Instant): RangeError =>
  new RangeError(`until ${until}: accepted is at most ${CLAIM_MS_MAX} ms from now`);

export interface ClaimStore {
  /**
   * True the first time it is called with `key` within its lifetime. Rejects with a RangeError if `until` is more than
   * {@link CLAIM_MS_MAX} ahead; with another error if the outcome is unknown: the key may then be claimed.
   */
  claimOnce(key: string, until: Instant): Promise<boolean>;
}

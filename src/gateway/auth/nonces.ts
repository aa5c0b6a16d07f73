// A nonce is accepted once. It is remembered until its timestamp alone would cause a refusal, and only after
// the signature was found valid, so that an unauthenticated client cannot burn another client's nonces.
import { CLAIM_MS_MAX, type ClaimStore } from '../../ports/deployment/claim-store.ts';
import { assert } from '../../values/assert.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { type Instant, later } from '../../values/instant.ts';

export type ClaimNonce = ClaimStore['claimOnce'];

export type NonceClaim = 'fresh' | 'reused' | 'unavailable';

/** Clocks of several gateways may differ by this much. */
export const NONCE_SLACK_MS = 5_000;

export interface NonceUse {
  readonly keyId: string;
  readonly nonce: string;
  readonly signedAt: Instant;
  readonly windowMs: number;
}

/**
 * Throws unless nonces of signatures accepted for `windowMs` on both sides of their timestamp can be claimed: signed a window
 * ahead, a nonce is kept for two windows and the slack.
 */
export function requireClaimsCover(scheme: string, windowMs: number): void {
  const neededMs = 2 * windowMs + NONCE_SLACK_MS;
  assert(
    neededMs <= CLAIM_MS_MAX,
    `${scheme}: nonces within ${windowMs} ms are kept for up to ${neededMs} ms; a store keeps them for ${CLAIM_MS_MAX} at most`,
  );
}

/**
 * Fails closed: without an answer from the store the nonce is not accepted. Nor with an answer that comes after the
 * window of the signature, because the store may then have forgotten an earlier use: a request can wait for it longer
 * than the nonce is kept, while the store is slow or the process suspended. Rejects only with a mistake of the program,
 * which is not an answer of the store.
 */
export function claimOnce(
  claim: ClaimNonce,
  use: NonceUse,
  now: () => Instant,
): Promise<NonceClaim> {
  const acceptedUntil = later(use.signedAt, use.windowMs);
  const until = later(acceptedUntil, NONCE_SLACK_MS);
  return claim(`nonce:${use.keyId}:${use.nonce}`, until).then((isFirst) => {
    if (!isFirst) return 'reused';
    return now() <= acceptedUntil ? 'fresh' : 'unavailable';
  }, unavailable);
}

function unavailable(error: unknown): NonceClaim {
  throwProgrammingError(error);
  return 'unavailable';
}

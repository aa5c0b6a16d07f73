// A nonce is accepted once. It is remembered until its timestamp alone would cause a refusal, and only after
// the signature was found valid, so that an unauthenticated client cannot burn another client's nonces.
import { type Instant, later } from '../../values/instant.ts';

/**
 * Resolves to true the first time `key` is claimed within its lifetime. Rejects, never throws, if the store
 * fails.
 */
export type ClaimNonce = (key: string, until: Instant) => Promise<boolean>;

export type NonceClaim = 'fresh' | 'reused' | 'unavailable';

/** Clocks of several gateways may differ by this much. */
export const NONCE_SLACK_MS = 5_000;

export interface NonceUse {
  readonly keyId: string;
  readonly nonce: string;
  readonly signedAt: Instant;
  readonly windowMs: number;
}

/** Fails closed: without an answer from the store the nonce is not accepted. */
export function claimOnce(claim: ClaimNonce, use: NonceUse): Promise<NonceClaim> {
  const until = later(use.signedAt, use.windowMs + NONCE_SLACK_MS);
  return claim(`nonce:${use.keyId}:${use.nonce}`, until).then(fresh, unavailable);
}

const fresh = (isFirst: boolean): NonceClaim => (isFirst ? 'fresh' : 'reused');
const unavailable = (): NonceClaim => 'unavailable';

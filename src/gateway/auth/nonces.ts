// A nonce counts once. It is remembered until its timestamp alone would refuse the request, and only
// after the signature was right, so that strangers cannot burn anybody's nonces.
import { type Instant, later } from '../../values/instant.ts';

/** True the first time `key` is claimed within its lifetime. Rejects, never throws, when the store cannot say. */
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

/** Fails closed: no answer from the store is no permission. */
export function claimOnce(claim: ClaimNonce, use: NonceUse): Promise<NonceClaim> {
  const until = later(use.signedAt, use.windowMs + NONCE_SLACK_MS);
  return claim(`nonce:${use.keyId}:${use.nonce}`, until).then(fresh, unavailable);
}

const fresh = (isFirst: boolean): NonceClaim => (isFirst ? 'fresh' : 'reused');
const unavailable = (): NonceClaim => 'unavailable';

// What proves that a client holds a key over Deribit's wire: the secret itself, or a signature with it. The secret is
// used as text, as it is configured, not as the bytes it encodes.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Instant, instant } from '../../../values/instant.ts';
import type { NonceUse } from '../../auth/nonces.ts';

/** How far the timestamp of a signature may be from the server's clock. */
export const SIGNATURE_WINDOW_MS = 60_000;

/** Secrets are compared by what they sign, so that the time does not depend on how much of them is right. */
const COMPARING = randomBytes(32);

export const isSecret =
  (given: string) =>
  (secret: string): boolean =>
    timingSafeEqual(digest(COMPARING, given), digest(COMPARING, secret));

export interface SignedText {
  /** Milliseconds, as sent. */
  readonly timestamp: string;
  readonly nonce: string;
  /** What follows the two lines of timestamp and nonce. */
  readonly rest: string;
  /** Hexadecimal, in lower case. */
  readonly signature: string;
}

export const signedBy =
  ({ timestamp, nonce, rest, signature }: SignedText, now: Instant) =>
  (secret: string): boolean => {
    const expected = digest(secret, `${timestamp}\n${nonce}\n${rest}`);
    const isForm = /^[0-9a-f]{64}$/.test(signature);
    const given = isForm ? Buffer.from(signature, 'hex') : Buffer.alloc(expected.length);
    const isEqual = timingSafeEqual(expected, given);
    return isEqual && isForm && isTimely(timestamp, now);
  };

const isTimely = (timestamp: string, now: Instant): boolean =>
  /^\d{1,15}$/.test(timestamp) && Math.abs(now - Number(timestamp)) <= SIGNATURE_WINDOW_MS;

const digest = (key: string | Buffer, content: string): Buffer =>
  createHmac('sha256', key).update(content, 'utf8').digest();

/** A signature is claimed as it was made: clients that number by time sign several requests with one nonce. */
export const signatureUse = (
  keyId: string,
  { timestamp, signature }: Pick<SignedText, 'timestamp' | 'signature'>,
): NonceUse => ({
  keyId,
  nonce: `deribit ${signature}`,
  signedAt: instant(Number(timestamp)),
  windowMs: SIGNATURE_WINDOW_MS,
});

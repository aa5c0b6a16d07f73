// Signatures of requests: base64(HMAC-SHA256(base64decode(secret), content)). The content is the
// timestamp and the nonce, and for keys that bind the request also what is asked.
import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';

export interface Stamp {
  /** Unix milliseconds, as sent. */
  readonly timestamp: string;
  readonly nonce: string;
}

/** What a bound signature covers beside the stamp. */
export interface BoundRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly body: Uint8Array;
}

/** Characters of 32 bytes in base64. */
const SIGNATURE_LENGTH = 44;

/** Lines joined by LF, none after the last. */
export function signedContent(stamp: Stamp, bound?: BoundRequest): string {
  const content = `${stamp.timestamp}\n${stamp.nonce}`;
  if (bound === undefined) return content;
  const bodyHash = createHash('sha256').update(bound.body).digest('hex');
  return `${content}\n${bound.method}\n${bound.target}\n${bodyHash}`;
}

/** `secret` is base64. */
export function sign(secret: string, content: string): string {
  return createHmac('sha256', keyOf(secret)).update(content, 'utf8').digest('base64');
}

/** A signature as text, and what it is held against; written anew for each comparison. */
const [expected, given] = [Buffer.alloc(SIGNATURE_LENGTH), Buffer.alloc(SIGNATURE_LENGTH)];

/** Compares in constant time; anything but the one base64 form of 32 bytes fails. */
export function isSigned(secret: string, content: string, signature: string): boolean {
  const isLong = signature.length === SIGNATURE_LENGTH;
  // Base64 has spare bits at the end, so the texts are compared: only the canonical one is equal. What is not
  // ASCII is longer in UTF-8 and equals none.
  expected.write(sign(secret, content), 'latin1');
  given.fill(0);
  if (isLong) given.write(signature, 'utf8');
  return timingSafeEqual(expected, given) && isLong;
}

/** Making a key out of a secret takes five times as long as signing with it. */
const keys = new Map<string, KeyObject>();
/** More than are in force at any time; secrets that ended are not kept for ever. */
const KEYS_MAX = 1_000;

function keyOf(secret: string): KeyObject {
  const held = keys.get(secret);
  if (held !== undefined) return held;
  const key = createSecretKey(Buffer.from(secret, 'base64'));
  if (keys.size >= KEYS_MAX) keys.clear();
  keys.set(secret, key);
  return key;
}

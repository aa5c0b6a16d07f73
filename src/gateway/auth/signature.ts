// Signatures of requests: base64(HMAC-SHA256(base64decode(secret), content)). The content is the timestamp and
// the nonce and, for keys that bind the request, also method, target and body.
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

/** What a bound signature covers besides the stamp. */
export interface BoundRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly body: Uint8Array;
}

/** Length of 32 bytes in base64. */
const SIGNATURE_LENGTH = 44;

/** The signed content: lines joined by LF, without a trailing LF. */
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

/** Reusable buffers for comparing an expected with a given signature. */
const [expected, given] = [Buffer.alloc(SIGNATURE_LENGTH), Buffer.alloc(SIGNATURE_LENGTH)];

/** Compares in constant time; only the canonical base64 form of 32 bytes is accepted. */
export function isSigned(secret: string, content: string, signature: string): boolean {
  const isLong = signature.length === SIGNATURE_LENGTH;
  // Base64 has spare bits at the end; comparing the texts accepts only the canonical form. Non-ASCII text is
  // longer in UTF-8 and never equal.
  expected.write(sign(secret, content), 'latin1');
  given.fill(0);
  if (isLong) given.write(signature, 'utf8');
  return timingSafeEqual(expected, given) && isLong;
}

/** Cached, because creating a KeyObject takes five times as long as signing with it. */
const keys = new Map<string, KeyObject>();
/** More than are in force at any time; the bound evicts ended secrets. */
const KEYS_MAX = 1_000;

function keyOf(secret: string): KeyObject {
  const held = keys.get(secret);
  if (held !== undefined) return held;
  const key = createSecretKey(Buffer.from(secret, 'base64'));
  if (keys.size >= KEYS_MAX) keys.clear();
  keys.set(secret, key);
  return key;
}

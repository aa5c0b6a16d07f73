// Decides who is asking. The order of checks is fixed: form, time, key and signature together, rate,
// then the nonce, so that nothing a stranger sends costs a store or tells keys apart.
import { type Rejection, reject } from '../core/rejection.ts';
import { type Instant, instant } from '../values/instant.ts';
import type { Credentials } from './credentials.ts';
import type { ApiKey, KeyStore } from './key-store.ts';
import type { Lane, RidLane } from './limits.ts';
import { type ClaimNonce, claimOnce } from './nonces.ts';
import { type BoundRequest, isSigned, signedContent } from './signature.ts';
import type { BucketRule } from './token-bucket.ts';
import { type Bucket, fullBucket, takeToken } from './token-bucket.ts';

export type Verdict =
  | { readonly kind: 'known'; readonly key: ApiKey }
  | {
      readonly kind: 'refused';
      readonly rejection: Rejection;
      readonly retryAfterSec?: number | undefined;
    };

export interface AuthParts {
  readonly keys: KeyStore;
  readonly claimNonce: ClaimNonce;
  readonly now: () => Instant;
  readonly limits: {
    readonly rates: Readonly<Record<Lane | RidLane, BucketRule>>;
    readonly signatureWindowMs: number;
  };
}

/** The work for an unknown key is the work for a known one. */
const NOBODY: Pick<ApiKey, 'secret' | 'bindBody'> = {
  secret: Buffer.alloc(32).toString('base64'),
};

const UNAVAILABLE_RETRY_SEC = 1;

export class Authenticator {
  readonly #parts: AuthParts;
  readonly #buckets = new Map<string, Bucket>();

  constructor(parts: AuthParts) {
    this.#parts = parts;
  }

  /** True when the signature covers the body, so that it can only be checked with it. */
  needsBody(credentials: Credentials): boolean {
    return this.#parts.keys.find(credentials.keyId)?.bindBody === true;
  }

  /** `bound` is what was asked; it counts for keys that bind it. */
  async verify(
    credentials: Credentials,
    lane: Lane | RidLane,
    bound: BoundRequest,
  ): Promise<Verdict> {
    const { keys, claimNonce, now, limits } = this.#parts;
    const signedAt = instant(Number(credentials.timestamp));
    const windowMs = limits.signatureWindowMs;
    if (Math.abs(now() - signedAt) > windowMs) return outOfWindow(now(), windowMs);

    const key = keys.find(credentials.keyId);
    const { secret, bindBody } = key ?? NOBODY;
    const content = signedContent(credentials, bindBody ? bound : undefined);
    const signed = isSigned(secret, content, credentials.signature);
    if (key === undefined || !signed) return refused('signature', BAD_SIGNATURE);

    const waitMs = this.take(key, lane);
    if (waitMs !== undefined) return tooMany(lane, waitMs);

    const { nonce } = credentials;
    const claim = await claimOnce(claimNonce, { keyId: key.id, nonce, signedAt, windowMs });
    if (claim === 'fresh') return { kind: 'known', key };
    return claim === 'reused' ? refused('nonce_reused', REUSED) : unavailable();
  }

  /** Milliseconds to wait, or `undefined` when the request may go on. Strangers share a bucket. */
  take(key: ApiKey | undefined, lane: Lane | RidLane): number | undefined {
    const rule = this.#parts.limits.rates[lane];
    const nowMs = this.#parts.now();
    const name = key === undefined ? `${lane}?` : `${lane}:${key.id}`;
    const taking = takeToken(this.#buckets.get(name) ?? fullBucket(rule, nowMs), rule, nowMs);
    this.#buckets.set(name, taking.bucket);
    return taking.kind === 'taken' ? undefined : taking.waitMs;
  }
}

const BAD_SIGNATURE =
  'signature verification failed; accepted: a known key and ' +
  'base64(HMAC-SHA256(base64decode(secret), timestamp + "\\n" + nonce)) without a trailing newline';
const REUSED = 'nonce reused; accepted: a new one for every request, best a UUID';

function refused(kind: 'signature' | 'nonce_reused', message: string): Verdict {
  return { kind: 'refused', rejection: reject(kind, '', message) };
}

function outOfWindow(now: Instant, windowMs: number): Verdict {
  const message = `timestamp out of window; accepted: within ${windowMs} ms of the server's ${now}`;
  return { kind: 'refused', rejection: reject('timestamp', '', message) };
}

function tooMany(lane: Lane | RidLane, waitMs: number): Verdict {
  const rejection = reject('too_many_requests', '', `too many ${lane} requests; slow down`);
  return { kind: 'refused', rejection, retryAfterSec: Math.ceil(waitMs / 1_000) };
}

function unavailable(): Verdict {
  const message = 'the nonce cannot be checked now; nothing was done, try again';
  const rejection = reject('unavailable', '', message);
  return { kind: 'refused', rejection, retryAfterSec: UNAVAILABLE_RETRY_SEC };
}

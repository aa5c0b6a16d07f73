// Authenticates requests. The order of the checks is fixed: failures of the address; form, time, key and
// signature together; the key's allowed addresses; rate; then the nonce. An unauthenticated client can
// therefore neither cause a store access nor find out which keys exist: the answer to a wrong signature depends
// on the address alone, never on whether the key exists or was used from there.
import { type Rejection, reject } from '../../core/rejection.ts';
import { type Instant, instant } from '../../values/instant.ts';
import { Buckets } from '../limits/buckets.ts';
import { clientNetwork } from '../limits/client-address.ts';
import type { AddressLimits, Lane, RidLane } from '../limits/limits.ts';
import type { PeerTakes } from '../limits/pooled-rate-limits.ts';
import type { BucketRule } from '../limits/token-bucket.ts';
import { clientCertificate } from '../tls/tls-server.ts';
import type { Credentials, Presented } from './credentials.ts';
import { type Attempt, FailureGate } from './failure-gate.ts';
import type { ApiKey, KeyStore } from './key-store.ts';
import {
  type ClaimNonce,
  claimOnce,
  type NonceClaim,
  type NonceUse,
  requireClaimsCover,
} from './nonces.ts';
import { rememberingClaims } from './recent-claims.ts';
import { type BoundRequest, isSigned, signedContent } from './signature.ts';

export type Verdict =
  | { readonly kind: 'known'; readonly key: ApiKey }
  | {
      readonly kind: 'refused';
      readonly rejection: Rejection;
      readonly retryAfterSec?: number | undefined;
    };

export interface AuthOptions {
  readonly keys: KeyStore;
  readonly claimNonce: ClaimNonce;
  readonly now: () => Instant;
  readonly limits: {
    readonly rates: Readonly<Record<Lane | RidLane, BucketRule>>;
    readonly signatureWindowMs: number;
    readonly address: AddressLimits;
  };
}

/** The request to authenticate and where it came from. */
export interface Asking {
  readonly lane: Lane | RidLane;
  /** Checked only for keys whose signature covers the request. */
  readonly bound: BoundRequest;
  /** The client's address. */
  readonly from: string;
  /** The connection; absent where a proxy shares it between clients. */
  readonly via?: object | undefined;
}

/** Used in place of a missing secret, so that an unknown key costs the same work as a known one. */
const NO_SECRET = Buffer.alloc(32).toString('base64');

const UNAVAILABLE_RETRY_SEC = 1;

export class Authenticator {
  readonly #parts: AuthOptions;
  readonly #failures: FailureGate;
  readonly #ofKeys = new Buckets(BUCKETS_OF_KEYS_MAX);
  readonly #ofStrangers: Buckets;

  constructor(parts: AuthOptions) {
    requireClaimsCover('signed requests', parts.limits.signatureWindowMs);
    this.#parts = { ...parts, claimNonce: rememberingClaims(parts.claimNonce, parts.now) };
    this.#failures = new FailureGate(parts.limits.address);
    this.#ofStrangers = new Buckets(parts.limits.address.rememberedMax);
  }

  /** Shares rates and failures with the other gateways. */
  share(takes: PeerTakes): void {
    const rates: Readonly<Record<string, BucketRule>> = this.#parts.limits.rates;
    const ruleOf = (name: string): BucketRule | undefined => {
      const [lane = ''] = name.split(' ', 1);
      return Object.hasOwn(rates, lane) ? rates[lane] : undefined;
    };
    takes.share('keys', { buckets: this.#ofKeys, ruleOf });
    takes.share('strangers', { buckets: this.#ofStrangers, ruleOf });
    this.#failures.share(takes);
  }

  /** Synchronous where no store access is needed. Rejects only with a mistake of the program. */
  verify(presented: Presented, asking: Asking): Verdict | Promise<Verdict> {
    const { from, lane, via } = asking;
    const keyId = presented.kind === 'presented' ? presented.credentials.keyId : '';
    const attempt = { from, keyId, via };
    if (presented.kind === 'refused') {
      const strangerMs = this.#failures.strangerWaitMs(from, this.#parts.now());
      return strangerMs === undefined
        ? this.#failed(presented, attempt)
        : tooManyFailures(strangerMs);
    }
    const holder = this.#admitted(attempt, (now) =>
      this.#signerOf(presented.credentials, asking, now),
    );
    if (holder.kind === 'refused') return holder;
    const { key } = holder;
    const nowMs = this.#parts.now();
    const waitMs = this.#ofKeys.take(`${lane} ${key.id}`, this.#parts.limits.rates[lane], nowMs);
    if (waitMs !== undefined) return tooMany(lane, waitMs);
    const { nonce, timestamp } = presented.credentials;
    const signedAt = instant(Number(timestamp));
    const windowMs = this.#parts.limits.signatureWindowMs;
    const use = { keyId: key.id, nonce, signedAt, windowMs };
    return this.claim(use).then((claim) => this.#claimed(claim, key, attempt));
  }

  /**
   * Checks credentials of another form: `isBy` says whether they were made with a secret. Failures, addresses
   * and work are those of signed requests.
   */
  recognise(attempt: Attempt, isBy: (secret: string) => boolean): Verdict {
    const holder = this.#admitted(attempt, (now) => this.#holderOf(attempt.keyId, isBy, now));
    if (holder.kind === 'known') this.#failures.proved(attempt);
    return holder;
  }

  /** A token of the key was accepted: the client counts as one that has authenticated. */
  confirm(attempt: Attempt): void {
    this.#failures.proved(attempt);
  }

  /** Claims what may be used once. */
  claim(use: NonceUse): Promise<NonceClaim> {
    return claimOnce(this.#parts.claimNonce, use, this.#parts.now);
  }

  /** Looks for the holder of the credentials, unless there were too many failures. */
  #admitted(attempt: Attempt, find: (now: Instant) => Verdict): Verdict {
    const now = this.#parts.now();
    const strangerMs = this.#failures.strangerWaitMs(attempt.from, now);
    // Checked even if the answer is already known, so that every key costs the same work.
    const failedMs = this.#failures.waitMs(attempt, now);
    const holder = find(now);
    const blockedMs = strangerMs ?? failedMs;
    if (blockedMs !== undefined) {
      if (failedMs !== undefined) return tooManyFailures(blockedMs);
      if (holder.kind === 'refused') {
        this.#failures.failed(attempt, now);
        return tooManyFailures(blockedMs);
      }
    }
    if (holder.kind === 'refused') return this.#failed(holder, attempt);
    const { admits, certificate } = holder.key;
    if (admits?.(attempt.from) === false) return wrongAddress();
    const isOfCertificate =
      certificate === undefined || certificate === clientCertificate(attempt.via);
    return isOfCertificate ? holder : wrongCertificate();
  }

  #claimed(claim: NonceClaim, key: ApiKey, attempt: Attempt): Verdict {
    if (claim === 'unavailable') return unavailable();
    // A client that replays a captured request has not shown that it holds the key.
    if (claim === 'reused') return this.#failed(refused('nonce_reused', REUSED), attempt);
    this.#failures.proved(attempt);
    return { kind: 'known', key };
  }

  /** Whether a key has authenticated on this connection. */
  isKnown(via: object): boolean {
    return this.#failures.hasSigned(via);
  }

  /** Whether a key has recently authenticated from this network. */
  isKnownNetwork(network: string): boolean {
    return this.#failures.hasSignedFrom(network);
  }

  /**
   * Milliseconds to wait, or `undefined` if the request may proceed. Unauthenticated clients are counted by
   * address.
   */
  take(key: ApiKey | undefined, lane: Lane | RidLane, from: string): number | undefined {
    const rule = this.#parts.limits.rates[lane];
    const nowMs = this.#parts.now();
    return key === undefined
      ? this.#ofStrangers.take(`${lane} ${clientNetwork(from)}`, rule, nowMs)
      : this.#ofKeys.take(`${lane} ${key.id}`, rule, nowMs);
  }

  #failed(verdict: Verdict, attempt: Attempt): Verdict {
    this.#failures.failed(attempt, this.#parts.now());
    return verdict;
  }

  #signerOf(credentials: Credentials, { bound }: Asking, now: Instant): Verdict {
    const { keys, limits } = this.#parts;
    const windowMs = limits.signatureWindowMs;
    if (Math.abs(now - Number(credentials.timestamp)) > windowMs) return outOfWindow(now, windowMs);
    const isBound = keys.find(credentials.keyId)?.bindBody === true;
    const content = signedContent(credentials, isBound ? bound : undefined);
    const isBy = (secret: string): boolean => isSigned(secret, content, credentials.signature);
    return this.#holderOf(credentials.keyId, isBy, now);
  }

  #holderOf(keyId: string, isBy: (secret: string) => boolean, now: Instant): Verdict {
    const key = this.#parts.keys.find(keyId);
    const byCurrent = isBy(key?.secret ?? NO_SECRET);
    if (byCurrent && key !== undefined) return { kind: 'known', key };
    // A second secret is always tried, so that the time of a refusal reveals nothing about the key.
    const { previous } = key ?? {};
    const isOverlapping = previous !== undefined && now < previous.until;
    const byPrevious = isBy(isOverlapping ? previous.secret : NO_SECRET) && isOverlapping;
    if (key === undefined || !byPrevious) return refused('signature', BAD_SIGNATURE);
    return { kind: 'known', key: { ...key, generation: (key.generation ?? 0) - 1 } };
  }
}

/** More than any deployment has: keys times kinds of request. */
const BUCKETS_OF_KEYS_MAX = 10_000;

const BAD_SIGNATURE =
  'signature verification failed; accepted: a known key and ' +
  'base64(HMAC-SHA256(base64decode(secret), timestamp + "\\n" + nonce)) without a trailing newline';
const REUSED = 'nonce was already used; accepted: a new nonce for every request, preferably a UUID';

function refused(kind: 'signature' | 'nonce_reused', message: string): Verdict {
  return { kind: 'refused', rejection: reject(kind, '', message) };
}

function outOfWindow(now: Instant, windowMs: number): Verdict {
  const message = `timestamp out of window; accepted: within ${windowMs} ms of the server's ${now}`;
  return { kind: 'refused', rejection: reject('timestamp', '', message) };
}

function wrongAddress(): Verdict {
  const message =
    'this key may not be used from this address; accepted: the addresses set for the key';
  return { kind: 'refused', rejection: reject('forbidden', '', message) };
}

function wrongCertificate(): Verdict {
  const message =
    'this key may not be used over this connection; accepted: TLS with the client certificate set for the key, without a proxy';
  return { kind: 'refused', rejection: reject('forbidden', '', message) };
}

function tooManyFailures(waitMs: number): Verdict {
  const message = 'too many requests with wrong credentials from this address; slow down';
  const rejection = reject('too_many_requests', '', message);
  return { kind: 'refused', rejection, retryAfterSec: Math.ceil(waitMs / 1_000) };
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

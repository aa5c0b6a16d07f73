// Sessions of the page and the one-time codes that open or confirm something in them, alongside the ledger: a restart or
// another gateway does not end a session. Secrets are stored as digests only.
import type { Instant } from '../../values/instant.ts';
import type { Scope } from '../key-records.ts';

export interface PageSession {
  /** Names the session where sessions are listed and ended; not a secret. */
  readonly id: string;
  /** SHA-256 of the session's secret, base64url. */
  readonly digest: string;
  readonly keyId: string;
  /** Generation of the key's secret that requested the session. */
  readonly generation: number;
  /** At most those of the key. */
  readonly scopes: readonly Scope[];
  /** Where it was opened from. */
  readonly address: string;
  readonly agent: string;
  readonly openedAt: Instant;
  /** When a person last did something in it. */
  readonly usedAt: Instant;
  /** It ends then at the latest. */
  readonly endsAt: Instant;
  /** Whom a proxy named when it was opened; absent: it was opened by a code. */
  readonly person?: string | undefined;
  /** Binds the session to the secret of its key. */
  readonly mac: string;
}

export interface PageCode {
  /** SHA-256 of the code, base64url. */
  readonly digest: string;
  /** What the code is good for: to open a session, or to confirm one action in a session of the same key. */
  readonly purpose: 'open' | 'confirm';
  readonly keyId: string;
  readonly generation: number;
  readonly scopes: readonly Scope[];
  readonly until: Instant;
  /** Binds the code to the secret of its key. */
  readonly mac: string;
}

/** Rejects with {@link import('../ledger.ts').LedgerFailure} if the store cannot answer. */
export interface PageSessions {
  /** Rejects if another session that is not over has its id or digest. */
  add(session: PageSession): Promise<void>;
  /** The session with that digest, unless it was ended or `endsAt` is not after `now`. */
  find(digest: string, now: Instant): Promise<PageSession | undefined>;
  /** Moves `usedAt` forward, never back. */
  use(id: string, at: Instant): Promise<void>;
  /** Sessions that are not over, the newest first, then by id. */
  list(now: Instant): Promise<readonly PageSession[]>;
  /** `false` if there is none of that id. */
  end(id: string): Promise<boolean>;
  /** Rejects if another code has its digest. */
  addCode(code: PageCode): Promise<void>;
  /** The code, the first time it is taken for its purpose before `until`; `undefined` otherwise. */
  takeCode(
    digest: string,
    purpose: PageCode['purpose'],
    now: Instant,
  ): Promise<PageCode | undefined>;
  close(): Promise<void>;
}

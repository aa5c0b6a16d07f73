// Tokens in memory: 256 random bits each, of which only a hash is kept. A grant has one pair at a time. The number of
// grants is bounded by connection, by key and by named session; the oldest one ends.
import { createHash, randomBytes } from 'node:crypto';
import type { Grant } from './grant.ts';

export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

interface Kept {
  readonly access: string;
  readonly refresh: string;
  readonly group: Map<string, Grant>;
  /** Within the group. */
  readonly name: string;
}

/** Deribit's bound on named sessions of a key. */
export const SESSIONS_MAX = 16;
/** Logins of one connection, or of one key over HTTP. */
const UNNAMED_MAX = 64;

const TOKEN_BYTES = 32;

export class TokenStore {
  readonly #byAccess = new Map<string, Grant>();
  readonly #byRefresh = new Map<string, Grant>();
  readonly #kept = new Map<Grant, Kept>();
  readonly #groups = new Map<object | string, Map<string, Grant>>();
  #unnamed = 0;

  get count(): number {
    return this.#kept.size;
  }

  /** Gives the grant a new pair; the pair it had is no longer accepted. */
  issue(grant: Grant): TokenPair {
    const [access, refresh] = [newToken(), newToken()];
    const { group, name } = this.#kept.get(grant) ?? this.#placeOf(grant);
    this.#forget(grant);
    const kept = { access: hashOf(access), refresh: hashOf(refresh), group, name };
    this.#kept.set(grant, kept);
    this.#byAccess.set(kept.access, grant);
    this.#byRefresh.set(kept.refresh, grant);
    group.set(name, grant);
    this.#bound(group, grant);
    return { access, refresh };
  }

  byAccess(token: string): Grant | undefined {
    return this.#byAccess.get(hashOf(token));
  }

  byRefresh(token: string): Grant | undefined {
    return this.#byRefresh.get(hashOf(token));
  }

  /** The named session of the key and account, if it exists. */
  named(grant: Grant): Grant | undefined {
    const { group, name } = this.#placeOf(grant);
    return group.get(name);
  }

  end(grant: Grant): void {
    grant.end();
    const kept = this.#kept.get(grant);
    this.#forget(grant);
    this.#kept.delete(grant);
    kept?.group.delete(kept.name);
  }

  /** Ends the grants of a closed connection. */
  left(owner: object): void {
    for (const grant of [...(this.#groups.get(owner)?.values() ?? [])]) this.end(grant);
    this.#groups.delete(owner);
  }

  #forget(grant: Grant): void {
    const kept = this.#kept.get(grant);
    if (kept === undefined) return;
    this.#byAccess.delete(kept.access);
    this.#byRefresh.delete(kept.refresh);
  }

  #placeOf({ terms: { key, account, owner, wish } }: Grant): Pick<Kept, 'group' | 'name'> {
    if (wish.session !== undefined) {
      return { group: this.#group(`named ${key.id}`), name: `${account} ${wish.session}` };
    }
    this.#unnamed += 1;
    return { group: this.#group(owner ?? `http ${key.id}`), name: String(this.#unnamed) };
  }

  #group(of: object | string): Map<string, Grant> {
    const known = this.#groups.get(of);
    if (known !== undefined) return known;
    const made = new Map<string, Grant>();
    this.#groups.set(of, made);
    return made;
  }

  #bound(group: Map<string, Grant>, { terms }: Grant): void {
    const most = terms.wish.session === undefined ? UNNAMED_MAX : SESSIONS_MAX;
    const [oldest] = group.values();
    if (group.size > most && oldest !== undefined) this.end(oldest);
  }
}

const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64');

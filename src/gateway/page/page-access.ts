// Sessions of the page: opened by a code that is good once, or by a proxy that names a person; bound to a key and at most its
// scopes, proved by a cookie and, because a cookie is sent for every page of the host, by a second secret that only the
// page's own script can read.

import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Rejection, reject } from '../../core/rejection.ts';
import type { Scope } from '../../ports/key-records.ts';
import type { PageCode, PageSession, PageSessions } from '../../ports/page/page-sessions.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import {
  HOUR_MS,
  type Instant,
  instant,
  later,
  MINUTE_MS,
  SECOND_MS,
} from '../../values/instant.ts';
import { cutText } from '../../values/text/text-length.ts';
import { satisfies } from '../auth/key-needs.ts';
import { type ApiKey, isInForce, type KeyStore, NO_LONGER_IN_FORCE } from '../auth/key-store.ts';
import { Refused } from '../wire/faults.ts';
import type { ReportError } from '../wire/http-faults.ts';
import type { Traded } from './hello-record.ts';
import type { ProxyPeople } from './proxy-people.ts';

export interface PageRules {
  /** `read`: nothing can be changed from the page. */
  readonly access: 'off' | 'read' | 'full';
  readonly idleMs: number;
  readonly sessionMs: number;
  readonly traded: Traded;
  /** Whether a press in the page confirms as a code does: only where nothing but play money can be traded. */
  readonly confirmsByClick: boolean;
}

export const DEFAULT_PAGE_RULES: Omit<PageRules, 'traded' | 'confirmsByClick'> = {
  access: 'full',
  idleMs: 30 * MINUTE_MS,
  sessionMs: 12 * HOUR_MS,
};

export interface PageAccessOptions {
  readonly sessions: PageSessions;
  readonly keys: KeyStore;
  readonly now: () => Instant;
  readonly rules: PageRules;
  /** Those whom a proxy signs in; absent: nobody. */
  readonly people?: ProxyPeople | undefined;
  /** Receives what the database has that no gateway has written. */
  readonly report: ReportError;
}

/** Who sends a request. */
export interface Visitor {
  readonly from: string;
  /** What the browser calls itself. */
  readonly agent: string;
  /** Whom a trusted proxy names. */
  readonly person?: string | undefined;
}

/** A session in force, and its key with the scopes of the session. */
export interface OpenSession {
  readonly session: PageSession;
  readonly key: ApiKey;
  /** The instant at which it ends if nothing is done in it. */
  readonly until: Instant;
}

export interface IssuedCode {
  readonly code: string;
  readonly purpose: PageCode['purpose'];
  readonly scopes: readonly Scope[];
  readonly until: Instant;
}

/** A session that was read this long ago is read again; while the store does not answer, it stays in force. */
const READ_AGAIN_MS = SECOND_MS;
const CODE_MS = { open: 2 * MINUTE_MS, confirm: 2 * MINUTE_MS } as const;
const SECRET_BYTES = 32;
const ID_BYTES = 9;
const CONFIRM_LENGTH = 8;
/** Without letters and digits that look alike. */
const CONFIRM_SIGNS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const REMEMBERED_MAX = 1_000;
/** How long a session may enter orders after it was confirmed with a code. */
export const ENTRY_MS = 15 * MINUTE_MS;
const AGENT_LENGTH_MAX = 200;
/** What a session may be limited to; Block RFQs have no place on the page. */
const READING: readonly Scope[] = ['read'];

interface Read {
  readonly session: PageSession | undefined;
  readonly at: Instant;
}

export class PageAccess {
  readonly #parts: PageAccessOptions;
  readonly #read = new Map<string, Read>();
  /** Until when sessions may enter orders, by their ids; in memory, so that a restart requests a code again. */
  readonly #entry = new Map<string, Instant>();

  readonly #reported = new Set<string>();

  constructor(parts: PageAccessOptions) {
    this.#parts = parts;
  }

  /** `from` is the client's address, behind proxies too. */
  visitor(request: IncomingMessage, from: string): Visitor {
    const agent = String(request.headers['user-agent'] ?? '');
    return { from, agent, person: this.#parts.people?.named(request) };
  }

  /** Issues a code to the holder of a key. */
  async issue(
    key: ApiKey,
    purpose: PageCode['purpose'],
    scopes: readonly Scope[] = key.scopes,
  ): Promise<IssuedCode> {
    const { sessions, now } = this.#parts;
    const code = purpose === 'open' ? randomText(SECRET_BYTES) : typedCode();
    const until = later(now(), CODE_MS[purpose]);
    const granted = this.#granted(key, scopes);
    const generation = key.generation ?? 0;
    const record = { digest: digestOf(code), purpose, keyId: key.id, generation, until };
    const bound = { ...record, scopes: granted };
    const secret = this.#secretOf(bound);
    if (secret === undefined) throw new Refused([NO_LONGER_IN_FORCE]);
    await sessions.addCode({ ...bound, mac: codeMac(secret, bound) });
    return { code, purpose, scopes: granted, until };
  }

  /**
   * Opens a session with a code; returns the secret of its cookie.
   * @throws Refused if the code is not good, or its key no longer in force.
   */
  async open(code: string, by: Visitor): Promise<string> {
    const { sessions, now } = this.#parts;
    const at = now();
    const taken = await sessions.takeCode(digestOf(code), 'open', at);
    const key = taken && this.#keyOf(taken, by.from);
    if (taken === undefined || key === undefined || !this.#isOurCode(taken)) {
      throw new Refused([CODE_NOT_GOOD]);
    }
    const { keyId, generation, scopes } = taken;
    return await this.#add({ keyId, generation, scopes }, by);
  }

  /**
   * Opens a session for the person whom a trusted proxy names; returns the secret of its cookie.
   * @throws Refused without such a proxy, for a person who is not listed, and for a key that is not accepted.
   */
  async signIn(by: Visitor): Promise<string> {
    const { keys, people } = this.#parts;
    const { person, from } = by;
    if (person === undefined) throw new Refused([NOT_NAMED]);
    const known = people?.find(person);
    if (known === undefined) throw new Refused([NOT_LISTED]);
    const generation = keys.find(known.key)?.generation ?? 0;
    const key = this.#keyOf({ keyId: known.key, generation }, from);
    // The client certificate of a key never gets past a proxy.
    if (key === undefined || key.certificate !== undefined) throw new Refused([KEY_NOT_ACCEPTED]);
    const scopes = this.#granted(key, known.scopes ?? key.scopes);
    return await this.#add({ keyId: key.id, generation, scopes, person }, by);
  }

  /**
   * The session of a cookie, unless it is over, its key is not accepted from this address, or a proxy opened it and no longer
   * names the same person.
   */
  async find(cookie: string, by: Visitor): Promise<OpenSession | undefined> {
    if (cookie === '') return undefined;
    const session = await this.#session(digestOf(cookie));
    const key = session && this.#keyOf(session, by.from);
    if (session === undefined || key === undefined || !this.#isOurs(session)) return undefined;
    if (session.person !== undefined && !this.#isStill(session, by)) return undefined;
    const idle = later(session.usedAt, this.#parts.rules.idleMs);
    const until = instant(Math.min(idle, session.endsAt));
    if (this.#parts.now() >= until) return undefined;
    const scopes = this.#granted(key, session.scopes);
    return { session, key: { ...key, scopes }, until };
  }

  /** A person did something in the session. */
  async use({ session }: OpenSession): Promise<void> {
    await this.#parts.sessions.use(session.id, this.#parts.now());
    this.#read.delete(session.digest);
  }

  /** Takes a code that confirms one action in the session. */
  async confirm({ session }: OpenSession, code: string): Promise<boolean> {
    const { sessions, now } = this.#parts;
    const plain = code.toUpperCase().replace(/[\s-]/g, '');
    const taken = await sessions.takeCode(digestOf(plain), 'confirm', now());
    if (taken?.keyId !== session.keyId || this.#keyOf(taken) === undefined) return false;
    return this.#isOurCode(taken);
  }

  get confirmsByClick(): boolean {
    return this.#parts.rules.confirmsByClick;
  }

  /** Whether the session was confirmed with a code less than {@link ENTRY_MS} ago. */
  mayEnterOrders({ session }: OpenSession): boolean {
    return this.#parts.now() < (this.#entry.get(session.id) ?? 0);
  }

  allowEntry({ session }: OpenSession): void {
    const now = this.#parts.now();
    for (const [id, until] of this.#entry) if (until <= now) this.#entry.delete(id);
    this.#entry.set(session.id, later(now, ENTRY_MS));
  }

  /** Sessions of the key; of all keys for `undefined`. */
  async list(keyId?: string): Promise<readonly PageSession[]> {
    const all = await this.#parts.sessions.list(this.#parts.now());
    return all.filter((one) => (keyId === undefined || one.keyId === keyId) && this.#isOurs(one));
  }

  async end(id: string): Promise<boolean> {
    for (const [digest, { session }] of this.#read) {
      if (session?.id === id) this.#read.delete(digest);
    }
    return await this.#parts.sessions.end(id);
  }

  async #session(digest: string): Promise<PageSession | undefined> {
    const { sessions, now } = this.#parts;
    const at = now();
    const before = this.#read.get(digest);
    if (before !== undefined && at - before.at < READ_AGAIN_MS) return before.session;
    try {
      const session = await sessions.find(digest, at);
      if (this.#read.size >= REMEMBERED_MAX) this.#read.clear();
      this.#read.set(digest, { session, at });
      return session;
    } catch (error) {
      if (before === undefined || isProgrammingError(error)) throw error;
      return before.session;
    }
  }

  async #add(
    of: Pick<PageSession, 'keyId' | 'generation' | 'scopes' | 'person'>,
    { from, agent }: Visitor,
  ): Promise<string> {
    const { sessions, now, rules } = this.#parts;
    const at = now();
    const secret = randomText(SECRET_BYTES);
    const session = {
      ...of,
      id: randomText(ID_BYTES),
      digest: digestOf(secret),
      address: from,
      agent: cutText(agent, AGENT_LENGTH_MAX),
      openedAt: at,
      usedAt: at,
      endsAt: later(at, rules.sessionMs),
    };
    const ofKey = this.#secretOf(of);
    if (ofKey === undefined) throw new Refused([NO_LONGER_IN_FORCE]);
    await sessions.add({ ...session, mac: sessionMac(ofKey, session) });
    return secret;
  }

  /** The secret of the key that the generation had. */
  #secretOf({ keyId, generation }: Pick<PageSession, 'keyId' | 'generation'>): string | undefined {
    const key = this.#parts.keys.find(keyId);
    const behind = (key?.generation ?? 0) - generation;
    if (behind === 0) return key?.secret;
    return behind === 1 ? key?.previous?.secret : undefined;
  }

  #isOurs(session: PageSession): boolean {
    const secret = this.#secretOf(session);
    // A session of a key that has ended cannot be used; that is all there is to know of it.
    if (secret === undefined || isMac(sessionMac(secret, session), session.mac)) return true;
    this.#forged(`the session ${session.id}`, session.keyId);
    return false;
  }

  #isOurCode(code: PageCode): boolean {
    const secret = this.#secretOf(code);
    if (secret !== undefined && isMac(codeMac(secret, code), code.mac)) return true;
    this.#forged(`a code to ${code.purpose}`, code.keyId);
    return false;
  }

  /** Each is reported once. */
  #forged(what: string, keyId: string): void {
    const message = `${what} of key ${keyId} in the database was not written by a gateway, or was altered: it is not accepted`;
    if (this.#reported.has(message)) return;
    if (this.#reported.size >= REMEMBERED_MAX) this.#reported.clear();
    this.#reported.add(message);
    this.#parts.report(new Error(message), 'page');
  }

  /** Whether the proxy still names the person of the session, and the configuration still gives them its key and scopes. */
  #isStill({ person, keyId, scopes }: PageSession, by: Visitor): boolean {
    if (person === undefined || by.person !== person) return false;
    const known = this.#parts.people?.find(person);
    if (known?.key !== keyId) return false;
    return known.scopes === undefined || scopes.every((scope) => known.scopes?.includes(scope));
  }

  #granted(key: ApiKey, scopes: readonly Scope[]): readonly Scope[] {
    // A key that may trade may read, whether or not it says so.
    const own = scopes.filter(
      (scope) => key.scopes.includes(scope) || (scope === 'read' && satisfies(key, 'read')),
    );
    if (this.#parts.rules.access === 'full') return own;
    return own.some((scope) => scope === 'read' || scope === 'trade') ? READING : [];
  }

  #keyOf(
    { keyId, generation }: Pick<PageSession, 'keyId' | 'generation'>,
    from?: string,
  ): ApiKey | undefined {
    const { keys, now } = this.#parts;
    const key = keys.find(keyId);
    if (key === undefined || !isInForce(keys, { ...key, generation }, now())) return undefined;
    if (from !== undefined && key.admits?.(from) === false) return undefined;
    return { ...key, generation };
  }
}

export const CODE_NOT_GOOD: Rejection = reject(
  'signature',
  'code',
  'is not good, was used, or is too old; accepted: a fresh one from `twapd open`',
);

const NOT_NAMED: Rejection = reject(
  'signature',
  '',
  'no proxy that signs people in names anybody; accepted: a link from `twapd open`',
);

/** The field tells the page that there is a proxy. */
const NOT_LISTED: Rejection = reject(
  'forbidden',
  'person',
  'you are signed in at the proxy, and not among those who may come in; accepted: a person of gateway.page.proxySignIn.people',
);

const KEY_NOT_ACCEPTED: Rejection = reject(
  'forbidden',
  'person',
  'your key is not accepted; accepted: one that is in force, admits this address and needs no client certificate',
);

/** The second secret of a session; a function of the cookie, so that a reload of the page and a second tab get the same. */
export const headerSecret = (cookie: string): string =>
  createHmac('sha256', cookie).update('twapd page header').digest('base64url');

export function isHeaderSecret(cookie: string, given: string): boolean {
  const expected = Buffer.from(headerSecret(cookie));
  const got = Buffer.from(given);
  return expected.length === got.length && timingSafeEqual(expected, got);
}

const digestOf = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url');

const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url');

const typedCode = (): string =>
  Array.from({ length: CONFIRM_LENGTH }, () => CONFIRM_SIGNS[randomInt(CONFIRM_SIGNS.length)]).join(
    '',
  );

/**
 * Binds a session or a code of the page to the secret of its key: a row that somebody else writes into the database is worth
 * nothing, and so is one that was altered. When a session was last used is left out, because it moves.
 */
function sessionMac(secret: string, session: Omit<PageSession, 'mac' | 'usedAt'>): string {
  const { id, digest, keyId, generation, scopes, address, agent, openedAt, endsAt } = session;
  const { person = null } = session;
  const who = [id, digest, keyId, generation, scopes, address, agent, person];
  return macOf(secret, ['session', ...who, openedAt, endsAt]);
}

function codeMac(secret: string, code: Omit<PageCode, 'mac'>): string {
  const { digest, purpose, keyId, generation, scopes, until } = code;
  return macOf(secret, ['code', digest, purpose, keyId, generation, scopes, until]);
}

function isMac(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** No request signs text that begins like this: theirs begins with a timestamp. */
const macOf = (secret: string, of: readonly unknown[]): string =>
  createHmac('sha256', secret)
    .update(`twapd page ${JSON.stringify(of)}`)
    .digest('base64url');

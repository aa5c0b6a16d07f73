// The words of a token's scope: what a client requests, what its key allows, and how the grant is written. A kind of
// access that is not requested is granted as far as the key allows it, as is one that is requested too widely.
// Unknown words, of which clients send some, are ignored; a restriction that cannot be read is refused.

import type { Scope as KeyScope } from '../../../ports/key-records.ts';
import { cutText } from '../../../values/text/text-length.ts';
import type { ApiKey } from '../../auth/key-store.ts';
import { addressFault, addressList } from '../../limits/address-list.ts';
import type { Scope } from '../method/deribit-login.ts';

const KINDS = ['account', 'trade', 'block_rfq'] as const;
type Kind = (typeof KINDS)[number];
const LEVELS = ['none', 'read', 'read_write'] as const;
type Level = (typeof LEVELS)[number];

export interface ScopeWish {
  /** The name of the session; absent: the login belongs to its connection. */
  readonly session?: string | undefined;
  readonly expiresSec?: number | undefined;
  /** Whether the token may be used from an address; absent: from anywhere. */
  readonly admits?: ((address: string) => boolean) | undefined;
  readonly levels: Readonly<Partial<Record<Kind, Level>>>;
}

/** A year, as in Deribit's documents: clients that never refresh stay logged in. */
export const LIFE_SEC_MAX = 31_536_000;

const SESSION_NAME = /^[!-~]{1,64}$/;
export const SESSION_NAMES = '1 to 64 visible characters';
export const isSessionName = (name: string): boolean => SESSION_NAME.test(name);

/** The request, or what is wrong with it. */
export function readScope(text = ''): { readonly value: ScopeWish } | { readonly fault: string } {
  const levels: Partial<Record<Kind, Level>> = {};
  let wish: Omit<ScopeWish, 'levels'> = {};
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const at = word.indexOf(':');
    const [name, value] = at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
    if (name === 'session') {
      if (!isSessionName(value)) return faulty(word, `session: and ${SESSION_NAMES}`);
      wish = { ...wish, session: value };
    } else if (name === 'expires') {
      if (!/^[1-9]\d{0,8}$/.test(value)) return faulty(word, 'expires: and whole seconds');
      wish = { ...wish, expiresSec: Math.min(Number(value), LIFE_SEC_MAX) };
    } else if (name === 'ip' && value !== '*') {
      const fault = addressFault(value);
      if (fault !== undefined) return { fault: `${JSON.stringify(value)} ${fault}` };
      wish = { ...wish, admits: addressList([value]) };
    } else if (isKind(name)) {
      if (!isLevel(value)) return faulty(word, `${name}: and one of ${LEVELS.join(', ')}`);
      levels[name] = value;
    }
  }
  return { value: { ...wish, levels } };
}

const isKind = (name: string): name is Kind => (KINDS as readonly string[]).includes(name);
const isLevel = (value: string): value is Level => (LEVELS as readonly string[]).includes(value);

const faulty = (word: string, accepted: string) => ({
  fault: `has ${JSON.stringify(cutText(word, 80))}; accepted: ${accepted}`,
});

/** What a scope of our keys allows at most. */
const OF_KEY: Readonly<Record<KeyScope, Readonly<Partial<Record<Kind, Level>>>>> = {
  read: { account: 'read', trade: 'read', block_rfq: 'read' },
  trade: { account: 'read_write', trade: 'read_write', block_rfq: 'read' },
  blockRfq: { block_rfq: 'read_write' },
  admin: {},
};

function levelOf(key: ApiKey, wish: ScopeWish, kind: Kind): Level {
  const most = Math.max(...key.scopes.map((scope) => rank(OF_KEY[scope][kind])), 0);
  const asked = wish.levels[kind];
  return LEVELS[Math.min(most, asked === undefined ? most : rank(asked))] ?? 'none';
}

const rank = (level: Level = 'none'): number => LEVELS.indexOf(level);

/** What is granted: what the key allows of what was requested. */
export const grantedScopes = (key: ApiKey, wish: ScopeWish): readonly Scope[] =>
  KINDS.flatMap((kind) => {
    const level = levelOf(key, wish, kind);
    return level === 'none' ? [] : [`${kind}:${level}` as const];
  });

/** The grant as the answer to a login writes it. */
export function scopeText(key: ApiKey, wish: ScopeWish): string {
  const kinds = KINDS.map((kind) => `${kind}:${levelOf(key, wish, kind)}`);
  const session = wish.session === undefined ? 'connection' : `session:${wish.session}`;
  const expires = wish.expiresSec === undefined ? [] : [`expires:${wish.expiresSec}`];
  return [...kinds, ...expires, session, 'wallet:none'].toSorted().join(' ');
}

// Binds a session or a code of the page to the secret of its key: a row that somebody else writes into the database is worth
// nothing, and so is one that was altered. When a session was last used is left out, because it moves.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PageCode, PageSession } from '../../ports/page/page-sessions.ts';

export function sessionMac(secret: string, session: Omit<PageSession, 'mac' | 'usedAt'>): string {
  const { id, digest, keyId, generation, scopes, address, agent, openedAt, endsAt } = session;
  const { person = null } = session;
  const who = [id, digest, keyId, generation, scopes, address, agent, person];
  return macOf(secret, ['session', ...who, openedAt, endsAt]);
}

export function codeMac(secret: string, code: Omit<PageCode, 'mac'>): string {
  const { digest, purpose, keyId, generation, scopes, until } = code;
  return macOf(secret, ['code', digest, purpose, keyId, generation, scopes, until]);
}

export function isMac(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** No request signs text that begins like this: theirs begins with a timestamp. */
const macOf = (secret: string, of: readonly unknown[]): string =>
  createHmac('sha256', secret)
    .update(`twapd page ${JSON.stringify(of)}`)
    .digest('base64url');

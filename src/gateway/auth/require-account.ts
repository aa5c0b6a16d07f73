// Authorization: returns the authenticated key if it has the required scope, or throws the refusal.
import { reject } from '../../core/rejection.ts';
import { Refused } from '../wire/faults.ts';
import type { Verdict } from './auth.ts';
import { acceptedScopes, type KeyNeed, satisfies } from './key-needs.ts';
import { type ApiKey, owns } from './key-store.ts';

/** @throws Refused if the key is unknown, has to wait, or lacks the scope. */
export function admitted(verdict: Verdict, needs: KeyNeed): ApiKey {
  if (verdict.kind === 'refused') throw new Refused([verdict.rejection], verdict.retryAfterSec);
  if (satisfies(verdict.key, needs)) return verdict.key;
  const message = `this key lacks the scope; accepted: ${acceptedScopes(needs)}`;
  throw new Refused([reject('forbidden', '', message)]);
}

/** @throws Refused unless the account belongs to the key. */
export function requireAccount(key: ApiKey, account: string, field: string): void {
  if (owns(key, account)) return;
  const message = 'is not an account of this key; accepted: an account of this key';
  throw new Refused([reject('forbidden', field, message)]);
}

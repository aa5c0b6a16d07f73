// Whether who asks may do what he asks for: the key that may go on, or a refusal.
import { reject } from '../../core/rejection.ts';
import { Refused } from '../wire/faults.ts';
import type { Verdict } from './auth.ts';
import { acceptedScopes, type KeyNeed, satisfies } from './key-needs.ts';
import { type ApiKey, owns } from './key-store.ts';

/** @throws Refused where the key is not known, has to wait, or lacks the scope. */
export function admitted(verdict: Verdict, needs: KeyNeed): ApiKey {
  if (verdict.kind === 'refused') throw new Refused([verdict.rejection], verdict.retryAfterSec);
  if (satisfies(verdict.key, needs)) return verdict.key;
  const message = `this key lacks the scope; accepted: ${acceptedScopes(needs)}`;
  throw new Refused([reject('forbidden', '', message)]);
}

/** Ends the request unless the account is one of the key's. */
export function requireAccount(key: ApiKey, account: string, field: string): void {
  if (owns(key, account)) return;
  const message = 'is not an account of this key; accepted: one of its own';
  throw new Refused([reject('forbidden', field, message)]);
}

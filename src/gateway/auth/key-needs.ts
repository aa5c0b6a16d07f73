// What an operation asks of the key that calls it, and which scopes satisfy that.
import type { Scope } from '../../ports/key-records.ts';
import type { ApiKey } from './key-store.ts';

/**
 * `rfqRead` looks at Block RFQs, `rfq` changes them; `protect` sets market-maker protection of
 * either, which asks for the scope of that one; `admin` decides what the deployment may do at all, and
 * `oversee` looks at what was decided; the others are about everything else.
 */
export type KeyNeed = 'read' | 'trade' | 'rfqRead' | 'rfq' | 'protect' | 'admin' | 'oversee';

const SATISFIED_BY: Readonly<Record<KeyNeed, readonly Scope[]>> = {
  read: ['read', 'trade'],
  trade: ['trade'],
  rfqRead: ['read', 'trade', 'blockRfq'],
  rfq: ['blockRfq'],
  protect: ['trade', 'blockRfq'],
  admin: ['admin'],
  oversee: ['read', 'trade', 'admin'],
};

export const satisfies = ({ scopes }: ApiKey, need: KeyNeed): boolean =>
  SATISFIED_BY[need].some((scope) => scopes.includes(scope));

/** "read or trade". */
export const acceptedScopes = (need: KeyNeed): string => SATISFIED_BY[need].join(' or ');

/** Whether an operation with this need changes something. */
export const isChange = (need: KeyNeed | 'nothing'): boolean =>
  need === 'trade' || need === 'rfq' || need === 'protect' || need === 'admin';

// The permission an operation requires of the calling key, and the scopes that grant it.
import { SCOPES, type Scope } from '../../ports/key-records.ts';
import type { ApiKey } from './key-store.ts';

/**
 * `rfqRead` reads Block RFQs and `rfq` changes them; `protect` configures market-maker protection and needs the
 * scope of what is protected; `admin` decides what the deployment may do at all, and `oversee` reads those
 * decisions; `read` and `trade` are for everything else; any key satisfies `anything`.
 */
export type KeyNeed =
  | 'read'
  | 'trade'
  | 'rfqRead'
  | 'rfq'
  | 'protect'
  | 'admin'
  | 'oversee'
  | 'anything';

const SATISFIED_BY: Readonly<Record<KeyNeed, readonly Scope[]>> = {
  read: ['read', 'trade'],
  trade: ['trade'],
  rfqRead: ['read', 'trade', 'blockRfq'],
  rfq: ['blockRfq'],
  protect: ['trade', 'blockRfq'],
  admin: ['admin'],
  oversee: ['read', 'trade', 'admin'],
  anything: SCOPES,
};

export const satisfies = ({ scopes }: ApiKey, need: KeyNeed): boolean =>
  SATISFIED_BY[need].some((scope) => scopes.includes(scope));

/** The scopes that satisfy the need, for example "read or trade". */
export const acceptedScopes = (need: KeyNeed): string => SATISFIED_BY[need].join(' or ');

/** Whether operations with this need change anything. */
export const isChange = (need: KeyNeed | 'nothing'): boolean =>
  need === 'trade' || need === 'rfq' || need === 'protect' || need === 'admin';

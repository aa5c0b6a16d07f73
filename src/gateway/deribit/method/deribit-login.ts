// Who has logged in over Deribit's wire and what the login allows, as methods see it.
import type { AccountId } from '../../../values/ids.ts';
import type { ApiKey } from '../../auth/key-store.ts';

/** What a token may allow; `read_write` includes `read`. */
export type Scope =
  | 'account:read'
  | 'account:read_write'
  | 'trade:read'
  | 'trade:read_write'
  | 'block_rfq:read'
  | 'block_rfq:read_write';

/** A key, one of its accounts, and what the login allows. */
export interface Login {
  readonly key: ApiKey;
  readonly account: AccountId;
  readonly scopes: readonly Scope[];
  /** What it was granted as; absent for a request that proves itself. */
  readonly grant?: object | undefined;
}

export const allows = ({ scopes }: Pick<Login, 'scopes'>, scope: Scope): boolean =>
  scopes.includes(scope) || (scope.endsWith(':read') && scopes.includes(`${scope}_write` as Scope));

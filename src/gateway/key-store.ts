// API keys and what each may do. Where keys come from is not the gateway's business.
import type { AccountId } from '../values/ids.ts';

export type Scope = 'read' | 'trade' | 'blockRfq' | 'admin';

export interface ApiKey {
  readonly id: string;
  /** Base64. */
  readonly secret: string;
  readonly uid: string;
  readonly nickname: string;
  readonly accounts: readonly AccountId[];
  readonly scopes: readonly Scope[];
  /** Desk name of a market maker. */
  readonly makerAlias?: string | undefined;
  /** The signature must cover method, path, query and body too. */
  readonly bindBody?: boolean | undefined;
}

export interface KeyStore {
  /** The key when it is known and enabled. */
  find(keyId: string): ApiKey | undefined;
}

export const mayRead = (key: ApiKey): boolean => mayTrade(key) || key.scopes.includes('read');
export const mayTrade = (key: ApiKey): boolean => key.scopes.includes('trade');
export const owns = (key: ApiKey, account: string): boolean =>
  (key.accounts as readonly string[]).includes(account);

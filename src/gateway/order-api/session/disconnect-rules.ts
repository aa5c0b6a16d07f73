// Determines the accounts whose orders are cancelled when a connection closes. A rule of scope account applies
// to every later connection, a rule of scope connection to this one only.
import type { AccountId } from '../../../values/ids.ts';
import type { DisconnectScope } from './session.ts';

/** Rules of scope account, shared by all connections of the process. */
export type AccountRules = Set<AccountId>;

export class DisconnectRules {
  readonly #ofAccounts: AccountRules;
  readonly #own = new Set<AccountId>();
  /** Accounts whose rule of scope account has been applied. */
  readonly #adopted = new Set<AccountId>();

  constructor(ofAccounts: AccountRules) {
    this.#ofAccounts = ofAccounts;
  }

  /** A new connection starts with the rules of its accounts, once for each. */
  adopt(accounts: readonly AccountId[]): void {
    for (const account of accounts) {
      if (this.#adopted.has(account)) continue;
      this.#adopted.add(account);
      if (this.#ofAccounts.has(account)) this.#own.add(account);
    }
  }

  set(account: AccountId, scope: DisconnectScope, enabled: boolean): void {
    const sets = scope === 'account' ? [this.#ofAccounts, this.#own] : [this.#own];
    for (const set of sets) {
      if (enabled) set.add(account);
      else set.delete(account);
    }
  }

  has(account: AccountId, scope: DisconnectScope): boolean {
    return (scope === 'account' ? this.#ofAccounts : this.#own).has(account);
  }

  /** Drops the rules of this connection. */
  clear(): void {
    this.#own.clear();
  }

  /** Accounts whose orders are cancelled with this connection. */
  inForce(): readonly AccountId[] {
    return [...this.#own];
  }
}

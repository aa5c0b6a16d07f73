// Determines the accounts whose orders are cancelled when a connection closes. A rule of scope account applies
// to every later connection, a rule of scope connection to this one only.
import type { AccountId } from '../../../values/ids.ts';
import type { DisconnectScope } from './session.ts';

/** Rules of scope account, shared by all connections of the process. */
export type AccountRules = Set<AccountId>;

export class DisconnectRules {
  readonly #ofAccounts: AccountRules;
  readonly #own: Set<AccountId>;

  /** A new connection starts with the rules of its accounts. */
  constructor(ofAccounts: AccountRules, accounts: readonly AccountId[]) {
    this.#ofAccounts = ofAccounts;
    this.#own = new Set(accounts.filter((account) => ofAccounts.has(account)));
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

  /** Accounts whose orders are cancelled with this connection. */
  inForce(): readonly AccountId[] {
    return [...this.#own];
  }
}

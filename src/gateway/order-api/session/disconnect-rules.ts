// For which accounts orders are taken back when a connection goes away: what the account says holds for
// every later connection, what a connection says for itself alone.
import type { AccountId } from '../../../values/ids.ts';
import type { DisconnectScope } from './session.ts';

/** What accounts said, for all connections of the process. */
export type AccountRules = Set<AccountId>;

export class DisconnectRules {
  readonly #ofAccounts: AccountRules;
  readonly #own: Set<AccountId>;

  /** A new connection begins with what its accounts said before. */
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

  /** Accounts whose orders go with this connection. */
  inForce(): readonly AccountId[] {
    return [...this.#own];
  }
}

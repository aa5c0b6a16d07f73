// Accounts with requests in progress, and how many each has.
import type { AccountId } from '../../values/ids.ts';

export class BusyAccounts {
  /** An account without any is absent. */
  readonly #counts = new Map<AccountId, number>();

  enter(account: AccountId): void {
    this.#counts.set(account, (this.#counts.get(account) ?? 0) + 1);
  }

  leave(account: AccountId): void {
    const left = (this.#counts.get(account) ?? 1) - 1;
    if (left > 0) this.#counts.set(account, left);
    else this.#counts.delete(account);
  }

  some(isMeant: (account: AccountId) => boolean): boolean {
    for (const account of this.#counts.keys()) if (isMeant(account)) return true;
    return false;
  }
}

// Which accounts of the paper exchange are reachable: all of them, until one is detached. Requests of a detached
// account are refused before they reach the exchange.
import { type Refused, refusal } from '../../core/order/answer-class.ts';
import type { AccountId } from '../../values/ids.ts';

const UNAUTHORIZED = 13009;

export class AttachedAccounts {
  readonly #detached = new Set<AccountId>();

  readonly isAttached = (account: AccountId): boolean => !this.#detached.has(account);

  /** Returns whether that changes anything. */
  attach(account: AccountId): boolean {
    return this.#detached.delete(account);
  }

  detach(account: AccountId): void {
    this.#detached.add(account);
  }

  /** Why a request of the account is not sent; the same request may be accepted once it is attached again. */
  refusalOf(account: AccountId): Refused | undefined {
    if (this.isAttached(account)) return undefined;
    const reason = `account ${account} is detached; accepted: the same request once it is attached`;
    return { ...refusal(UNAUTHORIZED, { param: '', reason }), class: 'later' };
  }
}

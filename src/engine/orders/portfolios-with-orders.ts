// The portfolios in memory that have orders under way, by account: a comparison with a venue costs what is open on
// that account, however many portfolios wait.
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { StateChange } from '../../ports/observer.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';

export class PortfoliosWithOrders {
  readonly #accounts = new Map<AccountId, Map<PortfolioId, PortfolioState>>();

  /** As of their last turn. */
  of(account: AccountId): Iterable<PortfolioState> {
    return this.#accounts.get(account)?.values() ?? [];
  }

  changed({ before, after }: StateChange): void {
    if (after !== undefined && after.children.size > 0) this.#keep(after);
    else if (before !== undefined && before.children.size > 0) this.#drop(before);
  }

  #keep(state: PortfolioState): void {
    const { accountId } = state.spec;
    const known = this.#accounts.get(accountId);
    if (known === undefined) this.#accounts.set(accountId, new Map([[state.id, state]]));
    else known.set(state.id, state);
  }

  #drop({ id, spec }: PortfolioState): void {
    const known = this.#accounts.get(spec.accountId);
    known?.delete(id);
    if (known?.size === 0) this.#accounts.delete(spec.accountId);
  }
}

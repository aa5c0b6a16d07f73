// The portfolio operations of a deployment of several daemons: each change is made by the daemon that owns the
// portfolio's shard; what is only read is read here.

import { shardOf } from '../../core/ownership/shards.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import type { Actor } from '../../core/terms/spec.ts';
import type { Ledger, PageQuery } from '../../ports/ledger.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';
import type { Amended, AmendRequest, Unhedged } from '../interface/change-operations.ts';
import type { CancelAllFilter, Operations, Outcome, Submitted } from '../interface/operations.ts';
import type { OwnerCalls } from './owner-calls.ts';

export interface OwnedOperationsOptions {
  /** Those of this daemon. */
  readonly here: Operations;
  readonly calls: OwnerCalls;
  readonly ledger: Pick<Ledger, 'shardOf'>;
}

const REPEATABLE = true;

export class OwnedOperations implements Operations {
  readonly #options: OwnedOperationsOptions;

  constructor(options: OwnedOperationsOptions) {
    this.#options = options;
  }

  submit(form: PortfolioForm, by: Actor, key?: string): Promise<Outcome<Submitted>> {
    const { here, calls } = this.#options;
    const local = (): Promise<Outcome<Submitted>> => here.submit(form, by, key);
    const shard = shardOf(form.accountId);
    if (calls.isHere(shard)) return local();
    // With a key a second submit finds what the first one created.
    const again = { isRepeatable: key !== undefined, here: local };
    return calls.change(shard, 'portfolios.submit', [form, by, key], again);
  }

  plan(form: PortfolioForm, by: Actor): ReturnType<Operations['plan']> {
    return this.#options.here.plan(form, by);
  }

  info(portfolio: PortfolioId): ReturnType<Operations['info']> {
    return this.#options.here.info(portfolio);
  }

  page(query: PageQuery): ReturnType<Operations['page']> {
    return this.#options.here.page(query);
  }

  cancel(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<Unhedged>> {
    const { here } = this.#options;
    const local = (): Promise<Outcome<Unhedged>> => here.cancel(portfolio, by, account);
    return this.#changed(portfolio, 'cancel', [portfolio, by, account], local);
  }

  cancelAll(filter: CancelAllFilter, by: Actor): ReturnType<Operations['cancelAll']> {
    const { here, calls } = this.#options;
    const local = (): ReturnType<Operations['cancelAll']> => here.cancelAll(filter, by);
    const shard = shardOf(filter.account);
    if (calls.isHere(shard)) return local();
    const again = { isRepeatable: REPEATABLE, here: local };
    return calls.change(shard, 'portfolios.cancelAll', [filter, by], again);
  }

  pause(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<Unhedged>> {
    const { here } = this.#options;
    const local = (): Promise<Outcome<Unhedged>> => here.pause(portfolio, by, account);
    return this.#changed(portfolio, 'pause', [portfolio, by, account], local);
  }

  resume(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<null>> {
    const { here } = this.#options;
    const local = (): Promise<Outcome<null>> => here.resume(portfolio, by, account);
    return this.#changed(portfolio, 'resume', [portfolio, by, account], local);
  }

  amend(request: AmendRequest): Promise<Outcome<Amended>> {
    const { here } = this.#options;
    return this.#changed(request.portfolio, 'amend', [request], () => here.amend(request));
  }

  async #changed<T>(
    portfolio: PortfolioId,
    method: string,
    args: readonly unknown[],
    here: () => Promise<T>,
  ): Promise<T> {
    const { calls, ledger } = this.#options;
    const shard = await ledger.shardOf(portfolio);
    if (shard === undefined || calls.isHere(shard)) return await here();
    const again = { isRepeatable: REPEATABLE, here };
    return await calls.change(shard, `portfolios.${method}`, args, again);
  }
}

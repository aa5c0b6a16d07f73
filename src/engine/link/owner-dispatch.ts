// Makes each call of the engine's interface where its rule says: here, at the daemon that owns what the call is about, or at
// every daemon.
import { shardOf } from '../../core/ownership/shards.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { must } from '../../values/assert.ts';
import { type AccountId, accountId, type PortfolioId } from '../../values/ids.ts';
import type { EngineApi } from '../interface/engine-api.ts';
import { INTERFACE_RULES, type OwnerRule, ownerOf, type Unanswered } from './interface-rules.ts';
import { type Method, methodOf } from './method-of.ts';
import type { OwnerCalls } from './owner-calls.ts';

export interface OwnerDispatchOptions {
  readonly calls: OwnerCalls;
  readonly ledger: Pick<Ledger, 'shardOf'>;
}

interface AccountMethod {
  /** Such as `orders.place`. */
  readonly method: string;
  readonly unanswered: Unanswered;
}

export class OwnerDispatch {
  readonly #options: OwnerDispatchOptions;

  constructor(options: OwnerDispatchOptions) {
    this.#options = options;
  }

  /** The operations, each made where its rule says. */
  over<G extends 'portfolios' | 'trading'>(group: G, here: EngineApi[G]): EngineApi[G] {
    const made = Object.keys(INTERFACE_RULES[group]).map((name) => {
      const method = `${group}.${name}`;
      const own = must(methodOf(here, name), () => `${method} is served`);
      const owner = ownerOf(method);
      return [name, owner === undefined ? own : this.#owned(method, owner, own)] as const;
    });
    return Object.fromEntries(made) as unknown as EngineApi[G];
  }

  /** Makes the call of an account at its owner; `here` makes it at this daemon. */
  ofAccount(
    { method, unanswered }: AccountMethod,
    account: AccountId,
    args: readonly unknown[],
    here: () => unknown,
  ): unknown {
    const shard = shardOf(account);
    const { calls } = this.#options;
    if (calls.isHere(shard)) return here();
    return calls.pass({ shard, of: account, method, args, unanswered }, async () => await here());
  }

  #owned(method: string, owner: OwnerRule, own: Method): Method {
    const { calls, ledger } = this.#options;
    switch (owner.of) {
      case 'account':
        return (...args) => {
          const account = accountIn(args);
          if (account === undefined) return own(...args);
          const { unanswered } = owner;
          return this.ofAccount({ method, unanswered }, account, args, () => own(...args));
        };
      case 'portfolio':
        return async (...args) => {
          const portfolio = portfolioIn(args);
          const shard = portfolio === undefined ? undefined : await ledger.shardOf(portfolio);
          if (shard === undefined || calls.isHere(shard)) return await own(...args);
          const call = { shard, of: `${portfolio}`, method, args, unanswered: owner.unanswered };
          return await calls.pass(call, async () => await own(...args));
        };
      case 'accounts':
        return async (accounts, ...others) => {
          const each = (accounts as readonly string[]).map((account) => {
            const shard = shardOf(accountId(account));
            const args = [[account], ...others];
            return calls.isHere(shard) ? own(...args) : calls.atOwner(shard, method, args);
          });
          return (await Promise.all(each)).flat();
        };
      case 'everyone':
        return async (...args) => {
          const first = await own(...args);
          if (owner.isEnough(first)) return first;
          return owner.joined([first, ...(await calls.everywhere(method, args))]);
        };
    }
  }
}

/** The account that a call is about; `undefined` for arguments that name none. */
export function accountIn([first]: readonly unknown[]): AccountId | undefined {
  if (typeof first === 'string') return first as AccountId;
  const named = fieldOf(first, 'account') ?? fieldOf(first, 'accountId');
  return typeof named === 'string' ? (named as AccountId) : undefined;
}

function portfolioIn([first]: readonly unknown[]): PortfolioId | undefined {
  const named = typeof first === 'string' ? first : fieldOf(first, 'portfolio');
  return typeof named === 'string' ? (named as PortfolioId) : undefined;
}

const fieldOf = (record: unknown, name: string): unknown =>
  typeof record === 'object' && record !== null
    ? (record as Readonly<Record<string, unknown>>)[name]
    : undefined;

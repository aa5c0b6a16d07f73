// Makes each call of the engine's interface where its rule says: here, at the daemon that owns what the call is about, or at
// every daemon.
import { shardOf } from '../../core/ownership/shards.ts';
import type { RfqDesk } from '../../ports/block-rfq.ts';
import type { ComboDesk } from '../../ports/combo-desk.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { MarginReads, TradingDesk } from '../../ports/trading-desk.ts';
import { must } from '../../values/assert.ts';
import { type AccountId, accountId, type PortfolioId } from '../../values/ids.ts';
import type { EngineApi } from '../interface/engine-api.ts';
import type { MmpOperations } from '../interface/mmp-operations.ts';
import { INTERFACE_RULES, type OwnerRule, ownerOf } from './interface-rules.ts';
import { type Method, methodOf } from './method-of.ts';
import type { OwnerCalls } from './owner-calls.ts';

export interface OwnerDispatchOptions {
  readonly calls: OwnerCalls;
  /** Absent: nothing that names a portfolio is dispatched. */
  readonly ledger?: Pick<Ledger, 'shardOf'> | undefined;
}

/** Where accounts have their methods. */
export interface Desks {
  readonly orders: TradingDesk;
  readonly rfqs: RfqDesk;
  readonly combos: ComboDesk;
  readonly margins: MarginReads;
  readonly mmp: MmpOperations;
}

export type DeskName = keyof Desks;

/** What desks have besides the methods of the interface: it comes from this daemon. */
const ONLY_HERE: {
  readonly [N in DeskName]: Readonly<Record<Exclude<keyof Desks[N], keyof EngineApi[N]>, true>>;
} = {
  orders: { listed: true, instrument: true, subscribe: true },
  rfqs: { listen: true },
  combos: { combos: true },
  margins: {},
  mmp: {},
};

export const isDeskName = (name: string): name is DeskName => Object.hasOwn(ONLY_HERE, name);

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

  /** The desk of an account that another daemon owned when it was found: what trades is not made here since. */
  desk<N extends DeskName>(name: N, here: Desks[N]): Desks[N] {
    const names = [...Object.keys(INTERFACE_RULES[name]), ...Object.keys(ONLY_HERE[name])];
    const made = names.flatMap((one) => {
      const method = `${name}.${one}`;
      const own = methodOf(here, one);
      if (own === undefined) return [];
      const owner = ownerOf(method);
      if (owner?.of !== 'account') return [[one, own] as const];
      const { unanswered } = owner;
      const passed: Method = (...args) => {
        const account = accountIn(args);
        if (account === undefined || (name === 'mmp' && this.isHere(account))) return own(...args);
        const call = { shard: shardOf(account), of: account, method, args, unanswered };
        return this.#options.calls.pass(call, async () => await own(...args));
      };
      return [[one, passed] as const];
    });
    return Object.fromEntries(made) as unknown as Desks[N];
  }

  /** True if this daemon owns the account, or no daemon is known to. */
  isHere(account: AccountId): boolean {
    return this.#options.calls.isHere(shardOf(account));
  }

  #owned(method: string, owner: OwnerRule, own: Method): Method {
    const { calls, ledger } = this.#options;
    switch (owner.of) {
      case 'account':
        return (...args) => {
          const account = accountIn(args);
          if (account === undefined || this.isHere(account)) return own(...args);
          const { unanswered } = owner;
          const call = { shard: shardOf(account), of: account, method, args, unanswered };
          return calls.pass(call, async () => await own(...args));
        };
      case 'portfolio':
        return async (...args) => {
          const portfolio = portfolioIn(args);
          const shard = portfolio === undefined ? undefined : await ledger?.shardOf(portfolio);
          if (shard === undefined || calls.isHere(shard)) return await own(...args);
          const call = { shard, of: `${portfolio}`, method, args, unanswered: owner.unanswered };
          return await calls.pass(call, async () => await own(...args));
        };
      case 'accounts':
        return async (accounts, ...others) => {
          const each = (accounts as readonly string[]).map((account) =>
            this.isHere(accountId(account))
              ? own([account], ...others)
              : calls.atOwner(shardOf(accountId(account)), method, [[account], ...others]),
          );
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
  const { account, accountId: ofForm } = fieldsOf(first);
  const named = account ?? ofForm;
  return typeof named === 'string' ? (named as AccountId) : undefined;
}

function portfolioIn([first]: readonly unknown[]): PortfolioId | undefined {
  const named = typeof first === 'string' ? first : fieldsOf(first)['portfolio'];
  return typeof named === 'string' ? (named as PortfolioId) : undefined;
}

const fieldsOf = (record: unknown): Readonly<Record<string, unknown>> =>
  typeof record === 'object' && record !== null ? { ...record } : {};

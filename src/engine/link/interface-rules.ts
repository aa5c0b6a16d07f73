// How each method of the engine's interface passes between processes: as a call or a subscription, which scopes of the
// asking key it needs, and what the caller gets where the engine does not answer.
import type { Scope } from '../../ports/key-records.ts';
import type { EngineApi } from '../interface/engine-api.ts';
import type { Unsubscribe } from '../interface/plain-interface.ts';

export interface CallRule {
  readonly kind: 'call';
  /** One of them suffices; absent: nothing is changed, and no key is needed. */
  readonly scopes?: readonly Scope[];
  /** Cancels and halts: they pass beside everything else, and the gateway may request them by itself. */
  readonly isUrgent?: boolean;
  /** Clients without a key can cause it: such reads have a budget of their own. */
  readonly isPublic?: boolean;
  /** `reply`: a lost call is a reply; `market`: it fails as a silent venue does; otherwise it fails. */
  readonly lostAs?: 'reply' | 'market';
}

export interface SubscriptionRule {
  readonly kind: 'subscription';
  /** Whether one subscription serves all followers of the same arguments. */
  readonly isShared?: boolean;
}

export type InterfaceRule = CallRule | SubscriptionRule;

type RuleOf<M> = M extends (...args: never[]) => Unsubscribe ? SubscriptionRule : CallRule;

const read = { kind: 'call' } as const;
const ask = { kind: 'call', lostAs: 'reply' } as const;
const look = { kind: 'call', lostAs: 'market', isPublic: true } as const;
const follow = { kind: 'subscription' } as const;
const trade = { kind: 'call', scopes: ['trade'] } as const;
const order = { ...trade, lostAs: 'reply' } as const;
const rfq = { kind: 'call', scopes: ['blockRfq'], lostAs: 'reply' } as const;
const protect = { kind: 'call', scopes: ['trade', 'blockRfq'], lostAs: 'reply' } as const;
const admin = { kind: 'call', scopes: ['admin'] } as const;
const urgent = { isUrgent: true } as const;

/** The compiler requires every method of the interface. */
export const INTERFACE_RULES: {
  readonly [G in keyof EngineApi]: { readonly [M in keyof EngineApi[G]]: RuleOf<EngineApi[G][M]> };
} = {
  combos: { create: order, legPrices: { ...ask, isPublic: true }, list: look },
  directory: { follow },
  margins: { needs: ask, ofOrders: ask },
  market: {
    instrument: look,
    ticker: look,
    book: look,
    index: look,
    history: look,
    follow: { ...follow, isShared: true },
  },
  mmp: { configure: protect, configs: ask, frozen: ask, reset: protect, listen: follow },
  news: { follow, page: read },
  orders: {
    place: order,
    edit: order,
    cancel: { ...order, ...urgent },
    cancelAll: { ...order, ...urgent },
    order: ask,
    ordersLabelled: ask,
    openOrders: ask,
    orderHistory: ask,
    trades: ask,
    positions: ask,
    summary: ask,
    transactions: ask,
    follow,
  },
  portfolios: {
    submit: trade,
    plan: read,
    info: read,
    page: read,
    cancel: { ...trade, ...urgent },
    cancelAll: { ...trade, ...urgent },
    pause: { ...trade, ...urgent },
    resume: trade,
    amend: trade,
  },
  rfqs: {
    create: rfq,
    accept: rfq,
    quote: rfq,
    editQuote: rfq,
    rfqs: ask,
    quotes: ask,
    cancelRfq: { ...rfq, ...urgent },
    cancelTrigger: { ...rfq, ...urgent },
    cancelQuote: { ...rfq, ...urgent },
    cancelQuotes: { ...rfq, ...urgent },
    makers: ask,
    blockTrades: ask,
    tape: look,
    aliasOf: read,
    follow,
  },
  strategies: { view: read, setSwitch: { ...admin, ...urgent } },
  state: { reasonsNotReady: read, metrics: read },
  trading: {
    switches: read,
    setSwitch: { ...admin, ...urgent },
    overrides: read,
    requestOverride: trade,
    grantOverride: admin,
    limitUse: read,
  },
};

/** By name, such as `orders.place`. */
export const RULE_OF: ReadonlyMap<string, InterfaceRule> = new Map(
  Object.entries(INTERFACE_RULES).flatMap(([group, methods]) =>
    Object.entries<InterfaceRule>(methods).map(([name, rule]) => [`${group}.${name}`, rule]),
  ),
);

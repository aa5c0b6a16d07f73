// How each method of the engine's interface passes between processes: as a call or a subscription, which scopes of the
// asking key it needs, which daemon makes it, and what the caller gets where the engine or that daemon does not answer.
import type { Granted, Override } from '../../core/risk/gate/overrides.ts';
import type { Scope } from '../../ports/key-records.ts';
import type { EngineApi } from '../interface/engine-api.ts';
import type { AccountApi } from '../interface/order-api.ts';
import type { Unsubscribe } from '../interface/plain-interface.ts';

export interface CallRule {
  readonly kind: 'call';
  /** One of them suffices; absent: nothing is changed, and no key is needed. */
  readonly scopes?: readonly Scope[];
  /** Cancels and halts: they pass alongside everything else, and the gateway may request them by itself. */
  readonly isUrgent?: boolean;
  /** Clients without a key can cause it: such reads have a budget of their own. */
  readonly isPublic?: boolean;
  /** `reply`: a lost call is a reply; `market`: it fails as a silent venue does; otherwise it fails. */
  readonly lostAs?: 'reply' | 'market';
  /** Which of several daemons makes it; absent: any, the one that is called. */
  readonly owner?: OwnerRule;
}

/**
 * What becomes of a call that its owner does not answer, because what is reserved and counted for an account is known to its
 * owner alone.
 *
 * `trade`: its outcome is unknown, and it is made nowhere else. `set`: made here if the owner cannot be reached, and never
 * twice. `cancel`, `read`: made here. These four are replies. `change`: made here, since the ledger refuses what is done twice.
 * `keyed`: the same for a call with a key, and for one without only if the owner cannot be reached. `fail`: it fails.
 */
export type Unanswered = 'trade' | 'set' | 'cancel' | 'read' | 'change' | 'keyed' | 'fail';

interface AccountRule {
  readonly of: 'account';
  readonly unanswered: Unanswered;
}

export type OwnerRule =
  /** The owner of the account with which the arguments begin or that their first record names. */
  | AccountRule
  /** The owner of the portfolio that they name in the same way. */
  | { readonly of: 'portfolio'; readonly unanswered: Unanswered }
  /** The owner of each account of the list with which the arguments begin; their lists are one. */
  | { readonly of: 'accounts' }
  /** Every daemon, this one first; what they answer is joined. */
  | {
      readonly of: 'everyone';
      readonly isEnough: (answer: unknown) => boolean;
      readonly joined: (answers: readonly unknown[]) => unknown;
    };

export interface SubscriptionRule {
  readonly kind: 'subscription';
  /** Whether one subscription serves all followers of the same arguments. */
  readonly isShared?: boolean;
}

export type InterfaceRule = CallRule | SubscriptionRule;

type RuleOf<M> = M extends (...args: never[]) => Unsubscribe ? SubscriptionRule : CallRule;

/** Every method of an account is made by its owner. */
type AccountRules<G> = G extends keyof AccountApi
  ? { readonly [M in keyof AccountApi[G]]: { readonly owner: AccountRule } }
  : unknown;

const ofAccount = (unanswered: Unanswered) =>
  ({ owner: { of: 'account', unanswered } }) as const satisfies Partial<CallRule>;
const ofPortfolio = { owner: { of: 'portfolio', unanswered: 'change' } } as const;

const read = { kind: 'call' } as const;
const ask = { kind: 'call', lostAs: 'reply' } as const;
const askOwner = { ...ask, ...ofAccount('read') } as const;
const look = { kind: 'call', lostAs: 'market', isPublic: true } as const;
const follow = { kind: 'subscription' } as const;
const trade = { kind: 'call', scopes: ['trade'] } as const;
const order = { ...trade, lostAs: 'reply' } as const;
const rfq = { kind: 'call', scopes: ['blockRfq'], lostAs: 'reply' } as const;
const protect = { kind: 'call', scopes: ['trade', 'blockRfq'], lostAs: 'reply' } as const;
const admin = { kind: 'call', scopes: ['admin'] } as const;
const urgent = { isUrgent: true } as const;
const urgentCancel = { ...urgent, ...ofAccount('cancel') } as const;

/** An override is kept by the daemon that owns its account, whose gate alone it lets an order past. */
const ALL_OVERRIDES: OwnerRule = {
  of: 'everyone',
  isEnough: () => false,
  joined: (answers) => (answers as readonly (readonly Override[])[]).flat(),
};

/** The id of an override does not say which daemon keeps it. */
const KEPT_BY_ONE: OwnerRule = {
  of: 'everyone',
  isEnough: (answer) => (answer as Granted).kind === 'granted',
  joined: (answers) => {
    const [first, ...others] = answers as readonly [Granted, ...Granted[]];
    const granted = others.find(({ kind }) => kind === 'granted');
    const known = others.find((one) => 'why' in one && 'why' in first && one.why !== first.why);
    return granted ?? known ?? first;
  },
};

/** The compiler requires every method of the interface. */
export const INTERFACE_RULES: {
  readonly [G in keyof EngineApi]: AccountRules<G> & {
    readonly [M in keyof EngineApi[G]]: RuleOf<EngineApi[G][M]>;
  };
} = {
  combos: {
    create: { ...order, ...ofAccount('set') },
    legPrices: { ...askOwner, isPublic: true },
    list: look,
  },
  directory: { follow },
  margins: { needs: askOwner, ofOrders: askOwner },
  market: {
    instrument: look,
    ticker: look,
    book: look,
    index: look,
    history: look,
    follow: { ...follow, isShared: true },
  },
  mmp: {
    configure: { ...protect, ...ofAccount('set') },
    configs: askOwner,
    frozen: askOwner,
    // A second request would clear a freeze that came after the first.
    reset: { ...protect, ...ofAccount('set') },
    listen: follow,
  },
  news: { follow, page: read },
  orders: {
    place: { ...order, ...ofAccount('trade') },
    edit: { ...order, ...ofAccount('trade') },
    cancel: { ...order, ...urgentCancel },
    cancelAll: { ...order, ...urgentCancel },
    order: askOwner,
    ordersLabelled: askOwner,
    openOrders: askOwner,
    orderHistory: askOwner,
    trades: askOwner,
    positions: askOwner,
    summary: askOwner,
    transactions: askOwner,
    follow,
  },
  portfolios: {
    // With a key a second submit finds what the first one created.
    submit: { ...trade, ...ofAccount('keyed') },
    plan: read,
    info: read,
    page: read,
    cancel: { ...trade, ...urgent, ...ofPortfolio },
    cancelAll: { ...trade, ...urgent, ...ofAccount('change') },
    pause: { ...trade, ...urgent, ...ofPortfolio },
    resume: { ...trade, ...ofPortfolio },
    amend: { ...trade, ...ofPortfolio },
  },
  rfqs: {
    create: { ...rfq, ...ofAccount('trade') },
    accept: { ...rfq, ...ofAccount('trade') },
    quote: { ...rfq, ...ofAccount('trade') },
    editQuote: { ...rfq, ...ofAccount('trade') },
    rfqs: askOwner,
    quotes: askOwner,
    cancelRfq: { ...rfq, ...urgentCancel },
    cancelTrigger: { ...rfq, ...urgentCancel },
    cancelQuote: { ...rfq, ...urgentCancel },
    cancelQuotes: { ...rfq, ...urgentCancel },
    makers: askOwner,
    blockTrades: askOwner,
    tape: look,
    aliasOf: read,
    follow,
  },
  strategies: { view: read, setSwitch: { ...admin, ...urgent } },
  state: { reasonsNotReady: read, metrics: read },
  trading: {
    // Switches are in the ledger and hold everywhere.
    switches: read,
    setSwitch: { ...admin, ...urgent },
    overrides: { ...read, owner: ALL_OVERRIDES },
    requestOverride: { ...trade, ...ofAccount('fail') },
    grantOverride: { ...admin, owner: KEPT_BY_ONE },
    limitUse: { ...read, owner: { of: 'accounts' } },
  },
};

/** By name, such as `orders.place`. */
export const RULE_OF: ReadonlyMap<string, InterfaceRule> = new Map(
  Object.entries(INTERFACE_RULES).flatMap(([group, methods]) =>
    Object.entries<InterfaceRule>(methods).map(([name, rule]) => [`${group}.${name}`, rule]),
  ),
);

/** The rule for the owner of a method, such as `orders.place`; `undefined` for what any daemon does. */
export function ownerOf(method: string): OwnerRule | undefined {
  const rule = RULE_OF.get(method);
  return rule?.kind === 'call' ? rule.owner : undefined;
}

// Serves the order methods, the market data and the directory of the venues to gateways.
import type { Clock } from '../../ports/clock.ts';
import type { Reply, VenueNotice } from '../../ports/trading-desk.ts';
import { must } from '../../values/assert.ts';
import type { AccountId, InstrumentName, VenueName } from '../../values/ids.ts';
import type { MethodApi } from '../interface/engine-api.ts';
import type { AccountApi } from '../interface/order-api.ts';
import type { FollowedNotices } from '../link/followed-notices.ts';
import { type CallRule, INTERFACE_RULES, type SubscriptionRule } from '../link/interface-rules.ts';
import type { Method } from '../link/method-of.ts';
import { accountIn, type OwnerDispatch } from '../link/owner-dispatch.ts';
import {
  type DeskName,
  deskOf,
  type OpenVenue,
  type OrderOperations,
} from '../order-entry/order-operations.ts';
import { DirectoryFeed } from './directory.ts';

export interface MethodApiOptions {
  /** Those of this daemon. */
  readonly orders: OrderOperations;
  /** Default: this process works every account. */
  readonly dispatch?: Pick<OwnerDispatch, 'ofAccount'> | undefined;
  /** What the venues publish about every account; absent: what this process receives of it. */
  readonly notices?: Pick<FollowedNotices, 'orders' | 'rfqs'> | undefined;
  readonly clock: Clock;
  /** Why trading is not possible at the moment; empty if it is. */
  readonly notReady: () => readonly string[] | Promise<readonly string[]>;
  /** The text of its metrics; absent: it has none. */
  readonly exposition?: (() => Promise<string>) | undefined;
}

type Refused = Extract<Reply<never>, { readonly kind: 'refused' }>;

export function methodApi(parts: MethodApiOptions): MethodApi {
  const { orders, notReady, exposition } = parts;
  const directory = new DirectoryFeed(parts);
  return {
    combos: comboApi(parts, directory),
    directory: { follow: (listener) => directory.follow(listener) },
    margins: methodsOf('margins', parts),
    market: marketApi(orders, directory),
    mmp: {
      ...methodsOf('mmp', parts),
      listen: (listener) => orders.mmp?.listen(listener) ?? NOTHING_TO_LEAVE,
    },
    orders: orderApi(parts, directory),
    rfqs: rfqApi(parts, directory),
    state: {
      reasonsNotReady: async () => await notReady(),
      metrics: async () => (await exposition?.()) ?? '',
    },
  };
}

const venueOf = (orders: OrderOperations, name: VenueName): OpenVenue | undefined =>
  orders.venues().find((venue) => venue.name === name);

function marketApi(orders: OrderOperations, directory: DirectoryFeed): MethodApi['market'] {
  const at = (venue: VenueName) => venueOf(orders, venue)?.market;
  return {
    instrument: (name) => {
      const [found] = orders.venues().flatMap(({ name: venue, market }) => {
        const instrument = market.instrument(name);
        return instrument === undefined ? [] : [{ venue, instrument }];
      });
      if (found !== undefined) directory.publishUnlessKnown(name);
      return Promise.resolve(found);
    },
    ticker: async (venue, name) => at(venue)?.ticker(name),
    book: async (venue, name, depth) => at(venue)?.book(name, depth),
    index: async (venue, name) => at(venue)?.index(name),
    history: async (venue, kind, query) => at(venue)?.history(kind, query),
    follow: (venue, name, listener) => at(venue)?.follow(name, listener) ?? NOTHING_TO_LEAVE,
  };
}

/** The methods of the group that are about one account: its owner makes each, at the desk of the account. */
function methodsOf<N extends DeskName>(
  name: N,
  { orders, dispatch = SOLE_DAEMON }: MethodApiOptions,
): AccountApi[N] {
  const methods = Object.entries<CallRule | SubscriptionRule>(INTERFACE_RULES[name]).flatMap(
    ([method, rule]) => {
      const owner = rule.kind === 'call' ? rule.owner : undefined;
      if (owner?.of !== 'account') return [];
      const call = { method: `${name}.${method}`, unanswered: owner.unanswered };
      const isMissing = (): string => `${call.method} is made at its desk`;
      const own = (...args: readonly unknown[]): unknown => {
        const account = accountIn(args);
        const desk = account === undefined ? undefined : deskOf(orders, name, account);
        if (account === undefined || desk === undefined) {
          return Promise.resolve(REFUSALS[name](account));
        }
        const made = must((desk as Readonly<Record<string, Method>>)[method], isMissing);
        return dispatch.ofAccount(call, account, args, () => made.apply(desk, args as unknown[]));
      };
      return [[method, own] as const];
    },
  );
  return Object.fromEntries(methods) as unknown as AccountApi[N];
}

function orderApi(parts: MethodApiOptions, directory: DirectoryFeed): MethodApi['orders'] {
  const { orders, notices = OWN_NOTICES } = parts;
  return {
    ...methodsOf('orders', parts),
    follow: (name, listener) => {
      const publish = (notice: VenueNotice): void => {
        const instrument = instrumentOf(notice);
        if (instrument !== undefined) directory.publishUnlessKnown(instrument);
        listener(notice);
      };
      const venue = venueOf(orders, name);
      return venue === undefined ? NOTHING_TO_LEAVE : notices.orders(venue, publish);
    },
  };
}

function comboApi(parts: MethodApiOptions, directory: DirectoryFeed): MethodApi['combos'] {
  const methods = methodsOf('combos', parts);
  return {
    ...methods,
    list: async (venue) => (await venueOf(parts.orders, venue)?.combos?.combos()) ?? [],
    create: async (request) => {
      const reply = await methods.create(request);
      if (reply.kind === 'done') directory.publishUnlessKnown(reply.value.instrument.name);
      return reply;
    },
  };
}

function rfqApi(parts: MethodApiOptions, directory: DirectoryFeed): MethodApi['rfqs'] {
  const { orders, notices = OWN_NOTICES } = parts;
  return {
    ...methodsOf('rfqs', parts),
    tape: async (venue, of) => {
      const rfqs = venueOf(orders, venue)?.rfqs;
      return rfqs === undefined ? { kind: 'done', value: [] } : await rfqs.tape(of);
    },
    aliasOf: (account) => {
      directory.publishChanges();
      return Promise.resolve(orders.rfqsFor(account)?.aliasOf(account));
    },
    follow: (name, listener) => {
      const venue = venueOf(orders, name);
      return venue === undefined ? NOTHING_TO_LEAVE : notices.rfqs(venue, listener);
    },
  };
}

const NOTHING_TO_LEAVE = (): void => undefined;

const SOLE_DAEMON: NonNullable<MethodApiOptions['dispatch']> = {
  ofAccount: (_call, _account, _args, here) => here(),
};

const OWN_NOTICES: NonNullable<MethodApiOptions['notices']> = {
  orders: (venue, listener) => venue.subscribe(listener),
  rfqs: ({ rfqs }, listener) => rfqs?.listen(listener) ?? NOTHING_TO_LEAVE,
};

function instrumentOf(notice: VenueNotice): InstrumentName | undefined {
  switch (notice.kind) {
    case 'order':
      return notice.order.instrument;
    case 'trade':
      return notice.trade.instrument;
    default:
      return undefined;
  }
}

const invalidAccount = (reason: string): Refused => ({
  kind: 'refused',
  code: -32602,
  message: 'Invalid params',
  class: 'final',
  details: { param: 'accountId', reason },
});

const MMP_REQUIRED: Refused = {
  kind: 'refused',
  code: 13040,
  message: 'mmp_required this deployment has no market-maker protection',
  class: 'final',
};

/** What an account gets that has no desk for the group. */
const REFUSALS: { readonly [N in DeskName]: (account: AccountId | undefined) => Refused } = {
  orders: (account) =>
    invalidAccount(
      `${account} cannot send orders; accepted: an account other than a dummy account`,
    ),
  rfqs: (account) =>
    invalidAccount(`the venue of ${account} has no Block RFQs; accepted: another account`),
  combos: (account) =>
    invalidAccount(`the venue of ${account} has no combos; accepted: another account`),
  margins: (account) =>
    invalidAccount(
      `the venue of ${account} does not say what orders need; accepted: another account`,
    ),
  mmp: () => MMP_REQUIRED,
};

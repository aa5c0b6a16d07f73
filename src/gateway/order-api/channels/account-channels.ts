// Channels of an account: orders, trades, combined changes, and the portfolio summary. There is no snapshot: a
// client subscribes first and then queries the open orders.
import type { OrderRecord, TradeRecord } from '../../../core/order/order-record.ts';
import type { TradingDesk, VenueNotice } from '../../../ports/trading-desk.ts';
import type { OpenPosition } from '../../../values/account-report.ts';
import type { AccountId, Currency, InstrumentName } from '../../../values/ids.ts';
import { isCombo } from '../../../values/instrument.ts';
import type { FlowKind, FlowNews } from './account-memory.ts';
import { type Channel, type FlowChannel, INTERVAL_MS, type Scope } from './channel.ts';
import type { AccountViews } from './channel-views.ts';
import type { Leave, Subscriber } from './market-feeds.ts';
import { AGAIN, Paced } from './paced.ts';

/** Balances change with every fill and tick, so they are published at most this often. */
const PORTFOLIO_INTERVAL_MS = 250;

/** An account at its order API, filtered to its own news. */
interface AccountAtDesk {
  readonly account: AccountId;
  readonly desk: TradingDesk;
  /** How the wire shows it. */
  readonly views: AccountViews;
}

export interface AccountFeed extends AccountAtDesk {
  readonly listen: (listener: (news: VenueNotice) => void) => Leave;
}

/** Orders and trades of the account, numbered if they are retained. */
export interface FlowFeed extends AccountAtDesk {
  readonly follow: (
    kinds: readonly FlowKind[],
    receive: (news: FlowNews, number: number | undefined) => void,
  ) => Leave;
}

export interface FlowSubscriber extends Pick<Subscriber, 'onFault'> {
  /** Publishes; `number` is that of the last change covered by this message. */
  readonly publish: (data: unknown, number?: number) => void;
}

type PortfolioChannel = Extract<Channel, { readonly kind: 'user_portfolio' }>;

/** Raw: each change at once, as one order. Otherwise the latest state of each order that changed. */
export function openOrders(
  feed: FlowFeed,
  channel: FlowChannel,
  subscriber: FlowSubscriber,
): Leave {
  const isWanted = within(channel.scope, feed.desk);
  if (channel.interval === 'raw') {
    return feed.follow(['order'], (news, number) => {
      if (news.kind === 'order' && isWanted(news.order.instrument))
        subscriber.publish(feed.views.order(news.order), number);
    });
  }
  const changed = new Map<string, OrderRecord>();
  return gathered(feed, INTERVAL_MS[channel.interval], {
    kinds: ['order'],
    onFault: subscriber.onFault,
    take: (news) => {
      if (news.kind !== 'order' || !isWanted(news.order.instrument)) return false;
      changed.set(news.order.orderId, news.order);
      return true;
    },
    flush: (number) => {
      const orders = [...changed.values()];
      changed.clear();
      subscriber.publish(orders.map(feed.views.order), number);
    },
  });
}

/**
 * The trade of a combo repeats those of its legs, so among the trades of several kinds only the legs are published; the
 * channel of combo trades has nothing else.
 */
export function openUserTrades(
  feed: FlowFeed,
  channel: FlowChannel,
  subscriber: FlowSubscriber,
): Leave {
  const isInScope = within(channel.scope, feed.desk);
  const isOfCombos = channel.kind === 'user_combo_trades';
  const showsCombos = isOfCombos || isForCombos(channel.scope);
  const isWanted = ({ instrument, legs }: TradeRecord): boolean =>
    (legs === undefined ? !isOfCombos : showsCombos) && isInScope(instrument);
  let trades: TradeRecord[] = [];
  return gathered(feed, INTERVAL_MS[channel.interval], {
    kinds: ['trade'],
    onFault: subscriber.onFault,
    take: (news) => {
      if (news.kind !== 'trade' || !isWanted(news.trade)) return false;
      trades.push(news.trade);
      return true;
    },
    flush: (number) => {
      const data = trades.map(feed.views.trade);
      trades = [];
      subscriber.publish(data, number);
    },
  });
}

interface Changes {
  readonly orders: Map<string, OrderRecord>;
  readonly trades: TradeRecord[];
}

/** One message per instrument: orders, trades, and the position at that moment. */
export function openChanges(
  feed: FlowFeed,
  channel: FlowChannel,
  subscriber: FlowSubscriber,
): Leave {
  const isWanted = within(channel.scope, feed.desk);
  let changed = new Map<InstrumentName, Changes>();
  const owed = new Set<InstrumentName>();
  const of = (name: InstrumentName): Changes => {
    const known = changed.get(name) ?? { orders: new Map(), trades: [] };
    changed.set(name, known);
    return known;
  };
  return gathered(feed, INTERVAL_MS[channel.interval], {
    kinds: ['order', 'trade'],
    onFault: subscriber.onFault,
    take: (news) => {
      if (news.kind === 'order' && isWanted(news.order.instrument)) {
        of(news.order.instrument).orders.set(news.order.orderId, news.order);
      } else if (news.kind === 'trade' && isWanted(news.trade.instrument)) {
        of(news.trade.instrument).trades.push(news.trade);
      } else return false;
      return true;
    },
    flush: async (number) => {
      const now = [...changed];
      changed = new Map();
      for (const name of owed) if (!now.some(([one]) => one === name)) now.push([name, NOTHING]);
      for (const [index, [name, changes]] of now.entries()) {
        const positions = await positionsOf(
          feed,
          name,
          changes.trades.length > 0 || owed.has(name),
        );
        if (positions === undefined) owed.add(name);
        else owed.delete(name);
        if (positions === undefined && changes === NOTHING) continue;
        const { orders, trades } = changes;
        const isLast = index === now.length - 1;
        const shown = { instrument: name, orders: [...orders.values()], trades };
        const message = feed.views.changes(feed.desk, { ...shown, positions: positions ?? [] });
        subscriber.publish(message, isLast ? number : undefined);
      }
      return owed.size > 0 ? AGAIN : undefined;
    },
  });
}

/** Of an instrument whose position could not be read with its trades, and follows alone. */
const NOTHING: Changes = { orders: new Map(), trades: [] };

/** `undefined` if the venue does not answer; empty if the position is not requested. */
async function positionsOf(
  { account, desk }: FlowFeed,
  instrument: InstrumentName,
  isAsked: boolean,
): Promise<readonly OpenPosition[] | undefined> {
  if (!isAsked) return [];
  const reply = await desk.positions({ account, instrument });
  return reply.kind === 'done' ? reply.value : undefined;
}

/** Published initially and whenever it changes. */
export function openPortfolio(
  feed: AccountFeed,
  channel: PortfolioChannel,
  subscriber: Subscriber,
): Leave {
  const { account, desk, views } = feed;
  const last = new Map<Currency, string>();
  const currencies =
    channel.currency === undefined ? settlementCurrencies(desk) : [channel.currency];
  const flush = async (): Promise<unknown> => {
    let isWhole = true;
    for (const currency of currencies) {
      const reply = await views.portfolio({ account, desk }, currency);
      if (reply.kind !== 'done') {
        isWhole = false;
        continue;
      }
      const now = JSON.stringify(reply.value);
      if (last.get(currency) === now) continue;
      last.set(currency, now);
      subscriber.publish(reply.value);
    }
    return isWhole ? undefined : AGAIN;
  };
  const intervalMs = PORTFOLIO_INTERVAL_MS;
  const paced = new Paced({ intervalMs, flush, onFault: subscriber.onFault });
  const leave = feed.listen(() => paced.mark());
  paced.mark();
  return () => {
    leave();
    paced.stop();
  };
}

const settlementCurrencies = (desk: TradingDesk): readonly Currency[] => [
  ...new Set(desk.listed({ expired: false }).map(({ settlement }) => settlement)),
];

interface Gathering {
  readonly kinds: readonly FlowKind[];
  /** Returns whether the news belongs to this channel. */
  readonly take: (news: FlowNews) => boolean;
  /** Publishes what was taken; `number` is that of the last change included. */
  readonly flush: (number: number | undefined) => unknown;
  readonly onFault: (error: unknown) => void;
}

function gathered(
  feed: FlowFeed,
  intervalMs: number,
  { kinds, take, flush, onFault }: Gathering,
): Leave {
  let taken: number | undefined;
  const paced = new Paced({ intervalMs, onFault, flush: () => flush(taken) });
  const leave = feed.follow(kinds, (news, number) => {
    if (!take(news)) return;
    taken = number;
    paced.mark();
  });
  return () => {
    leave();
    paced.stop();
  };
}

/** Whether only combos, or one instrument, are in scope. */
const isForCombos = (scope: Scope): boolean =>
  scope.instrument !== undefined || scope.kinds.every((kind) => isCombo({ kind }));

function within(scope: Scope, desk: TradingDesk): (name: InstrumentName) => boolean {
  if (scope.instrument !== undefined) return (name) => name === scope.instrument;
  const { kinds, currency } = scope;
  return (name) => {
    const instrument = desk.instrument(name);
    return (
      instrument !== undefined &&
      kinds.includes(instrument.kind) &&
      (currency === undefined || instrument.settlement === currency)
    );
  };
}

// Opens channels: from the markets of the venues, and from one subscription per order API that serves all
// subscribed accounts.

import { ALL_INDEXES } from '../../../core/mmp/index-names.ts';
import type { MmpFrozen, MmpOperations } from '../../../engine/interface/mmp-operations.ts';
import type { MarketReads } from '../../../ports/market-reads.ts';
import {
  accountOfNotice,
  type TradingDesk,
  type VenueNotice,
} from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Desks } from '../../desks/desks.ts';
import type { ReportError } from '../../wire/http-faults.ts';
import { findInstrument } from '../find-instrument.ts';
import {
  type FlowFeed,
  openChanges,
  openOrders,
  openPortfolio,
  openUserTrades,
} from './account-channels.ts';
import type { AccountMemories } from './account-memories.ts';
import type { Missing } from './account-memory.ts';
import { type Channel, type FlowChannel, needOf } from './channel.ts';
import { type ChannelViews, OWN_VIEWS } from './channel-views.ts';
import { followScope, inScope, isTapeRefused } from './follow-scope.ts';
import { openBook, openGroupedBook, openQuote, openTicker, openTrades } from './market-channels.ts';
import type { Leave, Subscriber } from './market-feeds.ts';
import type { MmpChannel } from './mmp-channel.ts';
import type { RfqChannel } from './rfq-channel.ts';
import { openBlockTape, openRfqChannel } from './rfq-channels.ts';

type Listener = (news: VenueNotice) => void;

export interface Opening extends Subscriber {
  readonly account: AccountId | undefined;
  /** Publishes; `number` is that of the last change covered by this message. */
  readonly publish: (data: unknown, number?: number) => void;
  /** Channels of orders and trades: replay the changes after this number first. */
  readonly after?: number | undefined;
  /** Called when they cannot be replayed; changes above `number` follow. */
  readonly onMissing?: ((number: number, why: Missing) => void) | undefined;
  /** Called when changes of an account may have been missed. */
  readonly onGap: () => void;
}

/** An open channel, and the number of markets it keeps subscribed. */
export interface Opened {
  readonly leave: Leave;
  readonly markets: number;
}

export class ChannelSource {
  readonly #orders: Desks;
  readonly #report: ReportError;
  readonly #memories: AccountMemories | undefined;
  readonly #views: ChannelViews;
  readonly #subscriptions = new Map<TradingDesk, DeskSubscription>();

  constructor({
    orders,
    report,
    memories,
    views = OWN_VIEWS,
  }: {
    readonly orders: Desks;
    readonly report: ReportError;
    /** Default: changes are published once and not retained. */
    readonly memories?: AccountMemories | undefined;
    /** How the channels of accounts and Block RFQs show what they publish. */
    readonly views?: ChannelViews;
  }) {
    this.#orders = orders;
    this.#report = report;
    this.#memories = memories;
    this.#views = views;
  }

  readonly onFault = (error: unknown): void => this.#report(error, 'channel');

  /** The number of markets the channel would keep subscribed; `undefined` for a channel that is unknown or refused. */
  cost(channel: Channel): number | undefined {
    if (channel.kind === 'trades') {
      if (isTapeRefused(this.#orders, channel.scope)) return undefined;
      return inScope(this.#orders, channel.scope).length || undefined;
    }
    if (!('instrument' in channel)) return 0;
    return this.#marketOf(channel.instrument) === undefined ? undefined : 1;
  }

  /** Opens the channel; `undefined` for an unknown channel. */
  open(channel: Channel, opening: Opening): Opened | undefined {
    const markets = this.cost(channel);
    if (markets === undefined) return undefined;
    const leave = this.#open(channel, opening);
    return leave && { leave, markets };
  }

  /** Calls `listener` for what the venue of the account publishes about it; `undefined` if no venue has the account. */
  followAccount(account: AccountId, listener: Listener): Leave | undefined {
    const desk = this.#orders.forAccount(account);
    return desk && this.#subscriptionAt(desk).add(account, listener);
  }

  close(): void {
    this.#memories?.close();
    for (const subscription of this.#subscriptions.values()) subscription.close();
    this.#subscriptions.clear();
  }

  #open(channel: Channel, opening: Opening): Leave | undefined {
    switch (channel.kind) {
      case 'trades':
        return openTrades(
          (listener) => followScope(this.#orders, channel.scope, listener),
          channel,
          opening,
        );
      case 'user_orders':
      case 'user_trades':
      case 'user_combo_trades':
      case 'user_changes':
        return this.#openFlow(channel, opening);
      case 'user_portfolio':
        return this.#openMoney(channel, opening);
      case 'mmp_trigger':
        return this.#openMmp(channel, opening);
      case 'rfq_taker':
      case 'rfq_maker':
      case 'rfq_quotes':
      case 'rfq_trades':
        return this.#openRfqs(channel, opening);
      default: {
        const market = this.#marketOf(channel.instrument);
        return market && openOfMarket(market, channel, opening);
      }
    }
  }

  #openFlow(channel: FlowChannel, opening: Opening): Leave | undefined {
    const { account, after, onGap, onMissing = onGap } = opening;
    const desk = account && this.#orders.forAccount(account);
    if (account === undefined || desk === undefined) return undefined;
    const subscription = this.#subscriptionAt(desk);
    const listen = (listener: Listener): Leave => subscription.add(account, listener);
    const follow: FlowFeed['follow'] = (kinds, receive) => {
      if (this.#memories === undefined) return listen(unnumbered(receive, onGap));
      const reader = { kinds, receive, onGap, onMissing };
      return this.#memories.follow({ desk, account, listen, reader, after });
    };
    return openFlow({ account, desk, views: this.#views, follow }, channel, opening);
  }

  #openMoney(channel: MoneyChannel, opening: Opening): Leave | undefined {
    const { account } = opening;
    const desk = account && this.#orders.forAccount(account);
    if (account === undefined || desk === undefined) return undefined;
    const subscription = this.#subscriptionAt(desk);
    const listen = (listener: Listener): Leave => subscription.add(account, listener);
    const leaveGaps = listen((news) => {
      if (news.kind === 'reconnected') opening.onGap();
    });
    const feed = { account, desk, views: this.#views, listen };
    const leave = openPortfolio(feed, channel, opening);
    return () => {
      leaveGaps();
      leave();
    };
  }

  #openMmp({ index }: MmpChannel, opening: Opening): Leave | undefined {
    const { account } = opening;
    const { mmp } = this.#orders;
    if (account === undefined || mmp === undefined) return undefined;
    const { publish } = opening;
    return followTrips(mmp, { account, index }, (trip) => publish(this.#views.mmpTrip(trip)));
  }

  #openRfqs(channel: RfqChannel, opening: Opening): Leave | undefined {
    const { account } = opening;
    if (needOf(channel) === undefined) {
      const desks = this.#orders.rfqDesks();
      const tape = { desks, views: this.#views };
      return desks.length === 0 ? undefined : openBlockTape(tape, channel, opening);
    }
    const rfqs = account && this.#orders.rfqsFor(account);
    if (account === undefined || rfqs === undefined) return undefined;
    const isForMakers = channel.kind !== 'rfq_taker';
    if (isForMakers && rfqs.aliasOf(account) === undefined) return undefined;
    return openRfqChannel({ account, rfqs, views: this.#views }, channel, opening);
  }

  #marketOf(name: Parameters<MarketReads['instrument']>[0]): MarketReads | undefined {
    return findInstrument(this.#orders.markets(), name)?.market;
  }

  #subscriptionAt(desk: TradingDesk): DeskSubscription {
    const known = this.#subscriptions.get(desk);
    if (known !== undefined) return known;
    const subscription = new DeskSubscription(desk);
    this.#subscriptions.set(desk, subscription);
    return subscription;
  }
}

type MoneyChannel = Extract<Channel, { readonly kind: 'user_portfolio' }>;
type MarketChannel = Exclude<
  Channel,
  FlowChannel | MoneyChannel | MmpChannel | RfqChannel | { readonly kind: 'trades' }
>;

const unnumbered =
  (receive: Parameters<FlowFeed['follow']>[1], onGap: () => void): Listener =>
  (news) => {
    if (news.kind === 'reconnected') onGap();
    else if (news.kind !== 'account') receive(news, undefined);
  };

function openFlow(feed: FlowFeed, channel: FlowChannel, subscriber: Opening): Leave {
  switch (channel.kind) {
    case 'user_orders':
      return openOrders(feed, channel, subscriber);
    case 'user_trades':
    case 'user_combo_trades':
      return openUserTrades(feed, channel, subscriber);
    case 'user_changes':
      return openChanges(feed, channel, subscriber);
  }
}

function openOfMarket(market: MarketReads, channel: MarketChannel, subscriber: Subscriber): Leave {
  switch (channel.kind) {
    case 'ticker':
      return openTicker(market, channel, subscriber);
    case 'quote':
      return openQuote(market, channel, subscriber);
    case 'book':
      return openBook(market, channel, subscriber);
    case 'grouped_book':
      return openGroupedBook(market, channel, subscriber);
  }
}

/** Subscribes to an order API once, while any of its accounts has subscribers. */
class DeskSubscription {
  readonly #desk: TradingDesk;
  readonly #listeners = new Map<AccountId, Set<Listener>>();
  #leave: Leave | undefined;

  constructor(desk: TradingDesk) {
    this.#desk = desk;
  }

  add(account: AccountId, listener: Listener): Leave {
    const listeners = this.#listeners.get(account) ?? new Set();
    this.#listeners.set(account, listeners.add(listener));
    this.#leave ??= this.#desk.subscribe((news) => this.#dispatch(news));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(account) === listeners) {
        this.#listeners.delete(account);
      }
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  #dispatch(news: VenueNotice): void {
    if (news.kind === 'reconnected') {
      for (const listeners of this.#listeners.values()) {
        for (const listener of listeners) listener(news);
      }
      return;
    }
    for (const listener of this.#listeners.get(accountOfNotice(news)) ?? []) listener(news);
  }
}

/** Calls `listener` for MMP triggers. A trigger for all indexes is one of each of them. */
function followTrips(
  mmp: MmpOperations,
  { account, index }: { readonly account: AccountId; readonly index: string | undefined },
  listener: (trip: MmpFrozen) => void,
): Leave {
  return mmp.listen((trip) => {
    if (trip.account !== account) return;
    const isMeant = index === undefined || trip.index === index || trip.index === ALL_INDEXES;
    if (isMeant) listener(trip);
  });
}

// Block RFQ channels: each publishes the open records first, then every change as the whole record. Changes
// that arrive while the snapshot is read are published after it, so that nothing is missed and the newest state
// comes last.

import { isDeepStrictEqual } from 'node:util';
import type { RfqDesk, RfqNews } from '../../../ports/block-rfq.ts';
import type { BlockTrade, RfqQuoteRecord, RfqRecord } from '../../../values/block-rfq-record.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { RfqViews } from './channel-views.ts';
import type { Leave, Subscriber } from './market-feeds.ts';
import type { RfqChannel } from './rfq-channel.ts';

export interface RfqSubscriber extends Subscriber {
  /** Called when notices may have been missed. */
  readonly onGap: () => void;
}

/** An account at its venue. */
export interface RfqFeed {
  readonly account: AccountId;
  readonly rfqs: RfqDesk;
  readonly views: RfqViews;
}

/** Far more than are ever open at a time. */
const OPEN_MAX = 1_000;
/** Number of latest trades published first. */
const TAPE_MAX = 20;

export function openRfqChannel(
  feed: RfqFeed,
  channel: RfqChannel,
  subscriber: RfqSubscriber,
): Leave {
  return channel.kind === 'rfq_quotes'
    ? openQuotes(feed, channel, subscriber)
    : openRfqs(feed, channel, subscriber);
}

function openRfqs(
  { account, rfqs, views }: RfqFeed,
  { kind, currency }: RfqChannel,
  subscriber: RfqSubscriber,
): Leave {
  const role = kind === 'rfq_taker' ? 'taker' : 'maker';
  const publish = (rfq: RfqRecord): void => subscriber.publish(views.rfq(rfq));
  const read = new Map<string, RfqRecord>();
  return begunWith({ rfqs, views }, subscriber, {
    read: async () => {
      const open = { account, role, currency, count: OPEN_MAX } as const;
      const found = new Map<string, RfqRecord>();
      for (const status of ['created', 'open'] as const) {
        const reply = await rfqs.rfqs({ ...open, status });
        if (reply.kind !== 'done') throw new Error(`the open Block RFQs of ${account}: no answer`);
        for (const rfq of reply.value.rfqs) found.set(rfq.id, rfq);
      }
      const oldestFirst = [...found.values()].sort((a, b) => a.createdAt - b.createdAt);
      return () => {
        for (const rfq of oldestFirst) {
          read.set(rfq.id, rfq);
          publish(rfq);
        }
      };
    },
    receive: (news) => {
      if (news.kind !== 'rfq' || news.account !== account || news.rfq.role !== role) return;
      if (currency !== undefined && news.rfq.currency !== currency) return;
      const known = read.get(news.rfq.id);
      const isOlder = known !== undefined && news.rfq.lastUpdatedAt < known.lastUpdatedAt;
      if (!isOlder && !isDeepStrictEqual(news.rfq, known)) publish(news.rfq);
    },
  });
}

function openQuotes(
  { account, rfqs, views }: RfqFeed,
  { currency }: RfqChannel,
  subscriber: RfqSubscriber,
): Leave {
  const isWanted = (quote: RfqQuoteRecord): boolean =>
    currency === undefined || quote.currency === currency;
  const publish = (quotes: readonly RfqQuoteRecord[]): void =>
    subscriber.publish(quotes.map(views.quote));
  return begunWith({ rfqs, views }, subscriber, {
    read: async () => {
      const reply = await rfqs.quotes({ account });
      if (reply.kind !== 'done') throw new Error(`the open quotes of ${account}: no answer`);
      const open = reply.value.filter(isWanted);
      return () => publish(open);
    },
    receive: (news) => {
      if (news.kind !== 'quotes' || news.account !== account) return;
      const wanted = news.quotes.filter(isWanted);
      if (wanted.length > 0) publish(wanted);
    },
  });
}

/** Publishes every block trade from an RFQ without names; starts with the latest ones, oldest first. */
export function openBlockTape(
  { desks, views }: { readonly desks: readonly RfqDesk[]; readonly views: RfqViews },
  { currency }: RfqChannel,
  subscriber: Subscriber,
): Leave {
  const leaves = desks.map((rfqs) => {
    const readIds = new Set<string>();
    const publish = (trade: BlockTrade): void => subscriber.publish(views.blockTrade(trade));
    return begunWith(
      { rfqs, views },
      { ...subscriber, onGap: () => undefined },
      {
        read: async () => {
          const reply = await rfqs.tape({ currency, count: TAPE_MAX });
          if (reply.kind !== 'done') throw new Error('the latest block trades: no answer');
          const fresh = reply.value.filter(({ id }) => !readIds.has(id));
          return () => {
            for (const trade of fresh) {
              readIds.add(trade.id);
              publish(trade);
            }
          };
        },
        receive: (news) => {
          if (news.kind !== 'tape' || readIds.has(news.trade.id)) return;
          readIds.add(news.trade.id);
          if (currency === undefined || news.currency === currency) publish(news.trade);
        },
      },
    );
  });
  return () => {
    for (const leave of leaves) leave();
  };
}

interface Begun {
  /** Reads the open records and returns the function that publishes them. */
  readonly read: () => Promise<() => void>;
  readonly receive: (news: RfqNews) => void;
}

/** After a gap, the gap is reported and the open records are published again, unless they never are. */
function begunWith(
  { rfqs, views }: Pick<RfqFeed, 'rfqs' | 'views'>,
  { onGap, onFault }: RfqSubscriber,
  { read, receive }: Begun,
): Leave {
  let waiting: RfqNews[] | undefined = views.beginsWithOpen ? [] : undefined;
  let isLeft = false;
  const begin = async (): Promise<void> => {
    if (!views.beginsWithOpen) return;
    waiting ??= [];
    const mine = waiting;
    const publishOpen = await read().catch((error: unknown) => {
      // After unsubscribing, errors are not reported: the sources may already be closed.
      if (!isLeft) onFault(error);
      return onGap;
    });
    if (isLeft) return;
    publishOpen();
    if (waiting !== mine) return;
    waiting = undefined;
    for (const news of mine) receive(news);
  };
  const leave = rfqs.listen((news) => {
    if (news.kind === 'reconnected') {
      onGap();
      void begin();
    } else if (waiting === undefined) receive(news);
    else waiting.push(news);
  });
  void begin();
  return () => {
    isLeft = true;
    leave();
  };
}

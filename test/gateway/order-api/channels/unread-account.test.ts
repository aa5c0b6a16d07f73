// Channels of an account whose venue does not answer for a moment: what could not be read is published once it can be.
import { expect, test } from 'vitest';
import type { PaperVenue } from '../../../../src/adapters/paper/paper-venue.ts';
import {
  type FlowFeed,
  openChanges,
  openPortfolio,
} from '../../../../src/gateway/order-api/channels/account-channels.ts';
import type { FlowNews } from '../../../../src/gateway/order-api/channels/account-memory.ts';
import { OWN_VIEWS } from '../../../../src/gateway/order-api/channels/channel-views.ts';
import type { TradingDesk } from '../../../../src/ports/trading-desk.ts';
import { price, text } from '../../../../src/values/amounts.ts';
import { currency } from '../../../../src/values/ids.ts';
import {
  ACCOUNT,
  anOrder,
  BTC,
  type PaperStage,
  paperStage,
} from '../../../adapters/paper/paper-stage.ts';

const AWAY = { kind: 'unknown', reason: 'away' } as const;

/** The venue, whose queries of these names have no answer for so many times. */
function sometimesAway(venue: PaperVenue, names: readonly string[], times: number): TradingDesk {
  let left = times;
  const desk: object = new Proxy(venue, {
    get: (target, name) => {
      const own: unknown = Reflect.get(target, name);
      if (typeof own !== 'function') return own;
      return (...given: unknown[]) => {
        if (!names.includes(String(name)) || left === 0) return own.apply(target, given);
        left -= 1;
        return Promise.resolve(AWAY);
      };
    },
  });
  return desk as TradingDesk;
}

const faults: unknown[] = [];
const onFault = (error: unknown): void => void faults.push(error);

test('a position that cannot be read with its trade follows once it can be', async () => {
  const stage: PaperStage = paperStage();
  const desk = sometimesAway(stage.venue, ['positions'], 1);
  const told: FlowNews[] = [];
  stage.venue.subscribe((notice) => {
    if (notice.kind === 'order' || notice.kind === 'trade') told.push(notice);
  });
  await stage.venue.attach(ACCOUNT);
  const terms = { price: price('91000'), timeInForce: 'immediate_or_cancel' } as const;
  expect((await stage.venue.place(anOrder(stage.venue, terms))).kind).toBe('done');
  await stage.pass(1_000);
  // One trade, so the position has its price.
  const [paid, ...others] = told.flatMap((news) =>
    news.kind === 'trade' ? [text(news.trade.price)] : [],
  );
  expect(others).toEqual([]);
  let receive: (news: FlowNews, number: number | undefined) => void = () => undefined;
  const feed: FlowFeed = {
    account: ACCOUNT,
    desk,
    views: OWN_VIEWS,
    follow: (_kinds, receiver) => {
      receive = receiver;
      return () => undefined;
    },
  };
  const frames: { trades: unknown[]; positions: unknown[] }[] = [];
  const publish = (data: unknown): void => void frames.push(data as (typeof frames)[number]);
  const scope = { instrument: BTC };
  const leave = openChanges(
    feed,
    { kind: 'user_changes', scope, interval: 'raw' },
    { publish, onFault },
  );
  for (const news of told) receive(news, undefined);
  await expect.poll(() => frames.length, { timeout: 60_000 }).toBe(2);
  leave();
  expect(frames[0]).toMatchObject({ positions: [] });
  expect(frames[0]?.trades).not.toEqual([]);
  expect(frames[1]).toMatchObject({
    orders: [],
    trades: [],
    positions: [{ instrumentName: BTC, averagePrice: paid }],
  });
  expect(faults).toEqual([]);
});

test('a summary that cannot be read at the subscription is published once it can be', async () => {
  const { venue } = paperStage();
  const frames: unknown[] = [];
  const desk = sometimesAway(venue, ['summary'], 1);
  const leave = openPortfolio(
    { account: ACCOUNT, desk, views: OWN_VIEWS, listen: () => () => undefined },
    { kind: 'user_portfolio', currency: currency('BTC') },
    { publish: (data: unknown) => void frames.push(data), onFault },
  );
  await expect.poll(() => frames.length, { timeout: 60_000 }).toBe(1);
  leave();
  expect(frames).toMatchObject([{ currency: 'BTC' }]);
});

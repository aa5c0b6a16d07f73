// Block RFQ channels over a real WebSocket: each starts with the open records and publishes every change, only
// to the clients concerned and with their own ids.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOTHING, READER, TAKER } from '../../gateway-under-test.ts';
import { type Frame, RidClient } from '../rid-client.ts';
import { RidStage } from '../rid-stage.ts';
import { MAKER, RfqTraders, resultOf, SECOND_MAKER } from './block-rfq-acts.ts';

const TAKER_CHANNEL = 'block_rfq.taker.any';
const MAKER_CHANNEL = 'block_rfq.maker.any';
const QUOTES_CHANNEL = 'block_rfq.quotes.any';
const TAPE_CHANNEL = 'block_rfq.trades.any';

let stage: RidStage;
let traders: RfqTraders;
beforeEach(async () => {
  stage = await RidStage.start();
  traders = new RfqTraders(stage);
});
afterEach(() => stage.close());

const subscribe = (client: RidClient, ...channels: string[]): Promise<Frame> =>
  client.get('private/subscribe', { channels });

describe('channels of Block RFQs', () => {
  it('channels of Block RFQs are granted to clients with the matching role', async () => {
    const all = [TAKER_CHANNEL, MAKER_CHANNEL, QUOTES_CHANNEL, 'block_rfq.maker.quotes.any'];
    const wanted = [...all, TAPE_CHANNEL, 'block_rfq.taker.btc', 'block_rfq.nonsense.any'];
    const taker = await RidClient.connect(stage, TAKER);
    const takers = [TAKER_CHANNEL, TAPE_CHANNEL, 'block_rfq.taker.btc'];
    expect(await subscribe(taker, ...wanted)).toEqual(takers);
    const maker = await RidClient.connect(stage, MAKER);
    expect(await subscribe(maker, ...wanted)).toEqual([
      ...all,
      TAPE_CHANNEL,
      'block_rfq.taker.btc',
    ]);
    const stranger = await RidClient.connect(stage, null);
    expect(await stranger.get('public/subscribe', { channels: wanted })).toEqual([TAPE_CHANNEL]);
    expect((await stranger.request('private/subscribe', { channels: all })).error.code).toBe(13009);
    const reader = await RidClient.connect(stage, READER);
    expect(await subscribe(reader, TAKER_CHANNEL)).toEqual([TAKER_CHANNEL]);
    await expect(RidClient.connect(stage, NOTHING)).rejects.toThrow('403');
  });

  it('channels of Block RFQs give a key with only the Block RFQ scope access to nothing else', async () => {
    const client = await RidClient.connect(stage, SECOND_MAKER);
    const wanted = [MAKER_CHANNEL, 'user.orders.any.any.raw', 'user.portfolio.any'];
    expect(await subscribe(client, ...wanted)).toEqual([MAKER_CHANNEL]);
    expect((await client.request('private/get_open_orders', {})).error.code).toBe(13021);
  });

  it('channels of Block RFQs publish the RFQ, its offers and its end to the taker', async () => {
    const client = await RidClient.connect(stage);
    await subscribe(client, TAKER_CHANNEL, 'block_rfq.taker.eth');
    const { rfq, quote, accept } = await traders.offered();
    await traders.trade(accept);
    const told = await client.heard(TAKER_CHANNEL, (data) => data.at(-1)?.status === 'filled');
    expect(new Set(told.map(({ blockRfqId }) => blockRfqId))).toEqual(new Set([rfq.blockRfqId]));
    expect(told[0]).toMatchObject({ status: 'created', asks: [] });
    const inGrace = told.filter(({ status }) => status === 'created');
    for (const { asks } of inGrace) expect(asks).toEqual([]);
    expect(told.at(-1)).toMatchObject({ trades: [{ price: quote.price }] });
    expect(client.told('block_rfq.taker.eth')).toEqual([]);
    const frame = client.frames.find(({ params }) => params?.channel === TAKER_CHANNEL);
    expect(frame.params.accountId).toBe('10001');
  });

  it('channels of Block RFQs publish RFQs to makers with their own ids, and nothing about other makers', async () => {
    const [first, second] = await Promise.all([
      RidClient.connect(stage, MAKER),
      RidClient.connect(stage, SECOND_MAKER),
    ]);
    for (const client of [first, second]) await subscribe(client, MAKER_CHANNEL, QUOTES_CHANNEL);
    const { rfq, quote, accept } = await traders.offered();
    await traders.trade(accept);
    const toFirst = await first.heard(MAKER_CHANNEL, (data) => data.length >= 2);
    const toSecond = await second.heard(MAKER_CHANNEL, (data) => data.length >= 2);
    expect(toFirst.map(({ status }) => status)).toEqual(['open', 'filled']);
    expect(toSecond.map(({ status }) => status)).toEqual(['open', 'traded']);
    expect(toFirst[0].blockRfqId).toBe(quote.blockRfqId);
    const quotes = await first.heard(QUOTES_CHANNEL, (data) => data.length >= 3);
    expect(quotes.map((each) => each.map(({ status }: Frame) => status))).toEqual([
      [],
      ['open'],
      ['filled'],
    ]);
    expect(second.told(QUOTES_CHANNEL)).toEqual([[]]);
    const seen = JSON.stringify(second.frames);
    for (const hidden of ['MAKER1', quote.quoteId, `"${rfq.blockRfqId}"`]) {
      expect(seen).not.toContain(hidden);
    }
  });

  it('channels of Block RFQs start with the open records', async () => {
    const rfq = await traders.created({ label: 'before' });
    const quote = await traders.quoted({ label: 'before' });
    const taker = await RidClient.connect(stage);
    await subscribe(taker, TAKER_CHANNEL);
    const [first] = await taker.heard(TAKER_CHANNEL, (data) => data.length > 0);
    expect(first).toMatchObject({ blockRfqId: rfq.blockRfqId, label: 'before' });
    const maker = await RidClient.connect(stage, MAKER);
    await subscribe(maker, MAKER_CHANNEL, QUOTES_CHANNEL, 'block_rfq.quotes.eth');
    const [asked] = await maker.heard(MAKER_CHANNEL, (data) => data.length > 0);
    expect(asked).toMatchObject({ blockRfqId: quote.blockRfqId, role: 'maker' });
    const [own] = await maker.heard(QUOTES_CHANNEL, (data) => data.length > 0);
    expect(own).toMatchObject([{ quoteId: quote.quoteId }]);
    expect(await maker.heard('block_rfq.quotes.eth', (data) => data.length > 0)).toEqual([[]]);
    const { rfqs } = await closed(rfq.blockRfqId);
    expect(rfqs).toBe('cancelled');
    const late = await RidClient.connect(stage);
    await subscribe(late, TAKER_CHANNEL);
    const next = await traders.created();
    const told = await late.heard(TAKER_CHANNEL, (data) => data.length > 0);
    expect(told[0].blockRfqId).toBe(next.blockRfqId);
  });

  async function closed(blockRfqId: string) {
    const { status } = resultOf(await stage.post('block/rfqs/cancel_rfq', { blockRfqId }));
    return { rfqs: status };
  }

  it('channels of Block RFQs stop after unsubscribing', async () => {
    const client = await RidClient.connect(stage);
    await subscribe(client, TAKER_CHANNEL, 'user.orders.any.any.raw');
    const left = await client.get('private/unsubscribe', { channels: [TAKER_CHANNEL] });
    expect(left).toEqual([TAKER_CHANNEL]);
    await traders.created();
    await client.get('public/test');
    expect(client.told(TAKER_CHANNEL)).toEqual([]);
  });

  it('channels of Block RFQs publish trades to all clients without names, fees and ids', async () => {
    const client = await RidClient.connect(stage, null);
    await client.get('public/subscribe', { channels: [TAPE_CHANNEL, 'block_rfq.trades.eth'] });
    const { rfq, quote, accept } = await traders.offered();
    await traders.trade(accept);
    const [trade] = await client.heard(TAPE_CHANNEL, (data) => data.length > 0);
    expect(trade).toEqual({
      blockTradeId: expect.stringMatching(/^BLOCK-/),
      comboId: rfq.comboId,
      timestamp: expect.any(Number),
      side: 'buy',
      price: quote.price,
      quantity: rfq.quantity,
      legs: [
        {
          instrumentName: rfq.comboId,
          side: 'buy',
          quantity: rfq.quantity,
          price: quote.price,
          hedge: false,
          markPrice: expect.any(String),
          indexPrice: expect.any(String),
        },
      ],
    });
    expect(client.told('block_rfq.trades.eth')).toEqual([]);
    const late = await RidClient.connect(stage, null);
    await late.get('public/subscribe', { channels: [TAPE_CHANNEL, 'block_rfq.trades.eth'] });
    expect(await late.heard(TAPE_CHANNEL, (data) => data.length > 0)).toEqual([trade]);
    const next = await traders.offered();
    await traders.trade(next.accept);
    const both = await late.heard(TAPE_CHANNEL, (data) => data.length > 1);
    expect(both.map(({ blockTradeId }) => blockTradeId)).toEqual([
      trade.blockTradeId,
      expect.not.stringMatching(trade.blockTradeId),
    ]);
    expect(late.told('block_rfq.trades.eth')).toEqual([]);
  });
});

// Pairs that are matched on another exchange, as our own methods and channels show them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededMarket } from '../../../../src/exchange/market/market.ts';
import { parseChannel } from '../../../../src/gateway/order-api/channels/channel.ts';
import { ChannelSource } from '../../../../src/gateway/order-api/channels/channel-source.ts';
import { instrumentView } from '../../../../src/gateway/order-api/market/instrument-view.ts';
import { must } from '../../../../src/values/assert.ts';
import { instrumentName } from '../../../../src/values/ids.ts';
import { DeribitMarketStage } from '../../deribit/market/deribit-market-stage.ts';

let stage: DeribitMarketStage;
let source: ChannelSource;
beforeAll(() => {
  stage = new DeribitMarketStage({
    market: (bornAt) => seededMarket({ seed: 'routed', startAt: bornAt, routedSpot: true }),
  });
  const report = (error: unknown): never => {
    throw error;
  };
  source = new ChannelSource({ orders: stage.desks, report });
});
afterAll(async () => {
  source.close();
  await stage.close();
});

test.each([
  ['trades.BTC_USDC.100ms', undefined],
  ['trades.spot.USDC.100ms', undefined],
  ['trades.any.any.100ms', undefined],
  ['trades.future.USDC.100ms', 2],
  ['trades.BTC_USDC-PERPETUAL.100ms', 1],
  ['ticker.BTC_USDC.100ms', 1],
  ['book.BTC_USDC.100ms', 1],
])('the channel %s follows %s markets', (name, markets) => {
  expect(source.cost(must(parseChannel(name), 'a channel'))).toBe(markets);
});

test.each([
  ['BTC_USDC', true],
  ['BTC_USDC-PERPETUAL', undefined],
])('%s is shown with isRouted %s', (name, flag) => {
  const now = stage.clock.now();
  const instrument = must(stage.venue.instrument(instrumentName(name)), 'it is listed');
  expect(instrumentView(instrument, now).isRouted).toBe(flag);
});

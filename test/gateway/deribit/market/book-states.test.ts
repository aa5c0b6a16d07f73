// The states of books around the daily settlement, which pauses every book for five seconds from 08:00 on. On this day the
// futures and options of 20 November expire with it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MarketFamily } from '../../../../src/gateway/deribit/channels/market-family.ts';
import { later, MINUTE_MS, utcInstant } from '../../../../src/values/instant.ts';
import { DeribitMarketStage, type Json } from './deribit-market-stage.ts';

const EIGHT = utcInstant({ year: 2026, month: 11, day: 20, hour: 8 });
const BTC = { instrument_name: 'BTC-PERPETUAL' };
const DAILY = { instrument_name: 'BTC-20NOV26' };

let stage: DeribitMarketStage;
let family: MarketFamily;
beforeEach(() => {
  stage = new DeribitMarketStage({}, later(EIGHT, -MINUTE_MS));
  family = new MarketFamily({
    orders: stage.desks,
    now: () => stage.clock.now(),
    report: (error) => expect.unreachable(String(error)),
  });
});
afterEach(async () => {
  family.close();
  await stage.close();
});

function follow(channel: string): (name: string) => readonly Json[] {
  const published: Json[] = [];
  family.open(channel, { publish: (text) => published.push(JSON.parse(text)) });
  return (name) =>
    published.filter((one) => one.instrument_name === name).map(({ state }) => state);
}

/** The state by every method that has one. */
async function states(): Promise<readonly Json[]> {
  const one = await stage.get('public/get_instrument', BTC);
  const all: Json[] = await stage.get('public/get_instruments', { currency: 'BTC' });
  const listed = new Set(all.map(({ state, is_active }) => `${state} ${is_active}`));
  const ticker = await stage.get('public/ticker', BTC);
  const book = await stage.get('public/get_order_book', BTC);
  return [one.state, one.is_active, [...listed], ticker.state, book.state];
}

const OPEN = ['open', true, ['open true'], 'open', 'open'];
const PAUSED = ['settlement', true, ['settlement true'], 'settlement', 'settlement'];

test('books are in the state settlement during its pause, by every method, and open before and after', async () => {
  expect(await states()).toEqual(OPEN);
  await stage.pass(59_000);
  expect(await states()).toEqual(OPEN);
  await stage.pass(2_000);
  expect(await states()).toEqual(PAUSED);
  await stage.pass(3_000);
  expect(await states()).toEqual(PAUSED);
  await stage.pass(2_000);
  expect(await states()).toEqual(OPEN);
});

test('instrument.state publishes the pause and its end of what remains, and the end alone of what expires', async () => {
  const future = follow('instrument.state.future.BTC');
  const option = follow('instrument.state.option.any');
  const created = follow('instrument.creation.future.BTC');
  await stage.pass(61_000);
  await expect.poll(() => future(BTC.instrument_name)).toEqual(['settlement']);
  await expect.poll(() => future(DAILY.instrument_name)).toEqual(['delivered']);
  expect(option(BTC.instrument_name)).toEqual([]);
  await stage.pass(5_000);
  await expect.poll(() => future(BTC.instrument_name)).toEqual(['settlement', 'open']);
  await stage.pass(60_000);
  expect(future(DAILY.instrument_name)).toEqual(['delivered']);
  expect(created(BTC.instrument_name)).toEqual([]);
});

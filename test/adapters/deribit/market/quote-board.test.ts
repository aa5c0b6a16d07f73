// Quotes from scripted messages: what they are made of, how old they are, and what becomes of them when a message is
// missing, late, malformed or wrong.
import { describe, expect, test } from 'vitest';
import { price, quantity, text } from '../../../../src/values/amounts.ts';
import { instrumentName, orderId } from '../../../../src/values/ids.ts';
import { later } from '../../../../src/values/instant.ts';
import type { Quote } from '../../../../src/values/quote.ts';
import { orderRecord } from '../../../support/engine/venue-records.ts';
import {
  BOOK,
  change,
  result,
  ScriptedMarket,
  snapshot,
  TICKER,
  TRADES,
  ticker,
} from './scripted-market.ts';

const BTC = instrumentName('BTC-PERPETUAL');

const sides = (quote: Quote | undefined): string | undefined =>
  quote &&
  [quote.bid, quote.ask]
    .map((level) => (level ? `${text(level.price)}x${text(level.quantity)}` : '-'))
    .join(' ');

async function watched(): Promise<ScriptedMarket> {
  const scripted = await ScriptedMarket.up();
  scripted.market.quotes.watch(BTC);
  await scripted.pass(100);
  return scripted;
}

async function quoted(): Promise<ScriptedMarket> {
  const scripted = await watched();
  scripted.publish(BOOK, snapshot(10));
  scripted.publish(TICKER, ticker());
  return scripted;
}

const quoteOf = ({ market }: ScriptedMarket) => market.quotes.quote(BTC);

test('Routed spot has no tape: its trades are not subscribed to, and what was traded is unknown', async () => {
  const scripted = new ScriptedMarket();
  const pair = (name: string, more: object) => ({
    kind: 'spot',
    instrument_name: name,
    base_currency: 'BTC',
    quote_currency: 'USDC',
    contract_size: 0.0001,
    min_trade_amount: 0.0001,
    tick_size: 0.1,
    ...more,
  });
  const listed = [pair('BTC_USDC', { is_cbe_routed: true, is_csr: true }), pair('BUIDL_USDC', {})];
  scripted.answers.set('public/get_instruments', ({ expired }) => result(expired ? [] : listed));
  await scripted.connect();
  const channelsOf = async (name: string): Promise<readonly string[]> => {
    scripted.market.quotes.watch(instrumentName(name));
    await scripted.pass(100);
    return [...scripted.held].filter((channel) => channel.includes(`.${name}.`));
  };
  expect((await channelsOf('BTC_USDC')).toSorted()).toEqual([
    'book.BTC_USDC.100ms',
    'ticker.BTC_USDC.100ms',
  ]);
  expect(await channelsOf('BUIDL_USDC')).toContain('trades.BUIDL_USDC.100ms');
  expect(scripted.market.quotes.live(instrumentName('BTC_USDC'))?.traded).toBeUndefined();
  expect(scripted.market.quotes.live(instrumentName('BUIDL_USDC'))?.traded).toEqual(quantity('0'));
  expect(scripted.faults).toEqual([]);
});

describe('a quote', () => {
  test('A quote exists once the ticker and the book have come', async () => {
    const scripted = await watched();
    expect(quoteOf(scripted)).toBeUndefined();
    scripted.publish(TICKER, ticker());
    expect(quoteOf(scripted)).toBeUndefined();
    scripted.publish(BOOK, snapshot(10));
    expect(sides(quoteOf(scripted))).toBe('64000x300 64000.5x900');
    expect(quoteOf(scripted)).toMatchObject({ instrument: BTC, seenAt: scripted.clock.now() });
    const { mark, index, minPrice, maxPrice } = quoteOf(scripted) ?? {};
    expect([mark, index, minPrice, maxPrice].map((one) => one && text(one))).toEqual([
      '64001.13',
      '63998.2',
      '63000',
      '65000',
    ]);
  });

  test('A quote follows the changes of the book', async () => {
    const scripted = await quoted();
    scripted.publish(BOOK, change([10, 13], [['new', 64_000.4, 20]], [['delete', 64_000.5, 0]]));
    expect(sides(quoteOf(scripted))).toBe('64000.4x20 -');
  });

  test('A quote leaves out our own orders, and looks behind a level that is wholly ours', async () => {
    const scripted = await watched();
    const bids = [['new', 64_000, 300] as const, ['new', 63_999.5, 40] as const];
    scripted.publish(BOOK, snapshot(10, bids));
    scripted.publish(TICKER, ticker());
    const ours = { instrument: BTC, side: 'buy', price: price('64000.0') } as const;
    scripted.own.note(orderRecord({ ...ours, orderId: orderId('1'), quantity: quantity('100') }));
    expect(sides(quoteOf(scripted))).toBe('64000x200 64000.5x900');
    scripted.own.note(orderRecord({ ...ours, orderId: orderId('2'), quantity: quantity('200') }));
    expect(sides(quoteOf(scripted))).toBe('63999.5x40 64000.5x900');
  });

  test('Others who leave a price of ours are believed gone a second later, at once where our order cannot explain it', async () => {
    const scripted = await watched();
    scripted.publish(BOOK, snapshot(10, [['new', 64_000, 150]]));
    scripted.publish(TICKER, ticker({ best_bid_amount: 150 }));
    const ours = { instrument: BTC, side: 'buy', price: price('64000') } as const;
    scripted.own.note(orderRecord({ ...ours, orderId: orderId('1'), quantity: quantity('100') }));
    expect(sides(quoteOf(scripted))).toBe('64000x50 64000.5x900');
    await scripted.pass(2_000);
    // A fill of ours would look the same.
    scripted.publish(BOOK, change([10, 11], [['change', 64_000, 100]]));
    expect(sides(quoteOf(scripted))).toBe('64000x50 64000.5x900');
    await scripted.pass(1_000);
    expect(sides(quoteOf(scripted))).toBe('- 64000.5x900');
    scripted.publish(BOOK, change([11, 12], [['change', 64_000, 500]]));
    expect(sides(quoteOf(scripted))).toBe('64000x400 64000.5x900');
  });

  test('A quote is gone after a break, and back when both channels have come again', async () => {
    const scripted = await quoted();
    scripted.break();
    expect(quoteOf(scripted)).toBeUndefined();
    await scripted.pass(3_000);
    await scripted.connect();
    scripted.publish(TICKER, ticker());
    expect(quoteOf(scripted)).toBeUndefined();
    scripted.publish(BOOK, snapshot(99));
    expect(sides(quoteOf(scripted))).toBe('64000x300 64000.5x900');
  });

  test('A quote is as old as the last ticker, which comes every five seconds in a quiet market', async () => {
    const scripted = await quoted();
    const firstAt = scripted.clock.now();
    await scripted.pass(5_000);
    expect(quoteOf(scripted)?.seenAt).toBe(firstAt);
    scripted.publish(TICKER, ticker());
    expect(quoteOf(scripted)?.seenAt).toBe(later(firstAt, 5_000));
    scripted.publish(BOOK, change([10, 11]));
    await scripted.pass(1_000);
    expect(quoteOf(scripted)?.seenAt).toBe(later(firstAt, 5_000));
  });

  test('A quote has no side where the best price is 0 or null', async () => {
    const scripted = await watched();
    const empty = { best_bid_price: 0, best_bid_amount: 0, best_ask_price: null };
    scripted.publish(BOOK, snapshot(10, [], []));
    scripted.publish(TICKER, ticker(empty));
    expect(sides(quoteOf(scripted))).toBe('- -');
    const silent = await watched();
    silent.publish(TICKER, ticker({ best_bid_price: 0, best_bid_amount: 7 }));
    silent.publish(BOOK, snapshot(10));
    silent.publish(BOOK, change([9, 11]));
    expect(sides(quoteOf(silent))).toBe('- 64000.5x900');
  });

  test.each([
    ['open', '64000x300 64000.5x900'],
    ['settlement', '64000x300 64000.5x900'],
    ['halted', '- -'],
    ['locked', '- -'],
    ['delivered', '- -'],
    ['a word of next year', '- -'],
  ])('A quote of a book that is %s has the sides %s', async (state, expected) => {
    const scripted = await quoted();
    scripted.publish(TICKER, ticker({ state }));
    expect(sides(quoteOf(scripted))).toBe(expected);
    expect(quoteOf(scripted)?.mark).toBeDefined();
  });

  test('A quote reads numbers with the noise of floats, with exponents, and new members', async () => {
    const scripted = await watched();
    const noisy = JSON.stringify(ticker({ member_of_next_year: { deep: [1] } }))
      .replace('"mark_price":64001.13', '"mark_price":6.4001130000000004e4')
      .replace('"open_interest":912345670', '"open_interest":9.1234567e8');
    scripted.publish(TICKER, noisy);
    const bids = '[["new",6.4e4,0.30000000000000004],["new",63999.0,10.0]]';
    scripted.publish(
      BOOK,
      `{"type":"snapshot","timestamp":1795176000000,"change_id":123456789012345678,"bids":${bids},"asks":[["new",64000.5,9e2]]}`,
    );
    const quote = quoteOf(scripted);
    expect(sides(quote)).toBe('64000x0.3 64000.5x900');
    expect(quote?.mark && text(quote.mark)).toBe('64001.13');
    scripted.publish(
      BOOK,
      '{"type":"change","timestamp":1795176000100,"prev_change_id":123456789012345677,"change_id":123456789012345679,"bids":[],"asks":[]}',
    );
    expect(scripted.faults.join()).toMatch(/follows 123456789012345677, the book is at .*678/);
  });
});

describe('the book of a quote', () => {
  test('The book of a quote is read again after a gap, and the ticker’s prices are used meanwhile', async () => {
    const scripted = await quoted();
    scripted.publish(BOOK, change([11, 12], [['new', 64_000.4, 5]]));
    expect(sides(quoteOf(scripted))).toBe('64000x300 64000.5x900');
    await scripted.pass(100);
    expect(scripted.calls('public/unsubscribe')).toEqual([[BOOK]]);
    expect(scripted.calls('public/subscribe').at(-1)).toEqual([BOOK]);
    scripted.publish(BOOK, change([12, 13], [['new', 64_000.4, 5]]));
    scripted.publish(BOOK, snapshot(13, [['new', 64_000.3, 7]]));
    expect(sides(quoteOf(scripted))).toBe('64000.3x7 64000.5x900');
    expect(scripted.faults).toHaveLength(1);
  });

  test('The book of a quote is read again with growing pauses if its gaps repeat', async () => {
    const scripted = await quoted();
    for (let round = 0; round < 40; round += 1) {
      scripted.publish(BOOK, snapshot(round));
      scripted.publish(BOOK, change([round + 1, round + 2]));
      await scripted.pass(1_000);
    }
    const times = scripted
      .calls('public/unsubscribe')
      .flat()
      .filter((one) => one === BOOK).length;
    expect(times).toBeGreaterThan(3);
    expect(times).toBeLessThan(9);
  });

  test('The book of a quote is never priced from while it is crossed or locked, and read again if it stays so', async () => {
    const scripted = await quoted();
    scripted.publish(BOOK, change([10, 11], [['new', 64_000.5, 5]]));
    expect(sides(quoteOf(scripted))).toBe('64000x300 64000.5x900');
    await scripted.pass(1_000);
    expect(scripted.calls('public/unsubscribe')).toEqual([]);
    scripted.publish(BOOK, change([11, 12], [['delete', 64_000.5, 0]]));
    scripted.publish(BOOK, change([12, 13], [['new', 70_000, 5]]));
    await scripted.pass(4_000);
    expect(scripted.calls('public/unsubscribe')).toEqual([[BOOK]]);
    expect(scripted.faults.at(-1)).toMatch(/stays crossed/);
  });

  test('A crossed ticker has no sides either', async () => {
    const scripted = await quoted();
    scripted.publish(BOOK, change([10, 11], [['new', 64_001, 5]]));
    scripted.publish(TICKER, ticker({ best_bid_price: 64_001 }));
    expect(sides(quoteOf(scripted))).toBe('- -');
  });

  test('The book of a quote is read again if it differs from the ticker for more than two seconds', async () => {
    const scripted = await quoted();
    const moved = { best_bid_price: 64_100, best_ask_price: 64_100.5 };
    for (let tick = 0; tick < 30; tick += 1) {
      scripted.publish(TICKER, ticker(moved));
      await scripted.pass(100);
    }
    scripted.publish(TICKER, ticker(moved));
    await scripted.pass(1_100);
    expect(scripted.calls('public/unsubscribe')).toEqual([[BOOK]]);
    expect(sides(quoteOf(scripted))).toBe('64100x300 64100.5x900');
    scripted.publish(BOOK, snapshot(77, [['new', 64_100, 1]], [['new', 64_100.5, 2]]));
    expect(sides(quoteOf(scripted))).toBe('64100x1 64100.5x2');
  });

  test('The book of a quote is kept if it differs from the ticker for a moment, or while no ticker comes', async () => {
    const scripted = await quoted();
    for (let tick = 1; tick <= 40; tick += 1) {
      const bid = 64_000 + tick / 100;
      scripted.publish(BOOK, change([tick + 9, tick + 10], [['new', bid, 1]]));
      await scripted.pass(100);
      scripted.publish(TICKER, ticker({ best_bid_price: bid }));
    }
    scripted.publish(BOOK, change([50, 51], [['delete', 64_000.4, 0]]));
    await scripted.pass(5_000);
    expect(scripted.calls('public/unsubscribe')).toEqual([]);
  });

  test('The book of a quote is read again if its snapshot does not come', async () => {
    const scripted = await watched();
    scripted.publish(TICKER, ticker());
    await scripted.pass(11_500);
    expect(scripted.calls('public/unsubscribe').flat()).toContain(BOOK);
    expect(scripted.faults.join()).toMatch(/its snapshot did not come/);
  });

  test('The book of a quote is dropped by a malformed message, which is reported', async () => {
    const scripted = await quoted();
    scripted.publish(BOOK, { ...change([10, 11]), bids: [['new', 'much', 5]] });
    await scripted.pass(100);
    expect(scripted.faults[0]).toMatch(/a level is .*accepted: \[action, price, amount\]/);
    expect(scripted.calls('public/unsubscribe')).toEqual([[BOOK]]);
  });
});

describe('the ticker of a quote', () => {
  test('The ticker of a quote is subscribed to again when it has been silent for long, and the silence is reported once', async () => {
    const scripted = await quoted();
    await scripted.pass(40_000);
    const renewed = scripted.calls('public/unsubscribe').flat();
    expect(renewed.filter((one) => one === TICKER).length).toBeGreaterThan(1);
    expect(scripted.faults.filter((one) => /no ticker of/.test(one))).toHaveLength(1);
  });

  test('The ticker of a quote that is malformed changes nothing, and is reported', async () => {
    const scripted = await quoted();
    scripted.publish(TICKER, ticker({ mark_price: 'dear' }));
    expect(quoteOf(scripted)?.mark?.toString()).toBe('64001.13');
    expect(scripted.faults).toEqual(['a ticker: mark_price is "dear"; accepted: a number']);
  });
});

describe('the traded volume of a quote', () => {
  const trade = (seq: number, changes: object = {}): object => ({
    trade_id: `${seq}`,
    trade_seq: seq,
    instrument_name: BTC,
    timestamp: 1_795_176_000_000,
    direction: 'buy',
    tick_direction: 1,
    price: 64_000,
    amount: 10,
    index_price: 64_000,
    mark_price: 64_000,
    ...changes,
  });

  test('The traded volume of a quote sums the trades of the book once each, without blocks and the legs of combos', async () => {
    const scripted = await quoted();
    scripted.publish(TRADES, [trade(5), trade(6, { starbase_timestamp: '1795176000000000001' })]);
    scripted.publish(TRADES, [trade(6), trade(7, { block_trade_id: 'B-1' })]);
    scripted.publish(TRADES, [trade(9, { combo_id: 'BTC-FS-1', combo_trade_id: '8' })]);
    scripted.publish(TRADES, [trade(11, { amount: 2.5 })]);
    expect(quoteOf(scripted)?.traded?.toString()).toBe('22.5');
  });

  test('The traded volume of a quote only grows over a break', async () => {
    const scripted = await quoted();
    scripted.publish(TRADES, [trade(5)]);
    scripted.break();
    await scripted.connect();
    scripted.publish(TICKER, ticker());
    scripted.publish(BOOK, snapshot(10));
    scripted.publish(TRADES, [trade(3)]);
    expect(quoteOf(scripted)?.traded?.toString()).toBe('20');
  });
});

// Recordings contain no bands, so those of a replayed market follow its mark prices as the venue's did.
import { describe, expect, test } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import { RecordedMarket } from '../../../src/exchange/market/recorded-market.ts';
import { price, quantity, text, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import { ALICE, accepted, options, refused, START } from '../exchange-desk.ts';
import { btcCall, btcPerpetual, btcUsdcPut } from '../instruments.ts';

const row = { at: START, atUs: START * 1_000 };

function marketOf(instrument: Instrument): RecordedMarket {
  const instruments = [{ instrument, recordedStep: quantity('1'), assumedLots: 1 }];
  return new RecordedMarket({ instruments, holeMs: 60_000 });
}

/** The band after one row with a mark price and, if known, the forward. */
function bandAt(instrument: Instrument, mark: string, underlying?: string) {
  const market = marketOf(instrument);
  market.feed([{ kind: 'ticker', symbol: instrument.name, ...row, mark, underlying }]);
  market.step(START);
  const { minPrice, maxPrice } = must(market.reference(instrument.name, START), 'a mark is known');
  return [minPrice && text(minPrice), maxPrice && text(maxPrice)];
}

describe('the band of a recorded market', () => {
  test.each([
    ['92281.78', '90897.5', '93666.5'],
    ['87006.21', '85701', '88311.5'],
  ])(
    'the band around a recorded mark price of %s is the one that was recorded with it',
    (mark, min, max) => {
      expect(bandAt(btcPerpetual, mark)).toEqual([min, max]);
    },
  );

  test('the band of an option is in the unit of its price', () => {
    const [min, max] = bandAt(btcCall, '0.1296', '78210.4');
    expect(Number(min)).toBeLessThan(0.1);
    expect(Number(max)).toBeGreaterThan(0.16);
    const [linearMin, linearMax] = bandAt(btcUsdcPut, '9000', '78210.4');
    expect(Number(linearMin)).toBeLessThan(9_000 - 0.03 * 78_000);
    expect(Number(linearMax)).toBeGreaterThan(9_000 + 0.03 * 78_000);
  });

  test('the band of a nearly worthless option starts at one tick', () => {
    expect(bandAt(btcCall, '0.0002', '78210.4')[0]).toBe('0.0001');
  });

  test('without a recorded mark price the band follows the mid price', () => {
    const market = marketOf(btcPerpetual);
    market.feed([book(btcPerpetual, START, 59_999, 60_001)]);
    market.start(btcPerpetual.name, START);
    const first = must(market.reference(btcPerpetual.name, START), 'a middle is known');
    expect(toNumber(must(first.maxPrice, 'a band is known'))).toBe(60_900);
    const next = later(START, 1_000);
    market.feed([book(btcPerpetual, next, 60_999, 61_001)]);
    market.step(next);
    const second = must(market.reference(btcPerpetual.name, next), 'a middle is known');
    expect(toNumber(must(second.maxPrice, 'a band is known'))).toBe(61_915);
  });
});

describe('orders in a recorded market', () => {
  function opened() {
    const exchange = new Exchange(options([]));
    const market = marketOf(btcPerpetual);
    market.feed([
      { kind: 'ticker', symbol: btcPerpetual.name, ...row, mark: '60000', index: '60000' },
      book(btcPerpetual, START, 59_999, 60_001),
    ]);
    market.step(START);
    for (const command of market.start(btcPerpetual.name, START)) exchange.handle(command);
    return exchange;
  }

  const order = (change: object) =>
    ({
      kind: 'place',
      now: START,
      account: ALICE,
      instrument: btcPerpetual.name,
      side: 'buy',
      type: 'limit',
      quantity: quantity('100'),
      label: '',
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: false,
      ...change,
    }) as Parameters<Exchange['handle']>[0];

  test('a bid above the band is refused with the limit', () => {
    const answer = refused(opened().handle(order({ price: price('60900.5') })));
    expect([answer.code, answer.message]).toEqual([10007, 'price_too_high 60900']);
  });

  test('the remainder of a market order rests at the band', () => {
    const { order: placed, trades } = accepted(
      opened().handle(order({ type: 'market', quantity: quantity('100000') })),
    );
    expect(trades.length).toBeGreaterThan(0);
    expect([placed.state, placed.price && text(placed.price)]).toEqual(['open', '60900']);
  });
});

function book(instrument: Instrument, at: Instant, bid: number, ask: number): RecordedEvent {
  const level = (value: number) => [{ price: String(value), amount: '1000' }];
  return {
    kind: 'book',
    symbol: instrument.name,
    at,
    atUs: at * 1_000,
    bids: level(bid),
    asks: level(ask),
  };
}

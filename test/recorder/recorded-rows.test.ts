// What is written is what the reader of recordings reads.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRecording } from '../../src/adapters/recorded-market/read-recording.ts';
import { recordingFiles } from '../../src/adapters/recorded-market/recording-files.ts';
import type { BookView, Ticker } from '../../src/ports/market-reads.ts';
import { fileNameOf, headerOf, type RecordedKind } from '../../src/recorder/recorded-kinds.ts';
import {
  bookRow,
  derivativeRow,
  optionRow,
  quoteRow,
  type Row,
  rowLine,
  tradeRow,
} from '../../src/recorder/recorded-rows.ts';
import { price, quantity, text } from '../../src/values/amounts.ts';
import { tradeId } from '../../src/values/ids.ts';
import { instant } from '../../src/values/instant.ts';
import type { PriceLevel } from '../../src/values/quote.ts';
import type { RecordedEvent } from '../../src/values/recorded-event.ts';
import { RecordingFolder } from '../adapters/recorded-market/recorded-market-files.ts';
import { option, perpetual } from '../support/engine/markets.ts';

const AT = instant(1_795_424_690_747);
const ARRIVED_US = AT * 1_000 + 12_345;
const { name: BTC } = perpetual();
const CALL = option();

/** 1 to 18 digits, of which up to 9 are behind the point; never 0. */
const amount = fc
  .tuple(fc.bigInt({ min: 1n, max: 999_999_999_999_999_999n }), fc.nat({ max: 9 }))
  .map(([digits, places]) => {
    const padded = String(digits).padStart(places + 1, '0');
    const whole = padded.slice(0, padded.length - places);
    return places === 0 ? whole : `${whole}.${padded.slice(-places)}`;
  });
const level = fc
  .tuple(amount, amount)
  .map(([at, size]): PriceLevel => ({ price: price(at), quantity: quantity(size) }));
const side = fc.array(level, { maxLength: 6 });
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(of, { nil: undefined });

const shown = (levels: readonly PriceLevel[], depth: number) =>
  levels.slice(0, depth).map((one) => ({ price: text(one.price), amount: text(one.quantity) }));

async function readBack(kind: RecordedKind, row: Row): Promise<readonly RecordedEvent[]> {
  const folder = new RecordingFolder();
  try {
    const of = { day: '2026-11-23', symbol: row.symbol };
    folder.write(fileNameOf('x', kind, of), [headerOf(kind), rowLine('x', row, ARRIVED_US)]);
    const events: RecordedEvent[] = [];
    for (const file of recordingFiles(folder.path)) {
      for await (const batch of readRecording(file, { isWanted: () => true })) {
        events.push(...batch);
      }
    }
    return events;
  } finally {
    folder.remove();
  }
}

const arrived = { atUs: ARRIVED_US, at: Math.ceil(ARRIVED_US / 1_000) };

describe('rows of a recording', () => {
  test('a trade reads back with its side, price and amount', async () => {
    await fc.assert(
      fc.asyncProperty(amount, amount, fc.constantFrom('buy', 'sell'), async (at, size, taker) => {
        const row = tradeRow({
          tradeId: tradeId('1'),
          tradeSeq: 1,
          instrument: BTC,
          tickDirection: 0,
          at: AT,
          side: taker as 'buy' | 'sell',
          price: price(at),
          quantity: quantity(size),
        });
        expect(await readBack('trades', row)).toEqual([
          {
            ...arrived,
            kind: 'trade',
            symbol: BTC,
            side: taker,
            price: text(price(at)),
            amount: text(quantity(size)),
          },
        ]);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    ['quotes', 1],
    ['book_snapshot_5', 5],
    ['book_snapshot_25', 25],
  ] as const)('a book reads back from %s with its best %i levels', async (kind, depth) => {
    await fc.assert(
      fc.asyncProperty(side, side, async (bids, asks) => {
        const book: BookView = {
          instrument: BTC,
          at: AT,
          state: 'open',
          changeId: 1,
          bids,
          asks,
        };
        const row = kind === 'quotes' ? quoteRow(book) : bookRow(book, depth);
        expect(await readBack(kind, row)).toEqual([
          {
            ...arrived,
            kind: 'book',
            symbol: BTC,
            bids: shown(bids, depth),
            asks: shown(asks, depth),
          },
        ]);
      }),
      { numRuns: 50 },
    );
  });

  const volatility = fc.integer({ min: 1, max: 999_999 }).map((points) => points / 1_000_000);
  /** Without -0, which has the text of 0. */
  const greek = fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((value) => value + 0);

  test('the ticker of an option reads back with its volatility and greeks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ bid: maybe(level), ask: maybe(level), mark: maybe(amount.map(price)) }),
        maybe(volatility),
        fc.record({ delta: greek, gamma: greek, vega: greek, theta: greek, rho: greek }),
        async (prices, markIv, greeks) => {
          const ticker: Ticker = {
            instrument: CALL.name,
            at: AT,
            state: 'open',
            stats: { volume: quantity('0') },
            ...prices,
            markIv,
            greeks,
            underlying: price('90000.5'),
          };
          const [book, read] = await readBack('options_chain', optionRow(ticker, CALL));
          const { bid, ask, mark } = prices;
          expect(book).toMatchObject({
            bids: bid === undefined ? [] : shown([bid], 1),
            asks: ask === undefined ? [] : shown([ask], 1),
          });
          expect(read).toEqual({
            ...arrived,
            kind: 'ticker',
            symbol: CALL.name,
            underlying: '90000.5',
            greeks,
            ...(mark === undefined ? {} : { mark: text(mark) }),
            markIv: markIv === undefined ? undefined : expect.closeTo(markIv, 12),
          });
        },
      ),
      { numRuns: 50 },
    );
  });

  test('the ticker of a perpetual reads back with mark and index price', async () => {
    const ticker: Ticker = {
      instrument: BTC,
      at: AT,
      state: 'open',
      stats: { volume: quantity('0') },
      mark: price('90000.01'),
      index: price('90001'),
      currentFunding: 0.000_05,
    };
    const row = derivativeRow(ticker);
    expect(row.fields).toBe(',0.00005,,,,90001,90000.01');
    expect(await readBack('derivative_ticker', row)).toEqual([
      { ...arrived, kind: 'ticker', symbol: BTC, mark: '90000.01', index: '90001' },
    ]);
  });

  test('a volatility in percent has no digits that come from the multiplication', () => {
    const ticker: Ticker = {
      instrument: CALL.name,
      at: AT,
      state: 'open',
      stats: { volume: quantity('0') },
      markIv: 0.5372,
    };
    expect(optionRow(ticker, CALL).fields.split(',')).toContain('53.72');
  });

  test('an id of the venue cannot end a field or a line', () => {
    const row = tradeRow({
      tradeId: tradeId('1,2\n"3"'),
      tradeSeq: 1,
      instrument: BTC,
      tickDirection: 0,
      at: AT,
      side: 'buy',
      price: price('1'),
      quantity: quantity('2'),
    });
    expect(row.fields).toBe('1_2__3_,buy,1,2');
  });

  test.each([
    ['quotes', 'ask_amount,ask_price,bid_price,bid_amount'],
    ['trades', 'id,side,price,amount'],
    [
      'derivative_ticker',
      'funding_timestamp,funding_rate,predicted_funding_rate,open_interest,last_price,index_price,mark_price',
    ],
    [
      'options_chain',
      'type,strike_price,expiration,open_interest,last_price,bid_price,bid_amount,bid_iv,ask_price,ask_amount,ask_iv,mark_price,mark_iv,underlying_index,underlying_price,delta,gamma,vega,theta,rho',
    ],
  ] as const)('the columns of %s are those of tardis.dev', (kind, columns) => {
    expect(headerOf(kind)).toBe(`exchange,symbol,timestamp,local_timestamp,${columns}`);
  });
});

// Block trades that are put together from an account's trades: side, price and quantity of the structure are computed
// here from the rows. The structure sells two puts for each call that it buys.
import { describe, expect, test } from 'vitest';
import {
  areAllTrades,
  ownBlockTrades,
} from '../../../../src/adapters/deribit/rfq/own-block-trades.ts';
import type { TradeRecord } from '../../../../src/core/order/order-record.ts';
import { money, price, quantity, ratio, text } from '../../../../src/values/amounts.ts';
import type { RfqFill, RfqRecord } from '../../../../src/values/block-rfq-record.ts';
import { currency, instrumentName, tradeId } from '../../../../src/values/ids.ts';
import { later } from '../../../../src/values/instant.ts';
import type { Side } from '../../../../src/values/instrument.ts';
import { NOON } from '../../../support/engine/markets.ts';

const CALL = instrumentName('BTC-25DEC26-100000-C');
const PUT = instrumentName('BTC-25DEC26-80000-P');
const PERP = instrumentName('BTC-PERPETUAL');

const fill = (of: string, maker?: string): RfqFill => ({
  side: 'buy',
  price: price('0.01'),
  quantity: quantity(of),
  maker,
});

const rfq = (change: Partial<RfqRecord> = {}): RfqRecord =>
  ({
    id: '4711',
    role: 'taker',
    currency: currency('BTC'),
    legs: [
      { instrument: PUT, ratio: ratio('2'), side: 'sell' },
      { instrument: CALL, ratio: ratio('1'), side: 'buy' },
    ],
    fills: [],
    ...change,
  }) as RfqRecord;

let count = 0;
function row(instrument: typeof CALL, side: Side, of: string, at: string, block = 'B1') {
  count += 1;
  return {
    tradeId: tradeId(`t${count}`),
    blockTradeId: block,
    instrument,
    side,
    quantity: quantity(of),
    price: price(at),
    fee: money('0.0001'),
    feeCurrency: currency('BTC'),
    liquidity: 'taker',
    at: later(NOON, count),
    blockRfqQuoteId: 'q1',
  } as unknown as TradeRecord;
}

/** Calls at 0.05 and puts at 0.02: the structure costs 0.05 − 2 × 0.02. */
const sold = (): TradeRecord[] => [
  row(PERP, 'buy', '1000', '77500'),
  row(CALL, 'sell', '5', '0.05'),
  row(PUT, 'buy', '10', '0.02'),
];
const bought = (block = 'B1'): TradeRecord[] => [
  row(CALL, 'buy', '5', '0.05', block),
  row(PUT, 'sell', '4', '0.02', block),
  row(PUT, 'sell', '6', '0.02', block),
];

const CONTEXT = { alias: 'ME', groupOf: (id: string) => `group of ${id}` };
const only = (of: RfqRecord, rows: readonly TradeRecord[]) => {
  const [block, ...others] = ownBlockTrades(of, rows, CONTEXT);
  expect(others).toEqual([]);
  return block;
};

describe('the structure of a block trade', () => {
  test.each([
    ['bought', bought(), 'buy'],
    ['sold, with a hedge', sold(), 'sell'],
  ] as const)(
    '%s: the side is that of its legs, and the price that of a buyer',
    (_what, rows, side) => {
      const block = only(rfq(), rows);
      expect([block?.side, block && text(block.price), block && text(block.quantity)]).toEqual([
        side,
        '0.01',
        '5',
      ]);
    },
  );

  test('rows are in the order of the legs, the hedge last, at the time of the latest', () => {
    const rows = sold();
    const block = only(rfq(), rows);
    expect(block?.rows.map(({ instrument, isHedge }) => [instrument, isHedge])).toEqual([
      [PUT, false],
      [CALL, false],
      [PERP, true],
    ]);
    expect(block?.at).toBe(rows.at(-1)?.at);
  });

  test('a fill of the same size gives quantity and maker, whatever the size of the first leg', () => {
    // Ten puts are five structures: the fill of ten is that of another block.
    const fills = [fill('10', 'M2'), fill('5', 'M1')];
    const block = only(rfq({ fills }), bought());
    expect([block && text(block.quantity), block?.maker]).toEqual(['5', 'M1']);
  });

  test.each([
    ['one maker twice', ['M1', 'M1'], 'M1'],
    ['two makers', ['M1', 'M2'], undefined],
    ['nobody', [], undefined],
  ])('%s of its size: the maker is %j, as far as it can be said: %s', (_what, makers, expected) => {
    const fills = makers.map((maker) => fill('5', maker));
    expect(only(rfq({ fills }), bought())?.maker).toBe(expected);
  });

  test('of a maker the maker is the account itself, in the group of its quote', () => {
    const asMaker = only(rfq({ role: 'maker', fills: [fill('5', 'OTHER')] }), bought());
    expect([asMaker?.maker, asMaker?.mmpGroup]).toEqual(['ME', 'group of q1']);
    const asTaker = only(rfq({ fills: [fill('5', 'OTHER')] }), bought());
    expect([asTaker?.maker, asTaker?.mmpGroup]).toEqual(['OTHER', undefined]);
  });

  test('a block that lacks a leg is none yet, and two blocks are two', () => {
    expect(ownBlockTrades(rfq(), bought().slice(1), CONTEXT)).toEqual([]);
    const both = [...bought('B1'), ...bought('B2'), row(CALL, 'buy', '5', '0.05', 'B3')];
    expect(ownBlockTrades(rfq(), both, CONTEXT).map(({ id }) => id)).toEqual(['B1', 'B2']);
  });
});

test.each([
  ['a taker has every fill', 'taker', ['5', '5'], ['M1', 'M2'], true],
  ['a taker lacks one', 'taker', ['5', '5', '3'], ['M1', 'M2', 'M1'], false],
  ['a maker has its own', 'maker', ['5', '5', '3'], ['ME', 'ME', 'M2'], true],
  ['a maker lacks one of its own', 'maker', ['5', '5', '3'], ['ME', 'ME', 'ME'], false],
] as const)(
  '%s of two blocks of five: all are there: %s',
  (_what, role, sizes, makers, expected) => {
    const fills = sizes.map((size, index) => fill(size, makers[index]));
    const of = rfq({ role, fills });
    const blocks = ownBlockTrades(of, [...bought('B1'), ...bought('B2')], CONTEXT);
    expect(areAllTrades(of, blocks, 'ME')).toBe(expected);
  },
);

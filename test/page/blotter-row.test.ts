// What a row of the blotter says of a portfolio, and the figures over all of them.
import { expect, test } from 'vitest';
import type { LegRecord, PortfolioRecord } from '../../src/gateway/portfolios/record-schema.ts';
import { filledToday, otherSize } from '../../src/page/model/blotter-figures.ts';
import {
  type BlotterRow,
  blotterRow,
  chosenRows,
  type SortColumn,
} from '../../src/page/model/blotter-row.ts';
import { must } from '../../src/values/assert.ts';

const MIDNIGHT_MS = Date.UTC(2026, 10, 30);
const NOON_MS = MIDNIGHT_MS + 12 * 3_600_000;

const LEG = {
  side: 2,
  instrument: 'BTC-PERPETUAL',
  instrumentType: 'PERPETUAL',
  placeQuantity: '25000',
  quantityIn: 'USD',
  filledAvgPrice: '100000.5',
  filledQuantity: '10000',
  outstandingQuantity: '0',
  scheduledQuantity: '12500',
  forCcy: 'BTC',
  markCcy: 'USD',
  hedge: false,
} as LegRecord;
const OPTION = {
  ...LEG,
  side: 1,
  instrument: 'BTC-25DEC26-100000-C',
  instrumentType: 'OPTION',
  placeQuantity: '3',
  quantityIn: 'BTC',
  filledAvgPrice: '0.0415',
  filledQuantity: '2',
  markCcy: 'BTC',
} as LegRecord;
const SPOT = {
  ...LEG,
  instrument: 'ETH_USDC',
  instrumentType: 'SPOT',
  quantityIn: 'ETH',
  filledAvgPrice: '3000',
  filledQuantity: '1.5',
  forCcy: 'ETH',
  markCcy: 'USDC',
} as LegRecord;

const row = (changes: Partial<PortfolioRecord> = {}): BlotterRow =>
  blotterRow({
    accountId: '10001',
    accountName: 'desk',
    portfolioId: '1',
    submitTimestamp: String(NOON_MS),
    updateTimestamp: String(NOON_MS),
    portfolioStatus: 1,
    customizedNote: '',
    legs: [LEG],
    ...changes,
  } as PortfolioRecord);

test('a portfolio is called by its note, and without one by what it buys or sells', () => {
  expect(row({ customizedNote: 'month-end roll' }).name).toBe('month-end roll');
  expect(row().name).toBe('Sell 25,000 USD BTC-PERPETUAL');
  expect(row({ strategy: 'basis', legs: [OPTION, { ...LEG, hedge: true }] }).name).toBe(
    'Buy 3 BTC-25DEC26-100000-C +1 leg',
  );
});

test('why a portfolio waits or ended is said in words', () => {
  expect(row({ portfolioStatus: 3, reason: 'time_limit' }).why).toBe('its time is over');
  expect(row({ legs: [{ ...LEG, waiting: 'wide_spread' }] }).why).toBe('the spread is too wide');
  expect(row({ portfolioStatus: 3, reason: '<b>new</b>' }).why).toBe('<b>new</b>');
});

test('a portfolio is found by its id, strategy, side, instrument and words of its state', () => {
  const rows = [row({ strategy: 'basis', legs: [{ ...LEG, waiting: 'wide_spread' }] })];
  const found = (search: string): number =>
    chosenRows(
      rows,
      { search, account: '', which: 'open' },
      { by: 'submitted', isDescending: true },
    ).length;
  const searches = ['1', 'basis', 'sell 25000', 'btc-perp', 'spread too', 'desk', 'nothing'];
  expect(searches.map(found)).toEqual([1, 1, 1, 1, 1, 1, 0]);
});

test('fills and schedule are means over the legs, without hedges, and what is behind is their difference', () => {
  const hedge = { ...LEG, hedge: true, placeQuantity: '0', outstandingQuantity: '5' };
  // 10,000 and 12,500 of 25,000; 2 and 1 of 3; what is beyond the total counts as the total.
  const both = row({ legs: [LEG, { ...OPTION, scheduledQuantity: '1' }, hedge] });
  expect(both.filled).toBeCloseTo((0.4 + 2 / 3) / 2, 14);
  expect(both.scheduled).toBeCloseTo((0.5 + 1 / 3) / 2, 14);
  expect(both.behind).toBeCloseTo(both.scheduled - both.filled, 14);
  expect(both.hasOrders).toBe(true);
  expect(row({ legs: [{ ...LEG, filledQuantity: '26000' }] }).filled).toBe(1);
  expect(row().hasOrders).toBe(false);
  expect(row({ legs: [hedge] }).filled).toBe(0);
});

test.each([
  [1, {}, 'active'],
  [1, { legs: [LEG, { ...OPTION, waiting: 'wide_spread' }] }, 'waiting'],
  [1, { paused: { timestamp: '1', byUid: '7' } }, 'paused'],
  [2, {}, 'filled'],
  [3, {}, 'cancelled'],
  [4, { paused: { timestamp: '1', byUid: '7' } }, 'cancelling'],
] as const)('status %i with %o is shown as %s', (portfolioStatus, changes, word) => {
  expect(row({ portfolioStatus, ...changes } as unknown as Partial<PortfolioRecord>).state).toBe(
    word,
  );
});

/** By each column the order of these, from the lowest. */
const SORTED = {
  name: ['3', '2', '1'],
  account: ['2', '3', '1'],
  product: ['2', '3', '1'],
  state: ['2', '1', '3'],
  filled: ['1', '3', '2'],
  // Of what has ended nothing is behind.
  behind: ['2', '3', '1'],
  average: ['2', '3', '1'],
  // What ends sooner, then what has no end.
  left: ['3', '1', '2'],
  submitted: ['3', '2', '1'],
} as const satisfies Record<SortColumn, readonly string[]>;

test.each(Object.entries(SORTED))('rows are sorted by %s, and the other way round', (by, ids) => {
  const twapTrade = (endMs: number) => ({ endTimestamp: String(endMs) });
  const rows = [
    row({
      portfolioId: '1',
      customizedNote: 'c',
      accountName: 'z',
      paused: { timestamp: '1', byUid: '7' },
      submitTimestamp: String(NOON_MS + 3),
      twapTrade: twapTrade(NOON_MS + 20),
    } as unknown as Partial<PortfolioRecord>),
    row({
      portfolioId: '2',
      customizedNote: 'B',
      accountName: 'x',
      submitTimestamp: String(NOON_MS + 2),
      legs: [{ ...OPTION, scheduledQuantity: '1', filledQuantity: '2.9' }],
    }),
    row({
      portfolioId: '3',
      customizedNote: 'a',
      accountName: 'y',
      submitTimestamp: String(NOON_MS + 1),
      twapTrade: twapTrade(NOON_MS + 10),
      legs: [
        {
          ...SPOT,
          instrument: 'BTC-A',
          placeQuantity: '3',
          scheduledQuantity: '1.5',
          waiting: 'wide_spread',
        },
      ],
    } as unknown as Partial<PortfolioRecord>),
  ];
  const shown = (isDescending: boolean) =>
    chosenRows(
      rows,
      { search: '', account: '', which: 'all' },
      {
        by: by as SortColumn,
        isDescending,
      },
    ).map(({ id }) => id);
  expect(shown(false)).toEqual(ids);
  expect(shown(true)).toEqual(ids.toReversed());
});

test('ended portfolios come in the order in which they ended, the latest first', () => {
  const ended = (id: string, submitted: number, updated: number): BlotterRow =>
    row({
      portfolioId: id,
      portfolioStatus: 2,
      submitTimestamp: String(NOON_MS + submitted),
      updateTimestamp: String(NOON_MS + updated),
    });
  const rows = [ended('1', 1, 9), ended('2', 3, 5), ended('3', 2, 7)];
  const shown = chosenRows(
    rows,
    { search: '', account: '', which: 'ended' },
    { by: 'submitted', isDescending: true },
  );
  expect(shown.map(({ id }) => id)).toEqual(['1', '3', '2']);
});

test('dollars filled today: sized in dollars or priced in them as they are, options their premium, coins at the index', () => {
  const index = (coin: string): number | undefined => (coin === 'BTC' ? 100_000 : undefined);
  const rows = [row(), row({ legs: [OPTION] }), row({ legs: [SPOT] })];
  // 10,000 USD, 2 options at 0.0415 BTC of 100,000 each, and 1.5 ETH at 3,000.
  expect(filledToday(rows, NOON_MS, index)).toEqual({ usd: 22_800, unknown: 0, earlier: 0 });
  const inDollars = { ...OPTION, markCcy: 'USDC', filledAvgPrice: '4150.5' };
  // 2 at 4,150.5 each; no index is needed.
  expect(filledToday([row({ legs: [inDollars] })], NOON_MS, () => undefined).usd).toBe(8_301);
  const sold = { ...OPTION, side: 2, instrumentType: 'OPTION_COMBO', filledAvgPrice: '-0.01' };
  // 2 packages sold at -0.01 BTC each: 2,000 dollars changed hands.
  expect(filledToday([row({ legs: [sold as LegRecord] })], NOON_MS, index).usd).toBe(2_000);
});

test('what has no price, or began before today, is not counted as filled but said to be missing', () => {
  const before = { submitTimestamp: String(MIDNIGHT_MS - 1) };
  const rows = [
    row({ legs: [OPTION, LEG] }),
    row(before),
    row({ ...before, portfolioStatus: 2, updateTimestamp: String(MIDNIGHT_MS - 1) }),
    row({ mirrorOf: '2' }),
    row({ legs: [{ ...OPTION, filledQuantity: '0' }] }),
  ];
  const found = filledToday(rows, NOON_MS, () => undefined);
  expect(found).toEqual({ usd: 10_000, unknown: 1, earlier: 1 });
  const since = { submitTimestamp: String(MIDNIGHT_MS) };
  const updateTimestamp = String(MIDNIGHT_MS);
  const ended = { ...before, portfolioStatus: 2, updateTimestamp } as const;
  expect(filledToday([row(since), row(ended)], NOON_MS, () => undefined)).toEqual({
    usd: 10_000,
    unknown: 0,
    earlier: 1,
  });
});

test('a size in dollars is also shown in coin, and one in coin in dollars, where the index is known', () => {
  const [usd] = row().legs;
  const [coin] = row({ legs: [OPTION] }).legs;
  const of = (leg: typeof usd, index: number | undefined) =>
    otherSize(must(leg, 'it has a leg'), () => index);
  expect(of(usd, 100_000)).toEqual({ value: 0.25, unit: 'BTC' });
  expect(of(coin, 100_000)).toEqual({ value: 300_000, unit: 'USD' });
  expect(of(usd, undefined)).toBeUndefined();
});

// Books that agree, and each kind of difference made on purpose in one place of them.
import { describe, expect, it } from 'vitest';
import {
  type BookedFill,
  type Books,
  compareBooks,
  comparedIn,
  type LogEntry,
} from '../../../src/core/books/compare-books.ts';

const PERPETUAL = 'BTC-PERPETUAL';
const OPTION = 'BTC-27NOV26-90000-C';

const fill = (tradeId: string, at: number, changes: Partial<BookedFill> = {}): BookedFill => ({
  tradeId,
  at,
  instrument: PERPETUAL,
  side: 'buy',
  quantity: '1000',
  price: '90000',
  fee: '0.00000555',
  label: 'ours',
  orderId: `order-${tradeId}`,
  portfolio: '7',
  ...changes,
});

const entry = (tradeId: string, at: number, changes: Partial<LogEntry> = {}): LogEntry => ({
  tradeId,
  at,
  seq: at * 4_000,
  type: 'trade',
  currency: 'BTC',
  instrument: PERPETUAL,
  side: 'buy',
  quantity: '1000',
  price: '90000',
  fee: '0.00000555',
  change: '-0.00000555',
  ...changes,
});

/**
 * Two buys and a sell of a perpetual, a settlement with funding, a manual sell, an option that is bought and delivered, and a
 * spot trade with an entry in either currency.
 */
function agreeing(): Books {
  const sold = { side: 'sell', quantity: '500' } as const;
  const manual = { ...sold, label: 'by hand', portfolio: undefined } as const;
  const option = { instrument: OPTION, quantity: '2', price: '0.1', fee: '0.0006' } as const;
  const spot = { instrument: 'BTC_USDC', quantity: '0.5', price: '90000', fee: '9' } as const;
  const ledger = [
    fill('1', 1_000),
    fill('2', 2_000),
    fill('3', 3_000, sold),
    fill('5', 6_000, option),
    fill('6', 8_000, spot),
  ];
  const settled = {
    tradeId: undefined,
    side: undefined,
    quantity: undefined,
    price: '91000',
    fee: '0',
  };
  return {
    ledger,
    trades: [...ledger, fill('4', 5_000, manual)],
    log: [
      entry('1', 1_000, { balance: '99.99999445', position: '1000' }),
      entry('2', 2_000, { balance: '99.9999889', position: '2000' }),
      entry('3', 3_000, { ...sold, change: '0.0002', balance: '100.0001889', position: '1500' }),
      entry('', 4_000, {
        ...settled,
        type: 'settlement',
        funding: '-0.0001',
        change: '0.0011',
        balance: '100.0012889',
        position: '1500',
      }),
      entry('4', 5_000, { ...sold, change: '0', balance: '100.0012889', position: '1000' }),
      entry('5', 6_000, { ...option, change: '-0.2006', balance: '99.8006889', position: '2' }),
      entry('', 7_000, {
        ...settled,
        instrument: OPTION,
        type: 'delivery',
        change: '0.3',
        balance: '100.1006889',
        position: '0',
      }),
      entry('6', 8_000, { ...spot, fee: '0', change: '0.5', balance: '100.6006889' }),
      entry('6', 8_000, { ...spot, currency: 'USDC', change: '-45009', balance: '4954991' }),
    ],
    positions: [{ instrument: PERPETUAL, quantity: '1000' }],
    positionsAt: 10_000,
  };
}

const changed = <T>(all: readonly T[], at: number, changes: Partial<T>): readonly T[] =>
  all.map((one, index) => (index === at ? { ...one, ...changes } : one));

const without = <T>(all: readonly T[], at: number): readonly T[] =>
  all.filter((_, index) => index !== at);

describe('comparing books that agree', () => {
  it('books that agree have no difference, and the comparison says how much it covered', () => {
    expect(compareBooks(agreeing())).toEqual([]);
    expect(comparedIn(agreeing())).toEqual({
      fills: 5,
      otherTrades: 1,
      entries: 9,
      settlements: 1,
      deliveries: 1,
      expiries: 0,
      intoFutures: 0,
      transfers: 0,
      positions: 1,
      fees: { BTC: '0.0006222', USDC: '9' },
      funding: { BTC: '-0.0001' },
    });
  });

  it('agree whatever the order of the records, and however decimals are written', () => {
    const { ledger, trades, log, ...rest } = agreeing();
    const padded = changed(trades, 0, { quantity: '1000.0', fee: '0.0000055500' });
    const turned = {
      ledger: ledger.toReversed(),
      trades: padded.toReversed(),
      log: log.toReversed(),
    };
    expect(compareBooks({ ...rest, ...turned })).toEqual([]);
  });

  it('agree when positions were read before, between or after trades of that moment', () => {
    const books = { ...agreeing(), positionsAt: 4_500 };
    for (const held of ['1500', '1000']) {
      const positions = [
        { instrument: PERPETUAL, quantity: held },
        { instrument: OPTION, quantity: '2' },
      ];
      expect(compareBooks({ ...books, positions })).toEqual([]);
    }
    const positions = [{ instrument: PERPETUAL, quantity: '2000' }];
    expect(compareBooks({ ...books, positions }).map(({ name }) => name)).toEqual(['position']);
  });

  it('the legs of a combo are entries in the place of its own trade', () => {
    const books = agreeing();
    const combo = fill('8', 9_000, { instrument: 'BTC-FS-27NOV26_PERP' });
    const trades = [...books.trades, { ...combo, isOfLegs: true }];
    expect(compareBooks({ ...books, ledger: [...books.ledger, combo], trades })).toEqual([]);
  });
});

/** Expiry of the option and of its future. */
const AT = Date.UTC(2026, 10, 27, 8);
const OWN_FUTURE = 'BTC-27NOV26';
const LINEAR = 'BTC_USDC-PERPETUAL';
const none = {
  tradeId: undefined,
  side: undefined,
  quantity: undefined,
  price: undefined,
} as const;
const moved = { ...none, fee: '0', change: '0' } as const;

/** Two calls bought, and the entries that follow at their expiry. */
const booksOf = (after: readonly Partial<LogEntry>[]): Books => {
  const option = { instrument: OPTION, quantity: '2', price: '0.1', fee: '0.0006' } as const;
  const bought = fill('1', AT - 1_000, option);
  return {
    ledger: [bought],
    trades: [bought],
    log: [
      entry('1', AT - 1_000, { ...option, change: '-0.2006', position: '2' }),
      ...after.map((one, index) => entry('', AT + index, { ...moved, ...one })),
    ],
    positions: [],
    positionsAt: AT + 10_000,
  };
};

describe('entries that end or move a position without a trade', () => {
  it.each([{ position: '0' }, {}])('an option out of the money ends with expiry: %o', (left) => {
    const books = booksOf([{ type: 'expiry', instrument: OPTION, ...left }]);
    expect(compareBooks(books)).toEqual([]);
    expect(comparedIn(books)).toMatchObject({ expiries: 1, deliveries: 0, intoFutures: 0 });
  });

  it.each(['settlement', 'delivery', 'settlement into future'])(
    'an option in the money becomes its future by an entry of type %s, and the future is delivered',
    (type) => {
      const books = booksOf([
        { type, instrument: OPTION, position: '0' },
        // Netted with a short future of 30,000 USD that was held before.
        { type, instrument: OWN_FUTURE, position: '150000' },
        { type: 'delivery', instrument: OWN_FUTURE, position: '0' },
      ]);
      const held = entry('0', AT - 2_000, {
        instrument: OWN_FUTURE,
        side: 'sell',
        quantity: '30000',
        position: '-30000',
      });
      const trades = [...books.trades, fill('0', AT - 2_000, { portfolio: undefined })];
      expect(compareBooks({ ...books, trades, log: [held, ...books.log] })).toEqual([]);
      // A delivery of the option itself may as well have been in cash: it is counted as one.
      const inCash = type === 'delivery';
      expect(comparedIn(books)).toMatchObject({ intoFutures: inCash ? 0 : 1, expiries: 0 });
      const undelivered = books.log.slice(0, -1);
      expect(compareBooks({ ...books, trades, log: [held, ...undelivered] })).toMatchObject([
        { name: 'position', instrument: OWN_FUTURE, here: '150000', there: '0' },
      ]);
    },
  );

  it('a future that its options left flat needs no entry, unlike one whose options ended out of the money', () => {
    const held = entry('0', AT - 2_000, {
      instrument: OWN_FUTURE,
      side: 'sell',
      quantity: '200000',
      position: '-200000',
    });
    const into = booksOf([{ type: 'settlement into future', instrument: OPTION, position: '0' }]);
    const trades = [...into.trades, fill('0', AT - 2_000, { portfolio: undefined })];
    expect(compareBooks({ ...into, trades, log: [held, ...into.log] })).toEqual([]);
    const ended = booksOf([{ type: 'expiry', instrument: OPTION, position: '0' }]);
    expect(compareBooks({ ...ended, trades, log: [held, ...ended.log] })).toMatchObject([
      { name: 'position', instrument: OWN_FUTURE, here: '-200000', there: '0' },
    ]);
  });

  it('an option that the log still holds after its expiry is a difference', () => {
    expect(compareBooks(booksOf([]))).toMatchObject([
      { name: 'position', instrument: OPTION, here: '2', there: '0' },
    ]);
  });

  it('before an expiry an entry that moves the position for no stated reason is a difference', () => {
    const early = entry('', AT - 500, { ...moved, type: 'adjustment', instrument: OPTION });
    const books = booksOf([{ type: 'expiry', instrument: OPTION, position: '0' }]);
    const log = [...books.log, { ...early, position: '1' }];
    expect(compareBooks({ ...books, log })).toMatchObject([
      { name: 'position', at: AT - 500, here: '2', there: '1' },
    ]);
  });

  it.each(['LSP transfer', 'ADL transfer', 'liquidation transfer'])(
    'an entry of type %s moves a position by what it says, and its commission by nothing',
    (type) => {
      const long = { instrument: LINEAR, side: 'buy', quantity: '0.5' } as const;
      const log = [
        entry('1', 1_000, { ...long, position: '0.5' }),
        entry('', 2_000, {
          ...moved,
          ...long,
          type,
          side: 'sell',
          quantity: '0.2',
          position: '0.3',
        }),
        entry('', 2_001, {
          ...moved,
          type: type.replace('transfer', 'commission'),
          instrument: LINEAR,
          position: '0.3',
        }),
      ];
      const trades = [fill('1', 1_000, { ...long, portfolio: undefined })];
      const positions = [{ instrument: LINEAR, quantity: '0.3' }];
      const books = { ledger: [], trades, log, positions, positionsAt: 10_000 };
      expect(compareBooks(books)).toEqual([]);
      expect(comparedIn(books).transfers).toBe(1);
      const wrong = log.map((one) => (one.at === 2_000 ? { ...one, position: '0.4' } : one));
      expect(compareBooks({ ...books, log: wrong })).toMatchObject([
        { name: 'position', at: 2_000, here: '0.3', there: '0.4' },
        { name: 'position', at: 2_001, here: '0.4', there: '0.3' },
      ]);
    },
  );
});

describe('one difference made on purpose is the one that is reported', () => {
  const ids = {
    at: 2_000,
    instrument: PERPETUAL,
    tradeId: '2',
    orderId: 'order-2',
    portfolio: '7',
  };
  const base = agreeing();
  it.each<[string, Partial<Books>, readonly object[]]>([
    [
      'a fill that the ledger lacks',
      { ledger: without(base.ledger, 1) },
      [{ ...ids, name: 'missing here', there: 'buy 1000 at 90000' }],
    ],
    [
      'a trade that the venue lacks',
      { trades: without(base.trades, 1) },
      [{ ...ids, name: 'missing there', here: 'buy 1000 at 90000' }],
    ],
    [
      'another quantity',
      { ledger: changed(base.ledger, 1, { quantity: '1010' }) },
      [{ ...ids, name: 'quantity', here: '1010', there: '1000' }],
    ],
    [
      'another price',
      { ledger: changed(base.ledger, 1, { price: '90000.5' }) },
      [{ ...ids, name: 'price', here: '90000.5', there: '90000' }],
    ],
    [
      'another fee',
      { ledger: changed(base.ledger, 1, { fee: '0.00000554' }) },
      [{ ...ids, name: 'fee', here: '0.00000554', there: '0.00000555' }],
    ],
    [
      'another fee in the log',
      { log: changed(base.log, 1, { fee: '0.000006' }) },
      [{ ...ids, name: 'fee', here: '0.00000555', there: '0.000006' }],
    ],
    [
      'another funding than was paid',
      { log: changed(base.log, 3, { change: '0.001' }) },
      [{ name: 'balance', at: 4_000, currency: 'BTC', here: '100.0011889', there: '100.0012889' }],
    ],
    [
      'a position that is not open at the venue',
      { positions: [] },
      [{ name: 'position', at: 5_000, here: '1000', there: '0' }],
    ],
    [
      'a position that trades do not explain',
      { log: changed(base.log, 3, { position: '1400' }) },
      [
        { name: 'position', at: 4_000, here: '1500', there: '1400' },
        { name: 'position', at: 5_000, here: '900', there: '1000' },
      ],
    ],
    [
      'an entry that the log lacks',
      { log: without(base.log, 1) },
      [
        { ...ids, name: 'missing in log', here: 'buy 1000 at 90000' },
        { name: 'balance', at: 3_000, here: '100.00019445', there: '100.0001889' },
        { name: 'position', at: 3_000, here: '500', there: '1500' },
      ],
    ],
  ])('%s', (_, changes, expected) => {
    const found = compareBooks({ ...base, ...changes });
    expect(found).toHaveLength(expected.length);
    expect(found).toMatchObject(expected);
  });
});

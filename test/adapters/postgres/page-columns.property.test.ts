// The columns find exactly the rows that a plain check of each condition finds, query after query on the same
// memory, even if so many texts differ that they are searched in blocks.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type IndexedRow,
  NAME_SEPARATOR,
  PageColumns,
} from '../../../src/adapters/postgres/pages/page-columns.ts';
import { PageOrders } from '../../../src/adapters/postgres/pages/page-orders.ts';
import { storedStatus } from '../../../src/adapters/postgres/status-column.ts';
import type { PageQuery, StoredRow } from '../../../src/ports/ledger.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { pageOf } from '../../../src/virtual/memory/page-filter.ts';
import { turnWith } from '../../conformance/ledger-stage.ts';

/** Enough for two blocks of texts that are searched together, and a remainder. */
const ROWS = 9_000;
const COINS = ['BTC', 'ETH', 'SOL', 'XRP'];
const KINDS = ['option', 'perpetual', 'future', 'spot'] as const;
const STATUSES = ['filled', 'cancelled'] as const;

const pick = <T>(values: readonly T[], n: number): T => values[n % values.length] as T;

/** Rows whose columns have different periods; a third has a unique note. */
function rowOf(n: number): StoredRow {
  const coin = pick(COINS, n * 7);
  const option = `${coin}-27MAR26-${20_000 + n}-C`;
  const { row } = turnWith(n + 1, 0);
  return {
    ...row,
    portfolio: portfolioId(String(n + 1)),
    version: 3,
    account: accountId(pick(['a', 'b', 'c'], n)),
    portfolioType: pick(['TWAP', 'BALANCE'], n >> 1),
    status: pick(STATUSES, n >> 2),
    ...(n % 5 === 0 ? {} : { strategy: `s${n % 4}` }),
    note:
      n % 3 === 0 ? `ticket ${n} of desk ${n % 7}` : pick(['', 'Roll', 'roll 50%_\\', '東京'], n),
    uid: String(n % 6),
    lastEditedUid: String(n % 5),
    instruments: n % 2 === 0 ? [`${coin}-PERPETUAL`] : [option, `${coin}-PERPETUAL`],
    kinds: n % 2 === 0 ? ['perpetual'] : [pick(KINDS, n), 'perpetual'],
    coin,
    submittedAt: instant(1_790_000_000_000 + (n % 997)),
    updatedAt: instant(1_790_000_000_000 + ((n * 31) % 1_009)),
    hasFills: n % 12 > 0,
  };
}

const joined = (names: readonly string[]): string =>
  `${NAME_SEPARATOR}${names.join(NAME_SEPARATOR)}${NAME_SEPARATOR}`;

function indexed(row: StoredRow, place: number): IndexedRow {
  return {
    place,
    id: Number(row.portfolio),
    account: row.account,
    type: row.portfolioType,
    status: storedStatus(row.status),
    strategy: row.strategy ?? null,
    note: row.note,
    uid: row.uid,
    lastEditedUid: row.lastEditedUid,
    instruments: joined(row.instruments),
    kinds: joined(row.kinds),
    coin: row.coin,
    hasFills: row.hasFills,
    submittedAt: row.submittedAt,
    updatedAt: row.updatedAt,
  };
}

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 });
const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values));
const at = fc.integer({ min: -2, max: 1_010 }).map((n) => instant(1_790_000_000_000 + n));

const queries: fc.Arbitrary<PageQuery> = fc.record({
  account: maybe(fc.constantFrom('a', 'b', 'z').map(accountId)),
  accounts: maybe(some(['a', 'b', 'c'].map(accountId))),
  portfolioType: maybe(fc.constantFrom('TWAP', 'BALANCE', 'OTHER')),
  statuses: maybe(some(['active', 'filled', 'cancelled', 'cancelling'] as const)),
  kinds: maybe(some(KINDS)),
  coinOrSymbol: maybe(fc.constantFrom('btc', 'ETH', '-21', '-28999-', '27mar', '', 'zz', 'l')),
  instrument: maybe(fc.constantFrom('BTC-PERPETUAL', 'ETH-27MAR26-20001-C', 'BTC')),
  note: maybe(fc.constantFrom('', 'o', 'ticket 4', 'ticket 8997', '%', '_', '\\', '京', 'desk 3')),
  submittedFrom: maybe(at),
  submittedTo: maybe(at),
  updatedAfter: maybe(at),
  uids: maybe(some(['0', '3', '5', '9'])),
  lastEditedUids: maybe(some(['0', '2', '4'])),
  strategy: maybe(fc.constantFrom('s0', 's3', 'none')),
  hideFullyUnfilled: maybe(fc.boolean()),
  orderBy: fc.constantFrom('submittedAt', 'updatedAt'),
  descending: fc.boolean(),
  offset: fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: ROWS })),
  limit: fc.nat({ max: 12 }),
});

describe('the columns of pages', () => {
  test('the columns find what a scan of every row finds, after any earlier queries and for any number of rows', () => {
    const columns = new PageColumns();
    const orders = new PageOrders(columns);
    const rows: StoredRow[] = [];
    const extendTo = (count: number): void => {
      for (let n = rows.length; n < count; n += 1) {
        const row = rowOf(n);
        rows.push(row);
        columns.add(indexed(row, n + 1));
      }
      orders.extend();
    };
    for (const count of [0, 1, 1_024, 1_025, ROWS]) {
      extendTo(count);
      fc.assert(
        fc.property(queries, some([0, 3, 4_097, ROWS]), (query, holes) => {
          const there = rows.filter((_, n) => !holes.includes(n + 1));
          const hits = columns.hits(query, holes, orders.within(query));
          const expected = pageOf(there, query);
          expect(hits.total).toBe(expected.total);
          const ids = orders.page(hits, [], query);
          expect(ids).toEqual(expected.rows.map(({ portfolio }) => Number(portfolio)));
        }),
        { numRuns: 60 },
      );
    }
  });
});

// Checks pages against a model that reads every row and evaluates each condition directly.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PageQuery, StoredRow } from '../../../src/ports/ledger.ts';
import { accountId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { type LedgerStage, turnWith } from '../ledger-stage.ts';

const TYPES = ['TWAP', 'BALANCE'];
const STATUSES = ['active', 'filled', 'cancelled', 'cancelling'] as const;
const KINDS = ['option', 'perpetual', 'future', 'spot'] as const;
const COINS = ['BTC', 'ETH', 'SOL'];
const INSTRUMENTS = [
  'BTC-PERPETUAL',
  'BTC-27MAR26-100000-C',
  'ETH_USDC',
  'ETH-27MAR26',
  'SOL_USDC',
];
const NOTES = ['', 'roll', 'Roll 100%', 'under_score', 'back\\slash', "o'clock", '東京 😀'];
const TEXTS = ['btc', 'BTC', 'eth', '-c', '_usdc', '27mar', '%', '_', '\\', 'so', 'zzz', ''];
const UIDS = ['1', '2', '3'];
const STRATEGIES = ['roll', 'hedge'];

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const someOf = <T>(values: readonly T[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });
const instants = fc.integer({ min: 0, max: 6 }).map((n) => instant(1_790_000_000_000 + n));

const rows = fc.record({
  account: fc.constantFrom('a', 'b'),
  portfolioType: fc.constantFrom(...TYPES),
  status: fc.constantFrom(...STATUSES),
  strategy: optional(fc.constantFrom(...STRATEGIES)),
  note: fc.constantFrom(...NOTES),
  uid: fc.constantFrom(...UIDS),
  lastEditedUid: fc.constantFrom(...UIDS),
  instruments: someOf(INSTRUMENTS),
  kinds: someOf(KINDS),
  coin: fc.constantFrom(...COINS),
  submittedAt: instants,
  updatedAt: instants,
  hasFills: fc.boolean(),
});

const queries = fc.record({
  account: optional(fc.constantFrom('a', 'b')),
  accounts: fc.constantFrom(['a'], ['b', 'a'], ['a', 'b', 'c']),
  portfolioType: optional(fc.constantFrom(...TYPES, 'OTHER')),
  statuses: optional(someOf(STATUSES)),
  kinds: optional(someOf(KINDS)),
  coinOrSymbol: optional(fc.constantFrom(...TEXTS)),
  instrument: optional(fc.constantFrom(...INSTRUMENTS, 'BTC')),
  note: optional(fc.constantFrom(...NOTES, 'ol', '%', '_', '\\', "'", '京')),
  submittedFrom: optional(instants),
  submittedTo: optional(instants),
  updatedAfter: optional(instants),
  uids: optional(someOf(UIDS)),
  lastEditedUids: optional(someOf(UIDS)),
  strategy: optional(fc.constantFrom(...STRATEGIES)),
  hideFullyUnfilled: optional(fc.boolean()),
  orderBy: fc.constantFrom('submittedAt', 'updatedAt'),
  descending: fc.boolean(),
  offset: fc.nat({ max: 8 }),
  limit: fc.nat({ max: 8 }),
});
const OPTIONAL = [
  'account',
  'portfolioType',
  'statuses',
  'kinds',
  'coinOrSymbol',
  'instrument',
  'note',
  'submittedFrom',
  'submittedTo',
  'updatedAfter',
  'uids',
  'lastEditedUids',
  'strategy',
  'hideFullyUnfilled',
] as const;

/** Most conditions are absent, or no row would ever match. */
const sparse = queries.chain((query) =>
  fc.subarray([...OPTIONAL], { maxLength: 4 }).map((kept) => {
    const absent = OPTIONAL.filter((name) => !kept.includes(name));
    return { ...query, ...Object.fromEntries(absent.map((name) => [name, undefined])) };
  }),
);

export function pageConformance(open: () => Promise<LedgerStage>): void {
  test('a page contains exactly the rows that meet every condition, in order, with their total count', async () => {
    const { ledger } = await open();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(rows, { minLength: 1, maxLength: 25, size: 'max' }),
        fc.array(sparse, { minLength: 8, maxLength: 12 }),
        async (contents, asked) => {
          run += 1;
          // Every run uses accounts of its own, because rows of earlier runs remain.
          const own = (name: string) => accountId(`${run}${name}`);
          const turns = contents.map((row, n) =>
            turnWith(run * 100 + n, 0, { row: { ...row, account: own(row.account) } }),
          );
          await ledger.commit(turns);
          const stored = turns.map(
            (turn): StoredRow => ({ ...turn.row, portfolio: turn.portfolio, version: 3 }),
          );
          for (const { account, accounts, ...rest } of asked) {
            const query: PageQuery = {
              ...rest,
              account: account === undefined ? undefined : own(account),
              accounts: accounts.map(own),
            };
            expect(await ledger.page(query)).toEqual(naivePage(stored, query));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a page without conditions contains all rows', async () => {
    const { ledger } = await open();
    const all = { orderBy: 'submittedAt', descending: true, offset: 0, limit: 10 } as const;
    expect(await ledger.page(all)).toEqual({ total: 0, rows: [] });
    for (const id of [9, 10, 11]) await ledger.commit([turnWith(id, 0)]);
    const page = await ledger.page({ ...all, limit: 2 });
    expect(page.total).toBe(3);
    expect(page.rows.map(({ portfolio }) => portfolio)).toEqual(['11', '10']);
  });

  test('a page with an empty account list contains no rows', async () => {
    const { ledger } = await open();
    await ledger.commit([turnWith(9, 0)]);
    const page = await ledger.page({
      accounts: [],
      orderBy: 'updatedAt',
      descending: false,
      offset: 0,
      limit: 10,
    });
    expect(page).toEqual({ total: 0, rows: [] });
  });
}

function naivePage(rows: readonly StoredRow[], query: PageQuery) {
  const hits: StoredRow[] = [];
  for (const row of rows) if (meets(row, query)) hits.push(row);
  hits.sort((a, b) => {
    const [x, y] = query.descending ? [b, a] : [a, b];
    const [s, t] = [x[query.orderBy], y[query.orderBy]];
    if (s !== t) return s < t ? -1 : 1;
    return BigInt(x.portfolio) < BigInt(y.portfolio) ? -1 : 1;
  });
  const rest = hits.filter((_, n) => n >= query.offset);
  return { total: hits.length, rows: rest.filter((_, n) => n < query.limit) };
}

function meets(row: StoredRow, query: PageQuery): boolean {
  const { submittedFrom, submittedTo, coinOrSymbol, kinds } = query;
  if (query.account !== undefined && query.account !== row.account) return false;
  if (query.accounts !== undefined && !query.accounts.includes(row.account)) return false;
  if (query.portfolioType !== undefined && query.portfolioType !== row.portfolioType) return false;
  if (query.statuses !== undefined && !query.statuses.includes(row.status)) return false;
  if (kinds !== undefined && !row.kinds.some((kind) => kinds.includes(kind))) return false;
  if (coinOrSymbol !== undefined) {
    const same = row.coin.toUpperCase() === coinOrSymbol.toUpperCase();
    const within = row.instruments.some((name) =>
      name.toUpperCase().includes(coinOrSymbol.toUpperCase()),
    );
    if (!same && !within) return false;
  }
  if (query.instrument !== undefined && !row.instruments.includes(query.instrument)) return false;
  if (query.note !== undefined && !row.note.includes(query.note)) return false;
  if (submittedFrom !== undefined && row.submittedAt < submittedFrom) return false;
  if (submittedTo !== undefined && row.submittedAt > submittedTo) return false;
  if (query.updatedAfter !== undefined && row.updatedAt <= query.updatedAfter) return false;
  if (query.uids !== undefined && !query.uids.includes(row.uid)) return false;
  if (query.lastEditedUids !== undefined && !query.lastEditedUids.includes(row.lastEditedUid)) {
    return false;
  }
  if (query.strategy !== undefined && query.strategy !== row.strategy) return false;
  return query.hideFullyUnfilled !== true || row.hasFills;
}

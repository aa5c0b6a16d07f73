// Pages from the index equal a scan of every row, for portfolios that are active, ended, placed, not placed
// yet, or changed after all.
import { Client } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { ACCOUNT, INSERT_PORTFOLIOS, OVER } from '../../../bench/page-rows.ts';
import {
  isAtWorkOnly,
  looseStatement,
  pageStatement,
} from '../../../src/adapters/postgres/pages/page-query.ts';
import {
  openPostgresLedger,
  type PostgresLedger,
} from '../../../src/adapters/postgres/postgres-ledger.ts';
import { pageQuerySchema } from '../../../src/gateway/portfolios/page-schema.ts';
import type { PageQuery } from '../../../src/ports/ledger.ts';
import { must } from '../../../src/values/assert.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { pageConformance } from '../../conformance/ledger/ledger-page.ts';
import { turnWith } from '../../conformance/ledger-stage.ts';
import { createDatabase } from '../../support/daemon/services.ts';
import { until } from '../until.ts';

const cleanUp: (() => Promise<void>)[] = [];
const FIRST = 9_000_000;

afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function opened() {
  const database = await createDatabase();
  cleanUp.push(() => database.drop());
  const { connectionString } = database;
  const faults: unknown[] = [];
  const ledger = await openPostgresLedger({
    connectionString,
    pageIndexAbove: 0,
    onFault: (error) => faults.push(error),
  });
  cleanUp.push(() => ledger.close());
  const client = new Client({ connectionString });
  await client.connect();
  cleanUp.push(() => client.end());
  return { ledger, client, faults };
}

const over = (id: number, change: object = {}) =>
  turnWith(id, 0, {
    row: { account: 'c' as never, status: 'filled', nextDueAt: undefined, ...change },
  });

const ALL: PageQuery = { orderBy: 'submittedAt', descending: true, offset: 0, limit: 50 };
const OF_C: PageQuery = { ...ALL, account: 'c' as never };

async function ready(ledger: PostgresLedger): Promise<void> {
  await until(() => ledger.isPageIndexReady());
}

const ids = async (ledger: PostgresLedger, query: PageQuery): Promise<string[]> =>
  (await ledger.page(query)).rows.map(({ portfolio }) => portfolio);

describe('the index of pages', () => {
  pageConformance(async () => {
    const { ledger } = await opened();
    // Pages are compared while rows are being added, placed and not yet placed.
    const filler = setInterval(() => void ledger.isPageIndexReady(), 20);
    cleanUp.push(() => {
      clearInterval(filler);
      return Promise.resolve();
    });
    return { ledger, setNow: () => undefined, fills: () => Promise.resolve([]) };
  });

  test('the index knows the ended portfolios, and the rest is queried', async () => {
    const { ledger, client, faults } = await opened();
    await ledger.commit([over(FIRST), over(FIRST + 1, { note: 'second' })]);
    await ready(ledger);
    const placed = async () =>
      Number((await client.query('SELECT count(place) AS n FROM portfolio')).rows[0].n);
    await until(async () => (await placed()) === 2);
    await ledger.commit([over(FIRST + 2), over(FIRST + 3, { status: 'active' })]);
    expect(await ids(ledger, OF_C)).toEqual([3, 2, 1, 0].map((n) => String(FIRST + n)));
    expect(await ledger.page({ ...OF_C, offset: 1, limit: 2 })).toMatchObject({
      total: 4,
      rows: [{ portfolio: String(FIRST + 2) }, { portfolio: String(FIRST + 1) }],
    });
    expect(await ids(ledger, { ...OF_C, note: 'econ' })).toEqual([String(FIRST + 1)]);
    await until(async () => (await placed()) === 3);
    expect(await ids(ledger, { ...OF_C, statuses: ['filled'] })).toHaveLength(3);
    expect(faults).toEqual([]);
  });

  test('the index follows an ended portfolio that changes after all', async () => {
    const { ledger, client } = await opened();
    await ledger.commit([over(FIRST, { hasFills: false }), over(FIRST + 1)]);
    await ready(ledger);
    const before = await ledger.row(portfolioId(String(FIRST)));
    const late = turnWith(FIRST, 1, {
      row: { ...before, updatedAt: instant(1_799_000_000_000), hasFills: true },
    });
    expect(await ledger.commit([late])).toEqual({ kind: 'committed' });
    const filled = { ...OF_C, hideFullyUnfilled: true, orderBy: 'updatedAt' } as const;
    expect(await ids(ledger, filled)).toContain(String(FIRST));
    const place = async () =>
      (await client.query('SELECT place FROM portfolio WHERE id = $1', [FIRST])).rows[0].place;
    await until(async () => (await place()) !== null);
    const page = await ledger.page(filled);
    expect(page.rows[0]?.portfolio).toBe(String(FIRST));
    expect(page.total).toBe(1);
  });

  test('the index is not built for few ended portfolios', async () => {
    const database = await createDatabase();
    cleanUp.push(() => database.drop());
    const ledger = await openPostgresLedger({ connectionString: database.connectionString });
    cleanUp.push(() => ledger.close());
    await ledger.commit([over(FIRST)]);
    expect(await ids(ledger, OF_C)).toEqual([String(FIRST)]);
    expect(await ledger.isPageIndexReady()).toBe(false);
  });

  test.each<Partial<PageQuery>>([
    {},
    { portfolioType: 'BALANCE' },
    { coinOrSymbol: 'btc' },
    { uids: ['7001'] },
    { kinds: ['option'] },
  ])('active portfolios are found without scanning ended ones: %j', async (filter) => {
    const { client } = await opened();
    await client.query(INSERT_PORTFOLIOS, [OVER - 20_000, OVER + 10]);
    await client.query('ANALYZE portfolio');
    const asked: PageQuery = { ...ALL, ...filter, statuses: ['active'] };
    const { text, values } = pageStatement(asked);
    const { rows } = await client.query(`EXPLAIN ${text}`, [...values]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    // Each of these indexes has active portfolios alone.
    expect(plan).toMatch(/using portfolio_(at_work|at_work_by_account|due)\b/);
    expect(plan).not.toMatch(/Seq Scan on portfolio\b/);
  });

  test('many portfolios that wait are counted and listed from an index, and passed over for pages of ended ones', async () => {
    const { client } = await opened();
    await client.query(INSERT_PORTFOLIOS, [OVER + 1, OVER + 20_000]);
    await client.query('VACUUM ANALYZE portfolio');
    // As clients ask through the gateway, which names what they leave out.
    const planOf = async (given: object): Promise<string> => {
      const { query } = pageQuerySchema.parse({ accountId: ACCOUNT, ...given });
      const asked = must(query, 'it asks for some status');
      const { text, values } = isAtWorkOnly(asked)
        ? pageStatement(asked)
        : looseStatement(asked, 0);
      const { rows } = await client.query(`EXPLAIN ${text}`, [...values]);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    for (const given of [{}, { portfolioTag: 'OPEN_ORDER' }]) {
      const plan = await planOf(given);
      const walks = plan.match(/Index Only Scan.* using portfolio_at_work/g);
      expect(walks, plan).toHaveLength(2);
      expect(plan).not.toMatch(/Seq Scan on portfolio\b/);
    }
    const unfilled = await planOf({ hideFullyUnfilled: true });
    expect(unfilled).toContain('has_fills');
    expect(await planOf({ portfolioTag: 'ORDER_HISTORY' })).not.toMatch(/portfolio_at_work/);
  });
});

// Contract of every Ledger about shards: each portfolio is in one for ever, and the portfolios at work and those overdue are
// found by it.
import { expect, test } from 'vitest';
import { ALL_SHARDS, SHARDS, shardOf } from '../../../src/core/ownership/shards.ts';
import type { Ledger, PortfolioAtWork } from '../../../src/ports/ledger.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
import { instant, later } from '../../../src/values/instant.ts';
import { type LedgerStage, turnWith } from '../ledger-stage.ts';

const T0 = instant(1_800_000_000_000);

const portfoliosOf = (found: readonly PortfolioAtWork[]): string[] =>
  found.map(({ portfolio }) => portfolio);

/** `open` returns an empty ledger; every test has its own. */
export function shardConformance(open: () => Promise<LedgerStage>): void {
  const [ACCOUNT, OTHER] = [accountId('10001'), accountId('10002')];
  const [HOME, ELSEWHERE] = [shardOf(ACCOUNT), shardOf(OTHER)];

  /** Three portfolios of one account, one of another, and a shadow that is in the shard of what it mirrors. */
  async function stored(ledger: Ledger): Promise<void> {
    const rows = [
      [30, { account: ACCOUNT, nextDueAt: later(T0, 3) }],
      [9, { account: ACCOUNT, status: 'cancelling', nextDueAt: later(T0, 2) }],
      [8, { account: ACCOUNT, status: 'filled', nextDueAt: T0 }],
      [20, { account: OTHER, nextDueAt: later(T0, 1) }],
    ] as const;
    for (const [id, row] of rows) await ledger.commit([turnWith(id, 0, { row })]);
    const shadow = { row: { account: OTHER, nextDueAt: later(T0, 4) }, turn: { shard: HOME } };
    await ledger.commit([turnWith(40, 0, shadow)]);
  }

  test('a portfolio is in the shard of its account unless its first turn names another', async () => {
    const { ledger } = await open();
    await stored(ledger);
    const shards = [30, 9, 8, 20, 40].map((id) => ledger.shardOf(portfolioId(String(id))));
    expect(await Promise.all(shards)).toEqual([HOME, HOME, HOME, ELSEWHERE, HOME]);
    expect(await ledger.shardOf(portfolioId('41'))).toBeUndefined();
  });

  test('no later turn of a portfolio changes its shard', async () => {
    const { ledger } = await open();
    await stored(ledger);
    const changed = { row: { account: OTHER }, turn: { shard: ELSEWHERE } };
    await ledger.commit([turnWith(30, 1, changed), turnWith(40, 1)]);
    expect(await ledger.shardOf(portfolioId('30'))).toBe(HOME);
    expect(await ledger.shardOf(portfolioId('40'))).toBe(HOME);
    expect(portfoliosOf(await ledger.atWork([HOME]))).toEqual(['9', '30', '40']);
  });

  test('the portfolios at work are listed with their shards, in order of id', async () => {
    const { ledger } = await open();
    expect(await ledger.atWork()).toEqual([]);
    await stored(ledger);
    const placeOf = ({ portfolio, shard }: PortfolioAtWork) => ({ portfolio, shard });
    const listed = async (shards?: readonly number[]) => (await ledger.atWork(shards)).map(placeOf);
    const home = ['9', '30', '40'].map((portfolio) => ({ portfolio, shard: HOME }));
    const other = { portfolio: '20', shard: ELSEWHERE };
    expect(await listed()).toEqual([home[0], other, home[1], home[2]]);
    expect(await listed(ALL_SHARDS)).toEqual([home[0], other, home[1], home[2]]);
    expect(await listed([HOME])).toEqual(home);
    expect(await listed([ELSEWHERE])).toEqual([other]);
    expect(await ledger.atWork([])).toEqual([]);
    const [free] = ALL_SHARDS.filter((shard) => shard !== HOME && shard !== ELSEWHERE);
    expect(await ledger.atWork([must(free, 'there are more shards')])).toEqual([]);
    await ledger.commit([turnWith(30, 1, { row: { account: ACCOUNT, status: 'cancelled' } })]);
    expect(portfoliosOf(await ledger.atWork([HOME]))).toEqual(['9', '40']);
  });

  test('a portfolio at work is listed with its account, version, due instant, legs, and whether it has begun', async () => {
    const { ledger } = await open();
    const row = { account: ACCOUNT, instruments: ['BTC-PERPETUAL', 'a "b"'], nextDueAt: T0 };
    await ledger.commit([turnWith(30, 0, { row, turn: { isPending: true } })]);
    const listed = {
      portfolio: '30',
      shard: HOME,
      account: ACCOUNT,
      version: 3,
      dueAt: T0,
      instruments: row.instruments,
      isPending: true,
    };
    expect(await ledger.atWork([HOME])).toEqual([listed]);
    await ledger.commit([turnWith(30, 1, { row: { ...row, nextDueAt: undefined } })]);
    expect(await ledger.atWork([HOME])).toEqual([
      { ...listed, version: 6, dueAt: undefined, isPending: false },
    ]);
  });

  test('overdue portfolios of some shards are found in the same order, and those of others do not count', async () => {
    const { ledger } = await open();
    await stored(ledger);
    const at = later(T0, 10);
    expect(await ledger.overdue(at, 10)).toEqual(['20', '9', '30', '40']);
    expect(await ledger.overdue(at, 10, ALL_SHARDS)).toEqual(['20', '9', '30', '40']);
    expect(await ledger.overdue(at, 10, [HOME])).toEqual(['9', '30', '40']);
    expect(await ledger.overdue(at, 2, [HOME])).toEqual(['9', '30']);
    expect(await ledger.overdue(later(T0, 3), 10, [HOME])).toEqual(['9', '30']);
    expect(await ledger.overdue(at, 10, [ELSEWHERE])).toEqual(['20']);
    expect(await ledger.overdue(at, 10, [])).toEqual([]);
  });

  test('portfolios of every shard are at work in their shard, the first and the last one included', async () => {
    const { ledger } = await open();
    const turns = ALL_SHARDS.map((shard) => turnWith(1_000 + shard, 0, { turn: { shard } }));
    await ledger.commit(turns);
    const all = (await ledger.atWork()).map(({ portfolio, shard }) => [portfolio, shard]);
    expect(all).toEqual(ALL_SHARDS.map((shard) => [String(1_000 + shard), shard]));
    for (const shard of [0, 127, 128, SHARDS - 1]) {
      expect(portfoliosOf(await ledger.atWork([shard]))).toEqual([String(1_000 + shard)]);
    }
  });
}

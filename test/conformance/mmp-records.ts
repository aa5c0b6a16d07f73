// Contract of every store of market-maker protection.
import { describe, expect, test } from 'vitest';
import { decideMmp } from '../../src/core/mmp/decide-mmp.ts';
import type { MmpCommand } from '../../src/core/mmp/mmp-command.ts';
import { mmpFromRecord, mmpToRecord } from '../../src/core/mmp/mmp-record.ts';
import { EMPTY_MMP, type MmpState } from '../../src/core/mmp/mmp-state.ts';
import {
  COUNTED_KEPT_MS,
  LATEST_COUNTED,
  type MmpOf,
  type MmpRecords,
  type MmpTurn,
} from '../../src/ports/mmp-records.ts';
import { money, quantity } from '../../src/values/amounts.ts';
import { InvariantBroken } from '../../src/values/assert.ts';
import { accountId } from '../../src/values/ids.ts';
import { type Instant, instant, later } from '../../src/values/instant.ts';
import { expectRefused, NUL_TEXT } from './refusals.ts';

const NOW = instant(1_800_000_000_000);
const OF: MmpOf = { account: accountId('10001'), kind: 'order' };

const configure = (now: Instant = NOW): MmpCommand => ({
  kind: 'configure',
  now,
  by: 'ü"7',
  config: {
    index: 'btc_usd',
    group: 'wings "é"',
    intervalMs: 10_000,
    frozenMs: 0,
    quantityLimit: quantity('3'),
  },
});

const trade = (tradeId: string, now: Instant = NOW): MmpCommand => ({
  kind: 'count',
  now,
  tradedAt: now,
  tradeId,
  group: 'wings "é"',
  parts: [{ index: 'btc_usd', quantity: quantity('1'), delta: quantity('-1'), vega: money('0') }],
});

/** The turn that results from applying `commands` to `state`. */
function turnOf(state: MmpState, commands: readonly MmpCommand[], of: MmpOf = OF) {
  let after = state;
  const events = commands.flatMap((command) => {
    const decision = decideMmp(of.kind, after, command);
    after = decision.state;
    return decision.events;
  });
  const trades = commands.flatMap((command) =>
    command.kind === 'count' ? [{ tradeId: command.tradeId, at: command.tradedAt }] : [],
  );
  const now = commands.at(-1)?.now ?? NOW;
  const parts = { events, trades, now, state: mmpToRecord(after) };
  const turn: MmpTurn = { ...of, fromVersion: state.version, ...parts };
  return { turn, after };
}

/** `open` returns an empty store. */
export function mmpRecordsConformance(open: () => Promise<MmpRecords>): void {
  describe('the stored protection of an account', () => {
    test('load returns the state last written, and events returns its whole history', async () => {
      const records = await open();
      expect(await records.load(OF)).toBeUndefined();
      expect(await records.events(OF)).toEqual([]);
      const first = turnOf(EMPTY_MMP, [configure()]);
      const second = turnOf(first.after, [trade('a'), trade('b'), trade('c')]);
      expect(await records.commit(first.turn)).toEqual({ kind: 'committed' });
      expect(await records.commit(second.turn)).toEqual({ kind: 'committed' });
      const found = await records.load(OF);
      expect(found && mmpFromRecord(found.state)).toEqual(second.after);
      expect(await records.events(OF)).toEqual([...first.turn.events, ...second.turn.events]);
      expect(found?.counted.toSorted()).toEqual(['a', 'b', 'c']);
      expect(await records.all()).toEqual([{ ...OF, state: found?.state }]);
      expect(await records.versions()).toEqual([{ ...OF, version: second.after.version }]);
    });

    test('a commit succeeds only on the current version', async () => {
      const records = await open();
      const first = turnOf(EMPTY_MMP, [configure()]);
      expect(await records.commit(first.turn)).toEqual({ kind: 'committed' });
      expect(await records.commit(first.turn)).toEqual({ kind: 'conflict' });
      const after = turnOf(first.after, [trade('a')]);
      expect(await records.commit(after.turn)).toEqual({ kind: 'committed' });
      expect(await records.commit(turnOf(first.after, [trade('b')]).turn)).toEqual({
        kind: 'conflict',
      });
      expect(await records.events(OF)).toHaveLength(2);
    });

    test('a trade counts once, and a commit with an already counted trade is rejected whole', async () => {
      const records = await open();
      const first = turnOf(EMPTY_MMP, [configure(), trade('a')]);
      await records.commit(first.turn);
      const again = turnOf(first.after, [trade('b'), trade('a')]);
      expect(await records.commit(again.turn)).toEqual({ kind: 'counted', trades: ['a'] });
      const rest = turnOf(first.after, [trade('b')]);
      expect(await records.commit(rest.turn)).toEqual({ kind: 'committed' });
    });

    test('a state that is not there cannot be changed', async () => {
      const records = await open();
      const first = turnOf(EMPTY_MMP, [configure()]);
      const second = turnOf(first.after, [trade('a')]);
      expect(await records.commit(second.turn)).toEqual({ kind: 'conflict' });
      expect([await records.all(), await records.events(OF)]).toEqual([[], []]);
      expect(await records.commit(first.turn)).toEqual({ kind: 'committed' });
      expect(await records.commit(second.turn)).toEqual({ kind: 'committed' });
    });

    test('a commit that counts a trade twice is a bug, and writes nothing', async () => {
      const records = await open();
      const { turn } = turnOf(EMPTY_MMP, [configure(), trade('a')]);
      const twice = { ...turn, trades: [...turn.trades, ...turn.trades] };
      await expect(records.commit(twice)).rejects.toThrow(InvariantBroken);
      expect(await records.load(OF, ['a'])).toBeUndefined();
      expect(await records.commit(turn)).toEqual({ kind: 'committed' });
    });

    test('text with a NUL character is refused, and writes nothing', async () => {
      const records = await open();
      const { turn } = turnOf(EMPTY_MMP, [configure(), trade(NUL_TEXT)]);
      const named = JSON.parse(JSON.stringify(turn.state).replaceAll('btc_usd', 'btc\\u0000usd'));
      await expectRefused({
        trade: () => records.commit(turn),
        state: () => records.commit({ ...turn, trades: [], state: named }),
        account: () => records.load({ ...OF, account: NUL_TEXT as never }),
        trades: () => records.load(OF, [NUL_TEXT]),
      });
      expect(await records.load(OF)).toBeUndefined();
      expect(await records.events(OF)).toEqual([]);
    });

    test('load returns the latest counted trades and those that were queried', async () => {
      const records = await open();
      let { turn, after } = turnOf(EMPTY_MMP, [configure()]);
      await records.commit(turn);
      const count = LATEST_COUNTED + 2;
      const trades = Array.from({ length: count }, (_, n) => trade(`t${n}`, later(NOW, n)));
      ({ turn, after } = turnOf(after, trades.slice(0, 2)));
      await records.commit(turn);
      const rest = {
        ...turn,
        trades: trades.slice(2).map((_, n) => ({ tradeId: `t${n + 2}`, at: later(NOW, n + 2) })),
      };
      await records.commit({ ...rest, fromVersion: after.version });
      const counted = new Set((await records.load(OF, ['t1', 'never']))?.counted);
      expect(counted.size).toBe(LATEST_COUNTED + 1);
      expect([counted.has('t0'), counted.has('t1'), counted.has('t2')]).toEqual([
        false,
        true,
        true,
      ]);
    });

    test('counted trades are remembered for the documented time', async () => {
      const records = await open();
      const first = turnOf(EMPTY_MMP, [configure(), trade('a')]);
      await records.commit(first.turn);
      const inTime = turnOf(first.after, [configure(later(NOW, COUNTED_KEPT_MS))]);
      await records.commit(inTime.turn);
      const repeated = turnOf(inTime.after, [trade('a', later(NOW, COUNTED_KEPT_MS))]);
      expect(await records.commit(repeated.turn)).toMatchObject({ kind: 'counted' });
    });

    test('only one of many concurrent commits succeeds', async () => {
      const records = await open();
      const first = turnOf(EMPTY_MMP, [configure()]);
      const starts = await Promise.all(Array.from({ length: 8 }, () => records.commit(first.turn)));
      expect(starts.filter(({ kind }) => kind === 'committed')).toHaveLength(1);
      const same = turnOf(first.after, [trade('a')]).turn;
      const moves = await Promise.all(Array.from({ length: 8 }, () => records.commit(same)));
      expect(moves.filter(({ kind }) => kind === 'committed')).toHaveLength(1);
      expect(await records.events(OF)).toHaveLength(2);
    });

    test('trades of tripped groups are found by the time at which they were made, oldest first', async () => {
      const records = await open();
      const made = (tradeId: string, byMs: number): MmpCommand => ({
        ...trade(tradeId, later(NOW, byMs)),
        now: later(NOW, 10_000),
      });
      const { turn } = turnOf(EMPTY_MMP, [
        configure(),
        trade('a'),
        trade('b'),
        trade('reaches the limit'),
        made('third', 3_000),
        made('first', 1_000),
        made('second', 2_000),
      ]);
      expect(await records.commit(turn)).toEqual({ kind: 'committed' });
      const within = async (fromMs: number, toMs: number, of = OF) => {
        const span = { from: later(NOW, fromMs), to: later(NOW, toMs) };
        return (await records.exceeded(of, span)).map(({ tradeId }) => tradeId);
      };
      expect(await within(0, 60_000)).toEqual(['first', 'second', 'third']);
      expect(await within(1_000, 3_000)).toEqual(['first', 'second']);
      expect(await within(1_001, 3_001)).toEqual(['second', 'third']);
      expect(await within(0, 60_000, { ...OF, kind: 'blockRfq' })).toEqual([]);
      expect(await records.exceeded(OF, { from: NOW, to: later(NOW, 1_001) })).toEqual([
        {
          kind: 'exceeded',
          at: later(NOW, 10_000),
          index: 'btc_usd',
          group: 'wings "é"',
          tradeId: 'first',
          tradedAt: later(NOW, 1_000),
          quantity: '1',
        },
      ]);
    });

    test('accounts and kinds are stored independently of each other', async () => {
      const records = await open();
      const others: MmpOf[] = [
        { ...OF, kind: 'blockRfq' },
        { ...OF, account: accountId('10002') },
      ];
      for (const of of [OF, ...others]) {
        const first = turnOf(EMPTY_MMP, [configure(), trade('a')], of);
        expect(await records.commit(first.turn)).toEqual({ kind: 'committed' });
      }
      expect(await records.all()).toHaveLength(3);
      for (const of of others) expect(await records.load(of)).toMatchObject(of);
    });
  });
}

// Contract of every turn log: it contains every committed turn that publishes messages, once, in one order that
// preserves the order of each portfolio, and nothing appears before a group already returned.
import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ports/ledger.ts';
import type { TurnGroup, TurnLog } from '../../src/ports/turn-log.ts';
import { InvariantBroken, must } from '../../src/values/assert.ts';
import { turnWith } from './ledger-stage.ts';

export interface TurnLogStage {
  readonly ledger: Ledger;
  readonly log: TurnLog;
}

/** Returns a log with one group at each of `count` positions, starting at `first`. */
export type LogAt = (first: bigint, count: number) => Promise<TurnLog>;

const MANY = 10_000;
/** Positions at which numbers gain a digit, so that their text order differs from their numeric order. */
const DIGITS = [100n, 1_000n, 10_000n];

/** `open` returns an empty ledger and its log. */
export function turnLogConformance(open: () => Promise<TurnLogStage>, logAt: LogAt): void {
  const telling = (id: number, turn: number, tells = 1) => turnWith(id, turn, { turn: { tells } });
  const names = (groups: readonly TurnGroup[] | undefined): string[] =>
    must(groups, 'the groups are known').flatMap(({ turns }) =>
      turns.map(({ portfolio, version }) => `${portfolio}/${version}`),
    );
  const whole = async (log: TurnLog): Promise<readonly TurnGroup[]> =>
    must(await log.groupsFrom(0n, MANY), 'nothing is forgotten yet').slice(1);

  describe('the turn log', () => {
    test('the log is empty at first, and its beginning is a known position', async () => {
      const { log } = await open();
      expect(await log.newestPosition()).toBe(0n);
      expect(await log.groupsFrom(0n, 10)).toEqual([{ position: 0n, turns: [] }]);
    });

    test('the log contains each committed turn that publishes messages, whole', async () => {
      const { ledger, log } = await open();
      await ledger.commit([telling(7, 0, 2)]);
      await ledger.commit([telling(7, 1, 0)]);
      await ledger.commit([telling(8, 0), telling(7, 2)]);
      expect(await ledger.commit([telling(7, 1)])).toMatchObject({ kind: 'conflict' });
      const groups = await whole(log);
      const account = turnWith(7, 0).row.account;
      expect(groups[0]?.turns).toEqual([
        { portfolio: '7', account, fromVersion: 0, version: 3, tells: 2 },
      ]);
      expect(groups.map(({ turns }) => turns.length)).toEqual([1, 2]);
      expect(names(groups).toSorted()).toEqual(['7/3', '7/9', '8/3']);
      expect(await log.newestPosition()).toBe(groups.at(-1)?.position);
    });

    test('the log can be read from any of its positions, and from no other', async () => {
      const { ledger, log } = await open();
      for (let turn = 0; turn < 6; turn += 1) await ledger.commit([telling(7, turn)]);
      const groups = await whole(log);
      const third = must(groups[2], 'six groups').position;
      expect(await log.groupsFrom(third, 2)).toEqual(groups.slice(2, 4));
      expect(await log.groupsFrom(third, MANY)).toEqual(groups.slice(2));
      const newest = must(groups.at(-1), 'six groups').position;
      for (const nobody of [-1n, newest + 1n, 2n ** 64n - 1n, 2n ** 80n]) {
        expect(await log.groupsFrom(nobody, 10)).toBeUndefined();
      }
    });

    test('a read of no groups is a bug', async () => {
      const { log } = await open();
      for (const limit of [0, -1]) {
        await expect(log.groupsFrom(0n, limit)).rejects.toThrow(InvariantBroken);
      }
      expect(await log.groupsFrom(0n, 1)).toEqual([{ position: 0n, turns: [] }]);
    });

    test.each(DIGITS)('groups are read in numeric order where positions pass %s', async (digit) => {
      const positions = Array.from({ length: 10 }, (_, index) => digit - 5n + BigInt(index));
      const first = must(positions[0], 'ten positions');
      const log = await logAt(first, positions.length);
      expect(await log.newestPosition()).toBe(positions.at(-1));
      const read = must(await log.groupsFrom(first, MANY), 'nothing is forgotten');
      expect(read.map(({ position }) => position)).toEqual(positions);
      const seen = [first];
      for (let at = first; at !== positions.at(-1); at = must(seen.at(-1), 'never empty')) {
        const page = must(await log.groupsFrom(at, 3), `the group at ${at} is known`).slice(1);
        expect(page).not.toEqual([]);
        seen.push(...page.map(({ position }) => position));
      }
      expect(seen).toEqual(positions);
    });

    test('no group appears before one already returned, while many callers commit', async () => {
      const { ledger, log } = await open();
      const PORTFOLIOS = 30;
      const TURNS = 8;
      let writing = true;
      const writers = Promise.all(
        Array.from({ length: PORTFOLIOS }, async (_, index) => {
          for (let turn = 0; turn < TURNS; turn += 1)
            await ledger.commit([telling(index + 1, turn)]);
        }),
      ).finally(() => {
        writing = false;
      });
      const seen: TurnGroup[] = [];
      let position = 0n;
      const poll = async (): Promise<void> => {
        const groups = must(await log.groupsFrom(position, 3), 'nothing is forgotten');
        seen.push(...groups.slice(1));
        position = must(groups.at(-1), 'the group it begins with').position;
      };
      while (writing) await poll();
      await writers;
      for (let before = -1; before !== seen.length; ) {
        before = seen.length;
        await poll();
      }
      expect(seen).toEqual(await whole(log));
      expect(names(seen)).toHaveLength(PORTFOLIOS * TURNS);
      for (let id = 1; id <= PORTFOLIOS; id += 1) {
        const own = names(seen).filter((name) => name.startsWith(`${id}/`));
        expect(own).toEqual(Array.from({ length: TURNS }, (_, turn) => `${id}/${3 * turn + 3}`));
      }
    });
  });
}

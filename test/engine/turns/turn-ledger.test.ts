// A turn whose commit was not answered, and which is found in the ledger: its record is stored too.

import { expect, test } from 'vitest';
import { NO_SNAPSHOTS } from '../../../src/engine/snapshots/snapshot-keeper.ts';
import { TurnLedger } from '../../../src/engine/turns/turn-ledger.ts';
import { type CommitOutcome, LedgerFailure, type Turn } from '../../../src/ports/ledger.ts';
import { observing } from '../../../src/ports/observer.ts';
import { turnWith } from '../../conformance/ledger-stage.ts';
import { world } from '../../support/engine/engine-world.ts';

/** A ledger that writes the turn without an answer; then it answers each commit as given. */
function silentOnce(later: readonly (CommitOutcome | LedgerFailure)[]) {
  const w = world();
  const committed: Turn[] = [];
  const answers = [...later];
  const failed: string[] = [];
  const ledger = new TurnLedger({
    clock: w.clock,
    observer: observing({ failed: ({ where }) => failed.push(where) }, w.observer),
    snapshots: NO_SNAPSHOTS,
    onLeaseLost: () => undefined,
    ledger: {
      ...w.ledger,
      load: async (portfolio) => await w.ledger.load(portfolio),
      commit: async (turns) => {
        committed.push(...turns);
        const answer = committed.length === 1 ? undefined : answers.shift();
        if (committed.length === 1 || answer === undefined) await w.ledger.commit(turns);
        if (committed.length === 1) throw new LedgerFailure('silence', true);
        if (answer instanceof LedgerFailure) throw answer;
        return answer ?? { kind: 'committed' };
      },
    },
  });
  return { w, ledger, committed, failed };
}

const first = turnWith(7, 0);

async function fate(ledger: TurnLedger, turn: Turn, w: ReturnType<typeof world>) {
  const outcome = ledger.commit(turn);
  await w.run(1_000);
  return await outcome;
}

test('a found turn whose record might wait stores it with a turn without events', async () => {
  const { w, ledger, committed, failed } = silentOnce([]);
  await w.ledger.commit([first]);
  const turn = turnWith(7, 1, { turn: { summaryMayWait: true } });
  expect(await fate(ledger, turn, w)).toBe('found');
  expect(failed).toEqual(['ledger']);
  expect(committed.slice(1)).toMatchObject([
    { portfolio: '7', fromVersion: 6, events: [], fills: [], tells: 0, summaryMayWait: false },
  ]);
  expect((await w.ledger.load(turn.portfolio))?.version).toBe(6);
});

test('a found turn that stored its record is committed once', async () => {
  const { w, ledger, committed } = silentOnce([]);
  await w.ledger.commit([first]);
  expect(await fate(ledger, turnWith(7, 1), w)).toBe('found');
  expect(committed).toHaveLength(1);
});

test('a record that cannot be stored is reported, and the turn is found all the same', async () => {
  const { w, ledger, failed } = silentOnce([new LedgerFailure('away', false)]);
  await w.ledger.commit([first]);
  const turn = turnWith(7, 1, { turn: { summaryMayWait: true } });
  expect(await fate(ledger, turn, w)).toBe('found');
  expect(failed).toEqual(['ledger', 'ledger']);
});

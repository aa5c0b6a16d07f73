// Records that a killed process left unwritten are stored by the next owner.

import { expect, test } from 'vitest';
import { RecordRepair } from '../../../src/engine/recovery/record-repair.ts';
import type { CommitOutcome, Turn } from '../../../src/ports/ledger.ts';
import { observing } from '../../../src/ports/observer.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { form, SETTINGS, submitted, type World, world } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const START = later(NOON, 3_600_000);

async function started(): Promise<World> {
  const w = world();
  w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
  await w.engine.start();
  return w;
}

/** A repair of a ledger with old records of these portfolios, whose first answers are failures. */
async function repairOf(w: World, old: readonly PortfolioId[], failures = 0) {
  const asked: (readonly number[] | undefined)[] = [];
  const committed: Turn[] = [];
  const failed: string[] = [];
  let gain: (shards: readonly number[]) => Promise<void> | void = () => undefined;
  const owned = new Set([1, 2, 3]);
  const repair = new RecordRepair({
    clock: w.clock,
    settings: SETTINGS,
    engine: w.engine,
    ledger: {
      withOldRecord: (shards) => {
        asked.push(shards);
        if (asked.length <= failures) return Promise.reject(new Error('away'));
        return Promise.resolve(old);
      },
      commit: (turns): Promise<CommitOutcome> => {
        committed.push(...turns);
        return w.ledger.commit(turns);
      },
    },
    observer: observing({ failed: ({ where }) => failed.push(where) }),
    venues: { forAccount: () => w.venue },
    ownership: {
      shards: () => undefined,
      owns: (shard) => owned.has(shard),
      onGain: (listener) => {
        gain = listener;
      },
    },
  });
  await repair.start();
  return { repair, asked, committed, failed, owned, gain: (shards: number[]) => gain(shards) };
}

test('an old record is stored with a turn without events, some time after the start', async () => {
  const w = await started();
  const portfolio = await submitted(w, form({ startAt: START }));
  const { asked, committed } = await repairOf(w, [portfolio]);
  await w.run(1_900);
  expect(asked).toEqual([]);
  await w.run(200);
  expect(asked).toEqual([undefined]);
  const version = w.engine.turns.peek(portfolio)?.version;
  expect(committed).toMatchObject([
    { portfolio, fromVersion: version, events: [], fills: [], summaryMayWait: false },
  ]);
  expect((await w.ledger.load(portfolio))?.version).toBe(version);
});

test('shards that are gained later are searched as well, but not those given up since', async () => {
  const w = await started();
  const { asked, owned, gain } = await repairOf(w, []);
  await w.run(3_000);
  void gain([1, 2, 7]);
  owned.delete(2);
  await w.run(3_000);
  void gain([8]);
  await w.run(3_000);
  expect(asked).toEqual([undefined, [1]]);
});

test('a search that fails is reported and repeated until the ledger answers', async () => {
  const w = await started();
  const portfolio = await submitted(w, form({ startAt: START }));
  const { asked, committed, failed } = await repairOf(w, [portfolio], 2);
  await w.run(10_000);
  expect(failed).toEqual(['record_repair', 'record_repair']);
  expect(asked).toHaveLength(3);
  expect(committed).toHaveLength(1);
});

test('a portfolio that has ended is left alone, for its last record was stored with its end', async () => {
  const w = await started();
  const portfolio = await submitted(w, form());
  await w.run(200_000);
  expect((await w.ledger.row(portfolio))?.status).toBe('filled');
  const { asked, committed } = await repairOf(w, [portfolio]);
  await w.run(3_000);
  expect(asked).toHaveLength(1);
  expect(committed).toEqual([]);
});

test('a repair that is stopped searches no more', async () => {
  const w = await started();
  const { repair, asked } = await repairOf(w, []);
  await repair.drain();
  await w.run(10_000);
  expect(asked).toEqual([]);
});

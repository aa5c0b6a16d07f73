// Contract of every StateSnapshots: a cache alongside a ledger, which gives a snapshot with exactly the events after it.
import { expect, test } from 'vitest';
import type { StateSnapshot } from '../../src/core/portfolio/snapshot/state-snapshot.ts';
import type { Ledger } from '../../src/ports/ledger.ts';
import type { StateSnapshots } from '../../src/ports/snapshots/state-snapshots.ts';
import { portfolioId } from '../../src/values/ids.ts';
import { turnWith } from './ledger-stage.ts';
import { expectRefused, NUL_TEXT } from './refusals.ts';

export interface SnapshotStage {
  readonly ledger: Ledger;
  readonly snapshots: StateSnapshots;
}

const ID = portfolioId('30');
const OTHER = portfolioId('31');
const ABSENT = portfolioId('32');
const FORMAT = 3;

const at = (version: number, of: Partial<StateSnapshot> = {}): StateSnapshot => ({
  portfolio: ID,
  version,
  format: FORMAT,
  text: `{"at":${version},"note":"ü \\" \\u001f"}`,
  ...of,
});

/** `open` returns an empty ledger and its snapshots; every test has its own. */
export function stateSnapshotsConformance(open: () => Promise<SnapshotStage>): void {
  /** Two portfolios of two turns, of three events each. */
  async function stage(): Promise<SnapshotStage> {
    const opened = await open();
    for (const turn of [0, 1]) {
      await opened.ledger.commit([turnWith(30, turn), turnWith(31, turn)]);
    }
    return opened;
  }

  test('without a snapshot a load gives every event, and nothing for a portfolio that does not exist', async () => {
    const { ledger, snapshots } = await stage();
    const { events } = (await ledger.load(ID)) ?? {};
    expect(await snapshots.load(ID, FORMAT)).toEqual({ snapshot: undefined, events });
    expect(await snapshots.load(ABSENT, FORMAT)).toBeUndefined();
    expect(await snapshots.of(ID)).toBeUndefined();
  });

  test('a load gives the latest snapshot as it was saved and the events after it', async () => {
    const { ledger, snapshots } = await stage();
    await snapshots.save([at(3), at(1, { portfolio: OTHER })]);
    const { events = [] } = (await ledger.load(ID)) ?? {};
    const { events: others = [] } = (await ledger.load(OTHER)) ?? {};
    expect(await snapshots.load(ID, FORMAT)).toEqual({ snapshot: at(3), events: events.slice(3) });
    expect(await snapshots.load(OTHER, FORMAT)).toEqual({
      snapshot: at(1, { portfolio: OTHER }),
      events: others.slice(1),
    });
    await snapshots.save([at(4), at(6), at(5)]);
    expect(await snapshots.load(ID, FORMAT)).toEqual({ snapshot: at(6), events: [] });
    expect(await snapshots.of(ID)).toEqual(at(6));
    await ledger.commit([turnWith(30, 2)]);
    const later = await snapshots.load(ID, FORMAT);
    expect([later?.snapshot?.version, later?.events.length]).toEqual([6, 3]);
  });

  test('an earlier snapshot does not replace a later one of the same format', async () => {
    const { snapshots } = await stage();
    await snapshots.save([at(5)]);
    await snapshots.save([at(4)]);
    expect(await snapshots.of(ID)).toEqual(at(5));
    await snapshots.save([at(4, { format: FORMAT + 1 })]);
    expect(await snapshots.of(ID)).toEqual(at(4, { format: FORMAT + 1 }));
  });

  test('a snapshot of another format, or ahead of the ledger, is not given, but all events are', async () => {
    const { ledger, snapshots } = await stage();
    const { events } = (await ledger.load(ID)) ?? {};
    await snapshots.save([at(4, { format: FORMAT + 1 })]);
    expect(await snapshots.load(ID, FORMAT)).toEqual({ snapshot: undefined, events });
    await snapshots.save([at(7)]);
    expect(await snapshots.load(ID, FORMAT)).toEqual({ snapshot: undefined, events });
    expect(await snapshots.of(ID)).toEqual(at(7));
  });

  test('a snapshot whose text has a NUL character is refused, and so are those saved with it', async () => {
    const { snapshots } = await stage();
    await expectRefused({
      save: () => snapshots.save([at(3, { portfolio: OTHER }), at(3, { text: NUL_TEXT })]),
    });
    expect([await snapshots.of(ID), await snapshots.of(OTHER)]).toEqual([undefined, undefined]);
  });

  test('a deleted snapshot is gone, and one that was not there is no fault', async () => {
    const { snapshots } = await stage();
    await snapshots.save([at(3), at(4, { portfolio: OTHER })]);
    await snapshots.delete([ID, ABSENT]);
    await snapshots.delete([]);
    await snapshots.save([]);
    expect(await snapshots.of(ID)).toBeUndefined();
    expect((await snapshots.load(ID, FORMAT))?.events).toHaveLength(6);
    expect(await snapshots.of(OTHER)).toEqual(at(4, { portfolio: OTHER }));
  });

  test('snapshots of many portfolios that two processes save at once are all there', async () => {
    const { snapshots } = await stage();
    const ids = Array.from({ length: 50 }, (_, index) => portfolioId(String(100 + index)));
    const one = ids.map((portfolio) => at(2, { portfolio }));
    const other = ids.map((portfolio) => at(3, { portfolio })).reverse();
    await Promise.all([snapshots.save(one), snapshots.save(other), snapshots.save(one)]);
    const found = await Promise.all(ids.map((portfolio) => snapshots.of(portfolio)));
    expect(found.map((each) => each?.version)).toEqual(ids.map(() => 3));
  });

  test('of several snapshots of one portfolio that are saved together the latest counts, whatever its format', async () => {
    const { snapshots } = await stage();
    await snapshots.save([at(5), at(3, { format: FORMAT + 1 })]);
    expect(await snapshots.of(ID)).toEqual(at(5));
    await snapshots.save([at(2, { format: FORMAT + 1 }), at(4, { format: FORMAT + 1 })]);
    expect(await snapshots.of(ID)).toEqual(at(4, { format: FORMAT + 1 }));
  });
}

// An engine that answers requests while its portfolios are still being resumed from the ledger.
import { describe, expect, test } from 'vitest';
import { drainAndStop } from '../../../src/lifetime/lifetime.ts';
import { text } from '../../../src/values/amounts.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import type { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import {
  BY,
  form,
  settle,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();

interface Restarted {
  readonly w: World;
  /** Resolves when everything is resumed. */
  readonly recovered: Promise<void>;
  readonly held: PortfolioId;
  readonly other: PortfolioId;
  /** Has the ledger answer. */
  release(): void;
}

/** Two portfolios at work; after the restart the ledger does not yield the history of the first. */
async function restarted(): Promise<Restarted> {
  const before = world();
  before.venue.show(quote(PERP, [99_999.5, 100_000]));
  await before.engine.start();
  const held = await submitted(before, form());
  const other = await submitted(before, form());
  await before.run(15_000);
  expect(before.venue.kept).toHaveLength(4);
  before.engine.stop();
  const { clock, venue } = before;
  const ledger = before.ledger as MemoryLedger;
  const load = ledger.load.bind(ledger);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  ledger.load = async (portfolio) => {
    if (portfolio === held) await isReleased;
    return await load(portfolio);
  };
  const w = world({ clock, venue, ledger });
  await w.engine.begin();
  return { w, recovered: w.engine.caughtUp(), held, other, release };
}

describe('an engine that is still resuming portfolios', () => {
  test('it accepts a submit and sends no order before everything is resumed', async () => {
    const { w, recovered, held, release } = await restarted();
    const submittedMeanwhile = await submitted(w, form());
    await w.run(20_000);
    expect(w.engine.isReady).toBe(false);
    expect(await w.operations.info(submittedMeanwhile)).toMatchObject({ status: 'active' });
    expect(w.venue.kept).toHaveLength(4);
    release();
    await settle();
    await recovered;
    expect(w.engine.isReady).toBe(true);
    await w.run(90_000);
    for (const id of [held, submittedMeanwhile]) {
      expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
    }
    expect(text(w.venue.filled(PERP.name))).toBe('1800');
  });

  test('it carries out a cancel of a portfolio that it has loaded', async () => {
    const { w, recovered, held, other, release } = await restarted();
    expect(await w.operations.cancel(other, BY)).toMatchObject({ kind: 'done' });
    await settle();
    expect(await w.operations.info(other)).toMatchObject({ status: 'cancelled' });
    release();
    await settle();
    await recovered;
    await w.run(90_000);
    expect(await w.operations.info(held)).toMatchObject({ status: 'filled' });
    expect(text(w.venue.filled(PERP.name))).toBe('800');
  });

  test('a cancel of a portfolio that is still being read is carried out once it is read', async () => {
    const { w, recovered, held, release } = await restarted();
    const cancelled = w.operations.cancel(held, BY);
    await settle();
    release();
    expect(await cancelled).toMatchObject({ kind: 'done' });
    await recovered;
    await w.run(90_000);
    expect(await w.operations.info(held)).toMatchObject({ status: 'cancelled' });
    expect(text(w.venue.filled(PERP.name))).toBe('800');
  });

  test('it can be stopped, and then takes no wake-ups and is never ready', async () => {
    const { w, recovered, release } = await restarted();
    const ended = drainAndStop(w.engine, { clock: w.clock, graceMs: 1_000 });
    await w.run(1_500);
    await ended;
    release();
    await w.run(60_000);
    await recovered;
    expect(w.engine.isReady).toBe(false);
    expect(w.venue.kept).toHaveLength(4);
  });
});

// What another process has ended is found, and a check costs what may have been, not what is in memory.
import { expect, test } from 'vitest';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { ForeignCompletions } from '../../../src/engine/scheduling/foreign-completions.ts';
import type { StateChange } from '../../../src/ports/observer.ts';
import { must } from '../../../src/values/assert.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { form, submitted, type World, world } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const EVERY_MS = 30_000;
const START = later(NOON, 3_600_000);

async function started(): Promise<World> {
  const w = world();
  w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
  await w.engine.start();
  return w;
}

/** Checks of an engine of its own: `passed` are the portfolios whose wake-up is past, `alarmed` those
 * with one, `active` those that the ledger has not ended. */
async function checksOf(w: World, states: readonly PortfolioState[]) {
  const seen = { asked: [] as PortfolioId[][], reloaded: [] as PortfolioId[] };
  const passed: PortfolioId[] = [];
  const active = new Set<PortfolioId>();
  const alarmed = new Set<PortfolioId>();
  let listener: (change: StateChange) => void = () => undefined;
  const inMemory = new Map(states.map((state) => [state.id, state]));
  const checks = new ForeignCompletions({
    clock: w.clock,
    observer: w.observer,
    everyMs: EVERY_MS,
    ledger: {
      active: (among) => {
        seen.asked.push([...(among ?? inMemory.keys())]);
        return Promise.resolve([...active]);
      },
    },
    engine: {
      turns: {
        follow: (one) => {
          listener = one;
          for (const after of states) one({ after });
          return () => undefined;
        },
        peek: (portfolio) => inMemory.get(portfolio),
      },
      reloadAndAdvance: (portfolio) => Promise.resolve(void seen.reloaded.push(portfolio)),
    },
    wakes: { has: (portfolio) => alarmed.has(portfolio), passedBy: () => passed.values() },
  });
  await checks.start();
  return { seen, passed, alarmed, active, changed: (change: StateChange) => listener(change) };
}

const stateOf = (w: World, portfolio: PortfolioId): PortfolioState =>
  must(w.engine.turns.peek(portfolio), 'it is in memory');

test('A check reads nothing from the ledger while every portfolio waits for a wake-up that is to come.', async () => {
  const w = await started();
  const state = stateOf(w, await submitted(w, form({ startAt: START })));
  const { seen, alarmed } = await checksOf(w, [state]);
  alarmed.add(state.id);
  await w.run(3 * EVERY_MS);
  expect(seen).toEqual({ asked: [], reloaded: [] });
});

test('A portfolio whose wake-up went elsewhere is loaded again if the ledger has ended it.', async () => {
  const w = await started();
  const state = stateOf(w, await submitted(w, form({ startAt: START })));
  const { seen, alarmed, passed } = await checksOf(w, [state]);
  alarmed.add(state.id);
  passed.push(state.id);
  await w.run(EVERY_MS);
  expect(seen).toEqual({ asked: [[state.id]], reloaded: [state.id] });
});

test('A shadow is loaded and advanced once the ledger has ended its original, although the shadow is active.', async () => {
  const w = await started();
  const original = stateOf(w, await submitted(w, form({ startAt: START })));
  const plain = stateOf(w, await submitted(w, form({ startAt: START })));
  const shadow = { ...plain, spec: { ...plain.spec, mirrorOf: original.id } };
  const { seen, active } = await checksOf(w, [shadow]);
  for (const id of [original.id, shadow.id]) active.add(id);
  await w.run(EVERY_MS);
  expect(seen).toEqual({ asked: [[shadow.id, original.id]], reloaded: [] });
  active.delete(original.id);
  await w.run(EVERY_MS);
  expect(seen.reloaded).toEqual([shadow.id]);
});

test('A check asks the ledger for the portfolios in question, however many others are in memory.', async () => {
  const w = await started();
  const ids = [];
  for (let i = 0; i < 5; i += 1) ids.push(await submitted(w, form({ startAt: START })));
  const { seen, alarmed, passed } = await checksOf(
    w,
    ids.map((id) => stateOf(w, id)),
  );
  for (const id of ids) alarmed.add(id);
  passed.push(...ids.slice(1, 3));
  await w.run(EVERY_MS);
  expect(seen.asked).toEqual([ids.slice(1, 3)]);
});

test('A portfolio that is in memory without an alarm is loaded again if the ledger has ended it.', async () => {
  const w = await started();
  const state = stateOf(w, await submitted(w, form({ startAt: START })));
  const { seen, changed } = await checksOf(w, [state]);
  await w.run(EVERY_MS);
  expect(seen).toEqual({ asked: [[state.id]], reloaded: [state.id] });
  changed({ before: state });
  await w.run(EVERY_MS);
  expect(seen.asked).toHaveLength(1);
});

test('The wake-ups that are past are listed, those to come are not, however many they are.', async () => {
  const w = await started();
  const { wakes } = w.assembled;
  const soon = await submitted(w, form({ startAt: later(NOON, 20_000) }));
  for (let i = 0; i < 50; i += 1) await submitted(w, form({ startAt: START }));
  expect([...wakes.passedBy(later(NOON, 20_000))]).toEqual([]);
  expect([...wakes.passedBy(later(NOON, 20_001))]).toEqual([soon]);
  expect([...wakes.passedBy(START)]).toEqual([soon]);
  expect([...wakes.passedBy(later(START, 1))]).toHaveLength(51);
  await w.run(25_000);
  // It waits for its second slice now.
  expect([...wakes.passedBy(later(NOON, 30_000))]).toEqual([]);
  await w.run(120_000);
  expect(wakes.has(soon)).toBe(false);
  expect([...wakes.passedBy(START)]).toEqual([]);
});

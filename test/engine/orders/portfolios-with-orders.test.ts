// The comparison with a venue costs what is open on its account, not what is in memory.
import { expect, test } from 'vitest';
import {
  ALL_ACCOUNTED,
  ExecutionReports,
  PortfoliosWithOrders,
} from '../../../src/engine/orders/execution-reports.ts';
import { SOLE_OWNER } from '../../../src/engine/ownership/ownership.ts';
import type { StateChange } from '../../../src/ports/observer.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, type PortfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import {
  BY,
  form,
  legForm,
  SETTINGS,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const ACCOUNT = accountId('10001');
const WAITING = 100;
/** Rests below the market. */
const RESTING = legForm({
  priceOptions: { priceType: 'limit', price: price('99000'), priceIn: 'USD' },
  quantity: quantity('600'),
});

const waiting = () => form({ startAt: later(NOON, 86_400_000) });

async function started(): Promise<World> {
  const w = world();
  w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
  await w.engine.start();
  return w;
}

/** Reports of an engine in whose memory are these portfolios. Counts how often the orders of one are read. */
function readsOf(w: World, changes: readonly StateChange[]) {
  const seen = { reads: 0, queried: [] as PortfolioId[] };
  const counted = changes.map(({ after }): StateChange => {
    const state = must(after, 'it is in memory');
    const { children } = state;
    return {
      after: Object.defineProperty({ ...state }, 'children', {
        get: () => {
          seen.reads += 1;
          return children;
        },
      }),
    };
  });
  const reports = new ExecutionReports({
    clock: w.clock,
    observer: w.observer,
    settings: SETTINGS,
    venues: { forAccount: () => w.venue, all: () => [w.venue] },
    ownership: SOLE_OWNER,
    unaccounted: ALL_ACCOUNTED,
    executor: { query: ({ id }) => void seen.queried.push(id) },
    engine: {
      turns: {
        follow: (listener) => {
          for (const change of counted) listener(change);
          return () => undefined;
        },
        peek: () => undefined,
        refresh: () => undefined,
        run: () => Promise.resolve(undefined),
      },
    },
  });
  seen.reads = 0;
  return { reports, seen };
}

test('A comparison reads the portfolios that have orders on the account, however many others wait.', async () => {
  const w = await started();
  for (let i = 0; i < WAITING; i += 1) await submitted(w, waiting());
  const resting = await submitted(w, form({ legs: [RESTING] }));
  await w.run(5_000);
  const changes: StateChange[] = [];
  w.engine.turns.follow((change) => changes.push(change));
  expect(changes).toHaveLength(WAITING + 1);
  const { reports, seen } = readsOf(w, changes);
  w.venue.kept.length = 0;
  await reports.compare(w.venue, ACCOUNT);
  expect(seen.queried).toEqual([resting]);
  expect(seen.reads).toBe(1);
  await reports.compare(w.venue, accountId('10002'));
  expect(seen.reads).toBe(1);
});

test('A portfolio is listed for its account from its first order until its last one is closed.', async () => {
  const w = await started();
  const listed = new PortfoliosWithOrders();
  w.engine.turns.follow((change) => listed.changed(change));
  const ids = () => [...listed.of(ACCOUNT)].map(({ id }) => id);
  await submitted(w, waiting());
  const resting = await submitted(w, form({ legs: [RESTING] }));
  await w.run(5_000);
  expect(ids()).toEqual([resting]);
  expect([...listed.of(accountId('10002'))]).toEqual([]);
  expect([...listed.of(ACCOUNT)]).toEqual([w.engine.turns.peek(resting)]);
  await w.operations.cancel(resting, BY);
  await w.run(5_000);
  expect(ids()).toEqual([]);
});

test('A follower of the engine knows every portfolio in memory that has not ended, in its latest state.', async () => {
  const w = await started();
  await submitted(w, waiting());
  const states = new Map<PortfolioId, unknown>();
  w.engine.turns.follow(({ before, after }) => {
    expect(before === undefined ? undefined : states.get(before.id)).toBe(before);
    if (before !== undefined) states.delete(before.id);
    if (after !== undefined) states.set(after.id, after);
  });
  expect(states.size).toBe(1);
  await submitted(w, form());
  await submitted(w, form({ legs: [RESTING] }));
  for (let sec = 0; sec < 90; sec += 1) {
    w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
    await w.run(1_000);
    const inMemory = [...w.engine.turns.states()];
    expect(new Set(states.values())).toEqual(new Set(inMemory));
    expect(inMemory.every((state) => states.get(state.id) === state)).toBe(true);
  }
  expect(states.size).toBe(1);
});

// The auditor works within its share of the time, however many portfolios there are.

import { expect, test } from 'vitest';
import { chainHash } from '../../../src/adapters/system/chain-hash.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { ReplayAudit } from '../../../src/engine/audit/audit-replay.ts';
import { NO_STORED_SNAPSHOTS } from '../../../src/ports/snapshots/state-snapshots.ts';
import { type PortfolioId, portfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { MemoryChainWitness } from '../../doubles/memory/memory-audit-records.ts';
import { MemoryAuditSeals } from '../../doubles/memory/memory-audit-seals.ts';
import { audited, EVERY_MS, records, started } from '../../support/engine/audit-stage.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { form, submitted } from '../../support/engine/engine-world.ts';
import { perpetual } from '../../support/engine/markets.ts';

const PORTFOLIOS = 1_000;
const PORTFOLIOS_AT_WORK = 50;
const ROUND_MS = 2_000;
/** What one read takes here. */
const READ_MS = 7;

/** Replays of portfolios with one event each, at a clock that only reads and rests move. */
function replays() {
  const { state, events } = new CoreDesk(form(), [perpetual()]);
  const stored = JSON.parse(JSON.stringify(events)) as PortfolioEvent[];
  const seen = { nowMs: 0, read: [] as PortfolioId[] };
  const audit = new ReplayAudit({
    reads: {
      eventsAfter: (portfolio) => {
        seen.nowMs += READ_MS;
        seen.read.push(portfolio);
        return Promise.resolve(stored);
      },
      versionOf: () => Promise.resolve(stored.length),
      portfoliosAfter: () => Promise.resolve([]),
    },
    seals: new MemoryAuditSeals(),
    witness: new MemoryChainWitness(),
    hash: chainHash,
    snapshots: NO_STORED_SNAPSHOTS,
    peek: () => undefined,
    refresh: () => undefined,
    clock: { monotonicMs: () => seen.nowMs },
    breathe: () => Promise.resolve(),
  });
  const stateOf = (id: number): PortfolioState => ({ ...state, id: portfolioId(`${id}`) });
  for (let id = 1; id <= PORTFOLIOS; id += 1) audit.changed({ after: stateOf(id) });
  audit.started();
  const rounds = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 1) {
      seen.nowMs = Math.ceil((seen.nowMs + 1) / ROUND_MS) * ROUND_MS;
      expect(await audit.check()).toEqual([]);
    }
  };
  return { audit, seen, stateOf, rounds };
}

test('Replays take two per cent of the time, and read every active portfolio once before any again.', async () => {
  const { seen, rounds } = replays();
  await rounds(150);
  const spentMs = seen.read.length * READ_MS;
  expect(spentMs / seen.nowMs).toBeCloseTo(0.02, 3);
  expect(new Set(seen.read).size).toBe(seen.read.length);
  await rounds(50);
  expect(new Set(seen.read).size).toBe(PORTFOLIOS);
});

test('A portfolio that changed and one that ended are replayed in the next round, however many wait.', async () => {
  const { audit, seen, stateOf, rounds } = replays();
  audit.changed({ before: stateOf(700), after: stateOf(700) });
  audit.changed({ before: stateOf(900) });
  await rounds(1);
  expect(seen.read).toEqual(expect.arrayContaining(['700', '900']));
  expect(seen.read.length).toBeLessThan(15);
});

test('Portfolios that end all at once are replayed within half an hour.', async () => {
  const { audit, seen, stateOf, rounds } = replays();
  for (let id = 1; id <= PORTFOLIOS; id += 1) audit.changed({ before: stateOf(id) });
  await rounds(1_800_000 / ROUND_MS);
  expect(new Set(seen.read).size).toBe(PORTFOLIOS);
  expect(seen.read.length).toBe(PORTFOLIOS);
});

test('A round checks the states that have changed since the last one, not those that wait.', async () => {
  const w = await started();
  await w.auditor.drain();
  let reads = 0;
  const counted = (state: PortfolioState | undefined): PortfolioState | undefined =>
    state &&
    Object.defineProperty({ ...state }, 'legs', {
      get: () => {
        reads += 1;
        return state.legs;
      },
    });
  const { follow } = w.engine.turns;
  w.engine.turns.follow = (listener) =>
    follow.call(w.engine.turns, ({ before, after }) => listener({ before, after: counted(after) }));
  for (let i = 0; i < PORTFOLIOS_AT_WORK; i += 1) {
    await submitted(w, form({ twapTrade: { durationSec: 7_200, frequencySec: 600 } }));
  }
  await w.run(10_000);
  const next = audited(records(), w);
  await w.run(3 * EVERY_MS);
  const forAll = reads;
  expect(forAll).toBeGreaterThanOrEqual(PORTFOLIOS_AT_WORK);
  await w.run(10 * EVERY_MS);
  expect(reads).toBe(forAll);
  await submitted(w, form({ startAt: later(w.clock.now(), 3_600_000) }));
  await w.run(3 * EVERY_MS);
  expect(reads - forAll).toBe(forAll / PORTFOLIOS_AT_WORK);
  expect(next.rounds.filter((check) => check === 'state').length).toBeGreaterThan(10);
  expect(next.breaches).toEqual([]);
});

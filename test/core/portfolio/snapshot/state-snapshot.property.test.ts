// A state that is read from a snapshot, with the events after it, is the state that the whole history gives: for the
// histories of simulated runs and every version at which a snapshot may have been taken.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PortfolioEvent } from '../../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { fold } from '../../../../src/core/portfolio/aggregate/replay.ts';
import {
  restoredState,
  type StateSnapshot,
  snapshotOf,
} from '../../../../src/core/portfolio/snapshot/state-snapshot.ts';
import { must } from '../../../../src/values/assert.ts';
import type { PortfolioId } from '../../../../src/values/ids.ts';
import { MemoryLedger } from '../../../../src/virtual/memory/memory-ledger.ts';
import { gateway } from '../../../simulation/gateway-door.ts';
import { drawPlan } from '../../../simulation/plan/draw-plan.ts';
import type { Profile } from '../../../simulation/plan/plan.ts';
import { settle } from '../../../simulation/settle.ts';
import { followStrategies } from '../../../simulation/strategy-follower.ts';
import { isSameState } from '../../../simulation/world/same-state.ts';
import { simulate } from '../../../simulation/world/simulation.ts';

interface History {
  readonly portfolio: PortfolioId;
  readonly events: readonly PortfolioEvent[];
}

/** All histories of a run, as they are stored. */
async function histories(seed: number, profile: Profile): Promise<readonly History[]> {
  const kept = new Map<PortfolioId, PortfolioEvent[]>();
  await simulate({
    plan: drawPlan(String(seed), profile),
    ...{ settle, gateway, followStrategies },
    openStores: (now) => {
      const ledger = new MemoryLedger({ now });
      const commit = ledger.commit.bind(ledger);
      ledger.commit = async (turns) => {
        const outcome = await commit(turns);
        if (outcome.kind !== 'committed') return outcome;
        for (const { portfolio, events } of turns) {
          const stored = JSON.parse(JSON.stringify(events)) as PortfolioEvent[];
          kept.set(portfolio, [...(kept.get(portfolio) ?? []), ...stored]);
        }
        return outcome;
      };
      return { ledger };
    },
  });
  return Array.from(kept, ([portfolio, events]) => ({ portfolio, events }));
}

const folded = ({ portfolio, events }: History, upTo = events.length): PortfolioState =>
  must(fold(portfolio, events.slice(0, upTo)), 'a history begins with a submit');

/** As a store gives it back. */
const stored = (snapshot: StateSnapshot): StateSnapshot =>
  JSON.parse(JSON.stringify(snapshot)) as StateSnapshot;

/** Everything a state contains, maps in their order; an absent field is an undefined one. */
function expectSame(one: PortfolioState | undefined, other: PortfolioState): void {
  expect(one).toEqual(other);
  expect(isSameState(one, other)).toBe(true);
}

test('a snapshot at any version and the events after it give the state of the whole history', async () => {
  const kinds = new Set<string>();
  const profiles: readonly Profile[] = ['cheap', 'full', 'limits', 'blocks', 'schedules'];
  await fc.assert(
    fc.asyncProperty(
      fc.nat(100_000),
      fc.constantFrom(...profiles),
      fc.infiniteStream(fc.nat(1_000_000)),
      async (seed, profile, draws) => {
        for (const history of await histories(seed, profile)) {
          const { events } = history;
          for (const { kind } of events) kinds.add(kind);
          const whole = folded(history);
          const drawn = [...draws.take(8)].map((draw) => 1 + (draw % events.length));
          for (const cut of [1, events.length, ...drawn]) {
            const head = folded(history, cut);
            const snapshot = stored(snapshotOf(head));
            expectSame(restoredState(snapshot, []), head);
            expectSame(restoredState(snapshot, events.slice(cut)), whole);
          }
        }
      },
    ),
    { numRuns: 80 },
  );
  const needed = ['child_unknown', 'amended', 'rfq_intended', 'part_started', 'fill_mirrored'];
  expect(needed.filter((kind) => !kinds.has(kind))).toEqual([]);
}, 240_000);

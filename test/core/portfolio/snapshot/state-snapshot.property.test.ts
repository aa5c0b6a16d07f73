// A state that is read from a snapshot, with the events after it, is the state that the whole history gives: for the
// histories of simulated runs and every version at which a snapshot may have been taken.
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
import { rng } from '../../../../src/values/rng.ts';
import { MemoryLedger } from '../../../../src/virtual/memory/memory-ledger.ts';
import { gateway } from '../../../simulation/gateway-door.ts';
import { drawPlan } from '../../../simulation/plan/draw-plan.ts';
import type { Profile } from '../../../simulation/plan/plan.ts';
import { settle } from '../../../simulation/settle.ts';
import { followStrategies } from '../../../simulation/strategy-follower.ts';
import { isSameState } from '../../../simulation/world/same-state.ts';
import { simulate } from '../../../simulation/world/simulation.ts';
import { cases } from '../../../support/cases.ts';

interface History {
  readonly portfolio: PortfolioId;
  readonly events: readonly PortfolioEvent[];
}

/** All histories of a run, as they are stored. */
async function histories(seed: number, profile: Profile): Promise<readonly History[]> {
  const kept = new Map<PortfolioId, PortfolioEvent[]>();
  await simulate({
    plan: drawPlan(String(seed), profile),
    settle,
    gateway,
    followStrategies,
    openStores: (now) => {
      const ledger = new MemoryLedger({ now });
      const commit = ledger.commit.bind(ledger);
      ledger.commit = async (turns) => {
        // The leases of the run are not those of this ledger, which would refuse every turn under one.
        const outcome = await commit(turns.map((turn) => ({ ...turn, lease: undefined })));
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

/** At the first turn, at the last, and at some between. */
function cutsOf({ portfolio, events }: History, seed: number): readonly number[] {
  const draw = rng(`cuts/${seed}/${portfolio}`);
  return [1, events.length, ...Array.from({ length: 8 }, () => 1 + draw.below(events.length))];
}

/** A run of the last three takes some ten times as long as one of the others. */
const SEEDS: readonly (readonly [Profile, number])[] = [
  ['cheap', cases(32)],
  ['limits', cases(8)],
  ['blocks', cases(8)],
  ['full', cases(4)],
  ['schedules', cases(3)],
  ['owners', cases(3)],
];

test('a snapshot at any version and the events after it give the state of the whole history', async () => {
  const kinds = new Set<string>();
  const differ: string[] = [];
  for (const [profile, seeds] of SEEDS) {
    for (let seed = 0; seed < seeds; seed += 1) {
      for (const history of await histories(seed, profile)) {
        const { events } = history;
        for (const { kind } of events) kinds.add(kind);
        const whole = folded(history);
        for (const cut of cutsOf(history, seed)) {
          const head = folded(history, cut);
          const snapshot = stored(snapshotOf(head));
          const areSame =
            isSameState(restoredState(snapshot, []), head) &&
            isSameState(restoredState(snapshot, events.slice(cut)), whole);
          // States are too large to be printed.
          if (!areSame) differ.push(`${profile} ${seed}: ${history.portfolio} at ${cut}`);
        }
      }
    }
  }
  expect(differ).toEqual([]);
  const needed = ['child_unknown', 'amended', 'rfq_intended', 'part_started', 'fill_mirrored'];
  expect(needed.filter((kind) => !kinds.has(kind))).toEqual([]);
}, 1_200_000);

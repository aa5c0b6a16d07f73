// Draws which faults a run has, and how often each of them strikes.
import type { Rng } from '../../../src/values/rng.ts';
import { chance, pick } from './pick.ts';
import {
  type ExchangeDeath,
  FAULT_KINDS,
  type FaultKind,
  type FaultRate,
  type SimulationPlan,
  type Size,
  UNKNOWN_FAULTS,
} from './plan.ts';

/** Longest duration of a fault, where it has one. */
export const SPELLS: Partial<Record<FaultKind, number>> = {
  ledger_slow: 1_200,
  queue_late: 2_500,
  queue_early: 300,
  queue_repeats: 900,
  request_late: 1_600,
  answer_late: 400,
  rate_limited: 1_500,
  query_stale: 1_000,
  notice_late: 2_000,
  notice_repeated: 1_500,
  line_down: 5_000,
  venue_late: 5_000,
  market_silent: 6_000,
  process_stops: 2_500,
};

/** Of one occasion; a line breaks and a process stands still more rarely, because both last. */
const CHANCES: Partial<Record<FaultKind, number>> = {
  line_down: 0.06,
  venue_late: 0.6,
  process_stops: 0.04,
  market_silent: 0.1,
  market_thin: 0.8,
  market_one_sided: 0.3,
  query_stale: 0.7,
  query_refused: 0.9,
  request_at_deadline: 0.3,
};
const CHANCE_MAX = 0.25;

export function drawFaults(draw: Rng, profile: Size): readonly FaultRate[] {
  // A few runs know only one kind of trouble, and some none.
  const share = pick(draw, profile === 'cheap' ? [0, 0.08, 0.2, 0.3, 0.3] : [0.15, 0.3, 0.5]);
  return FAULT_KINDS.flatMap((kind) => {
    const isOn = chance(draw, share);
    const rate = (CHANCES[kind] ?? CHANCE_MAX) * (0.2 + 0.8 * draw.next());
    return isOn ? [{ kind, chance: rate, maxMs: SPELLS[kind] ?? 0 }] : [];
  });
}

/** A stream of their own, so that these do not move what was drawn before. */
export function drawUnknown(draw: Rng, profile: Size): readonly FaultRate[] {
  const share = profile === 'cheap' ? 0.15 : 0.4;
  return UNKNOWN_FAULTS.flatMap((kind) => {
    const isOn = chance(draw, share);
    const rate = (CHANCES[kind] ?? CHANCE_MAX) * (0.2 + 0.8 * draw.next());
    return isOn ? [{ kind, chance: rate, maxMs: SPELLS[kind] ?? 0 }] : [];
  });
}

/** Turns that are decided before a switch is set, and durable after it. */
export const withSlowCommits = (faults: readonly FaultRate[]): readonly FaultRate[] => [
  ...faults.filter(({ kind }) => kind !== 'ledger_slow'),
  { kind: 'ledger_slow', chance: 0.4, maxMs: 700 },
];

/** How many runs have deaths of the exchange's process, in the middle of a write of its journal, if they may. */
export const DEATH_SHARE = 0.2;

/**
 * Runs in which people, keys and limits are judged by what reaches the exchange have none: an exchange that is not there is judged by
 * orders of portfolios alone. Neither have those whose share of the volume is judged by its count, which begins again.
 */
const mayDie = (plan: SimulationPlan): boolean =>
  plan.rfqs.length === 0 &&
  plan.hands.length === 0 &&
  [plan.mmp, plan.door, plan.controls, plan.audit, plan.schedule].every(
    (one) => one === undefined,
  ) &&
  plan.clients.every(
    ({ options, endAction }) => options.participationMax === undefined && endAction !== 'rfq',
  );

export function withExchangeDeaths(plan: SimulationPlan, draw: Rng): SimulationPlan {
  if (!mayDie(plan)) return plan;
  const { stormMs } = plan;
  const count = 1 + draw.below(2);
  const exchangeDeaths = Array.from({ length: count }, (): ExchangeDeath => {
    const atMs = 300 + draw.below(stormMs - 600);
    // All bytes of a command that nobody hears of are one of the cases.
    const keeps = chance(draw, 0.3) ? pick(draw, [0, 1]) : draw.next();
    return { atMs, restMs: 50 + draw.below(1_200), keeps };
  });
  return { ...plan, exchangeDeaths };
}

// Draws a plan from a seed. Swarm testing: every run has its own selection of faults and its own rates, because a
// fault that is always present hides what others would show.
import { VENUE_CODES } from '../../../src/core/order/venue-codes.ts';
import type { Settings } from '../../../src/core/terms/settings.ts';
import { type Money, money } from '../../../src/values/amounts.ts';
import { assert } from '../../../src/values/assert.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import { MARGINS, type Margins } from '../checks/bounds.ts';
import { drawClients, plainly } from './draw-client.ts';
import { underLimits } from './draw-controls.ts';
import { atDoors } from './draw-door.ts';
import { withLeases } from './draw-leases.ts';
import { withBusyHandOvers } from './draw-owners.ts';
import { drawPeople, nobody } from './draw-people.ts';
import { drawResidualRfq } from './draw-residual-rfq.ts';
import { drawSchedule } from './draw-schedule.ts';
import { withSnapshots } from './draw-snapshots.ts';
import { chance, pick } from './pick.ts';
import {
  type Act,
  type AuditPlan,
  type ClientPlan,
  type DaemonPlan,
  FAULT_KINDS,
  type FaultKind,
  type FaultRate,
  type Profile,
  type SimulationPlan,
  type Size,
  type StrategyPlan,
} from './plan.ts';

/** Longest duration of a fault, where it has one. */
const SPELLS: Partial<Record<FaultKind, number>> = {
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
  market_silent: 6_000,
  process_stops: 2_500,
};

/** Of one occasion; a line breaks and a process stands still more rarely, because both last. */
const CHANCES: Partial<Record<FaultKind, number>> = {
  line_down: 0.06,
  process_stops: 0.04,
  market_silent: 0.1,
  market_thin: 0.8,
  market_one_sided: 0.3,
  query_stale: 0.7,
  request_at_deadline: 0.3,
};
const CHANCE_MAX = 0.25;
/** USD; less than many slices ask for. */
const SMALL_ORDER: Money = money('150');

/** Numbers that no table has are answers too. */
const CODES: readonly number[] = [...VENUE_CODES.keys(), 99_999];

/** The profiles whose runs are drawn from the beginning; those of the others are drawn from one of these. */
type Drawn = Exclude<Profile, 'owners'>;

/** How many runs have limits of the controls. */
const CONTROLS_SHARES: Readonly<Record<Drawn, number>> = {
  ...{ cheap: 0.1, full: 0.3, limits: 1, blocks: 0, schedules: 0.1 },
};

/** How many runs have daemons that own shards by leases. */
const LEASES_SHARE = 0.6;
const SNAPSHOTS_SHARE = 0.6;

/** How many runs have cron schedules, which cost more than all else of a run. */
const SCHEDULE_SHARES: Readonly<Record<Drawn, number>> = {
  ...{ cheap: 0, full: 0.1, limits: 0, blocks: 0, schedules: 1 },
};

/** Some have a blackout window that starts while they wait for quotes. */
const withBlock = (draw: Rng) => (client: ClientPlan, index: number) => {
  const asked = drawResidualRfq(draw.split(String(index)), client);
  const avoidWindows = chance(draw.split(`still-${index}`), 0.4) || undefined;
  return { ...asked, options: { ...asked.options, avoidWindows } };
};

export function drawPlan(seed: string, kind: Profile): SimulationPlan {
  if (kind === 'owners') return withBusyHandOvers(drawPlan(seed, 'cheap'), rng(`${seed}/owners`));
  const profile: Size = kind === 'full' ? 'full' : 'cheap';
  const draw = rng(`${seed}/plan`);
  const margins = chance(draw, 0.7) ? MARGINS[0] : MARGINS[1];
  assert(margins !== undefined, 'there are margins');
  if (chance(draw, 0.06)) return edgePlan(seed, margins, draw);
  if (chance(draw, 0.04)) return queuePlan(seed, margins, draw);
  if (chance(draw.split('thin'), THIN_SHARE))
    return thinPlan(seed, margins, draw.split('thin-plan'));
  if (chance(draw.split('long'), LONG_SHARE)) {
    return longPlan(seed, margins, draw.split('long-plan'));
  }
  const stormMs = profile === 'cheap' ? 4_000 + draw.below(6_000) : 15_000 + draw.below(30_000);
  const daemons = drawDaemons(draw.split('daemons'), { profile, margins });
  const drawn = drawClients(draw.split('clients'), profile);
  const clients = kind === 'blocks' ? drawn.map(withBlock(draw.split('blocks'))) : drawn;
  const faults = drawFaults(draw.split('faults'), profile);
  const frame = { stormMs, daemons: daemons.length, profile, margins };
  const acts = drawActs(draw.split('acts'), frame);
  const people = drawPeople(draw.split('people'), clients, {
    profile,
    stormMs,
    daemons: daemons.length,
  });
  const isSwitched = acts.some(({ kind }) => kind === 'set_switch') && chance(draw, 0.6);
  const plan: SimulationPlan = {
    seed,
    stormMs,
    latencyMs: pick(draw, [0, 0, 0, 4, 40]),
    venueOffsetMs: offset(draw, margins),
    marketStepMs: 400 + 100 * draw.below(6),
    ...drawSurroundings(draw.split('surroundings'), kind === 'blocks' ? LATE_MS : 0),
    refusalCode: pick(draw, CODES),
    margins,
    settings: {
      ...(chance(draw, 0.3) && { orderUsdMax: pick(draw, [undefined, SMALL_ORDER]) }),
      armMs: pick(draw.split('arm'), [0, 0, 12, 40]),
    },
    retiredMax: pick(draw.split('retired'), [0, 1, 200]),
    faults: isSwitched ? withSlowCommits(faults) : faults,
    daemons,
    ...people,
    acts: [...acts, ...people.acts],
  };
  const isCheap = profile === 'cheap';
  const come = chance(draw.split('door'), isCheap ? 0.06 : 0.4)
    ? atDoors(plan, draw.split('door-plan'))
    : plan;
  const share = CONTROLS_SHARES[kind];
  const limited = chance(draw.split('controls'), share)
    ? underLimits(come, draw.split('control-plan'))
    : come;
  const audited = chance(draw.split('audit'), isCheap ? 0.04 : 0.3)
    ? { ...limited, audit: drawAudit(draw.split('audit-plan'), limited) }
    : limited;
  const fired = chance(draw.split('strategies'), isCheap ? 0.05 : 0.3)
    ? { ...audited, strategies: drawStrategies(draw.split('strategy-plan'), stormMs) }
    : audited;
  const scheduled = chance(draw.split('schedule'), SCHEDULE_SHARES[kind])
    ? { ...fired, schedule: drawSchedule(draw.split('schedule-plan'), stormMs) }
    : fired;
  const owned = chance(draw.split('leases'), LEASES_SHARE)
    ? withLeases(scheduled, draw.split('lease-plan'))
    : whereTheBuriedReturn(scheduled);
  return chance(draw.split('snapshots'), SNAPSHOTS_SHARE)
    ? withSnapshots(owned, draw.split('snapshot-plan'))
    : owned;
}

/** Without leases no daemon takes up the shadows of one that is gone for good. */
const whereTheBuriedReturn = (plan: SimulationPlan): SimulationPlan => {
  const hasShadows = plan.clients.some((client) => client.hasShadow);
  const returning = (act: Act): Act => (act.kind === 'bury' ? { ...act, kind: 'kill' } : act);
  return hasShadows ? { ...plan, acts: plan.acts.map(returning) } : plan;
};

/** Due while there is trouble, or soon after it. */
const drawStrategies = (draw: Rng, stormMs: number): readonly StrategyPlan[] =>
  Array.from({ length: 1 + draw.below(2) }, () => ({
    atSec: 1 + draw.below(Math.floor(stormMs / 1_000)),
  }));

/** A foreign trade counts against limits too, so runs with limits have none. */
const drawAudit = (draw: Rng, { stormMs, controls }: SimulationPlan): AuditPlan => ({
  everyMs: 400 + draw.below(600),
  plantAtMs:
    controls === undefined && chance(draw, 0.5) ? 1_500 + draw.below(stormMs - 1_500) : undefined,
});

/**
 * Requests that arrive around their deadline, at a venue whose clock is behind as far as it may be, asked
 * about by a daemon whose clock is as far ahead, with queries that lag and notices that do not come: the
 * edge of what is promised.
 */
function edgePlan(seed: string, margins: Margins, draw: Rng): SimulationPlan {
  const most = margins.skewMs / 2;
  const daemon: DaemonPlan = { offsetMs: most, crashes: [], restMs: 100, settings: [] };
  const maxMs = SPELLS.query_stale ?? 0;
  return {
    seed,
    stormMs: 5_000,
    latencyMs: 0,
    venueOffsetMs: -most,
    marketStepMs: 600,
    ...PLAIN_SURROUNDINGS,
    refusalCode: 10_009,
    margins,
    settings: {},
    retiredMax: 200,
    faults: [
      { kind: 'request_at_deadline', chance: 0.7, maxMs: 0 },
      { kind: 'query_stale', chance: 0.9, maxMs },
      { kind: 'notice_lost', chance: 0.8, maxMs: 0 },
    ],
    daemons: Array.from({ length: 1 + draw.below(2) }, () => daemon),
    ...nobody([]),
    clients: drawClients(draw.split('clients'), 'cheap').map((client) => ({
      ...plainly(client),
      cancelAtMs: undefined,
      changes: [],
      // Long enough for a slice to place again.
      frequencySec: 3,
      durationSec: 6,
      legs: client.legs.slice(0, 1),
    })),
    acts: [],
  };
}

/** Only a queue that loses, delays and repeats jobs, and is wiped repeatedly. */
function queuePlan(seed: string, margins: Margins, draw: Rng): SimulationPlan {
  const kinds = [
    'queue_loses',
    'queue_late',
    'queue_repeats',
    'queue_refuses',
    'queue_early',
  ] as const;
  const stormMs = 8_000;
  const wipes = Array.from({ length: draw.below(30) }, () => draw.below(stormMs));
  return {
    ...edgePlan(seed, margins, draw),
    stormMs,
    venueOffsetMs: 0,
    faults: kinds.map((kind) => ({ kind, chance: draw.next(), maxMs: SPELLS[kind] ?? 0 })),
    acts: wipes.map((atMs): Act => ({ kind: 'wipe_queue', atMs })),
  };
}

/** How many runs have thin books and nothing else that goes wrong. */
const THIN_SHARE = 0.02;

/**
 * Books that are thin most of the time, so that a slice takes out a side and has to come back for more: what is
 * shown and not ordered has no other cause. Slices last long enough for several attempts.
 */
function thinPlan(seed: string, margins: Margins, draw: Rng): SimulationPlan {
  const plan = edgePlan(seed, margins, draw);
  return {
    ...plan,
    stormMs: 10_000,
    venueOffsetMs: 0,
    settings: { attemptsMax: 20 },
    faults: [{ kind: 'market_thin', chance: 0.6 + 0.4 * draw.next(), maxMs: 0 }],
    daemons: plan.daemons.map((daemon) => ({ ...daemon, offsetMs: 0 })),
    clients: plan.clients.map((client) => ({
      ...client,
      frequencySec: 5,
      durationSec: 10,
      legs: client.legs.map((leg) => ({ ...leg, lots: 30 + draw.below(90) })),
    })),
  };
}

/** How many runs have a portfolio of many slices. */
const LONG_SHARE = 0.02;

/**
 * So many slices that settled children leave the state, and notices that come again when they have left: what is in
 * the state no longer tells what has been counted.
 */
function longPlan(seed: string, margins: Margins, draw: Rng): SimulationPlan {
  const plan = edgePlan(seed, margins, draw);
  const hasShadow = chance(draw, 0.5);
  return {
    ...plan,
    stormMs: 30_000,
    venueOffsetMs: 0,
    retiredMax: pick(draw, [0, 200]),
    faults: [
      ...drawFaults(draw.split('faults'), 'cheap').filter(({ kind }) => kind !== 'notice_repeated'),
      { kind: 'notice_repeated', chance: 0.3 + 0.7 * draw.next(), maxMs: 25_000 },
    ],
    daemons: drawDaemons(draw.split('daemons'), { profile: 'cheap', margins }),
    clients: plan.clients.slice(0, 1).map((client) => ({
      ...client,
      hasShadow,
      frequencySec: 1,
      durationSec: 22 + draw.below(12),
      legs: client.legs.map((leg) => ({ ...leg, lots: 80 + draw.below(200) })),
    })),
  };
}

type Surroundings = Pick<SimulationPlan, 'quietWindow' | 'takerShare'>;

const PLAIN_SURROUNDINGS: Surroundings = { quietWindow: { fromMs: 0, toMs: 0 }, takerShare: 0 };
/** When runs begin, in milliseconds after midnight. */
const NOON_MS = 43_200_000;

/** Delay after which a maker has quoted. */
const LATE_MS = 4_000;

function drawSurroundings(draw: Rng, afterMs: number): Surroundings {
  const fromMs = NOON_MS + 500 + draw.below(4_000 + afterMs);
  const quietWindow = { fromMs, toMs: fromMs + 300 + draw.below(3_000) };
  return { quietWindow, takerShare: chance(draw, 0.3) ? draw.next() : 0 };
}

/** Mostly at the edge of what is allowed, where a margin that is too small shows. */
function offset(draw: Rng, { skewMs }: Margins): number {
  const most = skewMs / 2;
  const kind = draw.below(5);
  if (kind === 0) return 0;
  if (kind < 3) return -most;
  return kind === 3 ? most : draw.below(skewMs + 1) - most;
}

function drawFaults(draw: Rng, profile: Size): readonly FaultRate[] {
  // A few runs know only one kind of trouble, and some none.
  const share = pick(draw, profile === 'cheap' ? [0, 0.08, 0.2, 0.3, 0.3] : [0.15, 0.3, 0.5]);
  return FAULT_KINDS.flatMap((kind) => {
    const isOn = chance(draw, share);
    const rate = (CHANCES[kind] ?? CHANCE_MAX) * (0.2 + 0.8 * draw.next());
    return isOn ? [{ kind, chance: rate, maxMs: SPELLS[kind] ?? 0 }] : [];
  });
}

/** Turns that are decided before a switch is set, and durable after it. */
const withSlowCommits = (faults: readonly FaultRate[]): readonly FaultRate[] => [
  ...faults.filter(({ kind }) => kind !== 'ledger_slow'),
  { kind: 'ledger_slow', chance: 0.4, maxMs: 700 },
];

function drawDaemons(
  draw: Rng,
  { profile, margins }: { readonly profile: Size; readonly margins: Margins },
): readonly DaemonPlan[] {
  const count = profile === 'cheap' ? pick(draw, [1, 1, 2]) : pick(draw, [1, 2, 2, 3]);
  const dies = chance(draw, 0.5);
  return Array.from({ length: count }, () => ({
    offsetMs: offset(draw, margins),
    crashes: dies ? drawCrashes(draw, profile === 'cheap' ? 60 : 150) : [],
    restMs: 50 + draw.below(3_000),
    settings: chance(draw, 0.2) ? [{}, drawSettings(draw)] : [],
  }));
}

function drawCrashes(draw: Rng, within: number): readonly number[] {
  const lives = 1 + draw.below(3);
  return Array.from({ length: lives }, () => 1 + draw.below(within));
}

/** What an operator may have changed before starting a daemon again. */
function drawSettings(draw: Rng): Partial<Settings> {
  return {
    validForMs: 700 + 100 * draw.below(8),
    retryMs: 200 + 100 * draw.below(5),
    cancelRetryMs: 400 + 100 * draw.below(6),
    attemptsMax: 3 + draw.below(5),
  };
}

interface ActFrame {
  readonly stormMs: number;
  readonly daemons: number;
  readonly profile: Size;
  readonly margins: Margins;
}

function drawActs(draw: Rng, frame: ActFrame): readonly Act[] {
  const count = frame.profile === 'cheap' ? draw.below(4) : 2 + draw.below(10);
  const acts = Array.from({ length: count }, () => drawAct(draw, frame));
  return chance(draw, 0.12) ? [...acts, ...drawSwitches(draw, frame)] : acts;
}

/** Switched off, and often on again. */
function drawSwitches(draw: Rng, { stormMs, daemons }: ActFrame): readonly Act[] {
  const atMs = 200 + draw.below(stormMs - 200);
  const scope = pick(draw, ['deployment', 'account', 'portfolio'] as const);
  const state = pick(draw, ['halted', 'halted', 'reducing'] as const);
  const first: Act = { kind: 'set_switch', atMs, daemon: draw.below(daemons), scope, state };
  if (chance(draw, 0.4)) return [first];
  const backMs = Math.min(stormMs, atMs + draw.below(4_000));
  return [first, { ...first, atMs: backMs, daemon: draw.below(daemons), state: 'active' }];
}

function drawAct(draw: Rng, { stormMs, daemons, margins }: ActFrame): Act {
  const atMs = 200 + draw.below(stormMs - 200);
  const daemon = draw.below(daemons);
  switch (draw.below(10)) {
    case 0:
    case 1:
      return { kind: 'wipe_queue', atMs };
    case 2:
      return { kind: 'kill', atMs, daemon };
    case 3:
      return { kind: 'bury', atMs, daemon };
    case 4:
      return { kind: 'step_clock', atMs, daemon, toMs: offset(draw, margins) };
    case 5:
      return { kind: 'cancel_all', atMs, account: draw.below(2) };
    case 6:
      return { kind: 'stranger_cancels', atMs };
    case 7:
      return { kind: 'stray_order', atMs };
    case 8:
      return { kind: 'foreign_order', atMs };
    default:
      return { kind: 'reload_limits', atMs, legsMax: 1 + draw.below(3) };
  }
}

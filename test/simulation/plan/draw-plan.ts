// Draws a plan from a seed. Swarm testing: every run has its own selection of faults and its own rates, because a
// fault that is always present hides what others would show.
import { VENUE_CODES } from '../../../src/core/order/venue-codes.ts';
import { type Money, money } from '../../../src/values/amounts.ts';
import { assert } from '../../../src/values/assert.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import { MARGINS, type Margins } from '../checks/bounds.ts';
import { drawClients } from './draw-client.ts';
import { underLimits } from './draw-controls.ts';
import { drawDaemons, offset } from './draw-daemons.ts';
import { atDoors } from './draw-door.ts';
import { nearExpiry } from './draw-expiry.ts';
import {
  DEATH_SHARE,
  drawFaults,
  drawUnknown,
  withExchangeDeaths,
  withSlowCommits,
} from './draw-faults.ts';
import { withLeases } from './draw-leases.ts';
import { withBusyHandOvers } from './draw-owners.ts';
import { drawPeople } from './draw-people.ts';
import { drawResidualRfq } from './draw-residual-rfq.ts';
import { drawSchedule } from './draw-schedule.ts';
import {
  edgePlan,
  LONG_SHARE,
  longPlan,
  queuePlan,
  THIN_SHARE,
  thinPlan,
} from './draw-single-trouble.ts';
import { withSnapshots } from './draw-snapshots.ts';
import { chance, pick } from './pick.ts';
import type {
  Act,
  AuditPlan,
  ClientPlan,
  Profile,
  SimulationPlan,
  Size,
  StrategyPlan,
} from './plan.ts';

/** USD; less than many slices request. */
const SMALL_ORDER: Money = money('150');

/** Numbers that no table has are answers too. */
const CODES: readonly number[] = [...VENUE_CODES.keys(), 99_999];

/** The profiles whose runs are drawn from the beginning; those of the others are drawn from one of these. */
type Drawn = Exclude<Profile, 'owners'>;

/** How many runs have limits of the controls. */
const CONTROLS_SHARES: Readonly<Record<Drawn, number>> = {
  cheap: 0.1,
  full: 0.3,
  limits: 1,
  blocks: 0,
  schedules: 0.1,
};

/** How many runs have daemons that own shards by leases. */
const LEASES_SHARE = 0.6;
const SNAPSHOTS_SHARE = 0.6;
/** How many runs begin just before the option expires. */
const EXPIRY_SHARE = 0.04;

/** How many runs have cron schedules, which cost more than all else of a run. */
const SCHEDULE_SHARES: Readonly<Record<Drawn, number>> = {
  cheap: 0,
  full: 0.1,
  limits: 0,
  blocks: 0,
  schedules: 1,
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
  const faults = [
    ...drawFaults(draw.split('faults'), profile),
    ...drawUnknown(draw.split('unknown'), profile),
  ];
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
  const kept = chance(draw.split('snapshots'), SNAPSHOTS_SHARE)
    ? withSnapshots(owned, draw.split('snapshot-plan'))
    : owned;
  const expiring = chance(draw.split('expiry'), EXPIRY_SHARE)
    ? nearExpiry(kept, draw.split('expiry-plan'))
    : kept;
  return chance(draw.split('exchange'), DEATH_SHARE)
    ? withExchangeDeaths(expiring, draw.split('exchange-plan'))
    : expiring;
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

/** When runs begin, in milliseconds after midnight. */
const NOON_MS = 43_200_000;

/** Delay after which a maker has quoted. */
const LATE_MS = 4_000;

function drawSurroundings(
  draw: Rng,
  afterMs: number,
): Pick<SimulationPlan, 'quietWindow' | 'takerShare'> {
  const fromMs = NOON_MS + 500 + draw.below(4_000 + afterMs);
  const quietWindow = { fromMs, toMs: fromMs + 300 + draw.below(3_000) };
  return { quietWindow, takerShare: chance(draw, 0.3) ? draw.next() : 0 };
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

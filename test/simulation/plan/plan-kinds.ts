// What the trouble of a plan leaves for certain, so that something can be judged sharply.

import { type Instant, later, utcInstant } from '../../../src/values/instant.ts';
import { OPTION_EXPIRES_AT, SIMULATED_SETTINGS } from '../checks/bounds.ts';
import type { SimulationPlan } from './plan.ts';

const NOON: Instant = utcInstant({ year: 2026, month: 11, day: 20, hour: 12 });

/** True time at which the run begins. */
export const startOf = ({ expiresAfterMs }: Pick<SimulationPlan, 'expiresAfterMs'>): Instant =>
  expiresAfterMs === undefined ? NOON : later(OPTION_EXPIRES_AT, -expiresAfterMs);

/** Nothing keeps a daemon from reading what is durable. */
export const isReadable = ({ faults }: SimulationPlan): boolean =>
  faults.every(({ kind }) => !kind.startsWith('ledger_') && kind !== 'process_stops');

/** How long a line may be broken. */
export const lineMs = ({ faults }: Pick<SimulationPlan, 'faults'>): number =>
  faults.find(({ kind }) => kind === 'line_down')?.maxMs ?? 0;

/** The list of instruments comes at most this long after the venue that was late. */
export const LISTING_MS = 1_500;

/** How long a daemon may see nothing of the market: its line is broken, or its venue is late. */
export const blindMs = (plan: Pick<SimulationPlan, 'faults'>): number => {
  const late = plan.faults.find(({ kind }) => kind === 'venue_late');
  return lineMs(plan) + (late === undefined ? 0 : late.maxMs + LISTING_MS);
};

/** A wake may not come, or come late. */
export const losesWakes = ({ faults, acts }: SimulationPlan): boolean =>
  faults.some(({ kind }) => kind.startsWith('queue_')) ||
  acts.some(({ kind }) => kind === 'wipe_queue');

/** Books may be so thin that an order takes out all of a side. */
export const hasThinBooks = ({ faults }: SimulationPlan): boolean =>
  faults.some(({ kind }) => kind === 'market_thin');

/** So many attempts every daemon makes of a slice, whatever its settings say. */
export function attemptsSure({ settings, daemons }: SimulationPlan): number {
  const all = [settings, ...daemons.flatMap((daemon) => daemon.settings)];
  const most = all.map(({ attemptsMax = SIMULATED_SETTINGS.attemptsMax }) => attemptsMax);
  return Math.min(...most) - 1;
}

/** A portfolio limits its share of what trades. */
export const limitsShares = ({ clients }: Pick<SimulationPlan, 'clients'>): boolean =>
  clients.some(({ options }) => options.participationMax !== undefined);

/** A residual is requested as a Block RFQ. */
export const hasEndRfqs = ({ clients }: Pick<SimulationPlan, 'clients'>): boolean =>
  clients.some(({ endAction }) => endAction === 'rfq');

/** Only the queue is in trouble, and nothing else holds a slice up. */
export const isQueueOnly = ({
  faults,
  acts,
  daemons,
  latencyMs,
  controls,
}: SimulationPlan): boolean =>
  latencyMs === 0 &&
  controls === undefined &&
  faults.every(({ kind }) => kind.startsWith('queue_')) &&
  acts.every(({ kind }) => kind === 'wipe_queue') &&
  daemons.every(({ crashes }) => crashes.length === 0);

/** A wake-up comes by the clock of one daemon, and its slice is dated by that of another. */
export function clockSpreadMs({ daemons }: SimulationPlan): number {
  const offsets = daemons.map(({ offsetMs }) => offsetMs);
  return Math.max(...offsets) - Math.min(...offsets);
}

/** A strategy that cannot be submitted is tried again a while later, and its portfolio lasts 2 s. */
const STRATEGY_MS = 20_000;

/** How long the longest schedule runs at most, from the start of the run on. */
export function schedulesMs({ clients, margins, strategies = [] }: SimulationPlan): number {
  const ends = clients.map(
    ({ submitAtMs, durationSec, options, balance }) =>
      submitAtMs +
      (balance?.totalLimitMs ?? durationSec * 1_000) +
      (options.extendMs ?? options.rfq?.waitMs ?? 0),
  );
  const firings = strategies.map(({ atSec }) => atSec * 1_000 + STRATEGY_MS);
  return Math.max(0, ...ends, ...firings) + margins.skewMs;
}

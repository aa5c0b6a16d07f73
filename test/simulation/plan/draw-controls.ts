// Draws limits low enough that parts of a run reach them, and people who grant overrides for single orders.
import { OVERRIDABLE } from '../../../src/core/risk/gate/overrides.ts';
import type { Rng } from '../../../src/values/rng.ts';
import type { ControlNumbers, ControlsPlan, OverridePlan } from './controls-plan.ts';
import { plainly } from './draw-client.ts';
import { chance, pick } from './pick.ts';
import type { ClientPlan, FaultKind, FaultRate, LegPlan, SimulationPlan } from './plan.ts';

/** Each control in a share of the runs: one that stops everything hides the others. */
const SHARE = 0.35;
/** No simulated market jumps so far. */
const CALM_BPS = 1_000;
const SILENT_MS = 6_000;

interface ControlsFrame {
  readonly stormMs: number;
  readonly daemons: number;
}

/** What keeps a daemon from knowing at once what happens, so that not every control can be judged sharply. */
const DULLING: ReadonlySet<FaultKind> = new Set([
  'notice_lost',
  'notice_late',
  'notice_repeated',
  'line_down',
  'process_stops',
  'ledger_down',
  'ledger_lost',
  'ledger_doubt',
  'ledger_slow',
  'ledger_unread',
]);

/** The run with limits; one of two is such that every control can be judged by what has really happened. */
export function underLimits(given: SimulationPlan, draw: Rng): SimulationPlan {
  // What blocks trade is not reckoned a second time.
  const plan = { ...given, clients: given.clients.map(withoutBlock) };
  const { stormMs, daemons } = plan;
  const controls = drawControls(draw, { stormMs, daemons: daemons.length });
  if (chance(draw, 0.5)) return { ...plan, controls };
  const faults = plan.faults.filter(({ kind }) => !DULLING.has(kind));
  return {
    ...plan,
    controls,
    latencyMs: 0,
    rfqs: [],
    daemons: daemons.slice(0, 1),
    clients: [
      ...plan.clients,
      ...drawLate(draw.split('late'), plan),
      ...drawOpposing(draw.split('opposing'), plan, controls),
    ],
    faults: withMarket(draw.split('market'), controls, faults),
  };
}

const withoutBlock = (client: ClientPlan): ClientPlan =>
  client.endAction === 'rfq' ? plainly(client) : client;

/** Somebody who begins after others have traded. */
function drawLate(draw: Rng, { clients }: SimulationPlan): readonly ClientPlan[] {
  const [first] = clients;
  if (first === undefined || !chance(draw, 0.4)) return [];
  return [{ ...first, submitAtMs: 3_000 + draw.below(3_000), cancelAtMs: undefined, changes: [] }];
}

/** Two portfolios of one account that would meet in the book: one rests at the touch, the other takes from it. */
function drawOpposing(
  draw: Rng,
  { clients }: SimulationPlan,
  { numbers }: ControlsPlan,
): readonly ClientPlan[] {
  const [first] = clients;
  const [leg] = first?.legs ?? [];
  if (first === undefined || leg === undefined || numbers.selfMatch === undefined) return [];
  const alone = { ...leg, hedge: false, unit: undefined, worstTicks: undefined };
  const resting: LegPlan = {
    ...alone,
    pricing: 'dynamic',
    reference: leg.side === 'buy' ? 'bid' : 'ask',
    offsetTicks: 0,
    timeInForce: 'gtc',
    postOnly: true,
  };
  const taking: LegPlan = {
    ...alone,
    side: leg.side === 'buy' ? 'sell' : 'buy',
    pricing: 'market',
    timeInForce: undefined,
    postOnly: false,
  };
  const submitted = (legs: readonly LegPlan[], submitAtMs: number): ClientPlan => ({
    ...plainly(first),
    legs,
    submitAtMs,
    durationSec: 4,
    cancelAtMs: undefined,
    changes: [],
  });
  const atMs = first.submitAtMs + draw.below(1_000);
  return [submitted([resting], atMs), submitted([taking], atMs + 200 + draw.below(1_000))];
}

/** A market that gives the controls over it something to do. */
function withMarket(
  draw: Rng,
  { numbers: { market, collar } }: ControlsPlan,
  faults: readonly FaultRate[],
): readonly FaultRate[] {
  if (market !== undefined && market.jumpBps < CALM_BPS) {
    const others = faults.filter(({ kind }) => !kind.startsWith('market_'));
    return [...others, { kind: 'market_fast', chance: 0.2 + 0.6 * draw.next(), maxMs: 0 }];
  }
  if (collar === undefined || !chance(draw, 0.5)) return faults;
  const others = faults.filter(({ kind }) => kind !== 'market_silent');
  return [...others, { kind: 'market_silent', chance: 0.2, maxMs: SILENT_MS }];
}

function drawControls(draw: Rng, frame: ControlsFrame): ControlsPlan {
  const numbers = drawNumbers(draw);
  const atMs = 500 + draw.below(frame.stormMs);
  const count = chance(draw, 0.4) ? 1 + draw.below(3) : 0;
  return {
    numbers,
    later: chance(draw, 0.3) ? { atMs, numbers: drawNumbers(draw.split('later')) } : undefined,
    overrides: Array.from({ length: count }, () => drawOverride(draw, frame)),
    isOfStrategy: chance(draw, 0.4),
  };
}

function drawNumbers(draw: Rng): ControlNumbers {
  const some = <T>(value: T): T | undefined => (chance(draw, SHARE) ? value : undefined);
  const amounts = () => ({ usd: 10 * (3 + draw.below(30)), coins: 0.0002 * (1 + draw.below(15)) });
  return {
    collar: some({ bps: pick(draw, [0.05, 1, 50, 99, 101]), ageMaxMs: pick(draw, [1_500, 4_000]) }),
    drift: some({ bps: pick(draw, [0.1, 0.3, 1]), windowMs: 1_000 + draw.below(6_000) }),
    orderUsdMax: some(10 * (3 + draw.below(30))),
    quantityMax: some(amounts()),
    messages: some({
      perSecond: pick(draw, [0.5, 1, 3]),
      burst: 2 + draw.below(6),
      cancelReserve: pick(draw, [0, 0.25, 0.5]),
    }),
    repeats: some({ executionsMax: pick(draw, [1, 1, 50]), rejectsMax: 1 + draw.below(3) }),
    duplicateMs: some(pick(draw, [500, 4_000])),
    positionMax: some(amounts()),
    grossUsdMax: some(50 + 10 * draw.below(80)),
    permits: some(
      pick(draw, [['perpetual'], ['spot'], ['perpetual', 'option'], ['spot', 'option']] as const),
    ),
    strategy: some({
      instrumentsMax: 1 + draw.below(2),
      slicesMax: 1 + draw.below(6),
      usdMax: 50 + 10 * draw.below(80),
    }),
    market: some({
      jumpBps: pick(draw, [0.2, 0.5, 2, 1_000]),
      windowMs: 1_500 + draw.below(4_000),
      spreadBps: pick(draw, [0.1, 0.2, 0.3, 1_000]),
      restMs: 1_000 + draw.below(4_000),
    }),
    selfMatch: some(true as const),
    slippageUsdMax: some(pick(draw, [0, 0.01])),
  };
}

const drawOverride = (draw: Rng, { stormMs, daemons }: ControlsFrame): OverridePlan => ({
  atMs: 300 + draw.below(Math.min(4_000, stormMs)),
  daemon: draw.below(daemons),
  control: pick(draw, OVERRIDABLE),
  side: chance(draw, 0.5) ? 'buy' : 'sell',
  usd: 10 * (1 + draw.below(60)),
  isBySame: chance(draw, 0.3),
});

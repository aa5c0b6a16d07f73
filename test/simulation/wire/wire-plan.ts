// The plan of one run of the wire: what a trader asks of the adapter, when processes end, and how the line fails.
import { type Rng, rng } from '../../../src/values/rng.ts';
import { drawPlan } from '../plan/draw-plan.ts';
import type { ExchangeDeath, FaultKind, FaultRate, SimulationPlan } from '../plan/plan.ts';
import { drawAct, drawConditional, drawRfqActs, drawTrip, type WireAct } from './wire-acts.ts';

export interface WirePlan {
  readonly seed: string;
  readonly stormMs: number;
  /** Its market, its latency, its clocks and the deaths of its exchange. */
  readonly exchange: SimulationPlan;
  readonly clientOffsetMs: number;
  readonly cancelOnDisconnect: boolean;
  readonly unreadBytesMax: number;
  readonly faults: readonly FaultRate[];
  readonly acts: readonly WireAct[];
}

const FAULTS: readonly (readonly [kind: FaultKind, most: number, maxMs: number])[] = [
  ['wire_refused', 0.5, 0],
  ['wire_cut', 0.1, 0],
  ['wire_half_open', 0.03, 0],
  ['wire_late', 0.1, 6_000],
  ['wire_swapped', 0.5, 0],
  ['wire_repeated', 0.3, 0],
  ['wire_garbled', 0.2, 0],
  ['wire_rate_ended', 0.05, 0],
  ['wire_query_refused', 0.3, 0],
  ['wire_unread', 0.02, 4_000],
  ['market_thin', 0.2, 0],
  ['market_one_sided', 0.2, 0],
  ['market_fast', 0.3, 0],
];
const STORM_MS = 9_000;
/** Faults then meet the accept of a Block RFQ, which has to wait for five seconds. */
const RFQ_STORM_MS = 9_000;

export function drawWirePlan(seed: string): WirePlan {
  const draw = rng(`${seed}/wire`);
  const more = rng(`${seed}/wire/more`);
  const hasRfq = more.next() < 0.25;
  const shortestMs = hasRfq ? RFQ_STORM_MS : 3_000;
  const stormMs = Math.max(shortestMs, 3_000 + draw.below(STORM_MS));
  const exchange = drawPlan(seed, 'cheap');
  const faults = FAULTS.flatMap(([kind, most, maxMs]) =>
    draw.next() < 0.45 ? [{ kind, chance: draw.next() ** 2 * most, maxMs }] : [],
  );
  const acts = Array.from({ length: 4 + draw.below(20) }, () => drawAct(draw, stormMs));
  const restarts = drawRestarts(draw, stormMs);
  const exchangeDeaths = draw.next() < 0.25 ? drawDeaths(draw, stormMs) : undefined;
  const others = drawOthers(more, { stormMs, hasRfq });
  const isSlowReader = more.next() < 0.2;
  if (isSlowReader) {
    const own = faults.findIndex(({ kind }) => kind === 'wire_unread');
    const unread = { kind: 'wire_unread', chance: 0.02 + 0.1 * more.next(), maxMs: 6_000 } as const;
    faults.splice(own < 0 ? faults.length : own, 1, unread);
  }
  const expiresAfterMs = more.next() < 0.25 ? 500 + more.below(stormMs) : undefined;
  if (more.next() < 0.3) {
    faults.push({ kind: 'wire_book_lost', chance: 0.3 * more.next(), maxMs: 0 });
  }
  return {
    seed,
    stormMs,
    exchange: { ...exchange, expiresAfterMs, faults, exchangeDeaths },
    clientOffsetMs: draw.below(300) - 150,
    cancelOnDisconnect: draw.next() < 0.2,
    unreadBytesMax: isSlowReader ? 8_000 + more.below(12_000) : 4_000_000,
    faults,
    acts: [...acts, ...others, ...restarts].sort((one, other) => one.atMs - other.atMs),
  };
}

function drawRestarts(draw: Rng, stormMs: number): readonly WireAct[] {
  const restarts: WireAct[] = [];
  if (draw.next() < 0.2) {
    restarts.push({
      kind: 'restart_gateway',
      atMs: draw.below(stormMs),
      restMs: draw.below(3_000),
    });
  }
  if (draw.next() < 0.2) restarts.push({ kind: 'restart_client', atMs: draw.below(stormMs) });
  return restarts;
}

function drawOthers(
  draw: Rng,
  { stormMs, hasRfq }: { readonly stormMs: number; readonly hasRfq: boolean },
): readonly WireAct[] {
  const conditional = draw.next() < 0.5 ? 2 + draw.below(9) : 0;
  const trips = draw.next() < 0.3 ? 1 + draw.below(4) : 0;
  return [
    ...Array.from({ length: conditional }, () => drawConditional(draw, stormMs)),
    ...Array.from({ length: trips }, () => drawTrip(draw, stormMs)),
    ...(hasRfq ? drawRfqActs(draw, stormMs) : []),
  ];
}

const drawDeaths = (draw: Rng, stormMs: number): readonly ExchangeDeath[] =>
  Array.from({ length: 1 + draw.below(2) }, () => ({
    atMs: draw.below(stormMs),
    restMs: 50 + draw.below(1_500),
    // All bytes of a command without an answer, and none of them, are cases of their own.
    keeps: draw.next() < 0.5 ? draw.below(2) : draw.next(),
  }));

type Named = readonly [name: string, without: (plan: WirePlan) => WirePlan];

const parts = (plan: WirePlan): readonly Named[] => [
  ...plan.acts.map((act): Named => [`${act.kind}-${act.atMs}`, (left) => noAct(left, act)]),
  ...plan.faults.map(({ kind }): Named => [kind, (left) => noFault(left, kind)]),
  ['expiry', (left) => ({ ...left, exchange: { ...left.exchange, expiresAfterMs: undefined } })],
  [
    'exchange-deaths',
    (left) => ({ ...left, exchange: { ...left.exchange, exchangeDeaths: undefined } }),
  ],
  ['client-offset', (left) => ({ ...left, clientOffsetMs: 0 })],
  ['cancel-on-disconnect', (left) => ({ ...left, cancelOnDisconnect: false })],
];

/** What can be left out of the plan: what is done, how the line fails, the clock of the client. */
export const wirePartsOf = (plan: WirePlan): readonly string[] => parts(plan).map(([name]) => name);

/** Throws for a name that the plan does not have. */
export function withoutWireParts(plan: WirePlan, names: readonly string[]): WirePlan {
  const known = new Map(parts(plan));
  return names.reduce((left, name) => {
    const without = known.get(name);
    if (without === undefined) {
      throw new Error(`the plan has no part "${name}"; it has ${[...known.keys()].join(', ')}`);
    }
    return without(left);
  }, plan);
}

const noAct = (plan: WirePlan, gone: WireAct): WirePlan => ({
  ...plan,
  acts: plan.acts.filter((act) => act !== gone),
});

function noFault(plan: WirePlan, gone: FaultKind): WirePlan {
  const faults = plan.faults.filter(({ kind }) => kind !== gone);
  return { ...plan, faults, exchange: { ...plan.exchange, faults } };
}

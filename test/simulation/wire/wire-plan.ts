// The plan of one run of the wire: what a trader asks of the adapter, when processes end, and how the line fails.
import { type Rng, rng } from '../../../src/values/rng.ts';
import { drawPlan } from '../plan/draw-plan.ts';
import { pick } from '../plan/pick.ts';
import type {
  ExchangeDeath,
  FaultKind,
  FaultRate,
  InstrumentPick,
  SimulationPlan,
} from '../plan/plan.ts';

export type WireAct =
  | {
      readonly kind: 'place';
      readonly atMs: number;
      readonly account: number;
      readonly instrument: InstrumentPick;
      readonly side: 'buy' | 'sell';
      readonly lots: number;
      /** From where the market begins, in ticks; towards the market where positive. */
      readonly offsetTicks: number;
      readonly timeInForce: 'good_til_cancelled' | 'immediate_or_cancel' | 'fill_or_kill';
      readonly postOnly: boolean;
      readonly validMs: number;
    }
  /** Another size and price of the trader's n-th order. */
  | {
      readonly kind: 'edit';
      readonly atMs: number;
      readonly order: number;
      readonly lots: number;
      readonly ticks: number;
      readonly isByLabel: boolean;
      readonly validMs: number;
    }
  | {
      readonly kind: 'cancel';
      readonly atMs: number;
      readonly order: number;
      readonly isByLabel: boolean;
    }
  | { readonly kind: 'cancel_all'; readonly atMs: number; readonly account: number }
  | {
      readonly kind: 'look_up';
      readonly atMs: number;
      readonly account: number;
      readonly what: 'open' | 'order' | 'label' | 'positions' | 'trades' | 'history';
      readonly order: number;
    }
  /** The gateway's process ends, and the next one begins after a rest. */
  | { readonly kind: 'restart_gateway'; readonly atMs: number; readonly restMs: number }
  /** The adapter's process ends, and the next one begins at once. */
  | { readonly kind: 'restart_client'; readonly atMs: number };

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

export function drawWirePlan(seed: string): WirePlan {
  const draw = rng(`${seed}/wire`);
  const stormMs = 3_000 + draw.below(STORM_MS);
  const exchange = drawPlan(seed, 'cheap');
  const faults = FAULTS.flatMap(([kind, most, maxMs]) =>
    draw.next() < 0.45 ? [{ kind, chance: draw.next() ** 2 * most, maxMs }] : [],
  );
  const acts = Array.from({ length: 4 + draw.below(20) }, () => drawAct(draw, stormMs));
  const restarts: WireAct[] = [];
  if (draw.next() < 0.2) {
    restarts.push({
      kind: 'restart_gateway',
      atMs: draw.below(stormMs),
      restMs: draw.below(3_000),
    });
  }
  if (draw.next() < 0.2) restarts.push({ kind: 'restart_client', atMs: draw.below(stormMs) });
  const exchangeDeaths = draw.next() < 0.25 ? drawDeaths(draw, stormMs) : undefined;
  return {
    seed,
    stormMs,
    exchange: { ...exchange, expiresAfterMs: undefined, faults, exchangeDeaths },
    clientOffsetMs: draw.below(300) - 150,
    cancelOnDisconnect: draw.next() < 0.2,
    unreadBytesMax: draw.next() < 0.3 ? 20_000 : 4_000_000,
    faults,
    acts: [...acts, ...restarts].sort((one, other) => one.atMs - other.atMs),
  };
}

function drawAct(draw: Rng, stormMs: number): WireAct {
  const atMs = draw.below(stormMs);
  const account = draw.below(2);
  const order = draw.below(12);
  const validMs = pick(draw, [300, 1_000, 1_000, 3_000]);
  const kind = draw.next();
  if (kind < 0.5) {
    return {
      kind: 'place',
      atMs,
      account,
      validMs,
      instrument: pick(draw, ['perpetual', 'perpetual', 'spot', 'option'] as const),
      side: pick(draw, ['buy', 'sell'] as const),
      lots: 1 + draw.below(40),
      offsetTicks: draw.below(60) - 40,
      timeInForce: pick(draw, [
        'good_til_cancelled',
        'good_til_cancelled',
        'good_til_cancelled',
        'immediate_or_cancel',
        'fill_or_kill',
      ] as const),
      postOnly: draw.next() < 0.2,
    };
  }
  if (kind < 0.65) {
    const ticks = draw.below(60) - 40;
    return {
      kind: 'edit',
      atMs,
      order,
      ticks,
      validMs,
      lots: 1 + draw.below(40),
      isByLabel: draw.next() < 0.5,
    };
  }
  if (kind < 0.75) return { kind: 'cancel', atMs, order, isByLabel: draw.next() < 0.5 };
  if (kind < 0.8) return { kind: 'cancel_all', atMs, account };
  const what = pick(draw, ['open', 'order', 'label', 'positions', 'trades', 'history'] as const);
  return { kind: 'look_up', atMs, account, what, order };
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

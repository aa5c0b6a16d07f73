// One parent order through the production engine in virtual time, on a venue where market children fill at
// once, except for the faults of a case; and the distance of its fills from the straight line.

import { isTerminal } from '../src/core/portfolio/aggregate/portfolio-state.ts';
import type { PortfolioForm } from '../src/core/terms/form.ts';
import { price, quantity, toNumber, ZERO_QUANTITY } from '../src/values/amounts.ts';
import { must } from '../src/values/assert.ts';
import { parseChildLabel } from '../src/values/ids.ts';
import { later } from '../src/values/instant.ts';
import type { Instrument } from '../src/values/instrument.ts';
import { form, legForm, submitted, world } from '../test/support/engine/engine-world.ts';
import { NOON, quote, spot } from '../test/support/engine/markets.ts';

export interface PeerCase {
  readonly name: string;
  readonly total: string;
  readonly durationSec: number;
  readonly frequencySec: number;
  /** Orders sent from … until (exclusive), in seconds after the start, are not filled, or are refused. */
  readonly dead?: {
    readonly fromSec: number;
    readonly untilSec: number;
    readonly how: 'unfilled' | 'refused';
  };
}

export const PEER_CASES: readonly PeerCase[] = [
  { name: 'A', total: '10', durationSec: 600, frequencySec: 60 },
  { name: 'B', total: '10', durationSec: 600, frequencySec: 90 },
  { name: 'C', total: '1', durationSec: 630, frequencySec: 90 },
  { name: 'D', total: '0.5', durationSec: 600, frequencySec: 60 },
  {
    name: 'E',
    total: '10',
    durationSec: 600,
    frequencySec: 60,
    dead: { fromSec: 120, untilSec: 240, how: 'unfilled' },
  },
  {
    name: 'F',
    total: '10',
    durationSec: 600,
    frequencySec: 60,
    dead: { fromSec: 180, untilSec: 240, how: 'refused' },
  },
];

export interface CourseFigures {
  readonly filledPercent: number;
  /** Mean |filled − straight line| over every second from 0 to the end, in percent of the parent. */
  readonly offLinePercent: number;
  /** The largest quantity sent for one slice, divided by the even slice. */
  readonly largestOverNominal: number;
  /** The largest slice divided by its own plan; a cap bounds it. */
  readonly largestOverPlanned: number;
  readonly slices: number;
  /** Slices for which at least one order was sent. */
  readonly slicesSent: number;
  readonly ordersSent: number;
  readonly isOver: boolean;
}

const LOT = quantity('0.1');
const COIN: Instrument = spot({ amountStep: LOT, minAmount: LOT, contractSize: LOT });
const DEEP = quote(COIN, [99_999, 100_001]);
/** Quotes to price by, without quantity to take. */
const EMPTY = {
  ...DEEP,
  ask: { price: price('100001'), quantity: ZERO_QUANTITY },
};

export async function peerCourse(
  { total, durationSec, frequencySec, dead }: PeerCase,
  execution: PortfolioForm['execution'],
): Promise<CourseFigures> {
  const { venue, clock, engine, operations, run } = world({ instruments: [COIN] });
  const isDead = (): boolean => {
    const afterSec = (clock.now() - NOON) / 1_000;
    return dead !== undefined && afterSec >= dead.fromSec && afterSec < dead.untilSec;
  };
  venue.show(DEEP);
  if (dead?.how === 'unfilled') {
    clock.at(later(NOON, dead.fromSec * 1_000), () => venue.show(EMPTY));
    clock.at(later(NOON, dead.untilSec * 1_000), () => venue.show(DEEP));
  }
  let refused = 0;
  venue.mishap = (method) => {
    if (dead?.how !== 'refused' || method !== 'place' || !isDead()) return undefined;
    refused += 1;
    return { code: 10_041, later: true };
  };
  await engine.start();
  const leg = legForm({
    instrument: COIN.name,
    instrumentType: 'spot',
    quantity: quantity(total),
  });
  const twapTrade = { durationSec, frequencySec };
  const asked = form({ twapTrade, legs: [leg], execution });
  const planned = await operations.plan(asked, { uid: 'bench', nickname: 'bench' });
  const portfolio = await submitted({ operations } as Parameters<typeof submitted>[0], asked);
  const filled: number[] = [];
  for (let second = 0; second <= durationSec; second += 1) {
    await run(0);
    filled.push(toNumber(venue.filled(COIN.name)));
    await run(1_000);
  }
  await run(120_000);
  const state = must(engine.turns.peek(portfolio), 'the portfolio is in memory');
  engine.stop();
  if (planned.kind === 'refused') throw new Error(JSON.stringify(planned.rejections));
  const whole = Number(total);
  const plan = planned.value.slices.map((slice) => Number(slice.quantity));
  const sizes = largestPerSlice(venue);
  const ratios = [...sizes].map(([slice, size]) => size / (plan[slice] ?? Number.NaN));
  return {
    filledPercent: (100 * must(filled.at(-1), 'there is a last second')) / whole,
    offLinePercent: offLine(filled, whole),
    largestOverNominal:
      (Math.max(...sizes.values()) * nominalSlices(durationSec, frequencySec)) / whole,
    largestOverPlanned: Math.max(...ratios),
    slices: plan.length,
    slicesSent: state.legs[0]?.slicesPlaced ?? 0,
    ordersSent: venue.kept.length + refused,
    isOver: isTerminal(state.status),
  };
}

const nominalSlices = (durationSec: number, frequencySec: number): number =>
  durationSec / frequencySec;

function offLine(filled: readonly number[], whole: number): number {
  const last = filled.length - 1;
  const distances = filled.map((value, second) => Math.abs(value / whole - second / last));
  return (100 * distances.reduce((sum, one) => sum + one, 0)) / filled.length;
}

/** By slice, the largest single order that the venue accepted. */
function largestPerSlice(venue: ReturnType<typeof world>['venue']): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  for (const { order } of venue.kept) {
    const slice = must(parseChildLabel(order.label), 'children carry our labels').slice;
    sizes.set(slice, Math.max(sizes.get(slice) ?? 0, toNumber(order.quantity)));
  }
  return sizes;
}

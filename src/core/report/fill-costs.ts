// What the fills and resting children of a leg cost, summed for its report: spreads, improvement, markouts, fees, and what
// resting earned and missed.
import {
  distance,
  fraction,
  isPositive,
  type Money,
  minus,
  type Price,
  plus,
  type Quantity,
  text,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { type Instrument, type Side, signOf } from '../../values/instrument.ts';
import { type Horizon, type MeasuredFill, ofUnderlying, weighted } from './fill-measures.ts';
import type { LegHistory } from './leg-history.ts';
import type { MarketSeries } from './market-series.ts';
import { optionCosts } from './option-units.ts';
import type { LegCosts, MarkoutShown, OptionShown, Quantiles } from './report-shapes.ts';

const BPS = 10_000;

interface RestingQuestion {
  readonly story: LegHistory;
  readonly fills: readonly MeasuredFill[];
  readonly series: MarketSeries;
  readonly side: Side;
}

/** Of distances from exact mids: as many as a float carries. */
const EXACT_PLACES = 12;

const twice = (bps: number | undefined): number | null =>
  exactIf(bps === undefined ? bps : 2 * bps);

export function spreadOf(fills: readonly MeasuredFill[]): LegCosts['spread'] {
  const both = fills.filter(
    ({ effective, quoted }) => effective !== undefined && quoted !== undefined,
  );
  const effective = weighted(fills, (one) => one.effective);
  const quoted = weighted(both, (one) => one.quoted);
  const comparable = weighted(both, (one) => one.effective);
  const realised = weighted(fills, ({ markouts }) => markouts.get('1m'));
  const ratio =
    comparable === undefined || quoted === undefined || quoted.perUnit === 0
      ? null
      : round(comparable.perUnit / quoted.perUnit);
  return {
    effectiveBps: twice(effective?.bps),
    quotedBps: twice(quoted?.bps),
    ratio,
    realisedBps: twice(realised?.bps),
    fillsWithoutMid: fills.filter(({ mid }) => mid === undefined).length,
    fillsWithLateMid: fills.filter(({ isMidLate }) => isMidLate).length,
  };
}

export function improvementOf(fills: readonly MeasuredFill[]): LegCosts['improvement'] {
  const found = weighted(fills, ({ improvement }) => improvement);
  return found === undefined ? null : { bps: roundIf(found.bps), perUnit: found.perUnit };
}

const ofKind = (fills: readonly MeasuredFill[], kind: 'maker' | 'taker'): readonly MeasuredFill[] =>
  fills.filter(({ fill }) => fill.liquidity === kind);

export function markoutOf(
  fills: readonly MeasuredFill[],
  horizon: Horizon,
  { kind, marginKind }: Instrument,
): readonly MarkoutShown[] {
  const baseOf = kind === 'option' ? ofUnderlying(marginKind === 'inverse') : undefined;
  const at = ({ markouts }: MeasuredFill): Price | undefined => markouts.get(horizon);
  const all = weighted(fills, at, baseOf);
  if (all === undefined) return [];
  return [
    {
      horizon,
      fills: all.fills,
      missing: all.missing,
      bps: exactIf(all.bps),
      standardError: roundIf(all.standardError),
      perUnit: all.perUnit,
      makerBps: exactIf(weighted(ofKind(fills, 'maker'), at, baseOf)?.bps),
      takerBps: exactIf(weighted(ofKind(fills, 'taker'), at, baseOf)?.bps),
    },
  ];
}

export function liquidityOf(
  fills: readonly MeasuredFill[],
  filled: Quantity,
): LegCosts['liquidity'] {
  const shareOf = (kind: 'maker' | 'taker'): number | null =>
    filled.isZero() ? null : round(fraction(quantityOf(ofKind(fills, kind)), filled), 6);
  const fees = new Map<string, Money>();
  for (const { fill } of fills) {
    fees.set(fill.feeCurrency, plus(fees.get(fill.feeCurrency) ?? ZERO_MONEY, fill.fee));
  }
  return {
    makerShare: shareOf('maker'),
    takerShare: shareOf('taker'),
    fees: [...fees].map(([currency, amount]) => ({ currency, amount: text(amount) })),
  };
}

const quantityOf = (fills: readonly MeasuredFill[]): Quantity =>
  fills.reduce((sum, { fill }) => plus(sum, fill.quantity), ZERO_QUANTITY);

/** Children that stayed in the book: at least one maker fill, or none at all and not refused. */
export function restingOf({ story, fills, series, side }: RestingQuestion): LegCosts['resting'] {
  const resting = story.children.filter(
    ({ made, filled, outcome, isBlock, timeInForce }) =>
      !isBlock &&
      (isPositive(made) ||
        (filled.isZero() &&
          timeInForce === 'good_til_cancelled' &&
          (outcome === 'open' || outcome === 'cancelled'))),
  );
  let [posted, made] = [ZERO_QUANTITY, ZERO_QUANTITY];
  let [unfilled, units] = [0, 0];
  for (const child of resting) {
    posted = plus(posted, child.quantity);
    made = plus(made, child.made);
    const mid = child.closedAt && series.midAt(child.closedAt);
    const left = minus(child.quantity, child.filled).toNumber();
    if (mid === undefined || left === 0 || !isPositive(mid)) continue;
    units += left;
    unfilled += signOf(side) * fraction(distance(child.price, mid), mid) * left * BPS;
  }
  const makers = ofKind(fills, 'maker').filter(
    ({ markouts }) => markouts.has('10s') && markouts.has('0s'),
  );
  const [at0, at10] = (['0s', '10s'] as const).map((horizon) =>
    weighted(makers, ({ markouts }) => markouts.get(horizon)),
  );
  const against = makers.filter(({ markouts }) => markouts.get('10s')?.gt(0)).length;
  const hasBoth = at0?.bps !== undefined && at10?.bps !== undefined;
  return {
    children: resting.length,
    posted: text(posted),
    filled: text(made),
    fillRate: posted.isZero() ? null : round(fraction(made, posted), 6),
    adverseBps: hasBoth ? round((at10?.bps ?? 0) - (at0?.bps ?? 0)) : null,
    adverseShare: makers.length === 0 ? null : round(against / makers.length),
    unfilledBps: units === 0 ? null : round(unfilled / units),
  };
}

export function quantilesOf(values: readonly number[]): Quantiles | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

export function optionOf(
  fills: readonly MeasuredFill[],
  instrument: Instrument,
  side: Side,
): readonly OptionShown[] {
  const references = [
    ['mid', ({ mid }: MeasuredFill) => mid],
    ['mark', ({ market }: MeasuredFill) => market?.mark],
  ] as const;
  return references.flatMap(([reference, of]) => {
    const costs = optionCosts(fills, { instrument, side }, of);
    if (costs === undefined) return [];
    const { premium, coverage, ...measures } = costs;
    return { reference, premium, ...toNinePlaces(measures), coverage };
  });
}

/** What lies beyond says nothing. */
const toNinePlaces = <T extends Readonly<Record<string, number | null>>>(measures: T): T =>
  Object.fromEntries(
    Object.entries(measures).map(([name, value]) => [
      name,
      value === null ? null : round(value, 9),
    ]),
  ) as T;

export const round = (value: number, places = 4): number => Number(value.toFixed(places));
const exactIf = (value: number | undefined): number | null =>
  value === undefined ? null : round(value, EXACT_PLACES);
const roundIf = (value: number | undefined): number | null =>
  value === undefined ? null : round(value);

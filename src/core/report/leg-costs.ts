// The costs of one leg: benchmarks over its interval, the shortfall and its parts, spreads, markouts, resting children,
// schedule and lateness.
import {
  averageInversePriceOn,
  averagePriceOn,
  distance,
  fraction,
  isPositive,
  type Money,
  minus,
  notional,
  type Price,
  plus,
  price,
  type Quantity,
  text,
  toNumber,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { type Instant, instant, isoText, MINUTE_MS, SECOND_MS } from '../../values/instant.ts';
import {
  type Instrument,
  isCombo,
  isPricedInversely,
  type Side,
  signOf,
} from '../../values/instrument.ts';
import { fillValue, quantityCurrency } from '../portfolio/aggregate/currencies.ts';
import type { LegMoment } from './cost-rows.ts';
import {
  improvementOf,
  liquidityOf,
  markoutOf,
  optionOf,
  quantilesOf,
  restingOf,
  round,
  spreadOf,
} from './fill-costs.ts';
import { HORIZONS, type MeasuredFill, shownPrice } from './fill-measures.ts';
import { fundingPaid } from './funding-paid.ts';
import { impliedCourse } from './implied-course.ts';
import type { LegHistory } from './leg-history.ts';
import type { IntervalFigures, MarketSeries } from './market-series.ts';
import { inShares, type Stretch } from './planned-line.ts';
import type { LegCosts, ShortfallShown } from './report-shapes.ts';
import { deviation } from './schedule-deviation.ts';
import { type Shortfall, shortfall } from './shortfall.ts';

export interface LegQuestion {
  readonly leg: number;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly hedge: boolean;
  readonly asked: Quantity;
  readonly startAt: Instant;
  /** The end of the schedule, or now if that is earlier; without a schedule, of the portfolio. */
  readonly endAt: Instant;
  /** Until when the interval goes: the end of the portfolio, or now. */
  readonly activeTo: Instant;
  /** What the plans in force called for; absent for a hedge and without a schedule. */
  readonly line: readonly Stretch[] | undefined;
  readonly story: LegHistory;
  readonly fills: readonly MeasuredFill[];
  readonly series: MarketSeries;
  readonly submitted: LegMoment | undefined;
}

/** A later mid is no arrival price. */
const ARRIVAL_WITHIN_MS = MINUTE_MS;
/** Points of a course, at most. */
const COURSE_POINTS = 500;
const BPS = 10_000;
const PLACES_MORE = 6;

export function legCosts(question: LegQuestion): LegCosts {
  const { leg, instrument, side, hedge, asked, fills, series, story, submitted } = question;
  const { startAt, endAt, activeTo } = question;
  const filled = fills.reduce((sum, { fill }) => plus(sum, fill.quantity), ZERO_QUANTITY);
  const average = averageOf(fills, instrument, filled);
  const window = series.figures({ from: startAt, to: endAt });
  const active = series.figures({ from: startAt, to: activeTo });
  const arrival = series.firstMid(startAt, ARRIVAL_WITHIN_MS);
  const decision = (submitted?.market && midIn(submitted)) ?? arrival?.mid;
  const final = series.midAt(activeTo);
  return {
    leg,
    instrument: instrument.name,
    kind: instrument.kind,
    side,
    hedge,
    isInverse: isPricedInversely(instrument),
    unit: quantityCurrency(instrument),
    tickSize: text(instrument.tickSize),
    asked: text(asked),
    filled: text(filled),
    residual: text(minus(asked, filled)),
    averagePrice: shownPrice(average),
    benchmarks: {
      decision: shownPrice(decision),
      arrival: shownPrice(arrival?.mid),
      arrivalLateMs: arrival === undefined ? null : arrival.at - startAt,
      ...benchmarksOf(window),
      activeTwap: shownPrice(active.twap),
      final: shownPrice(final),
    },
    slippage: slippageOf(average, side, { decision, arrival: arrival?.mid, window }),
    participation: participationOf(fills, active),
    volume: active.volume === undefined ? null : text(active.volume),
    ...shortfallOf(question, {
      filled,
      arrival: arrival?.mid,
      arrivalAt: arrival?.at ?? startAt,
      decision,
      final,
      active,
    }),
    expected: expectedOf(submitted),
    spread: spreadOf(fills),
    improvement: improvementOf(fills),
    markouts: HORIZONS.flatMap(({ name }) => markoutOf(fills, name, instrument)),
    liquidity: liquidityOf(fills, filled),
    resting: restingOf(question),
    funding: fundingOf(question),
    schedule: scheduleOf(question),
    lateness: latenessOf(story),
    course: courseOf(question, active.holes),
    volatility: volatilityOf(question, active.holes),
    option: instrument.kind === 'option' ? optionOf(fills, instrument, side) : [],
  };
}

/** Own fills are in the volume. With less volume than that the record has not counted all of it, and the share is not known. */
function participationOf(
  fills: readonly MeasuredFill[],
  { volume, countedTo }: Pick<IntervalFigures, 'volume' | 'countedTo'>,
): number | null {
  // Of a portfolio at work the latest fills are not counted yet.
  const filled = filledInBook(
    fills.filter(({ fill }) => countedTo !== undefined && fill.tradedAt <= countedTo),
  );
  if (volume === undefined || volume.isZero() || volume.lt(filled)) return null;
  return round(fraction(filled, volume), 6);
}

/** A Block RFQ trades outside it. */
const filledInBook = (fills: readonly MeasuredFill[]): Quantity =>
  fills.reduce(
    (sum, { fill }) => (fill.child.isBlock ? sum : plus(sum, fill.quantity)),
    ZERO_QUANTITY,
  );

const stepOf = ({ startAt, activeTo }: LegQuestion): number =>
  Math.max(SECOND_MS, (activeTo - startAt) / COURSE_POINTS);

const volatilityOf = (question: LegQuestion, holes: IntervalFigures['holes']) =>
  impliedCourse({
    instrument: question.instrument,
    series: question.series,
    stepMs: stepOf(question),
    from: question.startAt,
    to: question.activeTo,
    breaks: holes.map(({ from }) => from),
  });

/** The touch over time, thinned for charts: the first row of each step, and where holes begin. */
function courseOf(question: LegQuestion, holes: IntervalFigures['holes']): LegCosts['course'] {
  const { series, startAt, activeTo } = question;
  const seen = series
    .points({ from: startAt, to: activeTo }, stepOf(question))
    .map(({ at, market }) => ({
      at,
      bid: shownPrice(market.bid?.price),
      ask: shownPrice(market.ask?.price),
    }));
  return [...seen, ...holes.map(({ from }) => ({ at: from, bid: null, ask: null }))]
    .sort((a, b) => a.at - b.at)
    .map((one) => ({ ...one, at: isoText(one.at) }));
}

const midIn = ({ market }: LegMoment): Price | undefined => {
  if (market?.bid === undefined || market.ask === undefined) return undefined;
  return market.bid.price.plus(market.ask.price).div(2) as Price;
};

/** Harmonic for contracts sized in USD; `undefined` without fills. */
export function averageOf(
  fills: readonly MeasuredFill[],
  instrument: Instrument,
  filled: Quantity,
): Price | undefined {
  if (filled.isZero()) return undefined;
  const value = fills.reduce(
    (sum, { fill }) => plus(sum, fillValue(instrument, fill.price, fill.quantity)),
    ZERO_MONEY,
  );
  const grid = { places: instrument.tickSize.dp() + PLACES_MORE, rounding: 'half_even' } as const;
  return isPricedInversely(instrument)
    ? averageInversePriceOn(filled, value, grid)
    : averagePriceOn(value, filled, grid);
}

/** Average against a benchmark; positive is a cost. */
export function slippageBps(
  average: Price | undefined,
  benchmark: Price | undefined,
  side: Side,
): number | null {
  if (average === undefined || benchmark === undefined || !isPositive(benchmark)) return null;
  return round(signOf(side) * fraction(distance(benchmark, average), benchmark) * BPS);
}

function slippageOf(
  average: Price | undefined,
  side: Side,
  of: {
    readonly decision: Price | undefined;
    readonly arrival: Price | undefined;
    readonly window: IntervalFigures;
  },
): LegCosts['slippage'] {
  const bps = (benchmark: Price | undefined): number | null =>
    slippageBps(average, benchmark, side);
  return {
    decisionBps: bps(of.decision),
    arrivalBps: bps(of.arrival),
    twapBps: bps(of.window.twap),
    vwapBps: bps(of.window.vwap),
  };
}

const benchmarksOf = ({ twap, coverage, vwap, holes }: IntervalFigures) => ({
  twap: shownPrice(twap),
  twapCoverage: round(coverage, 4),
  vwap: shownPrice(vwap),
  holes: holes.map(({ from, to }) => ({ from: isoText(from), to: isoText(to) })),
});

interface Prices {
  readonly filled: Quantity;
  readonly decision: Price | undefined;
  readonly arrival: Price | undefined;
  readonly arrivalAt: Instant;
  readonly final: Price | undefined;
  readonly active: IntervalFigures;
}

function shortfallOf(
  { instrument, asked, side, fills, series }: LegQuestion,
  { filled, decision, arrival, arrivalAt, final, active }: Prices,
): Pick<LegCosts, 'shortfall' | 'shortfallMissing'> {
  const missing = (why: string) => ({ shortfall: null, shortfallMissing: why });
  if (isCombo(instrument)) return missing('the price of a combo is a difference, and no value');
  if (decision === undefined || arrival === undefined) {
    return missing('no mid was recorded within a minute of the start');
  }
  if (final === undefined && isPositive(minus(asked, filled))) {
    return missing('no mid was recorded at the end for what was left');
  }
  const currency = isPricedInversely(instrument) ? instrument.base : instrument.quote;
  const whole = shortfall({
    side,
    asked,
    decision,
    arrival,
    end: final,
    twap: active.twap,
    isInverse: isPricedInversely(instrument),
    fills: fills.map(({ fill, mid }) => ({ quantity: fill.quantity, price: fill.price, mid })),
    fees: feesIn(fills, currency, instrument),
  });
  const rate = rateOf(currency, instrument, { series, at: arrivalAt });
  const seen = series.inForce(arrivalAt)?.market;
  const forward = seen?.underlying ?? seen?.index;
  return {
    shortfall: shownShortfall(whole, { instrument, currency, rate, asked, forward }),
    shortfallMissing: null,
  };
}

/** Fees in the currency of the shortfall; those of spot that are paid in the coin, at the price of their fill. */
function feesIn(
  fills: readonly MeasuredFill[],
  currency: string,
  { kind, base }: Instrument,
): Money {
  let sum = ZERO_MONEY;
  for (const { fill } of fills) {
    if (fill.feeCurrency === currency) sum = plus(sum, fill.fee);
    else if (kind === 'spot' && fill.feeCurrency === base) {
      sum = plus(sum, notional(fill.price, fill.fee as unknown as Quantity));
    }
  }
  return sum;
}

interface Converted {
  readonly instrument: Instrument;
  readonly currency: string;
  readonly rate: Price | undefined;
  readonly asked: Quantity;
  /** Of an option, at the arrival. */
  readonly forward: Price | undefined;
}

const ONE = price('1');
const DOLLARS = new Set(['USD', 'USDC', 'USDT']);

/** USD of one unit of the currency; `undefined` if it was not recorded. */
function rateOf(
  currency: string,
  { base }: Instrument,
  { series, at }: { readonly series: MarketSeries; readonly at: Instant },
): Price | undefined {
  if (DOLLARS.has(currency)) return ONE;
  const seen = series.inForce(at)?.market;
  return currency === base ? (seen?.underlying ?? seen?.index) : undefined;
}

function shownShortfall(
  whole: Shortfall,
  { instrument, currency, rate, asked, forward }: Converted,
): ShortfallShown {
  const inBps = (of: Money): number | null =>
    instrument.kind === 'option' || whole.atDecision.isZero()
      ? null
      : round(fraction(of, whole.atDecision) * BPS);
  const { total, delay, market, schedule, spread, unsplit, residual, fees } = whole;
  return {
    currency,
    total: text(total),
    delay: text(delay),
    market: text(market),
    schedule: text(schedule),
    spread: text(spread),
    unsplit: text(unsplit),
    residual: text(residual),
    fees: text(fees),
    bps: inBps(total),
    executionBps: inBps(plus(plus(spread, schedule), unsplit)),
    usd: rate === undefined ? null : round(total.toNumber() * rate.toNumber(), 2),
    orderUsd: rate === undefined ? null : round(whole.atDecision.toNumber() * rate.toNumber(), 2),
    rate: shownPrice(rate),
    underlyingBps:
      instrument.kind === 'option' ? underlyingBps(total, instrument, { asked, forward }) : null,
  };
}

/** A premium in coin is a share of the underlying itself. */
function underlyingBps(
  total: Money,
  { marginKind }: Instrument,
  { asked, forward }: Pick<Converted, 'asked' | 'forward'>,
): number | null {
  const each = marginKind === 'inverse' ? ONE : forward;
  if (each === undefined || !isPositive(asked)) return null;
  return round((total.toNumber() / (asked.toNumber() * each.toNumber())) * BPS);
}

function fundingOf(question: LegQuestion): LegCosts['funding'] {
  const { instrument, series, activeTo, startAt } = question;
  if (instrument.kind !== 'perpetual') return null;
  const found = fundingPaid({ ...question, to: activeTo });
  if (found === undefined) return null;
  const currency = isPricedInversely(instrument) ? instrument.base : instrument.quote;
  const at = series.firstMid(startAt, ARRIVAL_WITHIN_MS)?.at ?? startAt;
  const rate = rateOf(currency, instrument, { series, at });
  return {
    currency,
    paid: round(found.paid, 12),
    coverage: round(found.coverage, 4),
    usd: rate === undefined ? null : round(found.paid * rate.toNumber(), 6),
  };
}

const expectedOf = (submitted: LegMoment | undefined): LegCosts['expected'] =>
  submitted?.expected === undefined
    ? null
    : {
        bps: submitted.expected.bps ?? null,
        fee: text(submitted.expected.fee),
        feeCurrency: submitted.expected.feeCurrency,
      };

function scheduleOf({ fills, asked, line, endAt }: LegQuestion): LegCosts['schedule'] {
  if (line === undefined || asked.isZero()) return null;
  const points = fills.map(({ fill }) => ({
    at: fill.tradedAt as number,
    share: fraction(fill.quantity, asked),
  }));
  const { greatest, at, mean } = deviation(points, inShares(line, toNumber(asked)), endAt);
  return { greatest: round(greatest, 6), at: isoText(instant(at)), mean: round(mean, 6) };
}

function latenessOf({ slices }: LegHistory): LegCosts['lateness'] {
  const after = (at: Instant | undefined, dueAt: Instant | undefined): readonly number[] =>
    at === undefined || dueAt === undefined ? [] : [Math.max(0, at - dueAt)];
  const sent = slices.filter(({ sentAt }) => sentAt !== undefined);
  return {
    slices: sent.length,
    decidedMs: quantilesOf(sent.flatMap(({ sentAt, dueAt }) => after(sentAt, dueAt))),
    answeredMs: quantilesOf(sent.flatMap(({ liveAt, dueAt }) => after(liveAt, dueAt))),
  };
}

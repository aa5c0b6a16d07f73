// The result of a backtest as plain JSON: a pure function of the portfolio's events and of the recorded market.
// Slippage is signed so that positive is worse for the portfolio.
import { averageFillPrice } from '../../core/portfolio/aggregate/currencies.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import {
  endAt,
  legInstrument,
  legSpec,
  legState,
  remainingOf,
} from '../../core/portfolio/aggregate/positions.ts';
import type { PortfolioSummary } from '../../core/portfolio/summary/portfolio-summary.ts';
import { summarize } from '../../core/portfolio/summary/summarize.ts';
import { deviation, type FillPoint, straightLine } from '../../core/report/schedule-deviation.ts';
import {
  fraction,
  type Price,
  plus,
  type Quantity,
  quantity,
  rounded,
  text,
  toNumber,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import { parseChildLabel } from '../../values/ids.ts';
import { instant, isoText } from '../../values/instant.ts';
import { isCombo, type Side, signOf } from '../../values/instrument.ts';
import { type BalanceReport, balanceReport } from './backtest-balance.ts';
import type { Interval, MarketFigures } from './backtest-statistics.ts';
import { type SupportedFill, unsupportedFills } from './trade-support.ts';

export interface HoleReport {
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
}

/** The fills against the trades that were recorded meanwhile. */
export interface FillSupport {
  /** Filled over traded, while the schedule lasted: above 1 the leg took more than everybody else together. */
  readonly participation: number;
  /** Fills at a price, or of an amount, at which nobody traded within the ten seconds of the fill or the ten next to them. */
  readonly unsupportedFills: number;
  readonly unsupported: string;
}

export interface Slippage {
  readonly arrivalBps: number | null;
  readonly twapBps: number | null;
  readonly vwapBps: number | null;
}

export interface LegReport {
  readonly instrument: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly quantityIn: string;
  readonly filled: string;
  readonly filledShare: number;
  readonly residual: string;
  readonly averagePrice: string | null;
  readonly market: {
    readonly arrivalMid: string | null;
    readonly finalMid: string | null;
    readonly twap: string | null;
    /** The share of the time that the mean covers. */
    readonly twapCoverage: number;
    readonly vwap: string | null;
    readonly traded: string;
    readonly trades: number;
    readonly books: number;
    readonly holes: readonly HoleReport[];
  };
  readonly slippage: Slippage;
  /** Fills against the straight line from start to end; `null` for a hedge and for parts, which have no line. */
  readonly schedule: {
    /** Signed share of the total; negative is behind the plan. */
    readonly greatest: number;
    readonly at: string;
    readonly mean: number;
  } | null;
  /** Share of the filled quantity. */
  readonly makerShare: number;
  readonly takerShare: number;
  readonly fees: readonly { readonly currency: string; readonly amount: string }[];
  readonly slices: {
    readonly planned: number;
    readonly placed: number;
    readonly missed: number;
  };
  readonly children: number;
  readonly refused: number;
  readonly reprices: number;
  readonly fills: number;
  /** `null` where no trade was recorded. */
  readonly support: FillSupport | null;
  /** The number of times a slice could not place an order, by reason. */
  readonly waits: Readonly<Record<string, number>>;
  /** The cumulative share filled over time, for charts. */
  readonly path: readonly FillPoint[];
}

export interface BacktestReport {
  readonly portfolio: string;
  readonly status: string;
  readonly reason: string | null;
  readonly start: string;
  /** The end of the schedule; without one, the end of the portfolio. */
  readonly end: string;
  /** When the portfolio ended. */
  readonly over: string;
  readonly legs: readonly LegReport[];
  /** Set for a BALANCE portfolio only. */
  readonly balance: BalanceReport | null;
}

export interface ReportInput {
  /** The state after the events. */
  readonly state: PortfolioState;
  readonly events: readonly PortfolioEvent[];
  /** By instrument. */
  readonly figures: ReadonlyMap<string, MarketFigures>;
}

export function backtestReport({ state, events, figures }: ReportInput): BacktestReport {
  const material = { summary: summarize(state), tallies: talliesOf(state, events), figures };
  return {
    portfolio: state.id,
    status: state.status,
    reason: state.reason ?? null,
    start: isoText(state.spec.startAt),
    end: isoText(state.spec.balance === undefined ? endAt(state.spec) : state.updatedAt),
    over: isoText(state.updatedAt),
    legs: state.legs.map((_leg, index) => legReport(state, index, material)),
    balance: balanceReport(state.id, events),
  };
}

interface Material extends Pick<ReportInput, 'figures'> {
  readonly summary: PortfolioSummary;
  /** By leg. */
  readonly tallies: readonly Tally[];
}

function legReport(
  state: PortfolioState,
  leg: number,
  { summary: whole, tallies, figures }: Material,
): LegReport {
  const spec = legSpec(state, leg);
  const instrument = legInstrument(state, leg);
  const summary = must(whole.legs[leg], `leg ${leg} is summarized`);
  const market = must(figures.get(spec.instrument), `${spec.instrument} has figures`);
  const average = averageFillPrice(legState(state, leg), instrument);
  const tally = must(tallies[leg], `leg ${leg} is counted`);
  return {
    instrument: spec.instrument,
    side: spec.side,
    quantity: text(spec.quantity),
    quantityIn: summary.quantityIn,
    filled: summary.filled,
    filledShare: fraction(legState(state, leg).filled, spec.quantity),
    residual: text(remainingOf(state, leg)),
    averagePrice: shown(average),
    market: marketReport(market),
    slippage: isCombo(instrument) ? NO_SLIPPAGE : slippageOf(average, market, signOf(spec.side)),
    schedule: hasLine(state, leg) ? scheduleReport(state, tally.points) : null,
    makerShare: shareOf(tally.made, legState(state, leg).filled),
    takerShare: shareOf(tally.taken, legState(state, leg).filled),
    fees: summary.fees,
    slices: { ...pick(summary.slices) },
    children: tally.children,
    refused: tally.refused,
    reprices: summary.reprices,
    fills: tally.points.length,
    support: supportOf(tally.priced, market, spec.side),
    waits: tally.waits,
    path: cumulative(tally.points),
  };
}

const pick = ({ planned, placed, missed }: LegReport['slices']): LegReport['slices'] => ({
  planned,
  placed,
  missed,
});

function marketReport(figures: MarketFigures): LegReport['market'] {
  const { twapCoverage, trades, books, holes } = figures;
  return {
    arrivalMid: shown(figures.arrivalMid),
    finalMid: shown(figures.finalMid),
    twap: shown(figures.twap),
    twapCoverage,
    vwap: shown(figures.vwap),
    traded: text(figures.traded),
    trades,
    books,
    holes: holes.map(holeReport),
  };
}

const holeReport = ({ from, to }: Interval): HoleReport => ({
  from: isoText(from),
  to: isoText(to),
  seconds: (to - from) / 1_000,
});

const PRICE_PLACES = 8;

const shown = (price: Price | undefined): string | null =>
  price === undefined ? null : text(rounded(price, PRICE_PLACES, 'half_even'));

const shareOf = (part: Quantity, whole: Quantity): number =>
  whole.isZero() ? 0 : fraction(part, whole);

/** The price of a combo may be zero or below: basis points of it say nothing. */
const NO_SLIPPAGE: Slippage = { arrivalBps: null, twapBps: null, vwapBps: null };

function slippageOf(average: Price | undefined, market: MarketFigures, sign: 1 | -1): Slippage {
  const against = (benchmark: Price | undefined): number | null => {
    if (average === undefined || benchmark === undefined) return null;
    const bps = sign * (fraction(average, benchmark) - 1) * 10_000;
    return Math.round(bps * 1_000) / 1_000;
  };
  return {
    arrivalBps: against(market.arrivalMid),
    twapBps: against(market.twap),
    vwapBps: against(market.vwap),
  };
}

function supportOf(
  fills: readonly PricedFill[],
  { trades, traded, windows }: MarketFigures,
  side: Side,
): FillSupport | null {
  if (trades === 0) return null;
  const filled = fills.reduce((sum, { quantity: one }) => plus(sum, one), ZERO_QUANTITY);
  const without = unsupportedFills(fills, side, windows);
  const amount = without.reduce((sum, { quantity: one }) => plus(sum, one), ZERO_QUANTITY);
  return {
    participation: shareOf(filled, traded),
    unsupportedFills: without.length,
    unsupported: text(amount),
  };
}

const hasLine = (state: PortfolioState, leg: number): boolean =>
  !legSpec(state, leg).hedge && state.spec.balance === undefined;

function scheduleReport(
  state: PortfolioState,
  points: readonly FillPoint[],
): NonNullable<LegReport['schedule']> {
  const line = straightLine(state.spec.startAt, endAt(state.spec));
  const { greatest, at, mean } = deviation(points, line);
  return { greatest, at: isoText(instant(at)), mean };
}

interface PricedFill extends SupportedFill {
  readonly quantity: Quantity;
}

interface Tally {
  readonly points: FillPoint[];
  readonly priced: PricedFill[];
  made: Quantity;
  taken: Quantity;
  children: number;
  refused: number;
  readonly waits: Record<string, number>;
}

function talliesOf(state: PortfolioState, events: readonly PortfolioEvent[]): readonly Tally[] {
  const tallies = state.legs.map(
    (): Tally => ({
      points: [],
      priced: [],
      waits: {},
      children: 0,
      refused: 0,
      made: ZERO_QUANTITY,
      taken: ZERO_QUANTITY,
    }),
  );
  const ofLeg = (leg: number): Tally => must(tallies[leg], `leg ${leg} is counted`);
  const ofChild = (label: string): Tally | undefined => tallies[parseChildLabel(label)?.leg ?? -1];
  for (const event of events) {
    switch (event.kind) {
      case 'fill_booked': {
        const leg = parseChildLabel(event.label)?.leg ?? -1;
        if (leg in tallies) addFill(ofLeg(leg), event, legSpec(state, leg).quantity);
        break;
      }
      case 'slice_waiting': {
        const { waits } = ofLeg(event.leg);
        waits[event.reason] = (waits[event.reason] ?? 0) + 1;
        break;
      }
      case 'child_intended':
        ofLeg(event.leg).children += 1;
        break;
      case 'child_rejected': {
        const tally = ofChild(event.label);
        if (tally !== undefined) tally.refused += 1;
        break;
      }
      default:
    }
  }
  return tallies;
}

function addFill(
  tally: Tally,
  event: Extract<PortfolioEvent, { kind: 'fill_booked' }>,
  total: Quantity,
): void {
  const filled = quantity(event.quantity);
  const at = event.tradedAt;
  tally.points.push({ at, share: fraction(filled, total) });
  tally.priced.push({
    at,
    price: Number(event.price),
    amount: toNumber(filled),
    quantity: filled,
  });
  if (event.liquidity === 'maker') tally.made = plus(tally.made, filled);
  else tally.taken = plus(tally.taken, filled);
}

function cumulative(points: readonly FillPoint[]): readonly FillPoint[] {
  let sum = 0;
  return points.map(({ at, share }) => {
    sum += share;
    return { at, share: sum };
  });
}

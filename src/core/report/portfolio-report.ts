// The report on what one portfolio cost: a pure function of its events, of the recorded market, and of the instant at
// which it is made. It is computed in steps, so that a long history holds up nobody.

import { plus, quantity, text, ZERO_QUANTITY } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import type { InstrumentName, PortfolioId } from '../../values/ids.ts';
import {
  earliest,
  INSTANT_MAX,
  type Instant,
  isoText,
  later,
  latest,
  MINUTE_MS,
  SECOND_MS,
} from '../../values/instant.ts';
import { counted } from '../../values/text/written-figures.ts';
import { mmpTradeName } from '../mmp/mmp-command.ts';
import type { PortfolioEvent } from '../portfolio/aggregate/portfolio-event.ts';
import { isTerminal, type PortfolioState } from '../portfolio/aggregate/portfolio-state.ts';
import { endAt, legInstrument, legSpec } from '../portfolio/aggregate/positions.ts';
import { Replay } from '../portfolio/aggregate/replay.ts';
import type { LegMoment, MarketInstant, MarketSecond } from './cost-rows.ts';
import { horizonsPast, type MeasuredFill, measureFill, shownPrice } from './fill-measures.ts';
import { impliedAt } from './implied-course.ts';
import { type LegQuestion, legCosts } from './leg-costs.ts';
import { type ChildHistory, type LegHistory, LegHistoryBuilder } from './leg-history.ts';
import { MarketSeries } from './market-series.ts';
import { packageCosts } from './package-costs.ts';
import { plannedLine } from './planned-line.ts';
import type { ChildShown, FillShown, LegCosts, PortfolioReport } from './report-shapes.ts';
import { slicesShown } from './slice-costs.ts';

export interface ReportMaterial {
  readonly portfolio: PortfolioId;
  readonly events: readonly PortfolioEvent[];
  readonly moments: readonly LegMoment[];
  /** Of every instrument of the legs. */
  readonly seconds: ReadonlyMap<InstrumentName, readonly MarketSecond[]>;
  readonly instants: ReadonlyMap<InstrumentName, readonly MarketInstant[]>;
  /** Trades that tripped groups of market-maker protection made while the portfolio was at work. */
  readonly exceeded: readonly { readonly tradeId: string; readonly quantity: string }[];
  readonly now: Instant;
}

/** The market that a report needs goes from shortly before the start until half an hour after the end. */
export interface MarketNeed {
  readonly from: Instant;
  readonly to: Instant;
  readonly instruments: readonly InstrumentName[];
}

const EVENTS_A_STEP = 500;
const FILLS_A_STEP = 200;
const MARGIN_MS = 15 * SECOND_MS;

/** `undefined` if the events do not begin with a submission. */
export function marketNeed(
  [first, ...rest]: readonly PortfolioEvent[],
  now: Instant,
): MarketNeed | undefined {
  if (first?.kind !== 'submitted') return undefined;
  const { startAt, legs } = first.spec;
  const last = rest.at(-1);
  const isOver = last?.kind === 'filled' || last?.kind === 'cancelled';
  const until = isOver ? last.at : now;
  return {
    from: later(startAt as Instant, -MARGIN_MS),
    to: later(until as Instant, 30 * MINUTE_MS + MARGIN_MS),
    instruments: [...new Set(legs.map(({ instrument }) => instrument as InstrumentName))],
  };
}

/** Yields between two steps; the value that it returns is the report. */
export function* portfolioReport(material: ReportMaterial): Generator<undefined, PortfolioReport> {
  const { portfolio, events, moments, now } = material;
  const replay = new Replay(portfolio);
  const teller = new LegHistoryBuilder();
  for (const [index, event] of events.entries()) {
    replay.add(event);
    teller.add(event);
    if (index % EVENTS_A_STEP === EVENTS_A_STEP - 1) yield;
  }
  const state = must(replay.state, 'a portfolio begins with its submission');
  const isOver = isTerminal(state.status);
  const activeTo = isOver ? state.updatedAt : now;
  const scheduled = endAt(state.spec);
  const to = scheduled === INSTANT_MAX ? activeTo : scheduled;
  const questions: LegQuestion[] = [];
  const byLeg = Map.groupBy(moments, ({ leg }) => leg);
  for (const leg of state.legs.keys()) {
    const own = byLeg.get(leg) ?? [];
    const span = { activeTo, endAt: latest(state.spec.startAt, earliest(to, now)) };
    questions.push(yield* legQuestion(material, state, { leg, story: teller.leg(leg), own, span }));
  }
  const costs: LegCosts[] = [];
  for (const question of questions) {
    costs.push(legCosts(question));
    yield;
  }
  const isProvisional = !isOver || !horizonsPast(activeTo, now);
  return {
    schema: 'twapd.tca/1',
    portfolio,
    account: state.spec.accountId,
    strategy: state.spec.strategy ?? null,
    type: state.spec.portfolioType,
    status: state.status,
    reason: state.reason ?? null,
    submitted: isoText(state.submittedAt),
    start: isoText(state.spec.startAt),
    end: isoText(to),
    over: isOver ? isoText(state.updatedAt) : null,
    until: isoText(activeTo),
    isProvisional,
    legs: costs,
    package: packageCosts({ legs: questions, costs, from: state.spec.startAt, to: activeTo }),
    slices: questions.flatMap((question) => slicesShown(state, question)),
    children: questions.flatMap(({ leg, story }) =>
      story.children.map((one) => childShown(leg, one)),
    ),
    fills: questions.flatMap((question) => question.fills.map((one) => fillShown(question, one))),
    notes: [
      ...notesOf(state, { legs: questions, costs, isProvisional }),
      ...overshootNotes(questions, material.exceeded),
    ],
  };
}

interface LegMaterial {
  readonly leg: number;
  readonly story: LegHistory;
  /** The moments of the leg. */
  readonly own: ReportMaterial['moments'];
  readonly span: Pick<LegQuestion, 'activeTo' | 'endAt'>;
}

function* legQuestion(
  { events, seconds, instants }: ReportMaterial,
  state: PortfolioState,
  { leg, story, own, span }: LegMaterial,
): Generator<undefined, LegQuestion> {
  const instrument = legInstrument(state, leg);
  const { name } = instrument;
  const series = new MarketSeries(seconds.get(name) ?? [], own, instants.get(name) ?? []);
  const { side, hedge, quantity: asked } = legSpec(state, leg);
  const byVersion = new Map(own.map((one) => [one.version, one]));
  yield;
  const fills: MeasuredFill[] = [];
  for (const fill of story.fills) {
    fills.push(measureFill(fill, { side, series, moments: byVersion }));
    if (fills.length % FILLS_A_STEP === 0) yield;
  }
  return {
    leg,
    instrument,
    side,
    hedge,
    asked,
    story,
    fills,
    series,
    ...span,
    startAt: state.spec.startAt,
    line: hedge || state.spec.balance !== undefined ? undefined : plannedLine(events, leg),
    submitted: byVersion.get(1),
  };
}

const isoOrNull = (at: Instant | undefined): string | null =>
  at === undefined ? null : isoText(at);

const childShown = (leg: number, child: ChildHistory): ChildShown => ({
  leg,
  slice: child.slice,
  label: child.label,
  attempt: child.attempt,
  quantity: text(child.quantity),
  filled: text(child.filled),
  timeInForce: child.timeInForce,
  decided: isoText(child.intendedAt),
  live: isoOrNull(child.liveAt),
  closed: isoOrNull(child.closedAt),
  outcome: child.outcome,
  isBlock: child.isBlock,
  prices: child.prices.map(({ at, price }) => ({ at: isoText(at), price: text(price) })),
});

function fillShown({ leg, instrument }: LegQuestion, measured: MeasuredFill): FillShown {
  const { fill, market, touch, mid, effective, improvement, markouts } = measured;
  return {
    leg,
    slice: fill.slice,
    label: fill.label,
    tradeId: fill.tradeId,
    at: isoText(fill.tradedAt),
    quantity: text(fill.quantity),
    price: text(fill.price),
    liquidity: fill.liquidity,
    fee: text(fill.fee),
    feeCurrency: fill.feeCurrency,
    bid: shownPrice(touch.bid),
    ask: shownPrice(touch.ask),
    mid: shownPrice(mid),
    mark: shownPrice(market?.mark),
    markIv: market?.markIv ?? null,
    underlying: shownPrice(market?.underlying),
    iv: impliedAt(instrument, fill.price, { market, at: fill.tradedAt }),
    delta: market?.greeks?.delta ?? null,
    vega: market?.greeks?.vega ?? null,
    effective: shownPrice(effective),
    improvement: shownPrice(improvement),
    markouts: Object.fromEntries([...markouts].map(([horizon, of]) => [horizon, text(of)])),
    isBlock: fill.child.isBlock,
  };
}

interface Noted {
  readonly legs: readonly LegQuestion[];
  readonly costs: readonly LegCosts[];
  readonly isProvisional: boolean;
}

function notesOf(state: PortfolioState, { legs, costs, isProvisional }: Noted): readonly string[] {
  const notes = [
    'positive is a cost, for buys and sells, makers and takers; only price improvement is better the larger it is',
    'mids before fills and at their horizons from 1 s on are exact to the millisecond of the venue; all others are those recorded at decisions and once a second',
    'VWAP is the sum of price × size of all trades in the book over the sum of their sizes; volumes are counted by the second',
  ];
  if (isProvisional) notes.push('provisional: markouts of half an hour are not over yet');
  if (state.spec.mirrorOf !== undefined) {
    notes.push(`mirrors portfolio ${state.spec.mirrorOf}: what it cost is in the report on that`);
  }
  const perpetuals = costs.filter(({ kind, filled }) => kind === 'perpetual' && filled !== '0');
  if (perpetuals.length > 0) {
    notes.push(
      'funding is an estimate for what this portfolio built, until its end, from recorded rates; it is beside the shortfall, not in it',
    );
  }
  if (perpetuals.some(({ funding }) => funding === null)) {
    notes.push('funding is not attributed where no rate was recorded');
  }
  for (const { instrument, volume, participation } of costs) {
    if (volume !== null && volume !== '0' && participation === null) {
      notes.push(`less volume of ${instrument} was counted than was filled: the record has holes`);
    }
  }
  notes.push(...exactnessNotes(legs, costs));
  for (const { instrument, series } of legs) {
    if (series.isEmpty) notes.push(`nothing was recorded of the market of ${instrument.name}`);
  }
  if (legs.some(({ fills }) => fills.some(({ fill }) => fill.child.isBlock))) {
    notes.push('legs of a Block RFQ have allocated prices and are not measured against the book');
  }
  return notes;
}

/** Which figures are less exact than the others. */
function exactnessNotes(
  legs: readonly LegQuestion[],
  costs: readonly LegCosts[],
): readonly string[] {
  const notes: string[] = [];
  for (const [index, { instrument, series, startAt, endAt, fills }] of legs.entries()) {
    const { name } = instrument;
    const share = series.countedShare({ from: startAt, to: endAt });
    if (costs[index]?.benchmarks.vwap !== null && share < 1) {
      notes.push(
        share === 0
          ? `the VWAP of ${name} is an estimate, the volume of each second at its last price: its trades were not counted one by one`
          : `the VWAP of ${name} is that of ${percent(share)} of its interval, in which its trades were counted`,
      );
    }
    const sampled = fills.reduce((sum, one) => sum + one.sampled, 0);
    if (sampled > 0) {
      notes.push(
        `${counted(sampled, 'mid')} around fills of ${name} from their second or later: the touch of the millisecond was not kept`,
      );
    }
  }
  return notes;
}

const percent = (share: number): string => `${Math.floor(share * 10_000) / 100} %`;

/** How much of each leg was filled after its group of market-maker protection had reached its limit. */
function overshootNotes(
  legs: readonly LegQuestion[],
  exceeded: ReportMaterial['exceeded'],
): readonly string[] {
  if (exceeded.length === 0) return [];
  const coins = new Map(exceeded.map((one) => [one.tradeId, quantity(one.quantity)]));
  return legs.flatMap(({ instrument, fills }) => {
    let [sum, trades] = [ZERO_QUANTITY, 0];
    for (const { fill } of fills) {
      const { tradeId, child } = fill;
      const { orderId = '' } = child;
      const after = coins.get(mmpTradeName(instrument.settlement, { tradeId, orderId }));
      if (after === undefined) continue;
      [sum, trades] = [plus(sum, after), trades + 1];
    }
    if (trades === 0) return [];
    return [
      `market-maker protection: ${text(sum)} coins of ${instrument.name} were filled in ${counted(trades, 'trade')} after its group had reached its limit`,
    ];
  });
}

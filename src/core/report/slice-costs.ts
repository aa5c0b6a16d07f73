// The slices of a leg in its report: when they were due and sent, what they filled and at which cost, and why one sent nothing.
import { distance, plus, type Quantity, text, ZERO_QUANTITY } from '../../values/amounts.ts';
import { type Instant, isoText } from '../../values/instant.ts';
import { signOf } from '../../values/instrument.ts';
import type { PortfolioState } from '../portfolio/aggregate/portfolio-state.ts';
import { legSpec, planOf } from '../portfolio/aggregate/positions.ts';
import { round } from './fill-costs.ts';
import { type MeasuredFill, shownPrice } from './fill-measures.ts';
import { averageOf, type LegQuestion, slippageBps } from './leg-costs.ts';
import type { LegHistory, SliceHistory } from './leg-history.ts';
import type { SliceShown } from './report-shapes.ts';

const BPS = 10_000;

export interface PlannedSlice {
  readonly one: SliceHistory;
  /** `undefined` for a missed slice that no plan knows. */
  readonly dueAt: Instant | undefined;
  readonly planned: Quantity;
}

/** The slices of a leg with their times. A missed one has no event of its own: its plan says when it was due. */
export function slicesOfPlan(
  state: PortfolioState,
  leg: number,
  { slices }: Pick<LegHistory, 'slices'>,
): readonly PlannedSlice[] {
  const plan =
    state.spec.balance === undefined && !legSpec(state, leg).hedge ? planOf(state, leg) : undefined;
  return slices.map((one) => {
    const isPlanned = plan !== undefined && one.slice < plan.slices;
    return {
      one,
      dueAt: one.dueAt ?? (isPlanned ? plan.dueAt(one.slice) : undefined),
      planned: one.isMissed && isPlanned ? plan.planned(one.slice) : one.planned,
    };
  });
}

export function slicesShown(state: PortfolioState, question: LegQuestion): readonly SliceShown[] {
  const { leg, story, series, fills } = question;
  const bySlice = Map.groupBy(fills, ({ fill }) => fill.slice);
  const reasonsOf = reasonsIn(story);
  return slicesOfPlan(state, leg, story).map(({ one, dueAt, planned }) => {
    return {
      leg,
      slice: one.slice,
      due: dueAt === undefined ? null : isoText(dueAt),
      lateMs:
        one.sentAt === undefined || dueAt === undefined ? null : Math.max(0, one.sentAt - dueAt),
      planned: text(planned),
      asked: text(one.quantity),
      filled: text(one.filled),
      children: one.children,
      mid: shownPrice(series.midAt(one.startedAt)),
      reasons: reasonsOf(one),
      isSent: one.children > 0,
      ...pricesOf(one, bySlice.get(one.slice) ?? [], question),
    };
  });
}

/** Why a slice of the leg sent nothing, or what kept it from filling. */
export function reasonsIn({ children }: LegHistory): (one: SliceHistory) => readonly string[] {
  const refused = new Set(
    children.filter(({ outcome }) => outcome === 'rejected').map(({ slice }) => slice),
  );
  return (one) => {
    if (one.isMissed) return ['missed'];
    const told = new Set<string>(one.waits);
    if (refused.has(one.slice)) told.add('rejected');
    if (one.children === 0 && told.size === 0) told.add('nothing_due');
    return [...told];
  };
}

/** Premiums of options are measured in basis points of the underlying: those of a premium mislead. */
function pricesOf(
  { startedAt }: SliceHistory,
  fills: readonly MeasuredFill[],
  { instrument, side, series }: LegQuestion,
): Pick<SliceShown, 'average' | 'costBps'> {
  const filled = fills.reduce((sum, { fill }) => plus(sum, fill.quantity), ZERO_QUANTITY);
  const average = averageOf(fills, instrument, filled);
  const seen = series.inForce(startedAt);
  const isBlock = fills.some(({ fill }) => fill.child.isBlock);
  const shown = (costBps: number | null) => ({ average: shownPrice(average), costBps });
  if (average === undefined || seen?.mid === undefined || isBlock) return shown(null);
  if (instrument.kind !== 'option') return shown(slippageBps(average, seen.mid, side));
  const forward = seen.market.underlying ?? seen.market.index;
  const unit = instrument.marginKind === 'inverse' ? 1 : forward?.toNumber();
  if (unit === undefined) return shown(null);
  const over = signOf(side) * distance(seen.mid, average).toNumber();
  return shown(round((over / unit) * BPS));
}

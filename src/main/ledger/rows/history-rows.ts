// What a portfolio was and did as rows: itself, its legs, slices and children, each with the time by which it is chosen.
import {
  isTerminal,
  type PortfolioState,
} from '../../../core/portfolio/aggregate/portfolio-state.ts';
import { legSpec } from '../../../core/portfolio/aggregate/positions.ts';
import { summarize } from '../../../core/portfolio/summary/summarize.ts';
import type { LegHistoryBuilder } from '../../../core/report/leg-history.ts';
import { reasonsIn, slicesOfPlan } from '../../../core/report/slice-costs.ts';
import { text } from '../../../values/amounts.ts';
import { INSTANT_MAX } from '../../../values/instant.ts';
import type { LedgerRow, LedgerTable } from './ledger-columns.ts';

type Timed<T extends LedgerTable> = readonly [at: number, row: LedgerRow<T>];

const ofPortfolio = ({ id, spec }: PortfolioState) => ({
  portfolio: id,
  account: spec.accountId,
  strategy: spec.strategy ?? null,
});

/** Missed slices that no plan knows are placed at the time when they were found missed. */
export function* sliceRows(
  state: PortfolioState,
  teller: LegHistoryBuilder,
): Generator<Timed<'slices'>> {
  for (const leg of state.legs.keys()) {
    const { instrument, side } = legSpec(state, leg);
    const story = teller.leg(leg);
    const reasonsOf = reasonsIn(story);
    for (const { one, dueAt, planned } of slicesOfPlan(state, leg, story)) {
      const { sentAt = null, isMissed } = one;
      const late = sentAt === null || dueAt === undefined ? null : Math.max(0, sentAt - dueAt);
      const row = {
        ...ofPortfolio(state),
        leg,
        slice: one.slice,
        instrument,
        side,
        due_at: dueAt ?? null,
        started_at: isMissed ? null : one.startedAt,
        sent_at: sentAt,
        late_ms: late,
        planned: text(planned),
        asked: text(one.quantity),
        filled: text(one.filled),
        children: one.children,
        is_sent: one.children > 0,
        is_missed: isMissed,
        reasons: reasonsOf(one).join(' ') || null,
      };
      yield [dueAt ?? one.startedAt, row];
    }
  }
}

export function* childRows(
  state: PortfolioState,
  teller: LegHistoryBuilder,
): Generator<Timed<'children'>> {
  for (const leg of state.legs.keys()) {
    const { instrument } = legSpec(state, leg);
    for (const child of teller.leg(leg).children) {
      const { slice, attempt, side, intendedAt, liveAt, closedAt } = child;
      const row = {
        ...ofPortfolio(state),
        leg,
        slice,
        attempt,
        instrument,
        side,
        intended_at: intendedAt,
        live_at: liveAt ?? null,
        closed_at: closedAt ?? null,
        quantity: text(child.quantity),
        sent_price: text(child.sentPrice),
        price: text(child.price),
        edits: child.prices.length - 1,
        time_in_force: child.timeInForce,
        post_only: child.postOnly,
        reduce_only: child.reduceOnly,
        is_block: child.isBlock,
        outcome: child.outcome,
        filled: text(child.filled),
        filled_as_maker: text(child.made),
        reason: child.reason || null,
        label: child.label,
        order_id: child.orderId ?? null,
      };
      yield [intendedAt, row];
    }
  }
}

/** As it stood after its last event. */
export function portfolioRow(
  state: PortfolioState,
  teller: LegHistoryBuilder,
): Timed<'portfolios'> {
  const summary = summarize(state);
  const children = [...state.legs.keys()].map((leg) => teller.leg(leg).children.length);
  const row = {
    ...ofPortfolio(state),
    type: summary.portfolioType,
    status: state.status,
    reason: state.reason ?? null,
    mirror_of: summary.mirrorOf ?? null,
    submitted_at: state.submittedAt,
    start_at: summary.startAt,
    end_at: summary.endAt === INSTANT_MAX ? null : summary.endAt,
    ended_at: isTerminal(state.status) ? state.updatedAt : null,
    frequency_ms: summary.frequencyMs,
    end_action: summary.endAction,
    legs: state.legs.length,
    fills: state.fills,
    children: children.reduce((sum, count) => sum + count, 0),
    amendments: state.amendments,
    uid: summary.uid,
    nickname: summary.nickname,
    note: summary.note || null,
  };
  return [state.submittedAt, row];
}

export const legRows = (state: PortfolioState): readonly Timed<'legs'>[] =>
  summarize(state).legs.map((leg, index) => {
    const row = {
      ...ofPortfolio(state),
      leg: index,
      instrument: leg.instrument,
      kind: leg.kind,
      side: leg.side,
      is_hedge: leg.hedge,
      submitted_at: state.submittedAt,
      quantity: leg.quantity,
      quantity_in: leg.quantityIn,
      filled: leg.filled,
      average_price: leg.filled === '0' ? null : leg.averagePrice,
      remaining: leg.remaining,
      slices_planned: leg.slices.planned,
      slices_placed: leg.slices.placed,
      slices_missed: leg.slices.missed,
      edits: leg.reprices,
    };
    return [state.submittedAt, row];
  });

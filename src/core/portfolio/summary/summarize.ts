// Converts a portfolio's state to the plain record that is stored with it and shown to readers. What seldom changes comes
// first: the ledger's log gets only what lies between the first and the last difference to the record before.
import { isZero, text } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import { averageFillPrice, legCurrencies, quantityCurrency } from '../aggregate/currencies.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import {
  endAt,
  legInstrument,
  legSpec,
  legState,
  outstandingOf,
  planOf,
  remainingOf,
} from '../aggregate/positions.ts';
import { sliceCounts } from '../aggregate/slice-counts.ts';
import { openExposures } from '../slices/open-exposure.ts';
import { balanceSummary, calledFor, imbalanceSummary, imbalances } from './balance-summary.ts';
import type { LegSummary, PortfolioSummary } from './portfolio-summary.ts';
import { rfqSummary } from './residual-rfq-summary.ts';

/** The record as of the state's last event. */
export const summarize = (state: PortfolioState): PortfolioSummary =>
  summarizeAt(state, state.updatedAt);

/** The record; `scheduled` is the quantity that the plan requires to be filled by `at`. */
export function summarizeAt(state: PortfolioState, at: Instant): PortfolioSummary {
  const { spec } = state;
  const uneven = imbalances(state);
  const rfq = rfqSummary(state);
  const exposures = openExposures(state);
  return {
    portfolio: state.id,
    account: spec.accountId,
    portfolioType: spec.portfolioType,
    status: state.status,
    reason: state.reason,
    strategy: spec.strategy,
    note: spec.note,
    uid: spec.by.uid,
    nickname: spec.by.nickname,
    lastEditedUid: state.lastEditedBy,
    submittedAt: state.submittedAt,
    startAt: spec.startAt,
    endAt: endAt(spec),
    durationMs: spec.durationMs,
    frequencyMs: spec.frequencyMs,
    endAction: spec.execution.endAction,
    mirrorOf: spec.mirrorOf,
    mirrors: spec.mirrors,
    legs: state.legs.map((_leg, index) => {
      const open = exposures.find(({ leg: hedge }) => hedge === index);
      const unhedged = open && { unhedged: text(open.quantity) };
      const leg = { ...legSummary(state, index, at), ...unhedged };
      const imbalance = imbalanceSummary(uneven?.[index]);
      return imbalance === undefined ? leg : { ...leg, imbalance };
    }),
    updatedAt: state.updatedAt,
    // Last, because a property that follows a spread is defined the slow way.
    ...(state.paused !== undefined && { paused: state.paused }),
    ...(rfq && { rfq }),
    ...(spec.balance && { balance: balanceSummary(state) }),
    ...(spec.scale !== undefined && { scale: text(spec.scale) }),
  };
}

function legSummary(state: PortfolioState, index: number, at: Instant): LegSummary {
  const spec = legSpec(state, index);
  const leg = legState(state, index);
  const instrument = legInstrument(state, index);
  const average = averageFillPrice(leg, instrument);
  return {
    legId: `${state.id}-${index}`,
    instrument: spec.instrument,
    kind: instrument.kind,
    side: spec.side,
    quantity: text(spec.quantity),
    quantityIn: quantityCurrency(instrument),
    currencies: legCurrencies(instrument),
    hedge: spec.hedge,
    status: isZero(remainingOf(state, index)) ? 'filled' : state.status,
    filled: text(leg.filled),
    averagePrice: average === undefined ? '0' : text(average),
    remaining: text(remainingOf(state, index)),
    outstanding: text(outstandingOf(state, index)),
    scheduled: scheduledText(state, index, at),
    fees: [...leg.fees].map(([currency, amount]) => ({ currency, amount: text(amount) })),
    slices: {
      ...sliceCounts(state, index),
      next: leg.nextSlice,
    },
    reprices: leg.reprices,
    waiting: leg.current?.waiting,
    ...(leg.refusal && { refusal: leg.refusal }),
    ...(spec.priority && { priority: true }),
  };
}

function scheduledText(state: PortfolioState, leg: number, at: Instant): string {
  if (state.spec.balance !== undefined) return calledFor(state, leg);
  const plan = planOf(state, leg);
  return text(plan.targetAfter(plan.lastDue(at)));
}

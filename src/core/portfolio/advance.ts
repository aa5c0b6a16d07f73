// Performs whatever the clock makes due: starts due slices, works them, winds up when the time is up or a cancel was
// requested, and ends the portfolio. Idempotent: calling it again at the same instant with the same market adds
// nothing.
import {
  isPositive,
  isZero,
  minus,
  ratioOf,
  share,
  smaller,
  text,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { later } from '../../values/instant.ts';
import { tradable } from '../../values/instrument.ts';
import { takes } from '../pricing/price-guards.ts';
import { isFresh } from '../pricing/reference.ts';
import { sliceQuantity } from '../schedule/catch-up.ts';
import { isBlackout } from '../terms/blackout-windows.ts';
import { type Draft, emit } from './aggregate/draft.ts';
import { isTerminal } from './aggregate/portfolio-state.ts';
import {
  allowanceOf,
  committedOf,
  endAt,
  hasUnsettled,
  legInstrument,
  legSpec,
  legState,
  maxCatchUpOf,
  outstandingOf,
  planOf,
  remainingOf,
  workingOf,
} from './aggregate/positions.ts';
import { workParts } from './balance/work-parts.ts';
import { coverHedges } from './cover-hedge.ts';
import { cancelForPause, pauseWhenRefused } from './pause-portfolio.ts';
import { cancelResidualRfq } from './residual-rfq/work-residual-rfq.ts';
import { cancelForBlackout } from './slices/blackout-cancel.ts';
import { cancelLegChildren, conclude, endSlice } from './slices/conclude.ts';
import { type ExecutionStyle, legStyle, styleAt } from './slices/execution-style.ts';
import { missSlices } from './slices/missed-slices.ts';
import { tapeMark } from './slices/participation.ts';
import { queryOverdueChildren } from './slices/reconcile-child.ts';
import { priceNow } from './slices/slice-price.ts';
import { guardAt } from './slices/slice-times.ts';
import { requestCancel, sliceRest, workSlice } from './slices/work-slice.ts';
import { windUp } from './wind-up.ts';

/** Performs everything that is due at the draft's `now`. */
export function advance(draft: Draft): void {
  if (draft.state.spec.mirrorOf !== undefined) return;
  queryOverdueChildren(draft);
  if (isTerminal(draft.state.status)) return cancelChildren(draft);
  if (draft.state.status === 'cancelling' || draft.state.broken) return cancelOpenOrders(draft);
  pauseWhenRefused(draft);
  const { timeOverAt, spec } = draft.state;
  if (timeOverAt === undefined && draft.now >= endAt(spec)) emit(draft, { kind: 'time_over' });
  // Once the end has been recorded it is final, even if the clock goes back.
  if (spec.balance !== undefined && draft.state.paused === undefined) workParts(draft);
  else if (draft.state.timeOverAt !== undefined) windUp(draft);
  else if (draft.state.paused !== undefined) cancelForPause(draft);
  else workLegs(draft);
  finishWhenFilled(draft);
}

function workLegs(draft: Draft): void {
  for (let leg = 0; leg < draft.state.legs.length; leg += 1) {
    if (legSpec(draft.state, leg).hedge) rollHedge(draft, leg);
    else rollClock(draft, leg);
    const current = legState(draft.state, leg).current;
    if (isBlackout(draft.state.spec.execution.quiet, draft.now)) {
      cancelForBlackout(draft, leg);
      continue;
    }
    const isOpen = current !== undefined && draft.now < guardAt(draft.inputs.settings, current);
    cancelLegChildren(draft, leg, {
      reason: 'slice_over',
      except: isOpen ? current.slice : undefined,
    });
    if (isOpen) {
      workSlice(draft, leg, wouldManner(draft, leg) ?? styleAt(draft, leg, draft.now));
    }
  }
}

/** A leg scheduled by the clock: ends the slice whose time is up and starts the one that is due. */
function rollClock(draft: Draft, leg: number): void {
  const plan = planOf(draft.state, leg);
  const due = plan.lastDue(draft.now);
  const { nextSlice } = legState(draft.state, leg);
  if (due < nextSlice) return;
  endSlice(draft, leg);
  missSlices(draft, leg, due);
  const quantity = sliceQuantity({
    plan,
    slice: due,
    filled: legState(draft.state, leg).filled,
    outstanding: outstandingOf(draft.state, leg),
    maxCatchUp: maxCatchUpOf(draft.state),
    rule: draft.state.spec.execution.catchUp,
    skipped: legState(draft.state, leg).skipped,
    instrument: legInstrument(draft.state, leg),
  });
  emit(draft, {
    kind: 'slice_started',
    leg,
    slice: due,
    dueAt: plan.dueAt(due),
    endsAt: plan.endsAt(due),
    planned: text(plan.planned(due)),
    quantity: text(quantity),
    ...tapeMark(draft, leg),
  });
}

/** A hedge leg follows the others' fills: a slice begins when they require a tradable amount. */
function rollHedge(draft: Draft, leg: number): void {
  const { current, nextSlice } = legState(draft.state, leg);
  if (current !== undefined) {
    const isDone =
      isZero(sliceRest(draft, leg, current)) && workingOf(draft.state, leg).length === 0;
    if (!isDone && draft.now < current.endsAt) return;
    endSlice(draft, leg);
  }
  const wanted = minus(allowanceOf(draft.state, leg), committedOf(draft.state, leg));
  const quantity = isPositive(wanted)
    ? tradable(legInstrument(draft.state, leg), wanted)
    : ZERO_QUANTITY;
  if (isZero(quantity)) return;
  emit(draft, {
    kind: 'slice_started',
    leg,
    slice: nextSlice,
    dueAt: draft.now,
    endsAt: later(draft.now, draft.state.spec.frequencyMs),
    planned: text(quantity),
    quantity: text(quantity),
  });
}

function cancelChildren(draft: Draft): void {
  for (const child of draft.state.children.values()) {
    requestCancel(draft, child, draft.state.reason ?? 'cancelled');
  }
}

/**
 * Cancels resting children and hedges what they have filled; once nothing is open any more, the portfolio is
 * cancelled.
 */
function cancelOpenOrders(draft: Draft): void {
  // Of a portfolio about which the venue contradicted itself it is not known what there is to hedge.
  if (draft.state.broken) cancelChildren(draft);
  if (draft.state.status !== 'cancelling') {
    emit(draft, { kind: 'cancelling', reason: 'risk', by: 'twapd' });
  }
  const reason = draft.state.reason ?? 'cancelled';
  const isHedging = !draft.state.broken && coverHedges(draft, reason);
  cancelResidualRfq(draft, reason);
  if (hasUnsettled(draft.state) || isHedging) return;
  if (draft.state.legs.every((_leg, index) => isZero(remainingOf(draft.state, index)))) {
    emit(draft, { kind: 'filled' });
  } else conclude(draft, draft.state.reason ?? 'user_request');
}

function finishWhenFilled(draft: Draft): void {
  if (isTerminal(draft.state.status) || hasUnsettled(draft.state)) return;
  if (draft.state.legs.some((_leg, index) => !isZero(remainingOf(draft.state, index)))) return;
  emit(draft, { kind: 'filled' });
}

// A price good enough to take more than the schedule requires. Quantity taken early reduces later slices; the total
// of the leg is never exceeded.

/** How to take what is offered at such a price now; `undefined` if nothing is. */
function wouldManner(draft: Draft, leg: number): ExecutionStyle | undefined {
  const rule = draft.state.spec.execution.would?.find((one) => one.leg === leg);
  if (rule === undefined) return undefined;
  const instrument = legInstrument(draft.state, leg);
  const quote = draft.inputs.quotes.get(instrument.name);
  if (quote === undefined) return undefined;
  if (!isFresh(quote, draft.now, draft.inputs.settings.quoteAgeMaxMs)) return undefined;
  const { side, pricing } = legSpec(draft.state, leg);
  const offered = side === 'buy' ? quote.ask : quote.bid;
  if (offered === undefined) return undefined;
  const manner: ExecutionStyle = {
    ...legStyle(draft, leg),
    pricing: { type: 'limit', price: rule.price, unit: 'currency' },
    timeInForce: 'immediate_or_cancel',
    postOnly: false,
    ...(pricing.type === 'limit' && { limit: pricing }),
  };
  const priced = priceNow(draft, leg, manner);
  // The limit, the worst price and the guards of the leg bound the would price: beyond them the leg is worked as usual.
  if (priced.kind === 'none' || !takes(priced.price, side, quote)) return undefined;
  const open = minus(allowanceOf(draft.state, leg), committedOf(draft.state, leg));
  if (!isPositive(open)) return undefined;
  const take = tradable(instrument, smaller(share(open, ratioOf(rule.share)), offered.quantity));
  return isPositive(take) ? { ...manner, take } : undefined;
}

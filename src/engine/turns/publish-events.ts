// Builds the news of a durable turn: one message per transition, with the portfolio's record after the turn.

import type { EndReason, PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { PortfolioSummary } from '../../core/portfolio/summary/portfolio-summary.ts';
import type { SkipReason } from '../../core/terms/reasons.ts';
import type { NewsType, PortfolioNews } from '../../ports/event-bus.ts';
import { parseChildLabel } from '../../values/ids.ts';
import { instant } from '../../values/instant.ts';
import type { PastNews } from '../interface/news-api.ts';

function newsType(event: PortfolioEvent): NewsType | undefined {
  switch (event.kind) {
    case 'submitted':
      return 'PORTFOLIO_SUBMITTED';
    case 'started':
      return 'PORTFOLIO_STARTED';
    case 'slice_started':
      return 'PORTFOLIO_SLICE';
    case 'slices_missed':
      return 'PORTFOLIO_SLICE_MISSED';
    case 'part_started':
      return 'PORTFOLIO_PART_STARTED';
    case 'part_chased':
      return 'PORTFOLIO_PART_CHASED';
    case 'part_ended':
      return 'PORTFOLIO_PART_DONE';
    case 'slice_waiting':
      return 'PORTFOLIO_WAITING';
    case 'child_rejected':
      return 'PORTFOLIO_ORDER_REJECTED';
    case 'fill_booked':
      return 'PORTFOLIO_PART_FILLED';
    case 'fill_mirrored':
      return event.quantity === '0' ? undefined : 'PORTFOLIO_PART_FILLED';
    case 'amended':
      return 'PORTFOLIO_AMENDED';
    case 'rfq_intended':
      return 'PORTFOLIO_RFQ_SENT';
    case 'rfq_opened':
      return 'PORTFOLIO_RFQ_OPEN';
    case 'rfq_quoted':
      return 'PORTFOLIO_RFQ_QUOTED';
    case 'rfq_accept_intended':
      return 'PORTFOLIO_RFQ_ACCEPTING';
    case 'rfq_refused':
    case 'rfq_accept_refused':
      return 'PORTFOLIO_RFQ_REFUSED';
    case 'rfq_unknown':
    case 'rfq_accept_unknown':
      return 'PORTFOLIO_RFQ_UNANSWERED';
    case 'rfq_cancel_intended':
      return 'PORTFOLIO_RFQ_CANCELLING';
    case 'rfq_over':
    case 'rfq_skipped':
      return 'PORTFOLIO_RFQ_OVER';
    case 'hedge_left_open':
      return 'PORTFOLIO_HEDGE_OPEN';
    case 'paused':
      return 'PORTFOLIO_PAUSED';
    case 'resumed':
      return 'PORTFOLIO_RESUMED';
    case 'filled':
      return 'PORTFOLIO_FILLED';
    case 'cancelling':
      return 'PORTFOLIO_CANCELLING';
    case 'cancelled':
      return 'PORTFOLIO_CANCELLED';
    case 'assumption_broken':
      return 'PORTFOLIO_FAILED';
    default:
      return undefined;
  }
}

const reasonOf = (event: PortfolioEvent): EndReason | SkipReason | undefined =>
  event.kind === 'cancelling' || event.kind === 'cancelled' || event.kind === 'slice_waiting'
    ? event.reason
    : undefined;

/** The number of messages that {@link newsOf} builds from the events. */
export const newsCount = (events: readonly PortfolioEvent[]): number =>
  events.reduce((count, event) => (newsType(event) === undefined ? count : count + 1), 0);

type Legs = readonly { readonly instrument: string }[];

/** The event with its leg and instrument, if it concerns one: readers do not know the labels of child orders. */
function detailOf(legs: Legs, event: PortfolioEvent): unknown {
  if (event.kind === 'submitted') return undefined;
  const leg = legOf(event);
  const instrument = leg === undefined ? undefined : legs[leg]?.instrument;
  return leg === undefined || instrument === undefined ? event : { ...event, leg, instrument };
}

function legOf(event: PortfolioEvent): number | undefined {
  if ('leg' in event) return event.leg;
  // `assumption_broken` of a mirror concerns no child and has an empty label.
  if (!('label' in event) || event.label === '') return undefined;
  return parseChildLabel(event.label)?.leg;
}

/** The messages of stored events, in order. `after` is the version before the first; `legs` are those of the portfolio. */
export const pastNewsOf = (
  events: readonly PortfolioEvent[],
  { after, legs }: { readonly after: number; readonly legs: Legs },
): readonly PastNews[] =>
  events.flatMap((event, index) => {
    const messageType = newsType(event);
    if (messageType === undefined) return [];
    const at = instant(event.at);
    const reason = reasonOf(event);
    return [{ messageType, version: after + index + 1, at, reason, detail: detailOf(legs, event) }];
  });

/** The messages of a turn with its record, in order; if the turn ends the portfolio, the end comes last. */
export function newsOf(
  state: PortfolioState,
  events: readonly PortfolioEvent[],
  record: PortfolioSummary,
): readonly PortfolioNews[] {
  const { id: portfolio, spec, version } = state;
  const after = version - events.length;
  return pastNewsOf(events, { after, legs: spec.legs }).map((told) => ({
    ...told,
    portfolio,
    account: spec.accountId,
    record,
  }));
}

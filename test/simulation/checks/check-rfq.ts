// Checks one durable event of a portfolio's Block RFQ against what was durable before it and
// what the exchange has.
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { committedOf, legSpec } from '../../../src/core/portfolio/aggregate/positions.ts';
import type { RfqEvent } from '../../../src/core/portfolio/aggregate/residual-rfq-event.ts';
import { openRfq, requestedRfq } from '../../../src/core/portfolio/aggregate/residual-rfq-state.ts';
import { isLive, type Rfq } from '../../../src/exchange/rfq/rfq.ts';
import { isMore, plus, quantity } from '../../../src/values/amounts.ts';
import { DAY_MS } from '../../../src/values/instant.ts';
import type { ReportBreach } from './breach.ts';

/** A portfolio, and what the exchange has of its RFQs, by label. */
export interface RfqBook {
  readonly state: PortfolioState;
  readonly rfqs: ReadonlyMap<string, Rfq>;
}

type Of<K extends RfqEvent['kind']> = Extract<RfqEvent, { kind: K }>;

export function checkRfq(book: RfqBook, event: PortfolioEvent, reportBreach: ReportBreach): void {
  switch (event.kind) {
    case 'rfq_intended':
      judgeStill(book, event, reportBreach);
      return judgeAsking(book, event, reportBreach);
    case 'rfq_accept_intended':
      judgeStill(book, event, reportBreach);
      return judgeAccepting(book, event, reportBreach);
    case 'rfq_refused':
      return judgeNone(book, event, reportBreach);
    case 'rfq_over':
      return judgeOver(book, event, reportBreach);
    default:
      return undefined;
  }
}

/** No RFQ is sent or accepted in a blackout window. */
function judgeStill(
  { state }: RfqBook,
  { kind, at }: PortfolioEvent,
  reportBreach: ReportBreach,
): void {
  const timeMs = at % DAY_MS;
  const windows = state.spec.execution.quiet ?? [];
  if (windows.some(({ fromMs, toMs }) => timeMs >= fromMs && timeMs < toMs)) {
    reportBreach('I10', `${kind} in a quiet window`);
  }
}

/** The RFQs that the exchange still has open. One that was proven unsent may come, and trades nothing. */
export function* liveRfqs({ state, rfqs }: RfqBook): IterableIterator<Rfq> {
  const asked = requestedRfq(state);
  for (const [label, rfq] of rfqs) {
    const isStray = asked?.label === label && asked.outcome === 'unsent';
    if (isLive(rfq) && !isStray) yield rfq;
  }
}

function judgeAsking(book: RfqBook, event: Of<'rfq_intended'>, reportBreach: ReportBreach): void {
  const { state } = book;
  const { rfqLabel } = event;
  judgeStanding(book, rfqLabel, reportBreach);
  if (state.children.size > 0) reportBreach('I1', `${rfqLabel} asked for with an unsettled child`);
  if (state.timeOverAt === undefined) reportBreach('I9', `${rfqLabel} asked for before the end`);
  const before = requestedRfq(state);
  if (before !== undefined && before.stage !== 'refused') {
    reportBreach('I2', `${rfqLabel} asked for while ${before.label} is ${before.stage}`);
  }
  if (event.number !== (before?.number ?? 0) + 1) reportBreach('I2', `${rfqLabel} is out of turn`);
  for (const live of liveRfqs(book))
    reportBreach('I2', `${rfqLabel} asked for beside ${live.label}`);
  for (const { leg, quantity: size } of event.legs) {
    const wanted = plus(committedOf(state, leg), quantity(size));
    if (isMore(wanted, legSpec(state, leg).quantity)) {
      reportBreach('I1', `${rfqLabel} asks for more than is left of leg ${leg}`);
    }
  }
}

function judgeAccepting(
  book: RfqBook,
  event: Of<'rfq_accept_intended'>,
  reportBreach: ReportBreach,
): void {
  const what = `accept ${event.accept} of RFQ ${event.number}`;
  judgeStanding(book, what, reportBreach);
  const rfq = openRfq(book.state);
  if (rfq === undefined || rfq.number !== event.number)
    return reportBreach('I2', `${what} of none open`);
  if (rfq.accept !== undefined) reportBreach('I2', `${what} while another is without an outcome`);
  if (rfq.cancel !== undefined) reportBreach('I6', `${what} after it was cancelled`);
  // The people of a run accept only their own RFQs.
  if (event.limit === undefined) reportBreach('I2', `${what}, which this portfolio did not decide`);
}

function judgeStanding({ state }: RfqBook, what: string, reportBreach: ReportBreach): void {
  if (state.status === 'cancelling')
    reportBreach('I6', `${what} decided while the portfolio is being cancelled`);
  if (state.paused !== undefined) reportBreach('I6', `${what} decided while paused`);
}

function judgeNone(book: RfqBook, event: Of<'rfq_refused'>, reportBreach: ReportBreach): void {
  const label = requestedRfq(book.state)?.label;
  if (label !== undefined && book.rfqs.has(label)) {
    reportBreach('I2', `${label} is held for refused, and the exchange has it`);
  }
  if (event.number !== requestedRfq(book.state)?.number)
    reportBreach('I2', `${label} refused out of turn`);
}

function judgeOver(book: RfqBook, { outcome }: Of<'rfq_over'>, reportBreach: ReportBreach): void {
  const label = requestedRfq(book.state)?.label ?? '';
  const known = book.rfqs.get(label);
  const isFilled = known?.status === 'filled';
  if ((outcome === 'traded') !== isFilled) {
    reportBreach('I5', `${label} is over as ${outcome}, and ${known?.status ?? 'absent'} there`);
  }
  if (known === undefined || outcome === 'unsent') return;
  if (isLive(known)) reportBreach('I6', `${label} is held for over, and is ${known.status}`);
}

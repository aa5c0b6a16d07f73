// Processes the venue's reports about a portfolio's residual RFQ, from any source and in any order. Trades are booked
// by the same rules as those of orders.
import { equals, isMore, minus, type Price, text } from '../../../values/amounts.ts';
import { unreachable } from '../../../values/assert.ts';
import { type InstrumentName, orderId } from '../../../values/ids.ts';
import { later } from '../../../values/instant.ts';
import { isWorking } from '../../order/child-order.ts';
import type { VenueOrder, VenueTrade } from '../../order/venue-report.ts';
import { type Draft, emit, want } from '../aggregate/draft.ts';
import { childOf } from '../aggregate/evolve-child.ts';
import { committedOf, legSpec, legState } from '../aggregate/positions.ts';
import type { RfqOutcome } from '../aggregate/residual-rfq-event.ts';
import type { RfqCommand, VenueBlockRow, VenueRfq } from '../aggregate/residual-rfq-report.ts';
import {
  openRfq,
  type ResidualRfqState,
  type RfqOffer,
  requestedRfq,
} from '../aggregate/residual-rfq-state.ts';
import { endSlice } from '../slices/conclude.ts';
import { decidableAt } from '../slices/reconcile-child.ts';
import { recordReport } from '../slices/record-report.ts';
import { isAfterEnd } from '../slices/slice-times.ts';
import { intendAccept } from './work-residual-rfq.ts';

type Of<K extends RfqCommand['kind']> = Extract<RfqCommand, { kind: K }>;

/** Ignores reports about any RFQ other than the latest one requested. */
export function recordRfqReport(draft: Draft, command: RfqCommand): void {
  const rfq = requestedRfq(draft.state);
  if (rfq === undefined || rfq.label !== command.rfqLabel) return;
  switch (command.kind) {
    case 'record_rfq':
      return recordRfq(draft, rfq, command);
    case 'record_rfq_refusal':
      return recordRefusal(draft, rfq, command);
    case 'record_rfq_unknown':
      if (rfq.stage !== 'sending') return;
      return emit(draft, { kind: 'rfq_unknown', number: rfq.number, reason: command.reason });
    case 'record_rfq_absent':
      return recordAbsent(draft, rfq, command);
    case 'record_accept_refusal':
      return recordAcceptRefusal(draft, rfq, command);
    case 'record_accept_unknown':
      return recordAcceptUnknown(draft, rfq, command);
    default:
      return unreachable(command);
  }
}

function recordRefusal(
  draft: Draft,
  rfq: ResidualRfqState,
  command: Of<'record_rfq_refusal'>,
): void {
  if (rfq.stage !== 'sending' && rfq.stage !== 'unknown') return;
  const { code, message, retry } = command;
  const retryAt = later(draft.now, draft.inputs.settings.retryMs);
  const { number } = rfq;
  emit(draft, { kind: 'rfq_refused', number, code, message, ...(retry && { retryAt }) });
}

/** Absence before the deadline proves nothing; twice after it proves that the RFQ never reached the venue. */
function recordAbsent(
  draft: Draft,
  rfq: ResidualRfqState,
  { askedAt }: Of<'record_rfq_absent'>,
): void {
  const { stage, number, absentSince, validUntil } = rfq;
  const { settings } = draft.inputs;
  if (stage !== 'sending' && stage !== 'unknown') return;
  if (askedAt < decidableAt(validUntil, settings)) return;
  if (absentSince === undefined) return emit(draft, { kind: 'rfq_absent', number });
  if (askedAt < later(absentSince, settings.readLagMs)) return;
  emit(draft, { kind: 'rfq_over', number, outcome: 'unsent' });
}

function recordAcceptRefusal(
  draft: Draft,
  rfq: ResidualRfqState,
  command: Of<'record_accept_refusal'>,
): void {
  if (rfq.accept?.number !== command.accept) return;
  refuseAccept(draft, rfq, command);
}

function refuseAccept(
  draft: Draft,
  { number, accept }: ResidualRfqState,
  { code, message }: { readonly code: number; readonly message: string },
): void {
  if (accept === undefined) return;
  for (const label of accept.labels) {
    if (!isWorking(childOf(draft.state, label))) continue;
    emit(draft, { kind: 'child_rejected', label, code, message, retry: false });
  }
  emit(draft, { kind: 'rfq_accept_refused', number, accept: accept.number, code, message });
}

function recordAcceptUnknown(
  draft: Draft,
  { number, accept }: ResidualRfqState,
  command: Of<'record_accept_unknown'>,
): void {
  if (accept?.number !== command.accept || accept.state !== 'sending') return;
  const { reason } = command;
  for (const label of accept.labels) {
    if (childOf(draft.state, label).state !== 'sending') continue;
    emit(draft, { kind: 'child_unknown', label, reason });
  }
  emit(draft, { kind: 'rfq_accept_unknown', number, accept: accept.number, reason });
}

function recordRfq(
  draft: Draft,
  rfq: ResidualRfqState,
  { rfq: told, trades }: Of<'record_rfq'>,
): void {
  if (openRfq(draft.state) === undefined) return recordAfterEnd(draft, rfq, told);
  if (rfq.id === undefined) recordOpening(draft, rfq, told);
  const opened = openRfq(draft.state);
  if (opened === undefined) return;
  if (told.status === 'live') recordOffer(draft, opened, told.offer);
  else if (told.status === 'filled') recordTrades(draft, opened, trades);
  else recordEnd(draft, opened, told.status);
}

function recordOpening(draft: Draft, { number, parts }: ResidualRfqState, told: VenueRfq): void {
  const ratioOf = (name: InstrumentName) =>
    told.ratios.find(({ instrument }) => instrument === name)?.ratio;
  const ratios = parts.flatMap(({ leg, hedgePrice }) => {
    const ratio = ratioOf(legSpec(draft.state, leg).instrument);
    return ratio === undefined || hedgePrice !== undefined ? [] : [{ leg, ratio: text(ratio) }];
  });
  const { rfqId, quantity } = told;
  emit(draft, { kind: 'rfq_opened', number, rfqId, quantity: text(quantity), ratios });
}

function recordOffer(
  draft: Draft,
  { number, best }: ResidualRfqState,
  offer: RfqOffer | undefined,
): void {
  const isSame =
    best === undefined || offer === undefined
      ? best === offer
      : equals(best.price, offer.price) &&
        best.makers === offer.makers &&
        best.isWhole === offer.isWhole;
  if (isSame) return;
  const { makers, isWhole } = offer ?? { makers: 0, isWhole: false };
  const price = offer && text(offer.price);
  emit(draft, { kind: 'rfq_quoted', number, makers, isWhole, ...(price && { price }) });
}

/** It ended at the venue without a trade: an accept in flight can no longer take effect. */
function recordEnd(
  draft: Draft,
  rfq: ResidualRfqState,
  outcome: Exclude<VenueRfq['status'], 'live' | 'filled'>,
): void {
  const message = `the Block RFQ is ${outcome}`;
  refuseAccept(draft, rfq, { code: 0, message });
  endWith(draft, rfq, { outcome });
}

/** Books the reported trades; the RFQ is over once all of them are booked. */
function recordTrades(
  draft: Draft,
  rfq: ResidualRfqState,
  trades: readonly VenueBlockRow[] | undefined,
): void {
  if (trades === undefined || trades.length === 0) {
    return want(draft, { kind: 'ask_rfq', rfqLabel: rfq.label, rfqId: rfq.id });
  }
  if (rfq.accept === undefined) adopt(draft, rfq, trades);
  const labels = openRfq(draft.state)?.accept?.labels ?? [];
  for (const label of labels) book(draft, label, trades);
  const isBooked = labels.every((label) => !draft.state.children.has(label));
  if (isBooked) endWith(draft, rfq, { outcome: 'traded', price: trades[0]?.blockPrice });
  else want(draft, { kind: 'ask_rfq', rfqLabel: rfq.label, rfqId: rfq.id });
}

/** It was accepted manually: the requested quantities are traded all the same. */
function adopt(draft: Draft, rfq: ResidualRfqState, [first]: readonly VenueBlockRow[]): void {
  if (first === undefined) return;
  const tooMuch = rfq.parts.find(({ leg, quantity }) =>
    isMore(quantity, minus(legSpec(draft.state, leg).quantity, committedOf(draft.state, leg))),
  );
  if (tooMuch !== undefined) {
    const what = `a Block RFQ nobody here accepted traded more than is left of leg ${tooMuch.leg}`;
    emit(draft, { kind: 'assumption_broken', label: '', what });
  }
  intendAccept(draft, rfq, { price: first.blockPrice, validUntil: draft.now });
}

type Label = NonNullable<ResidualRfqState['accept']>['labels'][number];

/** A leg of the block is a filled child: its trades are the rows of its instrument. */
function book(draft: Draft, label: Label, rows: readonly VenueBlockRow[]): void {
  const child = childOf(draft.state, label);
  const { instrument } = legSpec(draft.state, child.leg);
  const own = rows.filter((row) => row.instrument === instrument);
  const [last] = own;
  if (last === undefined) return;
  const id = orderId(last.blockId);
  const order: VenueOrder = {
    orderId: id,
    label,
    instrument,
    side: child.side,
    state: 'filled',
    quantity: child.quantity,
    filledQuantity: child.quantity,
    createdAt: last.at,
    updatedAt: last.at,
  };
  recordReport(draft, {
    orders: [order],
    trades: own.map(
      ({ blockId, blockPrice: _price, ...row }): VenueTrade => ({
        ...row,
        label,
        orderId: orderId(blockId),
      }),
    ),
  });
}

function endWith(
  draft: Draft,
  { number, parts }: ResidualRfqState,
  { outcome, price }: { readonly outcome: RfqOutcome; readonly price?: Price | undefined },
): void {
  emit(draft, { kind: 'rfq_over', number, outcome, ...(price && { price: text(price) }) });
  for (const { leg } of parts) {
    const { current } = legState(draft.state, leg);
    if (current !== undefined && isAfterEnd(draft.state, current)) endSlice(draft, leg);
  }
}

/** An RFQ declared unsent exists after all. Once the venue has reported its end, older reports may still follow. */
function recordAfterEnd(draft: Draft, rfq: ResidualRfqState, { rfqId, status }: VenueRfq): void {
  if (status === 'live' && rfq.outcome === 'unsent') {
    want(draft, { kind: 'cancel_rfq', rfqLabel: rfq.label, rfqId });
  }
  if (status !== 'filled' || rfq.outcome === 'traded' || draft.state.broken) return;
  const what = `Block RFQ ${rfqId} is filled, which was held for ${rfq.outcome ?? rfq.stage}`;
  emit(draft, { kind: 'assumption_broken', label: '', what });
}

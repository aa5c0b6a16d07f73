// Maps the exchange's orders, trades and refusals to the records and replies of the venue port.
import { answerOfCode, type Refused, type Unknown } from '../../core/order/answer-class.ts';
import type { OrderRecord, TradeRecord } from '../../core/order/order-record.ts';
import type { RefusedAnswer } from '../../exchange/exchange-command.ts';
import type {
  BlockOfTrade,
  ExchangeOrder,
  ExchangeTrade,
  OrderLink,
} from '../../exchange/order.ts';
import type { Quantity } from '../../values/amounts.ts';
import type { Instrument, TermsOf } from '../../values/instrument.ts';
import type { OrderType } from '../../values/order-terms.ts';

export const done = <T>(value: T): { readonly kind: 'done'; readonly value: T } => ({
  kind: 'done',
  value,
});

export const refusedReply = ({ code, message, data }: RefusedAnswer): Refused | Unknown =>
  answerOfCode(code, message, { param: paramName(data.param), reason: data.reason });

export function orderRecord(order: ExchangeOrder, termsOf: TermsOf): OrderRecord {
  const {
    originalType,
    cancelReason,
    rejectReason,
    trigger,
    link,
    bump,
    filledValue: _value,
    rank: _rank,
    reserved: _reserved,
    ...facts
  } = order;
  const type = typeNow(order);
  return {
    ...facts,
    type,
    ...(type !== originalType && { originalType }),
    contracts: contractsOf(order.quantity, termsOf(order.instrument)),
    cancelReason: cancelReason ?? rejectReason,
    autoReplaced: order.advanced && (order.autoReplaced ?? false),
    ...(trigger && {
      trigger: {
        source: trigger.source,
        price: trigger.price,
        offset: trigger.offset,
        reference: trigger.reference,
      },
      triggered: order.state === 'triggered',
    }),
    ...(link && linkFields(link)),
    ...(bump && termsOf(order.instrument)?.isRouted !== true && { isSpeedBumped: true }),
    ...(cancelReason === 'mmp_trigger' && { mmpCancelled: true }),
  };
}

type LinkFields = Pick<
  OrderRecord,
  | 'fillCondition'
  | 'otoOrderIds'
  | 'isSecondaryOto'
  | 'isPrimaryOtoco'
  | 'primaryOrderId'
  | 'ocoRef'
>;

function linkFields({
  kind,
  role,
  fillCondition,
  secondaryIds,
  primaryId,
  ocoRef,
}: OrderLink): LinkFields {
  return {
    fillCondition,
    otoOrderIds: secondaryIds,
    ...(role === 'secondary' && { isSecondaryOto: true }),
    ...(role === 'primary' &&
      kind === 'one_triggers_one_cancels_other' && { isPrimaryOtoco: true }),
    primaryOrderId: primaryId,
    ocoRef,
  };
}

export function tradeRecord(trade: ExchangeTrade, termsOf: TermsOf): TradeRecord {
  const { originalType, orderState, block, ofCombo, legs, ...others } = trade;
  const { wasHidden: _, positionAfter: _after, ...facts } = others;
  return {
    ...facts,
    orderType: originalType === 'market' ? 'market' : 'limit',
    state: orderState,
    contracts: contractsOf(trade.quantity, termsOf(trade.instrument)),
    ...(block && blockFields(block)),
    ...(ofCombo && { comboId: ofCombo.id, comboTradeId: ofCombo.tradeId }),
    ...(legs && {
      comboId: trade.instrument,
      comboTradeId: trade.tradeId,
      legs: legs.map((leg) => tradeRecord(leg, termsOf)),
    }),
  };
}

const blockFields = ({ id, rfqId, quoteId, comboId, allocations }: BlockOfTrade) => ({
  blockTradeId: id,
  blockRfqId: rfqId,
  blockRfqQuoteId: quoteId,
  // The structure is traded once, by the block.
  ...(comboId !== undefined && { comboId, comboTradeId: id }),
  allocations,
});

/** An order without a limit of its own rests at one; a closed market order never had one. */
function typeNow({ originalType, state }: ExchangeOrder): OrderType {
  const isLimit =
    originalType === 'market_limit' || (originalType === 'market' && state === 'open');
  return isLimit ? 'limit' : originalType;
}

const contractsOf = (amount: Quantity, terms: Instrument | undefined): Quantity | undefined =>
  terms && (amount.div(terms.contractSize) as Quantity);

/** Translates a parameter name from the venue's wire to the name that callers of the order API use. */
function paramName(param: string): string {
  if (param === 'amount') return 'quantity';
  return param.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

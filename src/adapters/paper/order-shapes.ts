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
import type { Instrument } from '../../values/instrument.ts';
import type { OrderType } from '../../values/order-terms.ts';
import type { TermsOf } from './order-filters.ts';

export const done = <T>(value: T): { readonly kind: 'done'; readonly value: T } => ({
  kind: 'done',
  value,
});

export const refusedReply = ({ code, message, data }: RefusedAnswer): Refused | Unknown =>
  answerOfCode(code, message, { param: paramName(data.param), reason: data.reason });

export function orderRecord(order: ExchangeOrder, termsOf: TermsOf): OrderRecord {
  const { originalType, trigger, state, link } = order;
  const type = typeNow(order);
  return {
    orderId: order.orderId,
    account: order.account,
    instrument: order.instrument,
    side: order.side,
    type,
    ...(type !== originalType && { originalType }),
    state,
    price: order.price,
    quantity: order.quantity,
    contracts: contractsOf(order.quantity, termsOf(order.instrument)),
    filledQuantity: order.filledQuantity,
    averagePrice: order.averagePrice,
    timeInForce: order.timeInForce,
    postOnly: order.postOnly,
    rejectPostOnly: order.rejectPostOnly,
    reduceOnly: order.reduceOnly,
    label: order.label,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    cancelReason: order.cancelReason ?? order.rejectReason,
    replaced: order.replaced,
    autoReplaced: order.advanced && (order.autoReplaced ?? false),
    advanced: order.advanced,
    displayQuantity: order.displayQuantity,
    refreshQuantity: order.refreshQuantity,
    ...(trigger && {
      trigger: {
        source: trigger.source,
        price: trigger.price,
        offset: trigger.offset,
        reference: trigger.reference,
      },
      triggered: state === 'triggered',
    }),
    triggerOrderId: order.triggerOrderId,
    firedOrderId: order.firedOrderId,
    ...(link && linkFields(link)),
    mmp: order.mmp,
    ...(order.isLiquidation && { isLiquidation: true }),
    ...(order.bump && { isSpeedBumped: true }),
    ...(order.cancelReason === 'mmp_trigger' && { mmpCancelled: true }),
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
  return {
    tradeId: trade.tradeId,
    tradeSeq: trade.tradeSeq,
    account: trade.account,
    orderId: trade.orderId,
    orderType: trade.originalType === 'market' ? 'market' : 'limit',
    label: trade.label,
    instrument: trade.instrument,
    side: trade.side,
    state: trade.orderState,
    price: trade.price,
    quantity: trade.quantity,
    contracts: contractsOf(trade.quantity, termsOf(trade.instrument)),
    liquidity: trade.liquidity,
    ...(trade.liquidation && { liquidation: trade.liquidation }),
    fee: trade.fee,
    feeCurrency: trade.feeCurrency,
    profitLoss: trade.profitLoss,
    balanceAfter: trade.balanceAfter,
    baseAfter: trade.baseAfter,
    tickDirection: trade.tickDirection,
    indexPrice: trade.indexPrice,
    markPrice: trade.markPrice,
    underlyingPrice: trade.underlyingPrice,
    iv: trade.iv,
    advanced: trade.advanced,
    postOnly: trade.postOnly,
    reduceOnly: trade.reduceOnly,
    mmp: trade.mmp,
    ...(trade.block && blockFields(trade.block)),
    ...(trade.ofCombo && { comboId: trade.ofCombo.id, comboTradeId: trade.ofCombo.tradeId }),
    ...(trade.legs && {
      comboId: trade.instrument,
      comboTradeId: trade.tradeId,
      legs: trade.legs.map((leg) => tradeRecord(leg, termsOf)),
    }),
    at: trade.at,
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

// Converts an order record to the order that clients see. Undefined fields are omitted in JSON.

import type { OrderRecord } from '../../../core/order/order-record.ts';
import { text } from '../../../values/amounts.ts';
import { averageText } from '../../../values/text/model-text.ts';
import type { OrderView } from './order-schema.ts';

const NO_PRICE = 'market_price';

/** `true`, or omitted. */
const ifTrue = (flag: boolean | undefined): true | undefined => (flag === true ? true : undefined);

export function orderView(order: OrderRecord): OrderView {
  const { advanced, trigger } = order;
  return {
    orderId: order.orderId,
    instrumentName: order.instrument,
    side: order.side,
    orderType: order.type,
    originalOrderType: order.originalType,
    orderState: order.state,
    price: order.price === undefined ? NO_PRICE : text(order.price),
    quantity: text(order.quantity),
    contracts: order.contracts && text(order.contracts),
    filledQuantity: text(order.filledQuantity),
    averagePrice: order.averagePrice === undefined ? '0' : averageText(order.averagePrice),
    timeInForce: order.timeInForce,
    timeInforce: order.timeInForce,
    postOnly: order.postOnly,
    rejectPostOnly: order.postOnly ? order.rejectPostOnly : undefined,
    reduceOnly: ifTrue(order.reduceOnly),
    label: order.label,
    createdAt: order.createdAt,
    lastUpdatedAt: order.updatedAt,
    cancelReason: order.cancelReason,
    replaced: order.replaced,
    autoReplaced: order.autoReplaced,
    advanced: advanced?.kind,
    usd: advanced?.kind === 'usd' ? text(advanced.value) : undefined,
    implv: advanced?.kind === 'implv' ? text(advanced.value) : undefined,
    displayAmount: order.displayQuantity && text(order.displayQuantity),
    refreshAmount: order.refreshQuantity && text(order.refreshQuantity),
    trigger: trigger?.source,
    triggerPrice: trigger?.price && text(trigger.price),
    triggerOffset: trigger?.offset && text(trigger.offset),
    triggerReferencePrice: trigger?.reference && text(trigger.reference),
    triggered: order.triggered,
    triggerOrderId: order.triggerOrderId,
    firedOrderId: order.firedOrderId,
    triggerFillCondition: order.fillCondition,
    otoOrderIds: order.otoOrderIds && [...order.otoOrderIds],
    isSecondaryOto: ifTrue(order.isSecondaryOto),
    isPrimaryOtoco: ifTrue(order.isPrimaryOtoco),
    primaryOrderId: order.primaryOrderId,
    ocoRef: order.ocoRef,
    mmp: order.mmp,
    mmpCancelled: ifTrue(order.mmpCancelled),
    isLiquidation: ifTrue(order.isLiquidation),
    riskReducing: false,
    api: true,
  };
}

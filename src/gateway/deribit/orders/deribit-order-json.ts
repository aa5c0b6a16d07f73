// An order as Deribit's wire shows it. Fields that do not apply are absent.
//
// Decisions where recordings and schema differ: `average_price` and `filled_amount` are there before the first fill (an
// untriggered order may leave them out on the real wire); `triggered` stands on trigger orders only; a market order that
// rests is a limit order at the band with `original_order_type`; spot orders have `is_rebalance` and lack `reduce_only`
// and `is_liquidation`; `max_show` stands alongside `display_amount`, because clients of before 2025 read it.
import type { OrderRecord } from '../../../core/order/order-record.ts';
import type { Price, Quantity } from '../../../values/amounts.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import { averageText } from '../../order-api/result-fields.ts';
import {
  decimalNumber,
  integerOfText,
  type JsonNumber,
  numberOfText,
} from '../method/json-number.ts';

const NO_PRICE = 'market_price';

/** The number, or absent. */
export const ifNumber = (value: Price | Quantity | undefined): JsonNumber | undefined =>
  value && decimalNumber(value);

/** Spot has the only names without a dash: BTC_USDC. */
export const isSpot = (name: InstrumentName): boolean => !name.includes('-');

export function orderJson(order: OrderRecord) {
  const { advanced, trigger, averagePrice } = order;
  return {
    order_id: order.orderId,
    order_state: order.state,
    order_type: order.type,
    original_order_type: order.originalType,
    time_in_force: order.timeInForce,
    instrument_name: order.instrument,
    creation_timestamp: order.createdAt,
    last_update_timestamp: order.updatedAt,
    direction: order.side,
    price: order.price === undefined ? NO_PRICE : decimalNumber(order.price),
    label: order.label,
    post_only: order.postOnly,
    reject_post_only: order.postOnly ? order.rejectPostOnly : undefined,
    ...(isSpot(order.instrument)
      ? { is_rebalance: false }
      : { reduce_only: order.reduceOnly, is_liquidation: order.isLiquidation ?? false }),
    api: true,
    web: false,
    user_id: integerOfText(order.account),
    display_amount: ifNumber(order.displayQuantity),
    max_show: ifNumber(order.displayQuantity),
    refresh_amount: ifNumber(order.refreshQuantity),
    amount: decimalNumber(order.quantity),
    contracts: ifNumber(order.contracts),
    filled_amount: decimalNumber(order.filledQuantity),
    average_price: numberOfText(averagePrice === undefined ? '0' : averageText(averagePrice)),
    advanced: advanced?.kind,
    usd: advanced?.kind === 'usd' ? decimalNumber(advanced.value) : undefined,
    implv: advanced?.kind === 'implv' ? decimalNumber(advanced.value) : undefined,
    trigger: trigger?.source,
    trigger_price: ifNumber(trigger?.price),
    trigger_offset: ifNumber(trigger?.offset),
    trigger_reference_price: ifNumber(trigger?.reference),
    triggered: order.triggered,
    trigger_order_id: order.triggerOrderId,
    replaced: order.replaced,
    auto_replaced: order.autoReplaced,
    mmp: order.mmp,
    mmp_cancelled: order.mmpCancelled,
    risk_reducing: false,
    cancel_reason: order.cancelReason,
    trigger_fill_condition: order.fillCondition,
    oto_order_ids: order.otoOrderIds && [...order.otoOrderIds],
    is_secondary_oto: order.isSecondaryOto,
    is_primary_otoco: order.isPrimaryOtoco,
    primary_order_id: order.primaryOrderId,
    oco_ref: order.ocoRef,
  };
}

export const ordersJson = (orders: readonly OrderRecord[]) => orders.map(orderJson);

/** Of open orders: only their lists show which are in their speed bump. */
export const openOrdersJson = (orders: readonly OrderRecord[]) =>
  orders.map((order) => ({
    ...orderJson(order),
    order_state: order.isSpeedBumped === true ? 'speed_bumped' : order.state,
  }));

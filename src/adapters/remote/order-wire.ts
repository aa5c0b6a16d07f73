// An order in the venue's wire format, converted to an order record without its account.
import { z } from 'zod';
import type { OrderRecord } from '../../core/order/order-record.ts';
import {
  instantIn,
  instrumentNameIn,
  orderIdIn,
  priceIn,
  quantityIn,
  shownPriceIn,
  sideIn,
  text,
} from './wire-fields.ts';

const orderType = z.enum([
  'limit',
  'market',
  'market_limit',
  'stop_limit',
  'stop_market',
  'take_limit',
  'take_market',
  'trailing_stop',
]);

export const orderStateIn = z.enum([
  'open',
  'filled',
  'rejected',
  'cancelled',
  'untriggered',
  'triggered',
]);

/** The price of a market order that waits for its trigger. */
const NO_PRICE = 'market_price';

const shape = z.object({
  orderId: orderIdIn,
  instrumentName: instrumentNameIn,
  side: sideIn,
  orderType,
  originalOrderType: orderType.optional(),
  orderState: orderStateIn,
  price: z.union([z.literal(NO_PRICE).transform(() => undefined), priceIn]),
  quantity: quantityIn,
  contracts: quantityIn.optional(),
  filledQuantity: quantityIn,
  averagePrice: shownPriceIn,
  timeInForce: z.enum([
    'good_til_cancelled',
    'good_til_day',
    'fill_or_kill',
    'immediate_or_cancel',
  ]),
  postOnly: z.boolean(),
  rejectPostOnly: z.boolean().default(false),
  reduceOnly: z.boolean().default(false),
  label: text,
  createdAt: instantIn,
  lastUpdatedAt: instantIn,
  cancelReason: text.optional(),
  replaced: z.boolean(),
  autoReplaced: z.boolean().optional(),
  advanced: z.enum(['usd', 'implv']).optional(),
  usd: priceIn.optional(),
  implv: priceIn.optional(),
  displayAmount: quantityIn.optional(),
  refreshAmount: quantityIn.optional(),
  trigger: z.enum(['index_price', 'mark_price', 'last_price']).optional(),
  triggerPrice: priceIn.optional(),
  triggerOffset: priceIn.optional(),
  triggerReferencePrice: priceIn.optional(),
  triggered: z.boolean().optional(),
  triggerOrderId: orderIdIn.optional(),
  firedOrderId: orderIdIn.optional(),
  triggerFillCondition: z.enum(['first_hit', 'complete_fill', 'incremental']).optional(),
  otoOrderIds: z.array(orderIdIn).optional(),
  isSecondaryOto: z.boolean().optional(),
  isPrimaryOtoco: z.boolean().optional(),
  primaryOrderId: orderIdIn.optional(),
  ocoRef: text.optional(),
  mmp: z.boolean(),
  mmpCancelled: z.boolean().optional(),
});

type OrderWire = z.output<typeof shape>;
export type BareOrder = Omit<OrderRecord, 'account'>;

export const orderIn = shape.transform(
  (wire): BareOrder => ({
    orderId: wire.orderId,
    instrument: wire.instrumentName,
    side: wire.side,
    type: wire.orderType,
    originalType: wire.originalOrderType,
    state: wire.orderState,
    price: wire.price,
    quantity: wire.quantity,
    contracts: wire.contracts,
    filledQuantity: wire.filledQuantity,
    averagePrice: wire.averagePrice.isZero() ? undefined : wire.averagePrice,
    timeInForce: wire.timeInForce,
    postOnly: wire.postOnly,
    rejectPostOnly: wire.rejectPostOnly,
    reduceOnly: wire.reduceOnly,
    label: wire.label,
    createdAt: wire.createdAt,
    updatedAt: wire.lastUpdatedAt,
    cancelReason: wire.cancelReason,
    replaced: wire.replaced,
    autoReplaced: wire.autoReplaced,
    advanced: advancedOf(wire),
    displayQuantity: wire.displayAmount,
    refreshQuantity: wire.refreshAmount,
    trigger: triggerOf(wire),
    triggered: wire.triggered,
    triggerOrderId: wire.triggerOrderId,
    firedOrderId: wire.firedOrderId,
    fillCondition: wire.triggerFillCondition,
    otoOrderIds: wire.otoOrderIds,
    isSecondaryOto: wire.isSecondaryOto,
    isPrimaryOtoco: wire.isPrimaryOtoco,
    primaryOrderId: wire.primaryOrderId,
    ocoRef: wire.ocoRef,
    mmp: wire.mmp,
    mmpCancelled: wire.mmpCancelled,
  }),
);

function advancedOf({ advanced: kind, usd, implv }: OrderWire): BareOrder['advanced'] {
  const value = kind === 'usd' ? usd : implv;
  return kind === undefined || value === undefined ? undefined : { kind, value };
}

function triggerOf(wire: OrderWire): BareOrder['trigger'] {
  const { trigger: source, triggerPrice, triggerOffset, triggerReferencePrice } = wire;
  if (source === undefined) return undefined;
  const price = triggerPrice;
  return { source, price, offset: triggerOffset, reference: triggerReferencePrice };
}

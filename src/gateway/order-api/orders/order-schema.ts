// The order as clients see it. Fields that do not apply to an order are omitted.
import { z } from 'zod';
import {
  ADVANCED_KINDS,
  FILL_CONDITIONS,
  ORDER_TYPES,
  TIMES_IN_FORCE,
  TRIGGER_SOURCES,
} from '../../../values/order-terms.ts';
import { decimal, flag, instant, text } from '../result-fields.ts';

const side = z.enum(['buy', 'sell']).describe('Side of the order');
const timeInForce = z.enum(TIMES_IN_FORCE).describe('Time in force');

export const orderSchema = z
  .object({
    orderId: text('Unique id'),
    instrumentName: text('Instrument name'),
    side,
    orderType: z
      .enum(ORDER_TYPES)
      .describe(
        'Current type: a market order that rests in the book is shown as a limit order while it does',
      ),
    originalOrderType: text('Requested type, if different').optional(),
    orderState: z
      .enum(['open', 'filled', 'rejected', 'cancelled', 'untriggered', 'triggered'])
      .describe('State, in lower case'),
    price: decimal('Limit price in force; market_price while a market order waits for its trigger'),
    quantity: decimal('Total size, including the filled part'),
    contracts: decimal('The same in contracts').optional(),
    filledQuantity: decimal('Filled size'),
    averagePrice: decimal('Average price of the fills; 0 without fills'),
    timeInForce,
    timeInforce: timeInForce.describe('The same as timeInForce: both spellings are in use'),
    postOnly: flag('Maker only'),
    rejectPostOnly: flag('Rejected instead of moved; only with postOnly').optional(),
    reduceOnly: flag('Only reduces a position; present only if true').optional(),
    label: text('Label of the client; empty for none'),
    createdAt: instant('Placed'),
    lastUpdatedAt: instant('Last change'),
    cancelReason: text('Why it was cancelled, if a reason is known').optional(),
    replaced: flag("Edited by the client or by the exchange's pricing engine"),
    autoReplaced: flag("The last change was made by the exchange's pricing engine").optional(),
    advanced: z.enum(ADVANCED_KINDS).describe('Options priced by the exchange').optional(),
    usd: decimal('Price in USD, with advanced usd').optional(),
    implv: decimal('Volatility in percent, with advanced implv').optional(),
    displayAmount: decimal('Icebergs: size currently shown').optional(),
    refreshAmount: decimal('Icebergs: size to which the shown size is refilled').optional(),
    trigger: z.enum(TRIGGER_SOURCES).describe('Watched').optional(),
    triggerPrice: decimal(
      'Trigger orders: trigger price; for a trailing stop the current one',
    ).optional(),
    triggerOffset: decimal('Trailing stops: distance from the best price').optional(),
    triggerReferencePrice: decimal('Trailing stops: the reference at placement').optional(),
    triggered: flag('Trigger orders: whether it has been triggered').optional(),
    triggerOrderId: text('Trigger order that created this one').optional(),
    firedOrderId: text('Trigger orders: the order it created').optional(),
    triggerFillCondition: z
      .enum(FILL_CONDITIONS)
      .describe('Linked orders: when a fill acts on the others')
      .optional(),
    otoOrderIds: z.array(z.string()).describe('Orders this one triggers').optional(),
    isSecondaryOto: z.literal(true).describe('Waits for its primary order').optional(),
    isPrimaryOtoco: z.literal(true).describe('Triggers a pair').optional(),
    primaryOrderId: text('Primary of a secondary order').optional(),
    ocoRef: text('Shared by the two orders of a one-cancels-other pair').optional(),
    mmp: flag('Counts towards market-maker protection'),
    isLiquidation: z
      .literal(true)
      .describe('Placed by the exchange to reduce a position of an account in liquidation')
      .optional(),
    mmpCancelled: z.literal(true).describe('Cancelled by market-maker protection').optional(),
    riskReducing: z
      .literal(false)
      .describe('Always false: it applies to portfolio margin, which is not offered'),
    api: z.literal(true).describe('Always true: every order is created with the API'),
  })
  .describe('An order');

export type OrderView = z.infer<typeof orderSchema>;

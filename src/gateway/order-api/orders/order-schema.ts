// The order as clients read it. What does not apply to an order is left out.
import { z } from 'zod';
import { decimal, flag, instant, text } from '../result-fields.ts';

const side = z.enum(['buy', 'sell']).describe('Side of the order');
const timeInForce = z
  .enum(['good_til_cancelled', 'good_til_day', 'fill_or_kill', 'immediate_or_cancel'])
  .describe('How long it lasts');

export const orderSchema = z
  .object({
    orderId: text('Unique id'),
    instrumentName: text('Instrument name'),
    side,
    orderType: z
      .enum([
        'limit',
        'market',
        'market_limit',
        'stop_limit',
        'stop_market',
        'take_limit',
        'take_market',
        'trailing_stop',
      ])
      .describe(
        'What it is: a market order that rests in the book is a limit order for as long as it does',
      ),
    originalOrderType: text('What was asked for, where that is another type').optional(),
    orderState: z
      .enum(['open', 'filled', 'rejected', 'cancelled', 'untriggered', 'triggered'])
      .describe('State, in lower case'),
    price: decimal('Limit in force; market_price while a market order waits for its trigger'),
    quantity: decimal('Total size, what is filled included'),
    contracts: decimal('The same in contracts').optional(),
    filledQuantity: decimal('Filled size'),
    averagePrice: decimal('Average price of the fills; 0 while there are none'),
    timeInForce,
    timeInforce: timeInForce.describe('The same as timeInForce: both spellings are in use'),
    postOnly: flag('Never takes'),
    rejectPostOnly: flag('Refused rather than moved; only with postOnly').optional(),
    reduceOnly: flag('Only ever reduces a position; only when true').optional(),
    label: text('Label of the owner, empty when none'),
    createdAt: instant('Placed'),
    lastUpdatedAt: instant('Last change'),
    cancelReason: text('Why it was cancelled, where there is a reason').optional(),
    replaced: flag('Edited, by the owner or by the pricing of the exchange'),
    autoReplaced: flag('The last change was made by the pricing of the exchange').optional(),
    advanced: z.enum(['usd', 'implv']).describe('Options priced by the exchange').optional(),
    usd: decimal('Price in USD, with advanced usd').optional(),
    implv: decimal('Volatility in percent, with advanced implv').optional(),
    displayAmount: decimal('Icebergs: what the book shows now').optional(),
    refreshAmount: decimal('Icebergs: what it is refilled to').optional(),
    trigger: z.enum(['index_price', 'mark_price', 'last_price']).describe('Watched').optional(),
    triggerPrice: decimal('Trigger orders; for a trailing stop the moving one').optional(),
    triggerOffset: decimal('Trailing stops: distance from the best price').optional(),
    triggerReferencePrice: decimal('Trailing stops: the reference at placement').optional(),
    triggered: flag('Trigger orders: whether it has been triggered').optional(),
    triggerOrderId: text('Trigger order that made this one').optional(),
    firedOrderId: text('Trigger orders: the order that came in its place').optional(),
    triggerFillCondition: z
      .enum(['first_hit', 'complete_fill', 'incremental'])
      .describe('Linked orders: when a fill acts on the others')
      .optional(),
    otoOrderIds: z.array(z.string()).describe('Orders this one triggers').optional(),
    isSecondaryOto: z.literal(true).describe('Waits for its primary order').optional(),
    isPrimaryOtoco: z.literal(true).describe('Triggers a pair').optional(),
    primaryOrderId: text('Primary of a secondary order').optional(),
    ocoRef: text('Shared by orders of which one cancels the other').optional(),
    mmp: flag('Counts for market maker protection'),
    mmpCancelled: z.literal(true).describe('Cancelled by that protection').optional(),
    riskReducing: z.literal(false).describe('For portfolio margin, which there is none of here'),
    api: z.literal(true).describe('Every order here comes through the interface'),
  })
  .describe('An order');

export type OrderView = z.infer<typeof orderSchema>;

// The history of trigger orders that have ended: recent ones first, then older ones, in pages.
//
// Source: the venue's trigger order history, with one entry for each trigger order that was triggered or
// cancelled, and the order it created.
import { z } from 'zod';
import type { OrderRecord } from '../../../core/order/order-record.ts';
import type { OrderFilter, Reply, TradingDesk } from '../../../ports/trading-desk.ts';
import { text as decimalText } from '../../../values/amounts.ts';
import { textField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { instrumentNotFound } from '../find-instrument.ts';
import { accountMethod, type Method } from '../method.ts';
import { countField, currencyField, instrumentField, TRIGGER_TYPES } from '../param-fields.ts';
import { invalidParam } from '../refusals.ts';
import { decimal, flag, instant, text } from '../result-fields.ts';

const entrySchema = z
  .object({
    timestamp: instant('When it was placed'),
    lastUpdateTimestamp: instant('When it was triggered or cancelled'),
    triggerOrderId: text('The trigger order'),
    orderId: text('The order it created').optional(),
    orderState: z
      .enum(['triggered', 'cancelled'])
      .describe('How the trigger order ended; query the created order by its id for its state'),
    request: z.enum(['trigger:order', 'cancel']).describe('What ended the trigger order'),
    instrumentName: text('Instrument name'),
    side: z.enum(['buy', 'sell']).describe('Side of the order'),
    quantity: decimal('In the amount unit'),
    price: decimal('Limit price; market_price for none'),
    orderType: z.enum(['limit', 'market']).describe('Type of the created order'),
    trigger: z.enum(['index_price', 'mark_price', 'last_price']).describe('Watched'),
    triggerPrice: decimal('Trailing stops: the final trigger price').optional(),
    triggerOffset: decimal('Trailing stops: distance from the best price').optional(),
    reduceOnly: flag('Only reduces the position'),
    postOnly: flag('Maker only'),
    label: text('Label of the client; empty for none'),
    isSecondaryOto: z.literal(true).describe('Waited for its primary order').optional(),
    ocoRef: text('Shared by the two orders of a one-cancels-other pair').optional(),
  })
  .describe('The end of a trigger order');

const resultSchema = z.object({
  entries: z.array(entrySchema).describe('Newest first'),
  continuation: text('Token to continue after the last entry').optional(),
});

type Entry = z.infer<typeof entrySchema>;
type History = z.infer<typeof resultSchema>;

/**
 * The venue keeps recent and past orders in two histories; a continuation token names the one it belongs to.
 */
const PARTS = ['recent', 'past'] as const;
const TOKEN = /^(recent|past)(?:~(.{1,240}))?$/;
const TOKEN_LENGTH_MAX = 256;

interface Place {
  readonly part: (typeof PARTS)[number];
  readonly continuation?: string | undefined;
}

interface Wish {
  readonly filter: OrderFilter;
  readonly count: number;
  readonly from: Place;
}

/** A page may be short although more follow. */
async function historyFrom(desk: TradingDesk, wish: Wish): Promise<Reply<History>> {
  const entries: Entry[] = [];
  let place: Place | undefined = wish.from;
  while (place !== undefined && entries.length < wish.count) {
    const { part, continuation }: Place = place;
    const reply = await desk.orderHistory({
      ...wish.filter,
      types: TRIGGER_TYPES,
      count: wish.count - entries.length,
      offset: 0,
      continuation,
      historical: part === 'past',
      includeOld: true,
      includeUnfilled: true,
    });
    if (reply.kind !== 'done') return reply;
    entries.push(...reply.value.orders.flatMap((order) => entryOf(order) ?? []));
    place = placeBehind(part, reply.value.continuation);
  }
  return { kind: 'done', value: { entries, continuation: place && tokenOf(place) } };
}

function placeBehind(part: Place['part'], continuation: string | undefined): Place | undefined {
  if (continuation !== undefined) return { part, continuation };
  return part === 'recent' ? { part: 'past' } : undefined;
}

const tokenOf = ({ part, continuation }: Place): string =>
  continuation === undefined ? part : `${part}~${continuation}`;

function placeOf(token: string): Place | undefined {
  const [, part, continuation] = TOKEN.exec(token) ?? [];
  const known = PARTS.find((one) => one === part);
  return known && { part: known, continuation };
}

/** `undefined` if the order has not ended, or never waited for a trigger. */
function entryOf(order: OrderRecord): Entry | undefined {
  const { trigger, state } = order;
  if (trigger === undefined || (state !== 'triggered' && state !== 'cancelled')) return undefined;
  const type = order.originalType ?? order.type;
  return {
    timestamp: order.createdAt,
    lastUpdateTimestamp: order.updatedAt,
    triggerOrderId: order.orderId,
    orderId: order.firedOrderId,
    orderState: state,
    request: state === 'triggered' ? 'trigger:order' : 'cancel',
    instrumentName: order.instrument,
    side: order.side,
    quantity: decimalText(order.quantity),
    price: order.price === undefined ? 'market_price' : decimalText(order.price),
    orderType: type.endsWith('_limit') ? 'limit' : 'market',
    trigger: trigger.source,
    triggerPrice: trigger.price && decimalText(trigger.price),
    triggerOffset: trigger.offset && decimalText(trigger.offset),
    reduceOnly: order.reduceOnly,
    postOnly: order.postOnly,
    label: order.label,
    isSecondaryOto: order.isSecondaryOto === true ? true : undefined,
    ocoRef: order.ocoRef,
  };
}

const triggerOrderHistory = accountMethod({
  needs: 'read',
  lane: 'query',
  name: 'private/get_trigger_order_history',
  summary: 'History of trigger orders that were triggered or cancelled',
  params: {
    currency: currencyField,
    instrumentName: optional(instrumentField),
    count: countField(20),
    continuation: optional(
      textField({ max: TOKEN_LENGTH_MAX, description: 'The token of an earlier answer' }),
    ),
  },
  result: resultSchema,
  example: { currency: 'BTC', count: 10 },
  run: ({ account, desk, now }, { currency, instrumentName: instrument, count, continuation }) => {
    if (instrument !== undefined && desk.instrument(instrument) === undefined) {
      return instrumentNotFound(instrument, { markets: [desk], now });
    }
    const from = continuation === undefined ? { part: PARTS[0] } : placeOf(continuation);
    if (from === undefined) {
      return invalidParam(
        'continuation',
        'is not a valid token; accepted: the token of an earlier answer',
      );
    }
    return historyFrom(desk, {
      filter: { account, currency: currency.code, instrument },
      count,
      from,
    });
  },
});

export const TRIGGER_QUERIES = [triggerOrderHistory] as const satisfies readonly Method[];

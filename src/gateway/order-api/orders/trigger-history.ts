// What became of orders that waited for a trigger: the recent ones first, then those before, in pages.
//
// Source: the venue's trigger order history: one entry for each that fired or was cancelled, with the
// order that came in its place.
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
    lastUpdateTimestamp: instant('When it fired or was taken back'),
    triggerOrderId: text('The order that waited'),
    orderId: text('The order that came in its place').optional(),
    orderState: z
      .enum(['triggered', 'cancelled'])
      .describe('How the waiting ended; what became of the new order is asked for by its id'),
    request: z.enum(['trigger:order', 'cancel']).describe('What ended the waiting'),
    instrumentName: text('Instrument name'),
    side: z.enum(['buy', 'sell']).describe('Side of the order'),
    quantity: decimal('In the amount unit'),
    price: decimal('Limit; market_price where there is none'),
    orderType: z.enum(['limit', 'market']).describe('What comes in its place'),
    trigger: z.enum(['index_price', 'mark_price', 'last_price']).describe('Watched'),
    triggerPrice: decimal('Trailing stops: where it stood at the end').optional(),
    triggerOffset: decimal('Trailing stops: distance from the best price').optional(),
    reduceOnly: flag('Only reduces the position'),
    postOnly: flag('Only rests'),
    label: text('Label of the owner, empty when none'),
    isSecondaryOto: z.literal(true).describe('Waited for its primary order').optional(),
    ocoRef: text('Shared by orders of which one cancels the other').optional(),
  })
  .describe('The end of a trigger order');

const resultSchema = z.object({
  entries: z.array(entrySchema).describe('Newest first'),
  continuation: text('Goes on behind the last entry').optional(),
});

type Entry = z.infer<typeof entrySchema>;
type History = z.infer<typeof resultSchema>;

/** Recent orders and those before are two histories at the venue: a token says which of them it is of. */
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

/** A page may be short and still be followed by another. */
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

/** `undefined` for what has not ended, or never waited for a trigger. */
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
  summary: 'What became of orders that waited for a trigger',
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
        'is no token of an earlier answer; accepted: one that is',
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

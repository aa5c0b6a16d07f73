// Trigger orders that have ended: recent ones first, then older ones, in pages.
import type { OrderRecord } from '../../../core/order/order-record.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import { type DeskCall, ofListed, type Selection } from '../order-runs.ts';
import { TRIGGER_TYPES } from '../param-fields.ts';
import { invalidParam } from '../refusals.ts';

/** A trigger order that was triggered or cancelled. */
export type EndedTrigger = OrderRecord & {
  readonly trigger: NonNullable<OrderRecord['trigger']>;
  readonly state: 'triggered' | 'cancelled';
};

export interface EndedTriggers {
  readonly orders: readonly EndedTrigger[];
  readonly continuation?: string | undefined;
}

/** What ended it. */
export const requestOf = ({ state }: EndedTrigger) =>
  state === 'triggered' ? 'trigger:order' : 'cancel';

/** The type of the order it created, or would have created. */
export const typeBehind = ({ type, originalType = type }: EndedTrigger): 'limit' | 'market' =>
  originalType.endsWith('_limit') ? 'limit' : 'market';

/**
 * The venue keeps recent and past orders in two histories; a continuation token names the one it belongs to.
 */
const PARTS = ['recent', 'past'] as const;
const TOKEN = /^(recent|past)(?:~(.{1,240}))?$/;

interface Place {
  readonly part: (typeof PARTS)[number];
  readonly continuation?: string | undefined;
}

export interface Wish extends Pick<Selection, 'instrumentName'> {
  readonly currency: NonNullable<Selection['currency']>;
  readonly count: number;
  /** Of an earlier answer. */
  readonly continuation?: string | undefined;
}

export const endedTriggers = (call: DeskCall, wish: Wish) =>
  ofListed(call, wish, () => readEnded(call, wish));

/** A page may be short although more follow. */
async function readEnded({ account, desk }: DeskCall, wish: Wish): Promise<Reply<EndedTriggers>> {
  const filter = { account, currency: wish.currency.code, instrument: wish.instrumentName };
  const orders: EndedTrigger[] = [];
  let place: Place | undefined =
    wish.continuation === undefined ? { part: PARTS[0] } : placeOf(wish.continuation);
  if (place === undefined) {
    const reason = 'is not a valid token; accepted: the token of an earlier answer';
    return invalidParam('continuation', reason);
  }
  while (place !== undefined && orders.length < wish.count) {
    const { part, continuation }: Place = place;
    const reply = await desk.orderHistory({
      ...filter,
      types: TRIGGER_TYPES,
      count: wish.count - orders.length,
      offset: 0,
      continuation,
      historical: part === 'past',
      includeOld: true,
      includeUnfilled: true,
    });
    if (reply.kind !== 'done') return reply;
    orders.push(...reply.value.orders.filter(isEnded));
    place = placeBehind(part, reply.value.continuation);
  }
  return { kind: 'done', value: { orders, continuation: place && tokenOf(place) } };
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

/** False if the order has not ended, or never waited for a trigger. */
const isEnded = (order: OrderRecord): order is EndedTrigger =>
  order.trigger !== undefined && (order.state === 'triggered' || order.state === 'cancelled');

// Undoes what one open point did: cancels its orders, trades back what they filled, and names what a person has to do if
// the venue does not show that it is undone.
import type { Answer, Needs } from '../../../adapters/deribit/capture/capture-point.ts';
import { placedIn, textIn } from '../../../adapters/deribit/capture/judging.ts';
import type { DeribitVenue } from '../../../adapters/deribit/deribit-venue.ts';
import type { OrderRecord } from '../../../core/order/order-record.ts';
import type { Clock } from '../../../ports/clock.ts';
import { decimalDigits } from '../../../ports/deribit-wire/decimal-digits.ts';
import {
  absolute,
  isLess,
  isZero,
  plus,
  type Quantity,
  quantity,
  text,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import type { AccountId } from '../../../values/ids.ts';
import { later } from '../../../values/instant.ts';
import { type Instrument, signOf } from '../../../values/instrument.ts';
import { pause } from '../probe-order.ts';

export interface UndoOptions {
  readonly venue: Pick<
    DeribitVenue,
    'requestsOf' | 'quote' | 'venueNow' | 'ordersLabelled' | 'place' | 'cancel'
  >;
  readonly account: AccountId;
  readonly label: string;
  /** Those on which the point may have placed orders. */
  readonly instruments: readonly Instrument[];
  readonly clock: Clock;
  /** From its placement until the venue must refuse an order. */
  readonly validMs: number;
}

const ATTEMPTS = 5;
const AGAIN_MS = 200;

/** What could not be undone; `undefined` if the venue shows nothing of it. */
export async function leftAfter(
  options: UndoOptions,
  needs: Needs,
  answers: readonly Answer[],
): Promise<string | undefined> {
  switch (needs) {
    case 'reads':
      return undefined;
    case 'protection':
      return answers.every(({ outcome }) => outcome.kind === 'error')
        ? undefined
        : await groupLeft(options);
    default:
      return await ordersLeft(options, answers);
  }
}

/** A group with an interval of 0 protects nothing; venues may go on listing it. */
async function groupLeft({ venue, account, label }: UndoOptions): Promise<string | undefined> {
  const outcome = await venue.requestsOf(account)('private/get_mmp_config', {});
  const groups =
    outcome.kind === 'result' && Array.isArray(outcome.value) ? outcome.value : undefined;
  const isGone = groups?.every((one) => one?.mmp_group !== label || Number(one.interval) === 0);
  return isGone === true
    ? undefined
    : `the group of protection ${label} may remain: remove it with interval 0`;
}

async function ordersLeft(
  options: UndoOptions,
  answers: readonly Answer[],
): Promise<string | undefined> {
  // A request without an answer may take effect until the venue must refuse it.
  if (answers.some(({ outcome }) => outcome.kind === 'unknown')) {
    await pause(options.clock, options.validMs);
  }
  const left: string[] = [];
  for (const instrument of options.instruments) {
    const why = await leftOn(options, instrument, filledIn(answers, instrument));
    if (why !== undefined) left.push(why);
  }
  return left.length === 0 ? undefined : left.join('; ');
}

/** What the answers say of the orders that were accepted: a list that shows less is older than they are. */
function filledIn(answers: readonly Answer[], { name }: Instrument): ReadonlyMap<string, Quantity> {
  const filled = new Map<string, Quantity>();
  for (const { method, params, outcome } of answers) {
    if (method !== 'private/buy' || params['instrument_name'] !== name) continue;
    const order = placedIn(outcome);
    const id = textIn(order, 'order_id');
    const digits = decimalDigits(textIn(order, 'filled_amount') ?? '0');
    if (id !== undefined) filled.set(id, quantity(digits ?? '0'));
  }
  return filled;
}

async function leftOn(
  options: UndoOptions,
  instrument: Instrument,
  accepted: ReadonlyMap<string, Quantity>,
): Promise<string | undefined> {
  const { venue, account, label } = options;
  const known = new Map(accepted);
  let why = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await pause(options.clock, AGAIN_MS);
    const found = await venue.ordersLabelled({ account, label, instrument: instrument.name });
    if (found.kind !== 'done') {
      why = 'its orders cannot be listed';
      continue;
    }
    const listed = new Map(found.value.map((order) => [String(order.orderId), order]));
    if ([...known].some(([id, filled]) => isBehind(listed.get(id), filled))) {
      why = 'the list of its orders is older than their answers';
      continue;
    }
    const open = found.value.filter(({ state }) => state === 'open');
    for (const { orderId } of open) {
      await venue.cancel({ account, of: { orderId, instrument: instrument.name } });
    }
    why = 'an order may be open';
    if (open.length > 0) continue;
    const held = found.value.reduce((sum, order) => plus(sum, signed(order)), ZERO_QUANTITY);
    if (isZero(held)) return undefined;
    why = `${text(held)} may be held`;
    const back = await tradeBack(options, instrument, held);
    if (back !== undefined) known.set(back.orderId, back.filledQuantity);
  }
  return `orders labelled ${label} on ${instrument.name}: ${why}; cancel and trade it back manually`;
}

const isBehind = (listed: OrderRecord | undefined, filled: Quantity): boolean =>
  listed === undefined || isLess(listed.filledQuantity, filled);

const signed = ({ side, filledQuantity }: OrderRecord): Quantity =>
  filledQuantity.mul(signOf(side)) as Quantity;

/** Returns the order, if the venue took it. */
async function tradeBack(
  options: UndoOptions,
  instrument: Instrument,
  held: Quantity,
): Promise<OrderRecord | undefined> {
  const { venue, account, label, validMs } = options;
  const side = isLess(held, ZERO_QUANTITY) ? 'buy' : 'sell';
  const quote = venue.quote(instrument.name);
  const best = side === 'buy' ? quote?.ask?.price : quote?.bid?.price;
  if (best === undefined) return undefined;
  const reply = await venue.place({
    account,
    label,
    side,
    instrument: instrument.name,
    type: 'limit',
    quantity: absolute(held),
    price: best,
    timeInForce: 'immediate_or_cancel',
    postOnly: false,
    rejectPostOnly: false,
    reduceOnly: false,
    mmp: false,
    validUntil: later(venue.venueNow(), validMs),
  });
  if (reply.kind === 'done') return reply.value.order;
  // What became of it is read from the list of orders, once it can have no more effect.
  if (reply.kind === 'unknown') await pause(options.clock, validMs);
  return undefined;
}

// Places linked orders. All are checked before the first is placed, so that a malformed request leaves
// nothing behind; an order that the market then refuses stays on record as rejected.
import { type OrderId, orderId } from '../../values/ids.ts';
import { startWaiting, waitsForPrimary } from '../accounting/dormant-order.ts';
import { cutLotsOf, winnerOf } from '../accounting/link-exclusion.ts';
import { close } from '../accounting/working-order.ts';
import { checkLabel } from '../checks/order-checks.ts';
import type { LinkTerms, OrderReply } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';
import type { Conditions } from '../model/conditions.ts';
import { isAlive, join, type LinkGroup, newGroup } from '../model/links/link-group.ts';
import { type LinkSeat, newShare } from '../model/links/link-seat.ts';
import { type LiveOrder, viewOf } from '../model/live-order.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';
import { isTriggerType, type Trigger } from '../model/triggers/trigger.ts';
import { checkDormant, checkStart, checkTriggerCount, dormantOrder } from './dormant-placement.ts';
import { checkForm, type Entry } from './place-order.ts';
import { checkUntriggered, routeForOwner, routeOrder } from './route-order.ts';

export function placeLinked(state: ExchangeState, entry: Entry, link: LinkTerms): OrderReply {
  const others = link.others.map((terms) => entryOf(entry, terms));
  const refused = checkRequest(state, entry, link) ?? firstRefused(state, link, others);
  if (refused !== undefined) return refused;
  const entered = routeOrder(state, entry, undefined);
  if ('code' in entered) return entered;
  const { order, trades } = entered;
  link.kind === 'one_cancels_other'
    ? joinPeers(state, { link, order, others })
    : joinDormant(state, { link, order, others });
  state.pending.linked(order);
  return { kind: 'order', order: viewOf(order), trades };
}

/** The linked orders have the account, instrument and time of the request itself. */
function entryOf({ account, listing, command }: Entry, terms: LinkTerms['others'][number]): Entry {
  const { kind, now, instrument } = command;
  return { account, listing, command: { kind, now, account: account.id, instrument, ...terms } };
}

function checkRequest(state: ExchangeState, entry: Entry, link: LinkTerms): Refusal | undefined {
  const { listing, account } = entry;
  const { kind, others } = link;
  if (listing.instrument.kind === 'option') {
    const reason = 'options have no linked orders; accepted: leave it out';
    return refusal.invalidArgsForInstrument('linked_order_type', reason);
  }
  const least = kind === 'one_triggers_one_cancels_other' ? 2 : 1;
  if (others.length < least) {
    return refusal.invalidParam('otoco_config', `must hold at least ${least}`);
  }
  const types = [entry.command.type, ...others.map(({ type }) => type)];
  const tooMany = checkTriggerCount(state, account, types.filter(isTriggerType).length);
  if (tooMany !== undefined || kind === 'one_cancels_other') return tooMany;
  const isSpot = listing.instrument.kind === 'spot';
  const waiting = waitingLinks(account, isSpot) + others.length;
  const { dormantLinksMax } = state.settings;
  return waiting > dormantLinksMax ? refusal.noMoreOtoOrders(dormantLinksMax) : undefined;
}

function waitingLinks(account: Account, isSpot: boolean): number {
  let count = 0;
  for (const { listing, dormantOrders } of account.exposures()) {
    if ((listing.instrument.kind === 'spot') !== isSpot) continue;
    for (const order of dormantOrders) if (waitsForPrimary(order)) count += 1;
  }
  return count;
}

function firstRefused(
  state: ExchangeState,
  link: LinkTerms,
  others: readonly Entry[],
): Refusal | undefined {
  for (const other of others) {
    const read = readEntry(state, other);
    if (read === undefined) continue;
    if ('code' in read) return read;
    // The triggers of orders that wait for a primary are checked against the price when they are placed.
    const startsNow = link.kind === 'one_cancels_other';
    const refused = startsNow ? checkStart(state, other.listing, read) : undefined;
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** The trigger, if any, of a well-formed request. */
function readEntry(state: ExchangeState, entry: Entry): Trigger | Refusal | undefined {
  const { listing, command } = entry;
  const wrongLabel = checkLabel(command.label);
  if (wrongLabel !== undefined) return wrongLabel;
  if (isTriggerType(command.type)) return checkDormant(state, entry, command.type);
  return checkUntriggered(command) ?? checkForm(state, listing, command);
}

interface Request {
  readonly link: LinkTerms;
  /** The order of the request itself. */
  readonly order: LiveOrder;
  readonly others: readonly Entry[];
}

/** Adds the others as dormant orders that wait for this one. */
function joinDormant(state: ExchangeState, { link, order, others }: Request): void {
  const group = groupOf(state, link, order);
  group.primary = order;
  const primaryId = order.orderId;
  const secondaryIds = others.map((other, at): OrderId => {
    const id = state.orderIds.nextOf('OTO');
    const dormant = dormantOrder(state, other, id);
    const trigger = readEntry(state, other) as Trigger | undefined;
    const seat: LinkSeat = {
      ...seatIn(group, at + 1, dormant.totalLots),
      role: 'secondary',
      primaryId,
      ...(link.kind === 'one_triggers_other' ? {} : { ocoRef: `OCO-${group.ref}` }),
    };
    seat.share.placedLots = 0;
    dormant.conditions = { ...(trigger && { trigger }), seat };
    join(group, seat.place, seat.share).dormant = dormant;
    state.orders.add(dormant);
    startWaiting(state, dormant);
    state.outbox.orderChanged(dormant);
    return orderId(id);
  });
  const seat: LinkSeat = {
    ...seatIn(group, 0, order.totalLots),
    pool: [],
    role: 'primary',
    secondaryIds,
  };
  order.conditions = { ...order.conditions, seat };
}

/** Places the others alongside the order, unless it has left them no quantity. */
function joinPeers(state: ExchangeState, { link, order, others }: Request): void {
  const group = groupOf(state, link, order);
  const own = peerSeat(group, 0, order.totalLots);
  order.conditions = { ...order.conditions, seat: own };
  own.share.filledLots = order.filledLots;
  join(group, 0, own.share).live = order;
  others.forEach((other, at) => {
    const { listing } = other;
    const totalLots = listing.grid.lotsOf(other.command.quantity) ?? 0;
    const seat = peerSeat(group, at + 1, totalLots);
    const member = join(group, seat.place, seat.share);
    if (link.fillCondition === 'incremental')
      seat.share.cutLots = cutLotsOf(seat.share, group.pool);
    const lots = totalLots - seat.share.cutLots;
    const isLate = winnerOf(group) !== undefined || lots < listing.grid.minLots;
    const quantity = listing.grid.quantityOf(isLate ? totalLots : lots);
    const entry = { ...other, command: { ...other.command, quantity } };
    member.live = isLate ? tooLate(state, entry, { seat }) : routeForOwner(state, entry, { seat });
    state.pending.linked(member.live);
  });
  if (!isAlive(group)) state.links.delete(group.ref);
}

/** Cancelled before it entered the book; kept on record like every requested order. */
function tooLate(state: ExchangeState, entry: Entry, conditions: Conditions): LiveOrder {
  const order = dormantOrder(state, entry, state.orderIds.next(entry.listing.instrument));
  order.conditions = conditions;
  order.state = 'cancelled';
  order.cancelReason = 'oco_other_closed';
  state.orders.add(order);
  close(state, order);
  return order;
}

function groupOf(state: ExchangeState, link: LinkTerms, order: LiveOrder): LinkGroup {
  const { kind, fillCondition } = link;
  const group = newGroup({ ref: order.orderId, kind, fillCondition });
  state.links.set(group.ref, group);
  return group;
}

const seatIn = ({ ref, kind, fillCondition, pool }: LinkGroup, place: number, lots: number) => ({
  ref,
  pool,
  kind,
  fillCondition,
  place,
  share: newShare(lots, lots),
});

const peerSeat = (group: LinkGroup, place: number, lots: number): LinkSeat => ({
  ...seatIn(group, place, lots),
  role: 'peer',
  ocoRef: `OCO-${group.ref}`,
});

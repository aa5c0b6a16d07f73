// Edits an open order: the amount is the new total. At the same price, with the same or a smaller amount and
// the same display amount, the order keeps its place; any other edit matches it as if it were new: it may
// trade at once and otherwise joins the end of its level.

import { minus, text } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import type { AccountId, OrderId } from '../../values/ids.ts';
import type { EditTerms } from '../../values/order-terms.ts';
import { waitsForPrimary } from '../accounting/dormant-order.ts';
import { claimOf, isAffordable } from '../accounting/margin.ts';
import { nothingToReduce, recapReduceOnly, reducibleLots } from '../accounting/reduce-only.ts';
import { cancel, delist, enlist, shrink, unrest } from '../accounting/working-order.ts';
import { bandedTicks, NO_MODEL_PRICE } from '../checks/limit-price.ts';
import {
  checkAmount,
  checkBook,
  checkFlags,
  checkPrice,
  checkRouted,
  checkValidity,
} from '../checks/order-checks.ts';
import { makerTicks } from '../checks/post-only.ts';
import { checkOwn } from '../checks/self-trade.ts';
import type { EditByLabelCommand, EditCommand, OrderReply } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { type Advanced, advancedTicks, checkAdvanced } from '../model/advanced-price.ts';
import { refreshLotsOf, showsEnough, tooLittleShown } from '../model/iceberg.ts';
import { type LiveOrder, type LiveTerms, viewOf } from '../model/live-order.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';
import { editDormant } from './edit-dormant.ts';
import { arrive } from './execute-order.ts';

/** The code of the refusal of a post-only edit that would trade; the order is cancelled with it. */
const POST_ONLY_REJECT = 11054;

export function edit(state: ExchangeState, command: EditCommand): OrderReply {
  const order = ownOpenOrder(state, command.account, command.orderId);
  return 'code' in order ? order : editForOwner(state, order, command);
}

export function editByLabel(state: ExchangeState, command: EditByLabelCommand): OrderReply {
  const { account, instrument, label } = command;
  if (!state.listings.has(instrument)) {
    return refusal.invalidParam('instrument_name', 'instrument not found');
  }
  if (label === '') return refusal.invalidParam('label', 'required');
  const matching = state.orders
    .byLabel(account, label)
    .filter((order) => order.isLive && order.listing.instrument.name === instrument);
  const [order] = matching;
  if (order === undefined) return refusal.orderNotFound('label');
  return matching.length > 1 ? refusal.nonUniqueLabel() : editForOwner(state, order, command);
}

/** The account's own order, if it can still be changed. */
export function ownOpenOrder(
  state: ExchangeState,
  account: AccountId,
  id: OrderId,
): LiveOrder | Refusal {
  if (id === '') return refusal.invalidOrderId();
  const order = state.orders.byId(id);
  if (order === undefined) return refusal.orderNotFound('order_id');
  if (order.account !== account) return refusal.notOwnerOfOrder();
  return order.isLive ? order : refusal.notOpenOrder(order.state);
}

/** No source states the code, so it is a rule of the exchange. */
function speedBumped(code: number): Refusal {
  const reason =
    'the order waits before it may match (speed_bumped); accepted: the same edit after its release, or a cancel';
  const other = refusal.otherReject('speed_bumped', 'order_id', reason);
  return code === other.code ? other : { ...other, code, message: 'speed_bumped' };
}

/** Shares of linked orders are based on the owner's latest request. */
function editForOwner(state: ExchangeState, order: LiveOrder, edit: EditTerms): OrderReply {
  if (order.conditions?.bump !== undefined) {
    const isRouted = order.listing.instrument.isRouted === true;
    return isRouted ? refusal.notConfirmed() : speedBumped(state.settings.speedBumpEditCode);
  }
  const { totalLots } = order;
  const waited = waitsForPrimary(order);
  const answer = editOrder(state, order, edit);
  const share = order.conditions?.seat?.share;
  if (answer.kind === 'refused' || share === undefined) return answer;
  const change = order.totalLots - totalLots;
  share.totalLots += change;
  if (!waited) share.placedLots += change;
  state.pending.linked(order);
  return answer;
}

/** Changes an order as if its owner had requested it. */
export function editOrder(state: ExchangeState, order: LiveOrder, edit: EditTerms): OrderReply {
  if (order.state === 'untriggered') return editDormant(state, order, edit);
  if (edit.triggerPrice !== undefined || edit.triggerOffset !== undefined) {
    const param = edit.triggerPrice === undefined ? 'trigger_offset' : 'trigger_price';
    const reason = 'the order waits for no trigger; accepted: leave it out';
    return refusal.unsupportedCombination(param, reason);
  }
  const wanted = wantedTerms(state, order, edit);
  if ('code' in wanted) return wanted;
  const terms = wanted.postOnly ? asMaker(order, wanted) : wanted;
  if ('code' in terms) {
    if (terms.code === POST_ONLY_REJECT) cancel(state, order, 'edit_post_only_reject');
    return terms;
  }
  const refused = checkOutcome(state, order, terms);
  if (refused !== undefined) return refused;
  order.replaced = true;
  order.updatedAt = state.now;
  if (keepsPlace(order, terms)) {
    replaceInPlace(state, order, terms);
    return { kind: 'order', order: viewOf(order), trades: [] };
  }
  unrest(state, order);
  order.setTerms(terms);
  const trades = arrive(state, order);
  return { kind: 'order', order: viewOf(order), trades };
}

const keepsPlace = (order: LiveOrder, terms: LiveTerms): boolean =>
  terms.ticks === order.ticks &&
  terms.totalLots <= order.totalLots &&
  terms.refreshLots === order.refreshLots;

function replaceInPlace(state: ExchangeState, order: LiveOrder, terms: LiveTerms): void {
  shrink(state, order, terms.totalLots);
  delist(state, order);
  order.setTerms(terms);
  enlist(state, order);
  state.outbox.orderChanged(order);
  if (order.reduceOnly) recapReduceOnly(state, state.exposureOf(order));
}

/** The order's terms after the edit, if the edit is well formed. */
function wantedTerms(state: ExchangeState, order: LiveOrder, edit: EditTerms): LiveTerms | Refusal {
  const { listing } = order;
  const { mmp, timeInForce } = order;
  const postOnly = edit.postOnly ?? order.postOnly;
  const reduceOnly = edit.reduceOnly ?? order.reduceOnly;
  const { rejectPostOnly = order.rejectPostOnly, displayQuantity } = edit;
  // A resting market order is a limit order by now.
  const flags = { type: 'limit', timeInForce, postOnly, reduceOnly, mmp } as const;
  const refused =
    checkBook(listing, state.now) ??
    checkValidity(state.now, edit.validUntil) ??
    (edit.quantity && checkAmount(listing, edit.quantity)) ??
    (edit.price && !order.advanced ? checkPrice(listing, edit.price) : undefined) ??
    checkFlags(listing, flags, true) ??
    checkRouted(listing, { ...flags, rejectPostOnly, displayQuantity }) ??
    checkMmp(order, edit);
  if (refused !== undefined) return refused;
  const advanced = wantedAdvanced(state, order, { ...edit, postOnly });
  if (advanced !== undefined && 'code' in advanced) return advanced;
  const ticks = wantedTicks(state, order, edit, advanced);
  if (ticks === undefined) {
    return refusal.priceNotAllowed(
      advanced === undefined
        ? 'is not on the grid; accepted: a multiple of the tick'
        : NO_MODEL_PRICE,
    );
  }
  const totalLots = (edit.quantity && listing.grid.lotsOf(edit.quantity)) ?? order.totalLots;
  if (totalLots <= order.filledLots) {
    return refusal.alreadyFilled(text(listing.grid.quantityOf(order.filledLots)));
  }
  const refreshLots = wantedRefresh(order, edit, totalLots);
  if (typeof refreshLots !== 'number') return refreshLots;
  const asked = { ticks, totalLots, refreshLots, advanced, postOnly, rejectPostOnly, reduceOnly };
  const { side } = order;
  const banded = keepsPlace(order, asked) ? ticks : bandedTicks(state, listing, { side, ticks });
  if (typeof banded !== 'number') return banded;
  const terms = { ...asked, ticks: banded };
  return reduceOnly ? capped(state, order, terms) : terms;
}

/** The advanced value after the edit; the owner must repeat it with each edit. */
function wantedAdvanced(
  state: ExchangeState,
  order: LiveOrder,
  edit: EditTerms & { readonly postOnly: boolean },
): Advanced | Refusal | undefined {
  const { advanced: kind, postOnly } = edit;
  if (order.advanced === undefined) {
    return kind === undefined ? undefined : refusal.notAdvancedOrder();
  }
  const isOtherKind = kind !== order.advanced.kind;
  if (kind === undefined || (isOtherKind && edit.price === undefined)) {
    return kind === undefined
      ? refusal.unsupportedCombination(
          'advanced',
          `the order is priced in ${order.advanced.kind}; accepted: usd or implv, given with every edit`,
        )
      : refusal.unsupportedCombination(
          'price',
          `required when advanced changes from ${order.advanced.kind} to ${kind}; accepted: a price in ${kind}`,
        );
  }
  const value = edit.price ?? order.advanced.value;
  const refused = checkAdvanced(order.listing, { kind, value, type: 'limit', postOnly }, state.now);
  return refused ?? { kind, value, autoReplaced: false };
}

/** Without a new price the order stays at its price, even if priced by the exchange. */
function wantedTicks(
  state: ExchangeState,
  order: LiveOrder,
  { price }: EditTerms,
  advanced: Advanced | undefined,
): number | undefined {
  const { listing, side } = order;
  if (price === undefined) return order.ticks;
  if (advanced !== undefined) return advancedTicks(listing, side, advanced, state.now);
  return listing.grid.ticksOf(price);
}

/** The display maximum after the edit; a new total must not be too large for an unchanged display amount. */
function wantedRefresh(order: LiveOrder, edit: EditTerms, totalLots: number): number | Refusal {
  if (edit.displayQuantity !== undefined) {
    return refreshLotsOf(order.listing, edit.displayQuantity, totalLots);
  }
  const { refreshLots } = order;
  return showsEnough(refreshLots, totalLots)
    ? refreshLots
    : tooLittleShown(order.listing.grid, totalLots);
}

const checkMmp = (order: LiveOrder, edit: EditTerms): Refusal | undefined =>
  edit.mmp !== undefined && edit.mmp !== order.mmp
    ? refusal.invalidParam('mmp', 'editing mmp flag is not supported')
    : undefined;

function capped(state: ExchangeState, order: LiveOrder, terms: LiveTerms): LiveTerms | Refusal {
  const reducible = reducibleLots(state.exposureOf(order).lots, order.side);
  if (reducible === 0) return nothingToReduce();
  return { ...terms, totalLots: Math.min(terms.totalLots, order.filledLots + reducible) };
}

/** Moves a post-only order away from the opposite side; at its unchanged price an order never trades. */
function asMaker(order: LiveOrder, terms: LiveTerms): LiveTerms | Refusal {
  const ticks = makerTicks(order.listing, { ...terms, side: order.side, isEdit: true });
  return typeof ticks === 'number' ? { ...terms, ticks } : ticks;
}

/** Checks funds and own orders, for an edit that does more than reduce. */
export function checkOutcome(
  state: ExchangeState,
  order: LiveOrder,
  terms: LiveTerms,
): Refusal | undefined {
  if (keepsPlace(order, terms)) return undefined;
  const { listing, side } = order;
  const account = state.ownerOf(order);
  const exposure = account.exposure(listing);
  const lots = terms.totalLots - order.filledLots;
  const price = listing.grid.priceOf(terms.ticks);
  const claim = claimOf(listing, { side, price, lots });
  const extraClaim = claim && { ...claim, amount: minus(claim.amount, order.claimedMoney) };
  const extraLots = lots - order.remainingLots;
  const prospect = { account, exposure, side, extraLots, price, extraClaim };
  if (!terms.reduceOnly && !isAffordable(prospect)) {
    return listing.instrument.kind === 'spot'
      ? refusal.notEnoughFundsIn(must(claim, 'a spot order claims a balance').currency)
      : refusal.notEnoughFunds();
  }
  return checkOwn(exposure, { side, lots, limitTicks: terms.ticks }, account);
}

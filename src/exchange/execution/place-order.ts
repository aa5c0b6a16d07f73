// Places an order: checks it, caps it if reduce-only, reprices it if post-only, then executes it.
import { must } from '../../values/assert.ts';
import { orderId } from '../../values/ids.ts';
import { claimOf, isAffordable } from '../accounting/margin.ts';
import { nothingToReduce, reducibleLots } from '../accounting/reduce-only.ts';
import { limitTicks } from '../checks/limit-price.ts';
import {
  checkAmount,
  checkBook,
  checkFlags,
  checkPrice,
  checkValidity,
  flagsOf,
} from '../checks/order-checks.ts';
import { makerTicks } from '../checks/post-only.ts';
import { checkOwn } from '../checks/self-trade.ts';
import type { PlaceCommand } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';
import { checkAdvanced } from '../model/advanced-price.ts';
import type { Conditions } from '../model/conditions.ts';
import { refreshLotsOf } from '../model/iceberg.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { LiveOrder } from '../model/live-order.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';
import type { ExchangeTrade } from '../order.ts';
import { arrive } from './execute-order.ts';

interface Admitted {
  readonly ticks: number;
  readonly lots: number;
  readonly refreshLots: number;
}

/** A request with its account and listing. */
export interface Entry {
  readonly account: Account;
  readonly listing: Listing;
  readonly command: PlaceCommand;
}

export interface Entered {
  readonly order: LiveOrder;
  /** The order's own trades of this step. */
  readonly trades: readonly ExchangeTrade[];
}

/** For an order that goes to the book at once. */
export function enter(
  state: ExchangeState,
  { account, listing, command }: Entry,
  conditions: Conditions | undefined,
): Entered | Refusal {
  const admitted = admit(state, account, listing, command);
  if ('code' in admitted) return admitted;
  const order = create(state, listing, command, admitted);
  order.conditions = conditions;
  state.orders.add(order);
  return { order, trades: arrive(state, order) };
}

/** The terms of the request after all checks, in ticks and lots. */
function admit(
  state: ExchangeState,
  account: Account,
  listing: Listing,
  command: PlaceCommand,
): Admitted | Refusal {
  const refused = checkForm(state, listing, command);
  if (refused !== undefined) return refused;
  const { side } = command;
  const ticks = limitTicks(state, listing, command);
  if (typeof ticks !== 'number') return ticks;
  const wanted = listing.grid.lotsOf(command.quantity) ?? 0;
  const refreshLots = refreshLotsOf(listing, command.displayQuantity, wanted);
  if (typeof refreshLots !== 'number') return refreshLots;
  const exposure = account.exposure(listing);
  const reducible = command.reduceOnly ? reducibleLots(exposure.lots, side) : wanted;
  if (reducible === 0) return nothingToReduce();
  const lots = Math.min(wanted, reducible);
  const price = listing.grid.priceOf(ticks);
  const extraClaim = claimOf(listing, { side, price, lots });
  const prospect = { account, exposure, side, extraLots: lots, price, extraClaim };
  if (!command.reduceOnly && !isAffordable(prospect)) {
    return listing.instrument.kind === 'spot' && extraClaim !== undefined
      ? refusal.notEnoughFundsIn(extraClaim.currency)
      : refusal.notEnoughFunds();
  }
  if (command.postOnly) {
    const maker = makerTicks(listing, { side, ticks, rejectPostOnly: command.rejectPostOnly });
    return typeof maker === 'number' ? { ticks: maker, lots, refreshLots } : maker;
  }
  const overlap = checkOwn(exposure, { side, lots, limitTicks: ticks }, account);
  return overlap ?? { ticks, lots, refreshLots };
}

/** The checks that need neither book nor account. */
export function checkForm(
  state: ExchangeState,
  listing: Listing,
  command: PlaceCommand,
): Refusal | undefined {
  const { advanced } = command;
  if (advanced === 'implv' && listing.isExpired(state.now)) return refusal.outdatedForVolatility();
  const price = command.type === 'limit' ? command.price : undefined;
  if (command.type === 'limit' && price === undefined) {
    return refusal.invalidParam('price', 'required for a limit order');
  }
  return (
    checkBook(listing, state.now) ??
    checkValidity(state.now, command.validUntil) ??
    checkAmount(listing, command.quantity) ??
    (price && advanced === undefined ? checkPrice(listing, price) : undefined) ??
    checkFlags(listing, flagsOf(command), state.settings.marketOrdersOnOptions) ??
    (advanced && checkAdvanced(listing, { ...command, kind: advanced, value: price }, state.now))
  );
}

function create(
  state: ExchangeState,
  listing: Listing,
  command: PlaceCommand,
  admitted: Admitted,
): LiveOrder {
  const account = must(state.accounts.get(command.account), 'an admitted order has an account');
  const identity = {
    orderId: orderId(state.orderIds.next(listing.instrument)),
    listing,
    side: command.side,
    label: command.label,
    originalType: command.type,
    timeInForce: command.timeInForce,
    mmp: command.mmp ?? false,
    createdAt: state.now,
  };
  const { postOnly, rejectPostOnly, reduceOnly, advanced: kind, price: value } = command;
  const terms = {
    ticks: admitted.ticks,
    totalLots: admitted.lots,
    refreshLots: admitted.refreshLots,
    advanced: kind && value && { kind, value, autoReplaced: false },
    postOnly,
    rejectPostOnly,
    reduceOnly,
  };
  const order = new LiveOrder(identity, account, terms);
  order.rank = state.nextRank();
  return order;
}

// Rebuilds the users' side from recorded events. Every event holds absolute state, so applying one twice
// changes nothing; orders are queued by their ranks, in a book without bots.
import type { Quantity } from '../../values/amounts.ts';
import { ZERO_MONEY } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import { type Instant, latest } from '../../values/instant.ts';
import { startWaiting, stopWaiting } from '../accounting/dormant-order.ts';
import { enlist, reserve, unrest, waitAgain } from '../accounting/working-order.ts';
import { enterCombo } from '../combos/combo-record.ts';
import type {
  AccountEvent,
  DaySettled,
  ExchangeBalance,
  ExchangePosition,
  InstrumentDelivered,
  LiquidationChanged,
} from '../exchange-event.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';
import { NO_FUNDING } from '../model/instruments/funding-account.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { LiveOrder } from '../model/live-order.ts';
import type { ExchangeOrder, ExchangeTrade } from '../order.ts';
import { applyRfqEvent } from '../rfq/rfq-plain.ts';
import { pauseBooks } from '../session/daily-settlement.ts';
import { closeBook } from '../session/expiry-settlement.ts';
import { moveTrailing, recordedConditions } from './rebuild-conditions.ts';

export function applyEvent(state: ExchangeState, event: AccountEvent): void {
  state.now = latest(state.now, event.at);
  switch (event.kind) {
    case 'order_changed':
      applyOrder(state, event.order);
      break;
    case 'trade':
      applyTrade(state, event.trade);
      break;
    case 'position_changed':
      applyPosition(state, event.position);
      break;
    case 'balance_changed':
      applyBalance(state, event.balance);
      break;
    case 'instrument_listed':
      state.list(event.instrument);
      break;
    case 'combo_changed':
      enterCombo(state, event.combo);
      break;
    case 'trailing_moved':
      for (const { orderId, extreme } of event.extremes) moveTrailing(state, orderId, extreme);
      break;
    case 'funding_sampled':
      listingOf(state, event).funding = event.funding;
      break;
    case 'day_settled':
      applySettlement(state, event);
      break;
    case 'position_settled':
      state.settlements.add(event.settled);
      break;
    case 'liquidation_changed':
      applyLiquidation(state, event);
      break;
    case 'instrument_delivered':
      applyDelivery(state, event);
      break;
    default:
      applyRfqEvent(state, event);
  }
}

export function applyOrder(state: ExchangeState, recorded: ExchangeOrder): void {
  const listing = listingOf(state, recorded);
  const owner = ownerOf(state, recorded);
  const terms = {
    ticks: recordedTicks(listing, recorded),
    totalLots: must(listing.grid.lotsOf(recorded.quantity), 'a recorded amount is on the grid'),
    refreshLots: lotsIn(listing, recorded.refreshQuantity),
    advanced: recorded.advanced && {
      ...recorded.advanced,
      autoReplaced: recorded.autoReplaced ?? false,
    },
    postOnly: recorded.postOnly,
    rejectPostOnly: recorded.rejectPostOnly,
    reduceOnly: recorded.reduceOnly,
  };
  const known = state.orders.byId(recorded.orderId);
  if (known !== undefined && !known.isLive) return;
  const order = known ?? new LiveOrder({ ...recorded, listing }, owner, terms);
  if (known === undefined) {
    state.orders.add(order);
    state.orderIds.passed(recorded.orderId);
  } else {
    stopWaiting(state, order);
    unrest(state, order);
    order.setTerms(terms);
  }
  order.filledLots = must(listing.grid.lotsOf(recorded.filledQuantity), 'a fill is on the grid');
  order.filledValue = recorded.filledValue;
  order.replaced = recorded.replaced;
  order.state = recorded.state;
  order.cancelReason = recorded.cancelReason;
  order.updatedAt = recorded.updatedAt;
  order.rank = recorded.rank;
  order.conditions = recordedConditions(state, order, recorded);
  state.lastRank = Math.max(state.lastRank, recorded.rank);
  if (recorded.bump !== undefined) waitAgain(state, order);
  else if (order.state === 'open') {
    restAtRank(state, order, lotsIn(listing, recorded.displayQuantity));
  } else if (order.state === 'untriggered') startWaiting(state, order);
  else state.orders.close(order, recorded.updatedAt);
  // The index may have moved since.
  if (recorded.reserved !== undefined) reserve(state, order, recorded.reserved);
}

function recordedTicks({ grid }: Listing, { price }: ExchangeOrder): number {
  return price === undefined ? 0 : must(grid.ticksOf(price), 'a recorded price is on the grid');
}

const lotsIn = ({ grid }: Listing, recorded: Quantity | undefined): number | undefined =>
  recorded && must(grid.lotsOf(recorded), 'a recorded amount is on the grid');

function restAtRank(state: ExchangeState, order: LiveOrder, shown: number | undefined): void {
  order.lots = shown ?? order.remainingLots;
  order.hiddenLots = order.remainingLots - order.lots;
  const isBefore = (other: object): boolean =>
    other instanceof LiveOrder && other.rank < order.rank;
  order.listing.book.own(order.side).addBehind(order, order.ticks, isBefore);
  enlist(state, order);
}

export function applyTrade(state: ExchangeState, trade: ExchangeTrade): void {
  if (state.trades.has(trade)) return;
  const listing = listingOf(state, trade);
  const { grid } = listing;
  state.trades.add(trade);
  state.tradeIds.passed(trade.tradeId);
  if (trade.tradeSeq <= listing.tradeSeq) return;
  listing.tradeSeq = trade.tradeSeq;
  if (trade.block !== undefined || trade.ofCombo !== undefined) return;
  const wasTaker = trade.liquidity === 'taker' && !trade.wasHidden;
  const takerSide = wasTaker ? trade.side : otherSide[trade.side];
  listing.last = {
    ticks: must(grid.ticksOf(trade.price), 'a recorded price is on the grid'),
    lots: must(grid.lotsOf(trade.quantity), 'a recorded amount is on the grid'),
    side: takerSide,
    tickDirection: trade.tickDirection,
    tradeSeq: trade.tradeSeq,
    at: trade.at,
  };
}

const otherSide = { buy: 'sell', sell: 'buy' } as const;

export function applyPosition(state: ExchangeState, position: ExchangePosition): void {
  const listing = listingOf(state, position);
  const exposure = ownerOf(state, position).exposure(listing);
  const lots = must(listing.grid.lotsOf(position.quantity), 'a position is on the grid');
  exposure.holding = { lots, cost: position.cost, basis: position.basis ?? position.cost };
  exposure.realised = position.realised;
  exposure.settledRealised = position.settledRealised ?? ZERO_MONEY;
  exposure.unpaid = position.unpaid ?? ZERO_MONEY;
  exposure.fromOptions = lotsIn(listing, position.fromOptions) ?? 0;
  exposure.funding = position.funding ?? NO_FUNDING;
}

export function applyPause(state: ExchangeState, pausedUntil: Instant): void {
  state.pausedUntil = pausedUntil;
  if (state.now < pausedUntil) pauseBooks(state);
}

function applySettlement(state: ExchangeState, { books, pausedUntil }: DaySettled): void {
  for (const { instrument, settlementPrice } of books) {
    const listing = state.listings.get(instrument);
    if (listing !== undefined) listing.settlementPrice = settlementPrice;
  }
  applyPause(state, pausedUntil);
}

function applyDelivery(state: ExchangeState, delivered: InstrumentDelivered): void {
  const listing = listingOf(state, delivered);
  closeBook(state, listing, delivered.deliveryPrice);
}

export function applyLiquidation(
  state: ExchangeState,
  event: Pick<LiquidationChanged, 'account' | 'currency' | 'isActive'>,
): void {
  const { liquidating } = ownerOf(state, event);
  if (event.isActive) liquidating.add(event.currency);
  else liquidating.delete(event.currency);
}

export const applyBalance = (state: ExchangeState, balance: ExchangeBalance): void =>
  ownerOf(state, balance).setBalance(balance.currency, balance.amount);

const listingOf = (
  state: ExchangeState,
  of: { readonly instrument: Listing['instrument']['name'] },
): Listing => must(state.listings.get(of.instrument), () => `${of.instrument} is not listed`);

const ownerOf = (state: ExchangeState, of: { readonly account: Account['id'] }): Account =>
  must(state.accounts.get(of.account), () => `account ${of.account} is not known`);

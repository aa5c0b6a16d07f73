// Books one fill: on the tape, and for each side that is a user in the order, position, balance and trade
// log. A fill between two bots creates no decimal values.
import {
  type Money,
  minus,
  negated,
  notional,
  type Price,
  plus,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import { type TradeId, tradeId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { type Instrument, opposite, type Side, signOf } from '../../values/instrument.ts';
import type { FilledPart } from '../book/matching.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';
import type { Bot } from '../model/bot.ts';
import { feeCurrencyOf, feeOf } from '../model/fees.ts';
import type { Listing, Tape } from '../model/instruments/listing.ts';
import { tradeVolatility } from '../model/instruments/option-model.ts';
import type { LiveOrder } from '../model/live-order.ts';
import { afterFill, costOf } from '../model/position.ts';
import type { ExchangeTrade } from '../order.ts';
import { move } from './cash.ts';
import { accrueFunding } from './funding-payments.ts';
import { excludeAtFill } from './link-exclusion.ts';
import { recapReduceOnly } from './reduce-only.ts';
import { feedTriggersWithTrade } from './trigger-feed.ts';
import { close, setClaims, unrest } from './working-order.ts';

/** A user takes part with an order, a bot directly. */
export type Party = { readonly order: LiveOrder } | { readonly bot: Bot };

export interface Fill {
  readonly listing: Listing;
  readonly maker: Party;
  readonly taker: Party;
  readonly takerSide: Side;
  readonly lots: number;
  readonly ticks: number;
  readonly part: FilledPart;
}

interface Booked {
  readonly fill: Fill;
  readonly tape: Tape;
  readonly id: TradeId;
}

/** Returns the taker's own trade if the taker is a user. */
export function bookFill(state: ExchangeState, fill: Fill): ExchangeTrade | undefined {
  const { listing, ticks, lots, takerSide } = fill;
  const tape = listing.print({ ticks, lots, side: takerSide, at: state.now });
  feedTriggersWithTrade(state, listing, ticks);
  const id = tradeId(state.tradeIds.next(listing.instrument));
  state.outbox.emit({
    kind: 'print',
    at: state.now,
    instrument: listing.instrument.name,
    tradeId: id,
    tradeSeq: tape.tradeSeq,
    side: takerSide,
    priceTicks: ticks,
    lots,
    tickDirection: tape.tickDirection,
  });
  const booked = { fill, tape, id };
  bookParty(state, booked, 'maker');
  return bookParty(state, booked, 'taker');
}

function bookParty(
  state: ExchangeState,
  booked: Booked,
  liquidity: 'maker' | 'taker',
): ExchangeTrade | undefined {
  const { fill } = booked;
  const party = fill[liquidity];
  if ('order' in party) return bookOrder(state, booked, party.order, liquidity);
  const side = liquidity === 'taker' ? fill.takerSide : opposite(fill.takerSide);
  party.bot.traded(fill.listing.instrument.name, side, fill.lots);
  return undefined;
}

function bookOrder(
  state: ExchangeState,
  booked: Booked,
  order: LiveOrder,
  role: 'maker' | 'taker',
): ExchangeTrade {
  const { listing, lots, ticks, part } = booked.fill;
  const wasHidden = role === 'maker' && part.isHidden;
  const liquidity = wasHidden ? 'taker' : role;
  const { instrument, grid, reference } = listing;
  const price = ticks === order.ticks ? order.price : grid.priceOf(ticks);
  const quantity = grid.quantityOf(lots);
  order.filledLots += lots;
  order.filledValue = plus(order.filledValue, notional(price, quantity));
  order.updatedAt = state.now;
  if (order.remainingLots === 0) order.state = 'filled';
  const account = state.ownerOf(order);
  const fee = feeOf(instrument, { price, quantity, liquidity, index: reference?.index });
  const value = costOf(instrument, price, quantity);
  const profitLoss = settleFill(state, account, { listing, side: order.side, lots, value });
  pay(state, account, instrument, fee);
  const trade: ExchangeTrade = {
    ...identityOf(booked, order),
    price,
    quantity,
    liquidity,
    ...(wasHidden && { wasHidden }),
    fee,
    feeCurrency: feeCurrencyOf(instrument),
    profitLoss,
    ...surroundings(listing, price, state.now),
    ...(order.advanced && { advanced: order.advanced.kind }),
    orderState: order.state,
    at: state.now,
  };
  state.trades.add(trade);
  state.outbox.emit({ kind: 'trade', at: state.now, trade });
  if (order.conditions !== undefined) excludeAtFill(state, order, lots);
  if (role === 'maker') afterMade(state, order, part);
  state.outbox.orderChanged(order);
  recapReduceOnly(state, state.exposureOf(order));
  return trade;
}

const identityOf = ({ id, tape }: Booked, order: LiveOrder) => ({
  tradeId: id,
  tradeSeq: tape.tradeSeq,
  tickDirection: tape.tickDirection,
  account: order.account,
  orderId: order.orderId,
  label: order.label,
  instrument: order.listing.instrument.name,
  side: order.side,
  originalType: order.originalType,
  postOnly: order.postOnly,
  reduceOnly: order.reduceOnly,
  mmp: order.mmp,
});

export function surroundings(listing: Listing, price: Price, now: Instant) {
  const { reference } = listing;
  if (reference === undefined) return {};
  const iv = tradeVolatility(listing, price, now);
  return {
    indexPrice: reference.index,
    markPrice: reference.mark,
    ...(reference.underlying && { underlyingPrice: reference.underlying }),
    ...(iv !== undefined && { iv }),
  };
}

/** A filled maker leaves the book; an iceberg that shows its next part goes to the end of the queue. */
function afterMade(state: ExchangeState, order: LiveOrder, part: FilledPart): void {
  if (order.state === 'filled') {
    unrest(state, order);
    close(state, order);
    return;
  }
  if (part.isRefilled) order.rank = state.nextRank();
  setClaims(state, order, order.remainingLots);
}

interface Settled {
  readonly listing: Listing;
  readonly side: Side;
  readonly lots: number;
  /** In the unit of costs, see `costOf`. */
  readonly value: Money;
}

/** Updates position and cash for one fill and returns the realised profit, before fees. */
export function settleFill(state: ExchangeState, account: Account, settled: Settled): Money {
  const { listing, side, lots, value } = settled;
  const { instrument, grid } = listing;
  if (instrument.kind === 'spot') {
    const bought = grid.quantityOf(lots) as unknown as Money;
    move(state, account, instrument.base, side === 'buy' ? bought : negated(bought));
    move(state, account, instrument.quote, side === 'buy' ? negated(value) : value);
    return ZERO_MONEY;
  }
  const exposure = account.exposure(listing);
  accrueFunding(state, exposure);
  const change = afterFill(instrument, exposure.holding, signOf(side) * lots, value);
  exposure.holding = change.after;
  state.outbox.positionChanged(exposure);
  // An option's premium is paid at once; for a future only the realised profit is paid.
  if (instrument.kind === 'option') {
    move(state, account, instrument.settlement, side === 'buy' ? negated(value) : value);
    return exposure.note(change.profitLoss);
  }
  const paid = exposure.earn(change.profitLoss);
  move(state, account, instrument.settlement, paid);
  return paid;
}

export function pay(
  state: ExchangeState,
  account: Account,
  instrument: Instrument,
  fee: Money,
): void {
  if (!fee.isZero()) move(state, account, feeCurrencyOf(instrument), minus(ZERO_MONEY, fee));
}

// Books one fill: on the tape, and for each side that is a user in the order, position, balance and trade
// log. A fill between two bots creates no decimal values.
import { type Money, notional, type Price, plus, type Quantity } from '../../values/amounts.ts';
import { type TradeId, tradeId } from '../../values/ids.ts';
import { opposite, type Side } from '../../values/instrument.ts';
import type { LiquidatedSide } from '../../values/order-terms.ts';
import type { FilledPart } from '../book/matching.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Bot } from '../model/bot.ts';
import { feeCurrencyOf, feeOf, liquidationFeeOf } from '../model/fees.ts';
import type { Listing, Tape } from '../model/instruments/listing.ts';
import type { LiveOrder } from '../model/live-order.ts';
import { costOf } from '../model/position.ts';
import type { ExchangeTrade } from '../order.ts';
import { type LegFill, legFills, settleLegs, tradeLegs } from './combo-legs.ts';
import { excludeAtFill } from './link-exclusion.ts';
import { recapReduceOnly } from './reduce-only.ts';
import { holdingsAfter, pay, settleFill, surroundings } from './settle-fill.ts';
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
  /** Only of a combo. */
  readonly legs: readonly LegFill[];
}

/** Returns the taker's own trade if the taker is a user. */
export function bookFill(state: ExchangeState, fill: Fill): ExchangeTrade | undefined {
  const { listing, ticks, lots, takerSide } = fill;
  const tape = listing.print({ ticks, lots, side: takerSide, at: state.now });
  feedTriggersWithTrade(state, listing, ticks);
  const id = tradeId(state.tradeIds.next(listing.instrument));
  const legs = legFills(state, fill, id);
  const prints = legs.map(({ print }) => print);
  const liquidated = liquidatedIn(fill);
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
    ...(liquidated && { liquidation: liquidated }),
    ...(prints.length > 0 && { legs: prints }),
  });
  for (const print of prints) state.outbox.emit(print);
  const booked = { fill, tape, id, legs };
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
  if (booked.legs.length > 0) tradeLegs(party.bot, booked.legs, side);
  else party.bot.traded(fill.listing.instrument.name, side, fill.lots);
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
  const liquidated = liquidatedIn(booked.fill);
  const { instrument, grid } = listing;
  const price = ticks === order.ticks ? order.price : grid.priceOf(ticks);
  const quantity = grid.quantityOf(lots);
  order.filledLots += lots;
  order.filledValue = plus(order.filledValue, notional(price, quantity));
  order.updatedAt = state.now;
  if (order.remainingLots === 0) order.state = 'filled';
  const {
    fee,
    profitLoss,
    trades: legs,
  } = booked.legs.length > 0
    ? settleLegs(state, order, booked.legs, liquidity)
    : settleOwn(state, order, { lots, price, quantity, liquidity });
  const trade: ExchangeTrade = {
    ...identityOf(booked, order),
    price,
    quantity,
    liquidity,
    ...(wasHidden && { wasHidden }),
    ...(liquidated && { liquidation: liquidated }),
    fee,
    feeCurrency: feeCurrencyOf(instrument),
    profitLoss,
    ...(legs === undefined && holdingsAfter(state.ownerOf(order), instrument)),
    ...surroundings(listing, price, state.now),
    ...(order.advanced && { advanced: order.advanced.kind }),
    orderState: order.state,
    ...(legs && { legs }),
    at: state.now,
  };
  record(state, trade);
  for (const leg of legs ?? []) record(state, leg);
  if (order.conditions !== undefined) excludeAtFill(state, order, lots);
  if (role === 'maker') afterMade(state, order, part);
  state.outbox.orderChanged(order);
  recapReduceOnly(state, state.exposureOf(order));
  return trade;
}

/** Orders of a liquidation never rest, so the liquidated side is always the taker's. */
const liquidatedIn = ({ taker }: Fill): LiquidatedSide | undefined =>
  'order' in taker && taker.order.isLiquidation ? 'T' : undefined;

function record(state: ExchangeState, trade: ExchangeTrade): void {
  state.trades.add(trade);
  state.outbox.emit({ kind: 'trade', at: state.now, trade });
}

interface OwnFill {
  readonly lots: number;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly liquidity: 'maker' | 'taker';
}

interface Effect {
  readonly fee: Money;
  readonly profitLoss: Money;
  readonly trades?: undefined;
}

/** Position and cash of the order's owner, for a fill of the instrument itself. */
function settleOwn(state: ExchangeState, order: LiveOrder, fill: OwnFill): Effect {
  const { listing, side } = order;
  const { instrument, reference } = listing;
  const { lots, price, quantity } = fill;
  const account = state.ownerOf(order);
  const charged = { ...fill, index: reference?.index };
  const fee = order.isLiquidation
    ? liquidationFeeOf(instrument, charged)
    : feeOf(instrument, charged);
  const value = costOf(instrument, price, quantity);
  const profitLoss = settleFill(state, account, { listing, side, lots, value });
  pay(state, account, instrument, fee);
  return { fee, profitLoss };
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

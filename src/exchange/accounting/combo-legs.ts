// The legs of a combo's fill: their prices, which add up to the combo's, their places on the tape, and what they do to
// each account. Legs trade outside their own books: they do not affect last prices, statistics or triggers.
//
// Source: the venue derives leg prices from the marks of the legs, and charges the legs. Options: of the bought and the
// sold legs the group with the lower total fee is free (August 2022). Futures: the taker's cheapest leg is free and a
// maker's rebates are halved (2026; the rule of 2022 halved the cheapest leg). Neither applies if all legs are bought.
// Our choice: every leg trades in steps of the combo's tick, which is at most its own.
import {
  type Money,
  type Price,
  plus,
  type Quantity,
  ratio,
  ratioOf,
  rounded,
  share,
  steps,
  stepsIn,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import { orderId, type TradeId, tradeId } from '../../values/ids.ts';
import type { Side } from '../../values/instrument.ts';
import type { Print } from '../exchange-event.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';
import type { Bot } from '../model/bot.ts';
import { decimalsOf, feeCurrencyOf, feeOf } from '../model/fees.ts';
import type { ListedLeg, Listing } from '../model/instruments/listing.ts';
import type { LiveOrder } from '../model/live-order.ts';
import { costOf } from '../model/position.ts';
import type { ExchangeTrade } from '../order.ts';
import { fittedLegs, legRange, type TickRange } from '../structures/leg-prices.ts';
import type { StructureLeg } from '../structures/structure-leg.ts';
import { recapReduceOnly } from './reduce-only.ts';
import { holdingsAfter, pay, settleFill, surroundings } from './settle-fill.ts';

export interface LegFill {
  readonly leg: ListedLeg;
  readonly price: Price;
  /** Above zero. */
  readonly lots: number;
  readonly quantity: Quantity;
  readonly print: Print;
}

interface ComboFill {
  readonly listing: Listing;
  readonly takerSide: Side;
  readonly lots: number;
  readonly ticks: number;
}

/** Empty for a fill that is not of a combo. Takes the numbers of the legs' trades. */
export function legFills(
  state: ExchangeState,
  fill: ComboFill,
  comboTradeId: TradeId,
): readonly LegFill[] {
  const { listing, takerSide } = fill;
  if (listing.legs.length === 0) return NONE;
  const prices = legPrices(listing, fill.ticks);
  return listing.legs.map((leg, at): LegFill => {
    const { grid, instrument } = leg.listing;
    const price = must(prices[at], 'each leg has a price');
    const lots = Math.abs(leg.lots) * fill.lots;
    leg.listing.tradeSeq += 1;
    const print: Print = {
      kind: 'print',
      at: state.now,
      instrument: instrument.name,
      tradeId: tradeId(state.tradeIds.next(instrument)),
      tradeSeq: leg.listing.tradeSeq,
      side: legSide(leg, takerSide),
      priceTicks: Math.round(grid.exactTicks(price)),
      lots,
      tickDirection: leg.listing.last?.tickDirection ?? 0,
      ofCombo: { id: listing.instrument.name, tradeId: comboTradeId, price },
    };
    return { leg, price, lots, quantity: grid.quantityOf(lots), print };
  });
}

const NONE: readonly LegFill[] = [];
const TICKS_MAX = 1_000_000_000;
const ANY_PRICE: TickRange = { low: 1, high: TICKS_MAX };

/** The side on which a party trades the leg. */
const legSide = ({ ratio }: ListedLeg, side: Side): Side =>
  ratio > 0 === (side === 'buy') ? 'buy' : 'sell';

/**
 * As near to the marks as the price allows, inside the price bands of the legs if that is possible. An order that rests
 * may trade when the bands have moved on; then the price of the combo decides.
 */
function legPrices({ instrument, legs }: Listing, ticks: number): readonly Price[] {
  const tick = instrument.tickSize;
  const structure = legs.map(({ ratio }): StructureLeg => {
    const step = Math.abs(ratio);
    return { side: ratio > 0 ? 'buy' : 'sell', ratio: ratioOf(step), tick, step };
  });
  const from = legs.map(({ listing }) => markTicks(listing, tick));
  const fit = { legs: structure, from, target: ticks };
  const banded = legs.map(({ listing }) => legRange({ tick }, listing));
  const fitted =
    fittedLegs({ ...fit, ranges: banded }) ??
    fittedLegs({ ...fit, ranges: legs.map(() => ANY_PRICE) });
  return must(fitted, 'leg prices add up to any price of a combo').map((at) => steps(tick, at));
}

/** The mark price on the leg's own grid, in steps of `tick`; the lowest price while it is not known. */
function markTicks({ grid, reference }: Listing, tick: Price): number {
  if (reference === undefined) return 1;
  return stepsIn(grid.priceOf(grid.nearest(grid.exactTicks(reference.mark))), tick);
}

/** The inventory of a bot after it traded a combo. */
export function tradeLegs(bot: Bot, fills: readonly LegFill[], side: Side): void {
  for (const { leg, lots } of fills) {
    bot.traded(leg.listing.instrument.name, legSide(leg, side), lots);
  }
}

interface SettledLegs {
  readonly fee: Money;
  readonly profitLoss: Money;
  readonly trades: readonly ExchangeTrade[];
}

/** Updates positions and cash of the order's owner. */
export function settleLegs(
  state: ExchangeState,
  order: LiveOrder,
  fills: readonly LegFill[],
  liquidity: 'maker' | 'taker',
): SettledLegs {
  const account = state.ownerOf(order);
  const fees = legFees(fills, order.side, liquidity);
  let fee = ZERO_MONEY;
  let profitLoss = ZERO_MONEY;
  const trades = fills.map((fill, at): ExchangeTrade => {
    const own = must(fees[at], 'each leg has a fee');
    const earned = settleLeg(state, account, {
      fill,
      side: legSide(fill.leg, order.side),
      fee: own,
    });
    fee = plus(fee, own);
    profitLoss = plus(profitLoss, earned);
    return {
      ...legTrade(state, order, fill, at + 1),
      liquidity,
      fee: own,
      profitLoss: earned,
      ...holdingsAfter(account, fill.leg.listing.instrument),
    };
  });
  return { fee, profitLoss, trades };
}

function settleLeg(
  state: ExchangeState,
  account: Account,
  of: { readonly fill: LegFill; readonly side: Side; readonly fee: Money },
): Money {
  const { side, fee } = of;
  const { leg, price, quantity, lots } = of.fill;
  const { listing } = leg;
  const value = costOf(listing.instrument, price, quantity);
  const profitLoss = settleFill(state, account, { listing, side, lots, value });
  pay(state, account, listing.instrument, fee);
  recapReduceOnly(state, account.exposure(listing));
  return profitLoss;
}

function legTrade(
  state: ExchangeState,
  order: LiveOrder,
  { leg, price, quantity, print }: LegFill,
  number: number,
): Omit<ExchangeTrade, 'liquidity' | 'fee' | 'profitLoss'> {
  const { listing } = leg;
  const { ofCombo } = print;
  return {
    tradeId: print.tradeId,
    tradeSeq: print.tradeSeq,
    tickDirection: print.tickDirection,
    account: order.account,
    orderId: orderId(`${order.orderId}-L${number}`),
    label: '',
    instrument: listing.instrument.name,
    side: legSide(leg, order.side),
    price,
    quantity,
    feeCurrency: feeCurrencyOf(listing.instrument),
    ...surroundings(listing, price, state.now),
    originalType: order.originalType,
    orderState: order.state,
    postOnly: order.postOnly,
    reduceOnly: false,
    mmp: order.mmp,
    ...(ofCombo && { ofCombo: { id: ofCombo.id, tradeId: ofCombo.tradeId } }),
    at: state.now,
  };
}

/** What all legs of a fill cost at a price of the combo. */
export function comboFee(
  listing: Listing,
  fill: Pick<ComboFill, 'lots' | 'ticks'> & { readonly side: Side },
  liquidity: 'maker' | 'taker',
): Money {
  const prices = legPrices(listing, fill.ticks);
  const fills = listing.legs.map((leg, at) => ({
    leg,
    price: must(prices[at], 'each leg has a price'),
    quantity: leg.listing.grid.quantityOf(Math.abs(leg.lots) * fill.lots),
  }));
  return legFees(fills, fill.side, liquidity).reduce((sum, fee) => plus(sum, fee), ZERO_MONEY);
}

const HALF = ratio('0.5');

/** One fee per leg, after the discount of the combo. */
export function legFees(
  fills: readonly Pick<LegFill, 'leg' | 'price' | 'quantity'>[],
  side: Side,
  liquidity: 'maker' | 'taker',
): readonly Money[] {
  const full = fills.map(({ leg, price, quantity }) => {
    const { instrument, reference } = leg.listing;
    return feeOf(instrument, { price, quantity, liquidity, index: reference?.index });
  });
  const sides = fills.map(({ leg }) => legSide(leg, side));
  if (new Set(sides).size < 2) return full;
  const isOfOptions = fills.some(({ leg }) => leg.listing.instrument.kind === 'option');
  if (isOfOptions) return withoutCheaperSide(full, sides);
  return liquidity === 'taker'
    ? withoutCheapest(full)
    : full.map((fee, at) => halved(fee, fills[at]));
}

function withoutCheaperSide(fees: readonly Money[], sides: readonly Side[]): readonly Money[] {
  const sumOf = (side: Side): Money =>
    fees.reduce((sum, fee, at) => (sides[at] === side ? plus(sum, fee) : sum), ZERO_MONEY);
  const free = sumOf('buy').lt(sumOf('sell')) ? 'buy' : 'sell';
  return fees.map((fee, at) => (sides[at] === free ? ZERO_MONEY : fee));
}

function withoutCheapest(fees: readonly Money[]): readonly Money[] {
  let cheapest = 0;
  for (const [at, fee] of fees.entries()) if (fee.lt(fees[cheapest] as Money)) cheapest = at;
  return fees.with(cheapest, ZERO_MONEY);
}

/** A rebate; a maker's fee stays. */
function halved(fee: Money, fill: Pick<LegFill, 'leg'> | undefined): Money {
  if (fill === undefined || !fee.lt(0)) return fee;
  const places = decimalsOf(feeCurrencyOf(fill.leg.listing.instrument));
  return rounded(share(fee, HALF), places, 'half_up');
}

// What an order needs of its account: one that could be placed, and those that are open. Read without positions and other
// orders, as the venue names it by size and price alone; what an order adds to the account may be less.
import {
  type Money,
  type Price,
  type Quantity,
  rounded,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId } from '../../values/ids.ts';
import type { Side } from '../../values/instrument.ts';
import { comboFee } from '../accounting/combo-legs.ts';
import { type Claim, needOf } from '../accounting/margin.ts';
import { checkAmount, checkPrice } from '../checks/order-checks.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { decimalsOf, feeOf } from '../model/fees.ts';
import type { Listing } from '../model/instruments/listing.ts';
import type { Refusal } from '../model/refusal.ts';

export interface SideNeeds {
  readonly margin: Money;
  readonly takerFee: Money;
  readonly makerFee: Money;
}

export interface OrderNeeds {
  readonly kind: 'needs';
  readonly buy: SideNeeds;
  readonly sell: SideNeeds;
  readonly minPrice?: Price | undefined;
  readonly maxPrice?: Price | undefined;
}

export interface OrderMargin {
  readonly orderId: OrderId;
  readonly margin: Money;
  readonly currency: Currency;
}

export interface NeedsQuery {
  readonly instrument: InstrumentName;
  readonly quantity: Quantity;
  readonly price: Price;
}

/** `undefined` for an unknown instrument. */
export function orderNeeds(
  { listings }: ExchangeState,
  { instrument, quantity, price }: NeedsQuery,
): OrderNeeds | Refusal | undefined {
  const listing = listings.get(instrument);
  if (listing === undefined) return undefined;
  const refused = checkAmount(listing, quantity) ?? checkPrice(listing, price);
  if (refused !== undefined) return refused;
  const order = { price, quantity, lots: listing.grid.lotsOf(quantity) ?? 0 };
  return {
    kind: 'needs',
    buy: sideNeeds(listing, 'buy', order),
    sell: sideNeeds(listing, 'sell', order),
    minPrice: listing.reference?.minPrice,
    maxPrice: listing.reference?.maxPrice,
  };
}

function sideNeeds(
  listing: Listing,
  side: Side,
  { price, quantity, lots }: { price: Price; quantity: Quantity; lots: number },
): SideNeeds {
  const { instrument, grid, reference, legs } = listing;
  const ticks = grid.ticksOf(price) ?? 0;
  const feeAs = (liquidity: 'maker' | 'taker'): Money =>
    legs.length > 0
      ? comboFee(listing, { side, ticks, lots }, liquidity)
      : feeOf(instrument, { price, quantity, liquidity, index: reference?.index });
  const margin = shown(needOf(listing, { side, price, lots }));
  return { margin, takerFee: feeAs('taker'), makerFee: feeAs('maker') };
}

/** An order that waits is no exposure yet. */
export function orderMargins(
  { orders }: ExchangeState,
  account: AccountId,
  orderIds: readonly OrderId[],
): readonly OrderMargin[] {
  return orderIds.flatMap((id): readonly OrderMargin[] => {
    const order = orders.byId(id);
    if (order?.account !== account || !order.isLive) return [];
    const { listing, side, price, remainingLots: lots, state } = order;
    const need = needOf(listing, { side, price, lots });
    const margin = state === 'open' ? shown(need) : ZERO_MONEY;
    return [{ orderId: id, margin, currency: need.currency }];
  });
}

const shown = ({ amount, currency }: Claim): Money => rounded(amount, decimalsOf(currency), 'up');

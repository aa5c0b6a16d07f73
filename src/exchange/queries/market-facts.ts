// Market data besides the book and mark price: 24-hour statistics, open interest, settlement and delivery
// prices, the state of the book.
import {
  type Money,
  modelPrice,
  notional,
  type Price,
  type Quantity,
  rounded,
  share,
  steps,
} from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import { holdsPosition } from '../../values/instrument.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { BookState, Listing } from '../model/instruments/listing.ts';

export interface MarketFacts {
  readonly state: BookState;
  /** Increases with each change of the book; restarts with the exchange. */
  readonly changeId: number;
  /** Of the last 24 hours; only trades since the exchange was started. */
  readonly stats: MarketStats;
  /** Of options, futures and perpetuals. */
  readonly openInterest?: Quantity | undefined;
  readonly settlementPrice?: Price | undefined;
  /** The index; in the half hour before an expiry its average so far. Absent for spot and combos. */
  readonly estimatedDeliveryPrice?: Price | undefined;
  readonly deliveryPrice?: Price | undefined;
}

export interface MarketStats {
  readonly volume: Quantity;
  /** In USD; options priced in coin are converted at the current index. */
  readonly volumeUsd: Money;
  readonly high?: Price | undefined;
  readonly low?: Price | undefined;
  /** 0.01 means one percent up. */
  readonly change?: number | undefined;
}

const USD_DECIMALS = 2;

export function marketFacts(state: ExchangeState, listing: Listing, now: Instant): MarketFacts {
  const { settlementPrice, deliveryPrice, instrument } = listing;
  const isHeld = holdsPosition(instrument);
  return {
    state: bookStateOf(state, listing, now),
    changeId: changeIdOf(listing),
    stats: statsOf(listing, now),
    ...(isHeld && { openInterest: openInterestOf(state, listing) }),
    settlementPrice,
    ...(isHeld && { estimatedDeliveryPrice: estimateOf(listing) }),
    deliveryPrice,
  };
}

/** A pause ends by the clock: books are shown open even before the first command reopens them. */
export function bookStateOf(state: ExchangeState, listing: Listing, now: Instant): BookState {
  if (listing.isExpired(now)) return 'closed';
  const isOver = state.isPaused && now >= state.pausedUntil;
  return listing.state === 'settlement' && isOver ? 'open' : listing.state;
}

/** Each change is either a change of resting orders or a trade. */
export const changeIdOf = ({ book, tradeSeq }: Listing): number => book.changes + tradeSeq;

function statsOf(listing: Listing, now: Instant): MarketStats {
  const { grid } = listing;
  const { lots, turnover, highTicks, lowTicks, change } = listing.day.read(now);
  return {
    volume: grid.quantityOf(lots),
    volumeUsd: rounded(turnoverOf(listing, lots, turnover), USD_DECIMALS, 'half_up'),
    ...(highTicks !== undefined && { high: grid.priceOf(highTicks) }),
    ...(lowTicks !== undefined && { low: grid.priceOf(lowTicks) }),
    ...(change !== undefined && { change }),
  };
}

/** Stablecoins in dollars count as dollars. */
function turnoverOf(
  { instrument, grid, reference }: Listing,
  lots: number,
  turnover: number,
): Money {
  if (instrument.amountUnit === 'usd') return grid.quantityOf(lots) as unknown as Money;
  const traded = steps(notional(grid.tick, grid.lot), turnover);
  const isInCoin = instrument.marginKind === 'inverse';
  if (!isInCoin) return traded;
  const { index } = reference ?? {};
  return index === undefined ? steps(traded, 0) : share(traded, index as never);
}

/** The sum of all long positions of users and bots. */
function openInterestOf(state: ExchangeState, { instrument: { name }, grid }: Listing): Quantity {
  let lots = 0;
  for (const account of state.accounts.values()) {
    lots += Math.max(0, account.known(name)?.lots ?? 0);
  }
  for (const bot of state.bots.values()) lots += Math.max(0, bot.inventory(name));
  return grid.quantityOf(lots);
}

function estimateOf({ average, reference }: Listing): Price | undefined {
  const mean = average?.value;
  return mean === undefined ? reference?.index : modelPrice(Math.round(mean * 100) / 100);
}

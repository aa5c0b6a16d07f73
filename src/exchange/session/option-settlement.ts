// Settles one account's position in an expired option. In the money it becomes a position in the future of the same expiry, entered at the
// strike and netted with what the account holds there; the future is delivered afterwards. Out of the money it ends with an entry `expiry`.
//
// Source: the venue's notices of April and August 2026. The option's delivery fee is charged here, before the netting. Without such a
// future, as in recordings from before August 2026, or if the amount is not a whole number of its lots, the option is delivered in cash.
import {
  absolute,
  distance,
  inverseNotional,
  isPositive,
  type Money,
  minus,
  negated,
  notional,
  type Price,
  type Quantity,
  rounded,
  steps,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import type { Instrument } from '../../values/instrument.ts';
import { futureNameOf } from '../../values/instrument-names.ts';
import { move } from '../accounting/cash.ts';
import { enterSettlement } from '../accounting/enter-settlement.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';
import type { Exposure } from '../model/exposure.ts';
import { deliveryFeeOf } from '../model/fees.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { afterFill, FLAT } from '../model/position.ts';
import { INTO_FUTURE } from '../model/settlement-log.ts';

/** The future that an option settles into, while it is open. */
export function settlesInto(
  state: Pick<ExchangeState, 'listings'>,
  { instrument }: Listing,
): Listing | undefined {
  if (instrument.kind !== 'option') return undefined;
  const future = state.listings.get(futureNameOf(instrument.name));
  const isSame = future?.instrument.expiresAt === instrument.expiresAt;
  return isSame && future?.state !== 'closed' ? future : undefined;
}

interface Expired {
  readonly exposure: Exposure;
  readonly future: Listing | undefined;
  readonly deliveryPrice: Price;
}

export function settleOption(state: ExchangeState, account: Account, expired: Expired): void {
  const { exposure, future, deliveryPrice } = expired;
  const { instrument, grid } = exposure.listing;
  const { quantity } = exposure;
  const { lots, cost } = exposure.holding;
  const payoff = steps(payoffOf(instrument, deliveryPrice, grid.lot), lots);
  const taken = payoff.isZero() ? undefined : takenBy(future, exposure);
  // The premium was paid when the option was traded.
  exposure.realise(lots > 0 ? negated(cost) : cost);
  exposure.holding = FLAT;
  state.outbox.positionChanged(exposure);
  const cashflow = taken === undefined ? exposure.earn(payoff) : ZERO_MONEY;
  const fee = deliveryFeeOf(instrument, {
    quantity: absolute(quantity),
    price: deliveryPrice,
    payoff: absolute(payoff),
  });
  const change = minus(cashflow, fee);
  const { settlement: currency, name } = instrument;
  const inCash = payoff.isZero() ? 'expiry' : 'delivery';
  move(state, account, currency, change);
  enterSettlement(state, {
    type: taken === undefined ? inCash : INTO_FUTURE,
    account: account.id,
    instrument: name,
    currency,
    quantity,
    change,
    price: taken?.strike ?? deliveryPrice,
    fee,
    balanceAfter: account.balance(currency),
    positionAfter: exposure.quantity,
    at: state.now,
  });
  if (taken !== undefined) takeOver(state, account, { ...taken, option: instrument });
}

/** A position of a future, as a fill of it would make. */
interface Taken {
  readonly future: Listing;
  /** Signed. */
  readonly lots: number;
  /** In the unit of costs. */
  readonly value: Money;
  readonly strike: Price;
}

/** What an option in the money is worth in its future: a long call and a short put are long at the strike. */
function takenBy(future: Listing | undefined, { listing, lots }: Exposure): Taken | undefined {
  const { option, marginKind } = listing.instrument;
  if (future === undefined || option === undefined) return undefined;
  const { strike, type } = option;
  const held = listing.grid.quantityOf(Math.abs(lots));
  const dollars = notional(strike, held);
  const isInverse = marginKind === 'inverse';
  const size = future.grid.lotsOf(isInverse ? (dollars as unknown as Quantity) : held);
  if (size === undefined) return undefined;
  const isLong = lots > 0 === (type === 'call');
  // The cost of inverse futures is in coins: the dollars of one coin's strike cost one coin at the strike.
  const value = isInverse ? (held as unknown as Money) : dollars;
  return { future, lots: isLong ? size : -size, value, strike };
}

function takeOver(
  state: ExchangeState,
  account: Account,
  { future, lots, value, strike, option }: Taken & { readonly option: Instrument },
): void {
  const exposure = account.exposure(future);
  const { name, settlement: currency } = future.instrument;
  const { after, profitLoss } = afterFill(future.instrument, exposure.holding, lots, value);
  exposure.holding = after;
  exposure.fromOptions += lots;
  state.outbox.positionChanged(exposure);
  const change = exposure.earn(profitLoss);
  move(state, account, currency, change);
  enterSettlement(state, {
    type: INTO_FUTURE,
    account: account.id,
    instrument: name,
    option: option.name,
    currency,
    quantity: future.grid.quantityOf(lots),
    change,
    price: strike,
    balanceAfter: account.balance(currency),
    positionAfter: exposure.quantity,
    at: state.now,
  });
}

/** Decimals of a payoff: the payment of a position is rounded only once. */
const PAYOFF_DECIMALS = 16;

/**
 * What the long side receives for `quantity` options: in coin for inverse ones, otherwise in the quote
 * currency.
 */
export function payoffOf(instrument: Instrument, deliveryPrice: Price, quantity: Quantity): Money {
  const { option } = instrument;
  if (option === undefined) return ZERO_MONEY;
  const inside =
    option.type === 'call'
      ? distance(option.strike, deliveryPrice)
      : distance(deliveryPrice, option.strike);
  if (!isPositive(inside)) return ZERO_MONEY;
  const value = notional(inside, quantity);
  // USD divided by the coin's price gives coin, as for USD-sized contracts.
  const paid =
    instrument.marginKind === 'inverse'
      ? inverseNotional(deliveryPrice, value as unknown as Quantity)
      : value;
  return rounded(paid, PAYOFF_DECIMALS, 'half_up');
}

// What one fill does to an account: position and cash, and what surrounded the trade. The same for a fill of the book, a
// row of a block and a leg of a combo.
import { type Money, minus, negated, type Price, ZERO_MONEY } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import { holdsPosition, type Instrument, type Side, signOf } from '../../values/instrument.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';
import { feeCurrencyOf } from '../model/fees.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { tradeVolatility } from '../model/instruments/option-model.ts';
import { afterFill } from '../model/position.ts';
import { move } from './cash.ts';
import { accrueFunding } from './funding-payments.ts';

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

/** What the account has in cash and in `instrument` when the fee of a trade has been paid. */
export function holdingsAfter(account: Account, instrument: Instrument) {
  const exposure = account.known(instrument.name);
  return {
    balanceAfter: account.balance(feeCurrencyOf(instrument)),
    ...(instrument.kind === 'spot' && { baseAfter: account.balance(instrument.base) }),
    ...(exposure !== undefined &&
      holdsPosition(instrument) && { positionAfter: exposure.quantity }),
  };
}

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

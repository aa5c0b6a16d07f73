// The end of a session and the end of an instrument: day orders go, positions turn into cash at the
// delivery price, the book closes for good. No delivery fee is charged.
import {
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
  ZERO_MONEY,
} from '../values/amounts.ts';
import { DAY_MS } from '../values/instant.ts';
import type { Instrument } from '../values/instrument.ts';
import type { Account } from './account.ts';
import { move } from './booking.ts';
import type { ExchangeAnswer, ExpireInstrumentCommand } from './command.ts';
import type { Exposure } from './exposure.ts';
import { decimalsOf } from './fees.ts';
import { afterFill, costOf } from './position.ts';
import * as refusal from './refusal.ts';
import { withdrawBook } from './replaying.ts';
import type { ExchangeState } from './state.ts';
import { cancel } from './working-order.ts';

export function settleDay(state: ExchangeState): ExchangeAnswer {
  let count = 0;
  for (const account of state.accounts.values()) {
    for (const { openOrders } of account.exposures()) {
      for (const order of [...openOrders]) {
        if (order.identity.timeInForce !== 'good_til_day') continue;
        cancel(state, order, 'settlement');
        count += 1;
      }
    }
  }
  dropLongClosed(state);
  return { kind: 'count', count };
}

/** Closed books are kept until the last trade and order that refer to them are forgotten. */
function dropLongClosed(state: ExchangeState): void {
  const { ordersMs, tradesMs } = state.settings;
  const before = state.now - Math.max(DAY_MS, ordersMs, tradesMs);
  for (const [name, listing] of state.listings) {
    if (listing.closedAt === undefined || listing.closedAt >= before) continue;
    state.listings.delete(name);
    for (const account of state.accounts.values()) account.dropClosed(name);
  }
}

export function expire(state: ExchangeState, command: ExpireInstrumentCommand): ExchangeAnswer {
  const listing = state.listings.get(command.instrument);
  if (listing === undefined) return refusal.invalidParam('instrument_name', 'instrument not found');
  if (listing.state === 'closed') return { kind: 'done' };
  for (const account of state.accounts.values()) {
    const exposure = account.known(command.instrument);
    if (exposure === undefined) continue;
    for (const order of [...exposure.openOrders]) cancel(state, order, 'settlement');
    if (exposure.lots !== 0) deliver(state, account, exposure, command.deliveryPrice);
  }
  for (const bot of state.bots.values()) {
    const quoted = bot.quoted(command.instrument);
    for (const quote of quoted.buy.values()) listing.book.remove(quote, 'buy');
    for (const quote of quoted.sell.values()) listing.book.remove(quote, 'sell');
    bot.leave(command.instrument);
  }
  withdrawBook(state, command);
  state.shown.delete(command.instrument);
  listing.state = 'closed';
  listing.closedAt = state.now;
  return { kind: 'done' };
}

function deliver(
  state: ExchangeState,
  account: Account,
  exposure: Exposure,
  deliveryPrice: Price,
): void {
  const { instrument, grid } = exposure.listing;
  const { lots, cost } = exposure.holding;
  const quantity = grid.quantityOf(Math.abs(lots));
  let cash: Money;
  let profitLoss: Money;
  if (instrument.kind === 'option') {
    const payoff = payoffOf(instrument, deliveryPrice, quantity);
    cash = lots > 0 ? payoff : negated(payoff);
    profitLoss = lots > 0 ? minus(payoff, cost) : minus(cost, payoff);
  } else {
    const value = costOf(instrument, deliveryPrice, quantity);
    profitLoss = afterFill(instrument, exposure.holding, -lots, value).profitLoss;
    cash = profitLoss;
  }
  exposure.book({ lots: 0, cost: ZERO_MONEY }, profitLoss);
  state.outbox.positionChanged(exposure);
  move(state, account, instrument.settlement, cash);
}

/** What the long side gets for `quantity` options: in coin for inverse ones, else in the quote. */
export function payoffOf(instrument: Instrument, deliveryPrice: Price, quantity: Quantity): Money {
  const { option } = instrument;
  if (option === undefined) return ZERO_MONEY;
  const inside =
    option.type === 'call'
      ? distance(option.strike, deliveryPrice)
      : distance(deliveryPrice, option.strike);
  if (!isPositive(inside)) return ZERO_MONEY;
  const value = notional(inside, quantity);
  // USD divided by the coin's price is coin, as for USD-sized contracts.
  const paid =
    instrument.marginKind === 'inverse'
      ? inverseNotional(deliveryPrice, value as unknown as Quantity)
      : value;
  return rounded(paid, decimalsOf(instrument.settlement), 'half_up');
}

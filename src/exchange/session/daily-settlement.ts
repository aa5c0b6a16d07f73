// The daily settlement: day orders are cancelled, session profit and funding become cash, the mark price
// becomes the base of the next session, and books pause briefly.
//
// Source: the venue's contract pages: profit of futures moves to the balance at 08:00 UTC and a new session
// starts; options are marked without payment; trading pauses for some seconds.
import { equals, type Money, plus, rounded, ZERO_MONEY } from '../../values/amounts.ts';
import { DAY_MS } from '../../values/instant.ts';
import { holdsPosition } from '../../values/instrument.ts';
import { move } from '../accounting/cash.ts';
import { enterSettlement } from '../accounting/enter-settlement.ts';
import { bookFunding } from '../accounting/funding-payments.ts';
import { openProfit } from '../accounting/margin.ts';
import { cancel } from '../accounting/working-order.ts';
import type { CountReply, SettleDayCommand } from '../exchange-command.ts';
import type { SettledBook } from '../exchange-event.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';
import type { Exposure } from '../model/exposure.ts';
import { decimalsOf } from '../model/fees.ts';
import { afterPayment, valueOfLots } from '../model/position.ts';

export function settleDaily(state: ExchangeState, command: SettleDayCommand): CountReply {
  const count = cancelDayOrders(state);
  const books = markBooks(state);
  const pausedUntil = command.pausedUntil ?? state.now;
  state.pausedUntil = pausedUntil;
  state.outbox.emit({ kind: 'day_settled', at: state.now, pausedUntil, books });
  for (const account of state.accounts.values()) {
    for (const exposure of account.exposures()) settle(state, account, exposure);
  }
  if (state.now < pausedUntil) pauseBooks(state);
  dropLongClosed(state);
  return { kind: 'count', count };
}

export function pauseBooks(state: ExchangeState): void {
  state.isPaused = true;
  for (const listing of state.listings.values()) {
    if (listing.state === 'open') listing.state = 'settlement';
  }
}

/** To be called with each command: ends the pause when it is due. */
export function endPause(state: ExchangeState): void {
  if (!state.isPaused || state.now < state.pausedUntil) return;
  state.isPaused = false;
  for (const listing of state.listings.values()) {
    if (listing.state === 'settlement') listing.state = 'open';
  }
}

function cancelDayOrders(state: ExchangeState): number {
  let count = 0;
  for (const account of state.accounts.values()) {
    for (const { openOrders, dormantOrders } of account.exposures()) {
      for (const order of [...openOrders, ...dormantOrders]) {
        if (order.timeInForce !== 'good_til_day') continue;
        cancel(state, order, 'settlement');
        count += 1;
      }
    }
  }
  return count;
}

function markBooks(state: ExchangeState): SettledBook[] {
  const books: SettledBook[] = [];
  for (const listing of state.listings.values()) {
    const mark = listing.reference?.mark;
    const { instrument } = listing;
    if (mark === undefined || !holdsPosition(instrument) || listing.state === 'closed') continue;
    listing.settlementPrice = mark;
    books.push({ instrument: instrument.name, settlementPrice: mark });
  }
  return books;
}

/** Closes the session of one position. Without a mark price its profit waits for the next settlement. */
function settle(state: ExchangeState, account: Account, exposure: Exposure): void {
  const { instrument } = exposure.listing;
  if (!holdsPosition(instrument)) return;
  const { settledRealised, funding } = exposure;
  if (instrument.kind === 'option') markOption(exposure);
  else payOut(state, account, exposure);
  exposure.settledRealised = exposure.realised;
  const isIdle =
    exposure.lots === 0 &&
    exposure.funding === funding &&
    equals(settledRealised, exposure.realised);
  if (!isIdle) state.outbox.positionChanged(exposure);
}

/** Pays funding and session profit, and enters both in the account's log. */
function payOut(state: ExchangeState, account: Account, exposure: Exposure): void {
  const { listing, quantity } = exposure;
  const { kind, settlement } = listing.instrument;
  const fundingPaid = kind === 'perpetual' ? bookFunding(state, account, exposure) : undefined;
  const change = plus(payProfit(state, account, exposure), fundingPaid ?? ZERO_MONEY);
  if (exposure.lots === 0 && change.isZero()) return;
  enterSettlement(state, {
    type: 'settlement',
    account: account.id,
    instrument: listing.instrument.name,
    currency: settlement,
    quantity,
    price: listing.settlementPrice,
    fundingPaid,
    change,
    balanceAfter: account.balance(settlement),
    positionAfter: quantity,
    at: state.now,
  });
}

/** Pays whole units of the currency; the basis moves by exactly that amount, so nothing is lost or created. */
function payProfit(state: ExchangeState, account: Account, exposure: Exposure): Money {
  const { instrument } = exposure.listing;
  const decimals = decimalsOf(instrument.settlement);
  const paid = rounded(openProfit(exposure), decimals, 'half_up');
  if (paid.isZero()) return paid;
  exposure.holding = afterPayment(instrument, exposure.holding, paid);
  exposure.realise(paid);
  move(state, account, instrument.settlement, paid);
  return paid;
}

function markOption(exposure: Exposure): void {
  const { listing, holding, lots } = exposure;
  const mark = listing.reference?.mark;
  if (lots === 0 || mark === undefined) return;
  const { lot } = listing.grid;
  exposure.holding = { ...holding, basis: valueOfLots(listing.instrument, mark, { lot, lots }) };
}

/** Closed books are kept until the last trade and order that refer to them are dropped. */
function dropLongClosed(state: ExchangeState): void {
  const { ordersMs, tradesMs } = state.settings;
  const before = state.now - Math.max(DAY_MS, ordersMs, tradesMs);
  for (const [name, listing] of state.listings) {
    if (listing.closedAt === undefined || listing.closedAt >= before) continue;
    state.listings.delete(name);
    state.combos.forget(name);
    for (const account of state.accounts.values()) account.dropClosed(name);
  }
}

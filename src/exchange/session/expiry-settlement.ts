// Settles an expired instrument: open orders in it and in its combos are cancelled, positions become cash at
// the delivery price, the books close permanently. The delivery fee is charged on each position.
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
import type { InstrumentName } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';
import { move } from '../accounting/cash.ts';
import { enterSettlement } from '../accounting/enter-settlement.ts';
import { changeCombo } from '../combos/combo-record.ts';
import type { DoneReply, ExpireInstrumentCommand } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { emptyBook } from '../execution/empty-book.ts';
import type { Account } from '../model/account.ts';
import type { Exposure } from '../model/exposure.ts';
import { deliveryFeeOf } from '../model/fees.ts';
import { afterFill, FLAT, valueOfLots } from '../model/position.ts';
import * as refusal from '../model/refusal.ts';

export function expire(state: ExchangeState, command: ExpireInstrumentCommand): DoneReply {
  const { instrument, deliveryPrice } = command;
  const listing = state.listings.get(instrument);
  if (listing === undefined) return refusal.invalidParam('instrument_name', 'instrument not found');
  if (listing.state === 'closed') return { kind: 'done' };
  endCombosOf(state, instrument);
  emptyBook(state, instrument);
  for (const account of state.accounts.values()) {
    const exposure = account.known(instrument);
    if (exposure === undefined || exposure.lots === 0 || deliveryPrice === undefined) continue;
    deliver(state, account, exposure, deliveryPrice);
  }
  listing.state = 'closed';
  listing.closedAt = state.now;
  listing.deliveryPrice = deliveryPrice;
  state.outbox.emit({ kind: 'instrument_delivered', at: state.now, instrument, deliveryPrice });
  return { kind: 'done' };
}

function deliver(
  state: ExchangeState,
  account: Account,
  exposure: Exposure,
  deliveryPrice: Price,
): void {
  const { instrument, grid } = exposure.listing;
  const { quantity } = exposure;
  const { lots, cost } = exposure.holding;
  let due: Money;
  if (instrument.kind === 'option') {
    due = steps(payoffOf(instrument, deliveryPrice, grid.lot), lots);
    // The premium was paid when the option was traded: the cash is the payoff, the profit is less.
    exposure.realise(lots > 0 ? negated(cost) : cost);
  } else {
    const value = valueOfLots(instrument, deliveryPrice, { lot: grid.lot, lots });
    due = afterFill(instrument, exposure.holding, -lots, value).profitLoss;
  }
  exposure.holding = FLAT;
  state.outbox.positionChanged(exposure);
  const cashflow = exposure.earn(due);
  const fee = deliveryFeeOf(instrument, {
    quantity: absolute(quantity),
    price: deliveryPrice,
    payoff: absolute(due),
  });
  const change = minus(cashflow, fee);
  const { settlement: currency, name } = instrument;
  move(state, account, currency, change);
  enterSettlement(state, {
    type: 'delivery',
    account: account.id,
    instrument: name,
    currency,
    quantity,
    change,
    price: deliveryPrice,
    fee,
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

// The end of every combo that trades an expiring instrument: open orders are cancelled and the book closes permanently.
// It has no position of its own: those of its other legs stay.

/** To be called before the leg itself is settled. */
function endCombosOf(state: ExchangeState, leg: InstrumentName): void {
  for (const combo of state.combos.withLeg(leg)) {
    if (combo.isEnded) continue;
    emptyBook(state, combo.instrument.name);
    changeCombo(state, { ...combo, state: 'inactive', changedAt: state.now, isEnded: true });
  }
}

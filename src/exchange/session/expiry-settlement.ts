// Settles an expired instrument: open orders in it and in its combos are cancelled, positions of futures become cash at the delivery
// price, those of options a position of their future, and the books close permanently. Options expire before their future: all of an
// expiry are settled at one price.
import { minus, type Price } from '../../values/amounts.ts';
import type { InstrumentName } from '../../values/ids.ts';
import { move } from '../accounting/cash.ts';
import { enterSettlement } from '../accounting/enter-settlement.ts';
import { changeCombo } from '../combos/combo-record.ts';
import type { DoneReply, ExpireInstrumentCommand } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { emptyBook } from '../execution/empty-book.ts';
import type { Account } from '../model/account.ts';
import type { Exposure } from '../model/exposure.ts';
import { deliveryFeeOf } from '../model/fees.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { afterFill, FLAT, valueOfLots } from '../model/position.ts';
import * as refusal from '../model/refusal.ts';
import { settleOption, settlesInto } from './option-settlement.ts';

export function expire(state: ExchangeState, command: ExpireInstrumentCommand): DoneReply {
  const { instrument } = command;
  const listing = state.listings.get(instrument);
  if (listing === undefined) return refusal.invalidParam('instrument_name', 'instrument not found');
  if (listing.state === 'closed') return { kind: 'done' };
  const future = settlesInto(state, listing);
  const deliveryPrice = (future ?? listing).deliveryPrice ?? command.deliveryPrice;
  for (const ending of [listing, future]) if (ending !== undefined) endTrading(state, ending);
  for (const account of state.accounts.values()) {
    const exposure = account.known(instrument);
    if (exposure === undefined || deliveryPrice === undefined) continue;
    if (listing.instrument.kind !== 'option') deliver(state, account, exposure, deliveryPrice);
    else if (exposure.lots !== 0) settleOption(state, account, { exposure, future, deliveryPrice });
  }
  closeBook(state, listing, deliveryPrice);
  state.outbox.emit({ kind: 'instrument_delivered', at: state.now, instrument, deliveryPrice });
  return { kind: 'done' };
}

/** Closes it permanently. The price of an option is that of its future, too. */
export function closeBook(
  state: Pick<ExchangeState, 'listings' | 'now'>,
  listing: Listing,
  deliveryPrice: Price | undefined,
): void {
  const future = settlesInto(state, listing);
  if (future !== undefined) future.deliveryPrice = deliveryPrice;
  listing.state = 'closed';
  listing.closedAt = state.now;
  listing.deliveryPrice = deliveryPrice;
}

/** The position of a future that is not netted with options of its expiry, or what is left of both. */
function deliver(
  state: ExchangeState,
  account: Account,
  exposure: Exposure,
  deliveryPrice: Price,
): void {
  const { instrument, grid } = exposure.listing;
  const { quantity, holding } = exposure;
  const { lots } = holding;
  const charged = ownPartOf(exposure);
  exposure.fromOptions = 0;
  if (lots === 0) return;
  const value = valueOfLots(instrument, deliveryPrice, { lot: grid.lot, lots });
  const due = afterFill(instrument, holding, -lots, value).profitLoss;
  exposure.holding = FLAT;
  state.outbox.positionChanged(exposure);
  const cashflow = exposure.earn(due);
  const fee = deliveryFeeOf(instrument, {
    quantity: grid.quantityOf(charged),
    price: deliveryPrice,
    payoff: due,
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

/**
 * The lots of the net position that the account held in the future before its options came: the venue promises that nothing costs more
 * than before, and options have paid their own delivery fee.
 */
function ownPartOf({ lots, fromOptions }: Exposure): number {
  const own = lots - fromOptions;
  return Math.sign(own) === Math.sign(lots) ? Math.min(Math.abs(own), Math.abs(lots)) : 0;
}

/** Cancels what waits in the book and in those of its combos, whose positions in other legs stay. To be called before the settlement. */
function endTrading(state: ExchangeState, { instrument: { name } }: Listing): void {
  endCombosOf(state, name);
  emptyBook(state, name);
}

function endCombosOf(state: ExchangeState, leg: InstrumentName): void {
  for (const combo of state.combos.withLeg(leg)) {
    if (combo.isEnded) continue;
    emptyBook(state, combo.instrument.name);
    changeCombo(state, { ...combo, state: 'inactive', changedAt: state.now, isEnded: true });
  }
}

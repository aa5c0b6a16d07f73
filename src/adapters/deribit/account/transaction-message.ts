// An entry of the transaction log as Deribit reports it. Entries without an instrument are deposits, transfers and the
// like; `side` says whether a trade opened or closed, which is left out here.

import type { Fields } from '../../../ports/deribit-wire/message-fields.ts';
import type { AccountTransaction } from '../../../values/account-report.ts';
import { money } from '../../../values/amounts.ts';
import { type AccountId, currency, instrumentName, orderId, tradeId } from '../../../values/ids.ts';

/** @throws MalformedMessage */
export function transactionIn(of: Fields, account: AccountId): AccountTransaction {
  const [instrument, trade, order] = [
    of.textIf('instrument_name'),
    of.textIf('trade_id'),
    of.textIf('order_id'),
  ];
  const [balance, funding] = [of.digitsIf('balance'), of.digitsIf('interest_pl')];
  return {
    account,
    currency: currency(of.text('currency')),
    seq: of.whole('user_seq'),
    type: of.text('type'),
    instrument: instrument === undefined ? undefined : instrumentName(instrument),
    side: sideIn(of.textIf('side')),
    quantity: of.quantityIf('amount'),
    price: of.priceIf('price'),
    tradeId: trade === undefined ? undefined : tradeId(trade),
    orderId: order === undefined ? undefined : orderId(order),
    liquidity: of.wordIf('user_role', ['maker', 'taker'] as const, undefined),
    fee: money(of.digitsIf('commission') ?? '0'),
    cashflow: money(of.digitsIf('cashflow') ?? '0'),
    funding: funding === undefined ? undefined : money(funding),
    change: money(of.digits('change')),
    balance: balance === undefined ? undefined : money(balance),
    position: of.quantityIf('position'),
    markPrice: of.priceIf('mark_price'),
    indexPrice: of.priceIf('index_price'),
    blockRfqId: of.textIf('block_rfq_id'),
    at: of.instant('timestamp'),
  };
}

/** `open buy`, `close sell`, `buy`; `-` where nothing was traded. */
const sideIn = (words: string | undefined): AccountTransaction['side'] =>
  (['buy', 'sell'] as const).find((side) => words?.endsWith(side));

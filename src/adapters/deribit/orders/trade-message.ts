// A trade of an account as Deribit reports it. The documents call `direction` the taker's side; recordings show the
// account's own. Where the order is known its side decides.

import type { TradeRecord, TradeShare } from '../../../core/order/order-record.ts';
import { money } from '../../../values/amounts.ts';
import {
  type AccountId,
  currency,
  instrumentName,
  type OrderId,
  orderId,
  tradeId,
} from '../../../values/ids.ts';
import type { Side } from '../../../values/instrument.ts';
import type { OrderState } from '../../../values/order-terms.ts';
import type { Fields } from '../wire/message-fields.ts';
import { onLot, sideIn, type TermsOf } from './order-message.ts';

const STATES = ['open', 'filled', 'rejected', 'cancelled', 'untriggered'] as const;
const ADVANCED = ['usd', 'implv'] as const;
const TICKS = [0, 1, 2, 3] as const;

export interface TradeContext {
  readonly account: AccountId;
  readonly termsOf: TermsOf;
  /** The side of an order of the account, if it is known. */
  readonly sideOf: (order: OrderId) => Side | undefined;
}

/** @throws MalformedMessage */
export function tradeIn(of: Fields, context: TradeContext): TradeRecord {
  const { account, termsOf, sideOf } = context;
  const instrument = instrumentName(of.text('instrument_name'));
  const terms = termsOf(instrument);
  const order = orderId(of.text('order_id'));
  const contracts = of.quantityIf('contracts');
  const tick = of.wholeIf('tick_direction');
  const percent = of.floatIf('iv');
  return {
    tradeId: tradeId(of.text('trade_id')),
    tradeSeq: of.wholeIf('trade_seq') ?? 0,
    account,
    orderId: order,
    orderType: of.word('order_type', ['limit', 'market'] as const, 'limit' as const),
    label: of.textIf('label') ?? '',
    instrument,
    side: sideOf(order) ?? sideIn(of),
    // A state of the archive says no more than that the order is over.
    state: of.word('state', STATES, 'filled' as const) satisfies OrderState,
    price: of.price('price'),
    quantity: onLot(of.quantity('amount'), terms),
    contracts,
    liquidity: liquidityIn(of),
    ...liquidationIn(of),
    fee: money(of.digits('fee')),
    feeCurrency: currency(of.text('fee_currency')),
    profitLoss: moneyIf(of, 'profit_loss'),
    tickDirection: TICKS.find((one) => one === tick) ?? 1,
    indexPrice: of.priceIf('index_price'),
    markPrice: of.priceIf('mark_price'),
    underlyingPrice: of.priceIf('underlying_price'),
    iv: percent === undefined ? undefined : percent / 100,
    advanced: of.wordIf('advanced', ADVANCED, undefined),
    postOnly: of.flag('post_only'),
    reduceOnly: of.flag('reduce_only'),
    mmp: of.flag('mmp'),
    blockTradeId: of.textIf('block_trade_id'),
    blockRfqId: of.textIf('block_rfq_id'),
    blockRfqQuoteId: of.textIf('block_rfq_quote_id'),
    comboId: of.textIf('combo_id'),
    comboTradeId: of.textIf('combo_trade_id'),
    legs: legsIn(of, context),
    allocations: of.has('trade_allocations')
      ? of.each('trade_allocations').map(shareIn)
      : undefined,
    at: of.instant('timestamp'),
  };
}

/** The venue's letters name the side that was liquidated, as those of `liquidity` name the account's own. */
const liquidationIn = (of: Fields): Pick<TradeRecord, 'liquidation'> => {
  const side = of.wordIf('liquidation', LIQUIDATED, undefined);
  return side === undefined ? {} : { liquidation: side };
};

const LIQUIDATED = ['M', 'T', 'MT'] as const;

/** Of a fill without the word nothing is known, and a taker pays more. */
const liquidityIn = (of: Fields): TradeRecord['liquidity'] =>
  of.word('liquidity', ['M', 'T'] as const, 'T' as const) === 'M' ? 'maker' : 'taker';

function legsIn(of: Fields, context: TradeContext): TradeRecord['legs'] {
  const legs = of.listIf('legs');
  if (legs === undefined || legs.length === 0) return undefined;
  return of.each('legs').map((leg) => tradeIn(leg, { ...context, sideOf: () => undefined }));
}

function moneyIf(of: Fields, name: string): TradeRecord['profitLoss'] {
  const digits = of.digitsIf(name);
  return digits === undefined ? undefined : money(digits);
}

function shareIn(of: Fields): TradeShare {
  const client = of.inIf('client_info');
  return {
    quantity: of.quantity('amount'),
    fee: money(of.digits('fee')),
    userId: of.wholeIf('user_id'),
    client: client && {
      clientId: client.whole('client_id'),
      clientLinkId: client.wholeIf('client_link_id'),
      name: client.textIf('name'),
    },
  };
}

// An account's side of a trade on Deribit's wire.
//
// Decisions: `direction` is the side of the account's own order, as in recordings (the documents say the taker's), and where the
// order is known its side decides; `index_price` and `mark_price`, which clients require, stand in for each other, then the
// price does; `order_type` is `market` for every order without a limit of its own; the flags of the order are booleans, not the
// text of the schema. A state of the archive says no more than that the order is over. Of a fill without `liquidity` nothing
// is known, and a taker pays more.
import type { TradeRecord, TradeShare } from '../../core/order/order-record.ts';
import type { ClientLink, TradeAllocation } from '../../values/block-rfq-record.ts';
import {
  type AccountId,
  currency,
  instrumentName,
  type OrderId,
  tradeId,
} from '../../values/ids.ts';
import type { Instrument, Side, TermsOf } from '../../values/instrument.ts';
import { ADVANCED_KINDS, tradedAs } from '../../values/order-terms.ts';
import { percentText } from '../../values/text/model-text.ts';
import {
  FLAG,
  INSTANT,
  INSTRUMENT,
  idOf,
  LIQUIDATED_IF,
  MONEY,
  MONEY_IF,
  NUMBER_ID_IF,
  ORDER_ID,
  PRICE,
  PRICE_IF,
  QUANTITY,
  QUANTITY_IF,
  SEQUENCE,
  sideIn,
  TEXT_IF,
  TICK_DIRECTION,
  WHOLE,
  WHOLE_IF,
  wordIfOf,
} from './field-forms.ts';
import { decimalNumber, integerOfText, numberOfText } from './json-number.ts';
import type { Fields } from './message-fields.ts';
import { onLot } from './order-rows.ts';
import { type JsonObject, listOf, recordTable, sparse } from './record-table.ts';

const STATES = ['open', 'filled', 'rejected', 'cancelled', 'untriggered'] as const;

interface TradeContext {
  readonly account: AccountId;
  readonly termsOf: TermsOf;
  /** The side of an order of the account, if it is known. */
  readonly sideOf: (order: OrderId) => Side | undefined;
}

interface Reading extends TradeContext {
  readonly terms: Instrument | undefined;
}

const client = recordTable<ClientLink>();
const CLIENT = client.objectIf([
  client.field('client_id', 'clientId', WHOLE),
  client.field('client_link_id', 'clientLinkId', WHOLE_IF),
  client.field('name', 'name', TEXT_IF),
]);

const allocation = recordTable<TradeAllocation>();
const ALLOCATED = allocation.field('amount', 'quantity', QUANTITY);
const ALLOCATION_OWNERS = [
  allocation.field('user_id', 'userId', WHOLE_IF),
  allocation.field('client_info', 'client', CLIENT),
];
export const ALLOCATIONS = listOf([ALLOCATED, ...ALLOCATION_OWNERS]);

const share = recordTable<TradeShare>();
const SHARES = listOf<TradeShare, keyof TradeShare, unknown>([
  ALLOCATED,
  share.field('fee', 'fee', MONEY),
  ...ALLOCATION_OWNERS,
]);

const { field, written, derived, writer, reader } = recordTable<TradeRecord, unknown, Reading>();

/** What a trade has, also as a leg of the trade of a combo. */
const PART_ROWS = [
  field('trade_id', 'tradeId', idOf(tradeId)),
  field('trade_seq', 'tradeSeq', SEQUENCE),
  field('instrument_name', 'instrument', INSTRUMENT),
  derived('account', (_, { account }) => account),
  field('timestamp', 'at', INSTANT),
  field('order_id', 'orderId', ORDER_ID),
  field('order_type', 'orderType', {
    write: (_, trade) => tradedAs(trade),
    read: (of, name) => of.word(name, ['limit', 'market'] as const, 'limit'),
  }),
  field('state', 'state', { read: (of, name) => of.word(name, STATES, 'filled' as const) }),
  field('direction', 'side', {
    read: (of, _, { sideOf }) => sideOf(ORDER_ID.read(of, 'order_id', undefined)) ?? sideIn(of),
  }),
  field('tick_direction', 'tickDirection', TICK_DIRECTION),
  field('price', 'price', PRICE),
  field('amount', 'quantity', {
    write: decimalNumber,
    read: (of, name, { terms }) => onLot(of.quantity(name), terms),
  }),
  field('contracts', 'contracts', QUANTITY_IF),
  field('fee', 'fee', MONEY),
  field('fee_currency', 'feeCurrency', idOf(currency)),
  field('liquidity', 'liquidity', {
    write: (liquidity) => (liquidity === 'maker' ? 'M' : 'T'),
    read: (of, name) => (of.word(name, ['M', 'T'] as const, 'T') === 'M' ? 'maker' : 'taker'),
  }),
  sparse(field('liquidation', 'liquidation', LIQUIDATED_IF)),
  field('label', 'label', {
    write: (label) => (label === '' ? undefined : label),
    read: (of, name) => of.textIf(name) ?? '',
  }),
  field('mark_price', 'markPrice', {
    write: (mark, { indexPrice, price }) => decimalNumber(mark ?? indexPrice ?? price),
    read: PRICE_IF.read,
  }),
  field('index_price', 'indexPrice', {
    write: (index, { markPrice, price }) => decimalNumber(index ?? markPrice ?? price),
    read: PRICE_IF.read,
  }),
  field('iv', 'iv', {
    write: (iv) => (iv === undefined ? undefined : numberOfText(percentText(iv))),
    read: (of, name) => {
      const percent = of.floatIf(name);
      return percent === undefined ? undefined : percent / 100;
    },
  }),
  field('underlying_price', 'underlyingPrice', PRICE_IF),
  field('combo_id', 'comboId', TEXT_IF),
  field('combo_trade_id', 'comboTradeId', TEXT_IF),
];
const writePart = writer(PART_ROWS);

const TRADE_ROWS = [
  ...PART_ROWS,
  field('profit_loss', 'profitLoss', MONEY_IF),
  written('matching_id', () => null),
  field('advanced', 'advanced', wordIfOf(ADVANCED_KINDS)),
  field('post_only', 'postOnly', FLAG),
  field('reduce_only', 'reduceOnly', FLAG),
  field('mmp', 'mmp', FLAG),
  written('self_trade', () => false),
  written('risk_reducing', () => false),
  written('api', () => true),
  written('user_id', ({ account }) => integerOfText(account)),
  field('block_trade_id', 'blockTradeId', TEXT_IF),
  field('block_rfq_id', 'blockRfqId', NUMBER_ID_IF),
  field('block_rfq_quote_id', 'blockRfqQuoteId', NUMBER_ID_IF),
  field('legs', 'legs', {
    write: (legs) => legs?.map((leg) => writePart(leg, undefined)),
    read: legsIn,
  }),
  field('trade_allocations', 'allocations', {
    write: (shares) => shares && SHARES.write(shares),
    read: (of, name) => (of.has(name) ? SHARES.read(of, name, undefined) : undefined),
  }),
];

const write = writer(TRADE_ROWS);
const read = reader(TRADE_ROWS);

export const tradeJson = (trade: TradeRecord): JsonObject => write(trade, undefined);

/** @throws MalformedMessage */
export const tradeIn = (of: Fields, context: TradeContext): TradeRecord => {
  const { account, termsOf, sideOf } = context;
  const terms = termsOf(instrumentName(of.text('instrument_name')));
  return read(of, { account, termsOf, sideOf, terms });
};

/** The side of a leg is its own, not that of the order. */
function legsIn(of: Fields, name: string, context: Reading): TradeRecord['legs'] {
  const legs = of.listIf(name);
  if (legs === undefined || legs.length === 0) return undefined;
  const { account, termsOf } = context;
  return of.each(name).map((leg) => tradeIn(leg, { account, termsOf, sideOf: () => undefined }));
}

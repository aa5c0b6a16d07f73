// Block RFQs, quotes and block trades as Deribit's wire shows them. Ids of RFQs and quotes are integers.
//
// Decisions: an RFQ has one of the four documented states, so that one in its first seconds is `open`, one that other makers
// filled is `filled`, and one that failed is `cancelled`; `trade_trigger` is the latest accept that waits; a ratio is an
// integer if it is whole; a taker's rating is the text of its band; the id on the tape is
// the number in that of the block trade, because an RFQ has another id for each of its parties.
import type { TradeRecord } from '../../../core/order/order-record.ts';
import { fraction, text, toNumber } from '../../../values/amounts.ts';
import type {
  BlockTrade,
  PricedRfqLeg,
  RfqFill,
  RfqHedge,
  RfqLeg,
  RfqLevel,
  RfqQuoteRecord,
  RfqRecord,
  RfqStatus,
  RfqTrigger,
  TradeAllocation,
} from '../../../values/block-rfq-record.ts';
import { floatText } from '../../order-api/result-fields.ts';
import {
  decimalNumber,
  integerOfText,
  type JsonNumber,
  modelNumber,
  numberOfText,
} from '../method/json-number.ts';
import { digitsJson, idJson, userTradeJson } from '../trades/deribit-trade-json.ts';

const RATIO_PLACES = 2;
const MARK_PLACES = 8;

const STATES: Readonly<Record<RfqStatus, string>> = {
  created: 'open',
  open: 'open',
  filled: 'filled',
  traded: 'filled',
  cancelled: 'cancelled',
  expired: 'expired',
  closed: 'cancelled',
  failed: 'cancelled',
};

export const rfqJson = (rfq: RfqRecord) => ({
  block_rfq_id: idJson(rfq.id),
  creation_timestamp: rfq.createdAt,
  expiration_timestamp: rfq.expiresAt,
  role: rfq.role,
  state: STATES[rfq.status],
  amount: decimalNumber(rfq.quantity),
  min_trade_amount: decimalNumber(rfq.minTradeQuantity),
  combo_id: rfq.comboId ?? null,
  legs: rfq.legs.map(legJson),
  hedge: rfq.hedge && hedgeJson(rfq.hedge),
  disclosed: rfq.disclosed,
  taker: rfq.taker,
  taker_rating: rfq.takerRating,
  included_in_taker_rating: rfq.includedInTakerRating,
  mark_price: rfq.markPrice && decimalNumber(rfq.markPrice),
  index_prices: rfq.indexPrices && numbersOf(rfq.indexPrices),
  trades: rfq.fills.length === 0 ? undefined : rfq.fills.map(fillJson),
  ...(rfq.role === 'taker' && {
    makers: [...rfq.makers],
    bids: rfq.bids.map(levelJson),
    asks: rfq.asks.map(levelJson),
    label: rfq.label,
    trade_trigger: triggerJson(rfq.triggers.at(-1)),
    trade_allocations: rfq.allocations.map(allocationJson),
  }),
});

const legJson = ({ instrument, ratio: of, side }: RfqLeg) => ({
  ratio: integerOfText(text(of)),
  instrument_name: instrument,
  direction: side,
});

const pricedLegJson = (leg: PricedRfqLeg) => ({ ...legJson(leg), price: decimalNumber(leg.price) });

const hedgeJson = ({ instrument, quantity, side, price }: RfqHedge) => ({
  instrument_name: instrument,
  amount: decimalNumber(quantity),
  direction: side,
  price: decimalNumber(price),
});

const numbersOf = (prices: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(prices).map(([name, value]) => [name, numberOfText(value)]));

const fillJson = ({ side, price, quantity, maker, hedgeQuantity }: RfqFill) => ({
  direction: side,
  price: decimalNumber(price),
  amount: decimalNumber(quantity),
  maker,
  hedge_amount: hedgeQuantity && decimalNumber(hedgeQuantity),
});

const levelJson = (level: RfqLevel) => ({
  makers: [...level.makers],
  price: decimalNumber(level.price),
  amount: decimalNumber(level.quantity),
  execution_instruction: level.executionInstruction,
  last_update_timestamp: level.lastUpdatedAt,
  expires_at: level.expiresAt,
});

export const triggerJson = (trigger: RfqTrigger | undefined) =>
  trigger && {
    state: trigger.state,
    direction: trigger.side,
    price: decimalNumber(trigger.price),
    cancel_reason: trigger.cancelReason,
  };

const allocationJson = ({ quantity, userId, client }: TradeAllocation) => ({
  amount: decimalNumber(quantity),
  user_id: userId,
  client_info: client && {
    client_id: client.clientId,
    client_link_id: client.clientLinkId,
    name: client.name,
  },
});

export const quoteJson = (quote: RfqQuoteRecord) => ({
  block_rfq_id: idJson(quote.rfqId),
  block_rfq_quote_id: idJson(quote.id),
  creation_timestamp: quote.createdAt,
  last_update_timestamp: quote.lastUpdatedAt,
  expires_at: quote.expiresAt,
  quote_state: quote.status,
  quote_state_reason: quote.statusReason,
  execution_instruction: quote.executionInstruction,
  price: decimalNumber(quote.price),
  amount: decimalNumber(quote.quantity),
  filled_amount: decimalNumber(quote.filledQuantity),
  direction: quote.side,
  legs: quote.legs.map(pricedLegJson),
  hedge: quote.hedge && hedgeJson(quote.hedge),
  replaced: quote.replaced,
  label: quote.label,
});

/** One block trade with the account's own trades of it, by id; one that cannot be read is left out. */
export const blockTradeJson = (block: BlockTrade, found: ReadonlyMap<string, TradeRecord>) => ({
  id: block.id,
  timestamp: block.at,
  trades: block.rows.flatMap(({ tradeId }) => {
    const trade = found.get(tradeId);
    return trade === undefined ? [] : [userTradeJson(trade)];
  }),
});

/** A block trade on the public tape, with the taker's sides. */
export function tapeJson(block: BlockTrade) {
  const hedge = block.rows.find(({ isHedge }) => isHedge);
  return {
    id: digitsJson(block.id),
    timestamp: block.at,
    direction: block.side,
    amount: decimalNumber(block.quantity),
    mark_price: markOf(block),
    combo_id: block.comboId ?? null,
    legs: block.rows
      .filter(({ isHedge }) => !isHedge)
      .map((row) => ({
        ratio: integerOfText(floatText(fraction(row.quantity, block.quantity), RATIO_PLACES)),
        instrument_name: row.instrument,
        direction: row.side,
        price: decimalNumber(row.price),
      })),
    hedge: hedge && hedgeJson(hedge),
    trades: [
      {
        direction: block.side,
        price: decimalNumber(block.price),
        amount: decimalNumber(block.quantity),
        hedge_amount: hedge && decimalNumber(hedge.quantity),
      },
    ],
  };
}

/** The sum over the legs without the hedge; null unless the mark price of each is known. */
function markOf({ side, quantity, rows }: BlockTrade): JsonNumber | null {
  let mark = 0;
  for (const row of rows) {
    if (row.isHedge) continue;
    if (row.markPrice === undefined) return null;
    const each = toNumber(row.markPrice) * fraction(row.quantity, quantity);
    mark += row.side === side ? each : -each;
  }
  return modelNumber(mark, MARK_PLACES);
}

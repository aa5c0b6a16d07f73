// Block trades as Deribit's wire shows them.
//
// Decisions: the id on the tape is the number in that of the block trade, because an RFQ has another id for each of its parties.
import type { TradeRecord } from '../../../core/order/order-record.ts';
import { hedgeJson } from '../../../ports/deribit-wire/block-rfq-rows.ts';
import {
  decimalNumber,
  digitsJson,
  integerOfText,
  type JsonNumber,
  modelNumber,
} from '../../../ports/deribit-wire/json-number.ts';
import { tradeJson } from '../../../ports/deribit-wire/trade-rows.ts';
import { fraction, toNumber } from '../../../values/amounts.ts';
import type { BlockTrade } from '../../../values/block-rfq-record.ts';
import { floatText } from '../../../values/text/model-text.ts';

const RATIO_PLACES = 2;
const MARK_PLACES = 8;

/** One block trade with the account's own trades of it, by id; one that cannot be read is left out. */
export const blockTradeJson = (block: BlockTrade, found: ReadonlyMap<string, TradeRecord>) => ({
  id: block.id,
  timestamp: block.at,
  trades: block.rows.flatMap(({ tradeId }) => {
    const trade = found.get(tradeId);
    return trade === undefined ? [] : [tradeJson(trade)];
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
    hedge: hedgeJson(hedge),
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

// Shows a quote to its maker, and a block trade to one of its sides or publicly.

import { steps, ZERO_MONEY } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import type {
  BlockTrade as BlockTradeRecord,
  BlockTradeRow,
  RfqQuoteRecord,
} from '../../../values/block-rfq-record.ts';
import type { AccountId } from '../../../values/ids.ts';
import { opposite } from '../../../values/instrument.ts';
import type { BlockTrade } from '../blocks/block-trade.ts';
import type { RfqQuote } from '../maker-quote.ts';
import { type Rfq, seatOf } from '../rfq.ts';
import { shownHedge } from './rfq-shown.ts';

export function shownQuote(rfq: Rfq, quote: RfqQuote): RfqQuoteRecord {
  const { hedge } = rfq;
  const { label, reason, expiresAt, mmpGroup } = quote;
  return {
    id: quote.id,
    rfqId: must(seatOf(rfq, quote.maker), 'a quoting maker has a seat').id,
    currency: rfq.currency,
    ...(label !== '' && { label }),
    quantity: steps(rfq.unit, quote.units),
    filledQuantity: steps(rfq.unit, quote.filledUnits),
    side: quote.side,
    price: steps(rfq.resolution, quote.ticks),
    executionInstruction: quote.instruction,
    legs: rfq.legs.map(({ instrument, ratio, side, tick }, at) => ({
      instrument,
      ratio,
      side,
      price: steps(tick, quote.legTicks[at] as number),
    })),
    ...(hedge !== undefined && { hedge: shownHedge(hedge) }),
    status: quote.status,
    ...(reason !== undefined && { statusReason: reason }),
    replaced: quote.replaced,
    createdAt: quote.createdAt,
    lastUpdatedAt: quote.updatedAt,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(mmpGroup !== undefined && { mmpGroup }),
  };
}

/** Without an account, the public view: no names and no fees. */
export function shownTrade(trade: BlockTrade, account?: AccountId): BlockTradeRecord {
  const role = account === undefined ? 'tape' : account === trade.maker ? 'maker' : 'taker';
  const isNamed = role === 'maker' || (role === 'taker' && trade.disclosed);
  const ids = { tape: String(trade.rfq), maker: trade.makerRfqId, taker: trade.takerRfqId };
  return {
    id: trade.id,
    rfqId: ids[role],
    ...(trade.comboId !== undefined && { comboId: trade.comboId }),
    currency: trade.currency,
    at: trade.at,
    side: role === 'maker' ? opposite(trade.side) : trade.side,
    price: trade.price,
    quantity: trade.quantity,
    ...(isNamed && { maker: trade.makerAlias }),
    ...(role === 'maker' && { mmpGroup: groupOf(trade) }),
    rows: trade.rows.map((row) => shownRow(row, role)),
  };
}

const groupOf = ({ quotes }: BlockTrade): string | undefined =>
  quotes.toSorted((a, b) => b.units - a.units)[0]?.mmpGroup;

function shownRow(
  { takerFee, makerFee, tradeSeq: _seq, ...row }: BlockTrade['rows'][number],
  role: 'tape' | 'maker' | 'taker',
): BlockTradeRow {
  const fees = { tape: ZERO_MONEY, maker: makerFee, taker: takerFee };
  return {
    ...row,
    side: role === 'maker' ? opposite(row.side) : row.side,
    fee: fees[role],
    liquidity: role === 'maker' ? 'maker' : 'taker',
    allocations: role === 'taker' ? row.allocations : [],
  };
}

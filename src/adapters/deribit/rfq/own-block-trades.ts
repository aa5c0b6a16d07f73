// The block trades of an account, put together from its trades and its RFQ: each trade names its block, and the RFQ says
// which structure was traded.
//
// Decided where the documents are silent: the maker of a block trade is that of the fill of the same size, if only one
// maker filled that size.
import type { TradeRecord } from '../../../core/order/order-record.ts';
import {
  equals,
  plus,
  proportion,
  type Quantity,
  rounded,
  share,
  toNumber,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import type {
  BlockTrade,
  BlockTradeRow,
  RfqFill,
  RfqLeg,
  RfqRecord,
} from '../../../values/block-rfq-record.ts';
import { latest } from '../../../values/instant.ts';
import { structurePrice } from './tape-message.ts';

export interface BlockContext {
  /** The alias of the account as a maker. */
  readonly alias?: string | undefined;
  /** The group that a quote of the account was made for. */
  readonly groupOf: (quoteId: string) => string | undefined;
}

const PLACES = 8;

/** In the order of their trades; trades of a block that lack a leg of the structure make none. */
export function ownBlockTrades(
  rfq: RfqRecord,
  trades: readonly TradeRecord[],
  context: BlockContext,
): readonly BlockTrade[] {
  const blocks = Map.groupBy(trades, ({ blockTradeId }) => blockTradeId);
  return [...blocks].flatMap(([id, rows]) => {
    const isWhole = rfq.legs.every((leg) => rows.some((row) => isOf(leg, row)));
    return id === undefined || !isWhole ? [] : [blockTrade(rfq, id, rows, context)];
  });
}

/** Whether these are all that the account traded of the RFQ. */
export function areAllTrades(
  rfq: RfqRecord,
  blocks: readonly BlockTrade[],
  alias: string | undefined,
): boolean {
  const own = rfq.fills.filter(({ maker }) => rfq.role === 'taker' || maker === alias);
  return equals(summed(own), summed(blocks));
}

const summed = (parts: readonly { readonly quantity: Quantity }[]): Quantity =>
  parts.reduce((sum, { quantity }) => plus(sum, quantity), ZERO_QUANTITY);

const isOf = (leg: RfqLeg, { instrument }: TradeRecord): boolean => instrument === leg.instrument;

function blockTrade(
  rfq: RfqRecord,
  id: string,
  trades: readonly TradeRecord[],
  { alias, groupOf }: BlockContext,
): BlockTrade {
  const { legs, role } = rfq;
  const [leg] = legs as readonly [RfqLeg];
  const ofLeg = trades.filter((row) => isOf(leg, row));
  const [first] = ofLeg as [TradeRecord];
  const quantity = structureQuantity(rfq, leg, summed(ofLeg));
  const priced = legs.flatMap((one) => {
    const row = trades.find((trade) => isOf(one, trade));
    return row === undefined ? [] : [{ ...one, price: row.price }];
  });
  const quoteId = trades.find(({ blockRfqQuoteId }) => blockRfqQuoteId)?.blockRfqQuoteId;
  return {
    id,
    rfqId: rfq.id,
    comboId: rfq.comboId,
    currency: rfq.currency,
    at: trades.map(({ at }) => at).reduce(latest),
    side: first.side === leg.side ? 'buy' : 'sell',
    price: structurePrice('buy', priced),
    quantity,
    maker: role === 'maker' ? alias : makerOf(rfq, quantity),
    mmpGroup: role === 'maker' && quoteId !== undefined ? groupOf(quoteId) : undefined,
    rows: sorted(rfq, trades).map((trade) => rowOf(rfq, trade)),
  };
}

/** As the RFQ states it for a fill of that size; computed only where it does not. */
function structureQuantity({ fills }: RfqRecord, leg: RfqLeg, ofLeg: Quantity): Quantity {
  const fill = fills.find(({ quantity }) => equals(share(quantity, leg.ratio), ofLeg));
  return fill?.quantity ?? rounded(proportion(ofLeg, 1, toNumber(leg.ratio)), PLACES, 'half_even');
}

function makerOf({ fills }: RfqRecord, quantity: Quantity): string | undefined {
  const alike = fills.filter((fill: RfqFill) => equals(fill.quantity, quantity));
  const makers = new Set(alike.map(({ maker }) => maker));
  const [maker] = makers;
  return makers.size === 1 ? maker : undefined;
}

/** The legs as the RFQ lists them, then the hedge. */
function sorted({ legs }: RfqRecord, trades: readonly TradeRecord[]): readonly TradeRecord[] {
  const place = (trade: TradeRecord): number => {
    const at = legs.findIndex((leg) => isOf(leg, trade));
    return at < 0 ? legs.length : at;
  };
  return trades.toSorted((a, b) => place(a) - place(b));
}

const rowOf = ({ legs }: RfqRecord, trade: TradeRecord): BlockTradeRow => ({
  tradeId: trade.tradeId,
  instrument: trade.instrument,
  side: trade.side,
  quantity: trade.quantity,
  price: trade.price,
  fee: trade.fee,
  feeCurrency: trade.feeCurrency,
  markPrice: trade.markPrice,
  indexPrice: trade.indexPrice,
  liquidity: trade.liquidity,
  isHedge: legs.every((leg) => !isOf(leg, trade)),
  allocations: trade.allocations ?? [],
});
